"""Options and sniffing: which column is what."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.params import Choice, Float, Text, param
from anonymizer_gui.engine.data.tables.io import preview, sniff
from anonymizer_gui.engine.data.tables.io.options import ENCODINGS
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.storage.safe_open import open_regular

LAYOUTS = {
    "points": "A point per line",
    "polyline": "A track per line, with a column of points",
    "gpx": "GPX",
    "geojson": "GeoJSON",
}

UNITS = {"degrees": "Longitude and latitude in degrees", "metres": "Metres"}

TIMES = {"iso": "ISO 8601, such as 2024-05-01T08:30:00+02:00", "seconds": "Seconds", "milliseconds": "Milliseconds"}

_BY_LOOKING = {"": "Found by looking"}


@dataclass(frozen=True, slots=True)
class PlaceOptions:
    """How a file is understood; `sniffed` proposes them, the user may change each."""

    title: ClassVar[str] = "The reading of a file"

    layout: str = param(Choice(LAYOUTS), default="points", label="Layout", help="How places stand in the file.")
    track: str = param(
        Text(column=True), default="", label="Column of tracks",
        help="Points with the same value are one track: the user, trip or device.",
    )  # fmt: skip
    person: str = param(
        Text(column=True), default="", label="Column of people",
        help="Who a track is of, where people have several; empty: every track is somebody else's.",
    )  # fmt: skip
    x: str = param(Text(column=True), default="", label="Column of longitude or x", help="How far east a point is.")
    y: str = param(Text(column=True), default="", label="Column of latitude or y", help="How far north a point is.")
    time: str = param(
        Text(column=True), default="", label="Column of time", help="When somebody was there; empty: not told."
    )
    polyline: str = param(
        Text(column=True), default="", label="Column of points", help="A list of [longitude, latitude] per track."
    )
    step: float = param(
        Float(low=0.001), default=15.0, label="Seconds between points",
        help="In a column of points, whose points have no times of their own.",
    )  # fmt: skip
    units: str = param(
        Choice({**_BY_LOOKING, **UNITS}), default="", label="Units", help="Degrees are projected to metres."
    )
    time_format: str = param(
        Text(), default="", label="Time format",
        help="iso, seconds, milliseconds, or a pattern such as %d.%m.%Y %H:%M; empty: found by looking.",
    )  # fmt: skip
    zone: str = param(Text(), default="UTC", label="Time zone", help="Of times that name none, such as Europe/Berlin.")
    encoding: str = param(
        Choice({**_BY_LOOKING, **ENCODINGS}), default="", label="Encoding", help="How bytes stand for letters."
    )
    header: str = param(
        Choice({**_BY_LOOKING, "yes": "Yes", "no": "No"}), default="", label="First row has the names",
        help="Otherwise columns are numbered.",
    )  # fmt: skip


_ROWS, _MORE_COLUMNS = 200, 3

NAMES = {
    "polyline": ("polyline", "points", "geometry", "coordinates"),
    "x": ("longitude", "lon", "lng", "long", "x", "easting", "länge", "laenge", "rechtswert"),
    "y": ("latitude", "lat", "y", "northing", "breite", "hochwert"),
    "time": ("time", "timestamp", "datetime", "date_time", "t", "utc", "date", "when", "zeit", "zeitpunkt", "elapsed"),
    "track": ("trip_id", "track_id", "track", "trip", "user", "user_id", "userid", "uid", "person", "device",
              "device_id", "vehicle", "name", "taxi_id", "id", "nutzer", "kennung"),
}  # fmt: skip

_DATE = re.compile(r"^(\d{4}-\d{2}-\d{2}[T ]|\d{1,2}\.\d{1,2}\.\d{4} )\d{2}:\d{2}")

_POLYLINE = re.compile(r"^\s*\[\s*(\[\s*-?\d|\])")

_NUMBER = re.compile(r"^-?\d+([.,]\d+)?([eE][-+]?\d+)?$")

SUFFIXES = {".gpx": "gpx", ".geojson": "geojson"}


def sniff_options(path: Path) -> PlaceOptions:
    """Propose how a file is read; raises UnreadableFile when there is nothing to read at all."""
    layout = SUFFIXES.get(path.suffix.lower()) or _by_content(path)
    if layout:
        return PlaceOptions(layout=layout)
    how = sniff(path)
    seen = preview(path, how, _ROWS)
    if seen.error is not None and not seen.table.columns:
        raise seen.error
    return recognise_columns(seen.table)


def table_columns(path: Path) -> tuple[str, ...]:
    """Name the columns of a file that can be read as a table; none of one that cannot."""
    if SUFFIXES.get(path.suffix.lower()) or _by_content(path):
        return ()
    return preview(path, sniff(path), 1).table.names


def _by_content(path: Path) -> str:
    with open_regular(path) as file:
        head = file.read(4096).lstrip()
    if head.startswith(b"<") and b"<gpx" in head:
        return "gpx"
    return "geojson" if head.startswith(b"{") and b'"Feature' in head else ""


def recognise_columns(table: Table) -> PlaceOptions:
    """Propose columns by their names, and where these say nothing by their cells."""
    names = {role: _named(table.names, words) for role, words in NAMES.items()}
    if names["polyline"] and _all(table, names["polyline"], _POLYLINE):
        return PlaceOptions(
            layout="polyline", track=names["track"], time=names["time"], polyline=names["polyline"], units="degrees"
        )
    chosen = PlaceOptions(x=names["x"], y=names["y"], time=names["time"], track=names["track"])
    return chosen if chosen.x and chosen.y else _by_cells(table, chosen)


def _named(columns: Sequence[str], words: Sequence[str]) -> str:
    known = {name.casefold().strip().replace(" ", "_"): name for name in reversed(columns)}
    return next((known[word] for word in words if word in known), "")


def _by_cells(table: Table, chosen: PlaceOptions) -> PlaceOptions:
    """Take the first two columns of decimals as latitude and longitude, as most such files have them."""
    time = chosen.time or next((name for name in table.names if _all(table, name, _DATE)), "")
    decimals = [name for name in table.names if _all(table, name, _NUMBER) and _has_fractions(table, name)]
    if len(decimals) < 2:
        return replace(chosen, x="", y="")
    rest = [name for name in table.names if name not in (time, *decimals[:2])]
    return replace(chosen, y=decimals[0], x=decimals[1], time=time, track=chosen.track or next(iter(rest), ""))


def _all(table: Table, name: str, pattern: re.Pattern[str]) -> bool:
    cells = [text for text in table.column(name).labels if text != MISSING]
    return bool(cells) and all(pattern.match(text) for text in cells)


def _has_fractions(table: Table, name: str) -> bool:
    return any("." in text or "," in text for text in table.column(name).labels)


def likelihood(path: Path, head: bytes) -> float:
    """Say how likely a file holds places, from 0 to 1."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return 1.0
    start = head.lstrip()[:4096]
    if (start.startswith(b"<") and b"<gpx" in start) or (start.startswith(b"{") and b'"Feature' in start):
        return 0.9
    if suffix not in (".csv", ".tsv", ".txt", ".gz"):
        return 0.0
    try:
        found = sniff_options(path)
    except (AnonymizerError, OSError, ValueError):
        return 0.0
    if found.layout == "polyline":
        return 0.95
    if not (found.x and found.y):
        return 0.0
    told = {found.x, found.y, found.time, found.track} - {""}
    is_more = len(set(table_columns(path)) - told) > _MORE_COLUMNS  # a table about people that also says where they are
    return 0.3 if is_more else 0.8 if found.time else 0.4
