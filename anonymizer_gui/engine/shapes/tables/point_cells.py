"""Cells that hold a place on the earth: latitude and longitude in degrees, or a point as databases write it (WKT)."""

import math
import re

POINT_FORMATS = {"": "48.1° N, 11.6° E: 48.1, 11.6", "lon": "48.1° N, 11.6° E: 11.6, 48.1"}
"""Whether the latitude or the longitude comes first; `POINT (11.6 48.1)` has the longitude first in both."""
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_PAIR = re.compile(rf"\(?\s*({_NUMBER})\s*(?:[,;]\s*|\s+)({_NUMBER})\s*\)?", re.ASCII)
_WKT = re.compile(rf"(?:SRID=4326;)?\s*POINT\s*\(\s*({_NUMBER})\s+({_NUMBER})\s*\)", re.ASCII | re.IGNORECASE)
_BROKEN = re.compile(r"\d\.\d")


def read_point(text: str, form: str = "") -> tuple[float, float] | None:
    """Give latitude and longitude; nothing where the cell is no place on the earth.

    >>> read_point("48.1, 11.6"), read_point("POINT (11.6 48.1)"), read_point("95.0, 11.6"), read_point("nan, 1.5")
    ((48.1, 11.6), (48.1, 11.6), None, None)
    """
    wkt = _WKT.fullmatch(text.strip())
    found = wkt or _PAIR.fullmatch(text.strip())
    if found is None:
        return None
    first, second = float(found[1]), float(found[2])
    lat, lon = (second, first) if wkt or form == "lon" else (first, second)
    return (lat, lon) if math.isfinite(lat + lon) and abs(lat) <= 90 and abs(lon) <= 180 else None


def write_point(lat: str, lon: str) -> str:
    """Write two numbers, each as it stands, as one cell."""
    return f"{lat}, {lon}"


def looks_like_point(text: str) -> bool:
    """Say whether a cell is a place beyond doubt: two numbers with decimals, or a point by name."""
    return read_point(text) is not None and (
        _WKT.fullmatch(text.strip()) is not None or len(_BROKEN.findall(text)) == 2
    )
