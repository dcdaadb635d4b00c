"""Reads the files of a release by itself: csv, json and xml of Python, every cell as the text it is."""

import csv
import io
import json
from typing import Any
from xml.etree import ElementTree

_GPX = "{http://www.topografix.com/GPX/1/1}"
Table = tuple[list[str], list[list[str]]]
_OF_TRACKS = (("track", "class", "elapsed"), ("track", "class", "time"))
_EDGES = ("min", "max")


def layouts(way: str, *, is_degrees: bool) -> list[list[str]]:
    """List the columns that a file of a way may have; raises KeyError for a way nobody knows."""
    axes = ("lon", "lat") if is_degrees else ("x", "y")
    edges = [f"{axis}_{end}" for end in _EDGES for axis in axes]
    return {
        "cloak": [edges, [*edges, "from", "to"], ["group", "query", *edges]],
        "tracks": [[*names, *axes] for names in _OF_TRACKS],
        "mix": [["track", "part", "time", *axes]],
        "tiles": [["person", "from", "to", *edges]],
    }[way]


def read_release(suffix: str, content: bytes, head: list[str]) -> Table:
    """Read a file of a release whose columns are known; raises ValueError when it is none."""
    if suffix == ".csv":
        found = read_csv(content)
    elif suffix == ".geojson":
        found = head, _geojson(json.loads(content.decode("utf-8"), parse_float=str, parse_int=str), head)
    else:
        found = head, _gpx(content, head)
    if found[0] != head or any(len(row) != len(head) for row in found[1]):
        raise ValueError
    return found


def read_csv(content: bytes) -> Table:
    """Read a table; raises ValueError."""
    try:
        head, *rows = csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True)
    except csv.Error:
        raise ValueError from None
    return head, rows


def _geojson(told: Any, head: list[str]) -> list[list[str]]:
    if set(told) != {"type", "features"} or told["type"] != "FeatureCollection":
        raise ValueError
    rows: list[list[str]] = []
    for feature in told["features"]:
        properties, geometry = feature["properties"], feature["geometry"]
        if set(feature) != {"type", "properties", "geometry"} or feature["type"] != "Feature":
            raise ValueError
        rows += _line(properties, geometry, head) if head[0] == "track" else [_polygon(properties, geometry, head)]
    return rows


def _line(properties: dict[str, Any], geometry: dict[str, Any], head: list[str]) -> list[list[str]]:
    points = geometry["coordinates"] if geometry["type"] == "LineString" else [geometry["coordinates"]]
    if geometry["type"] not in ("LineString", "Point") or set(properties) != {"track", head[1], f"{head[2]}s"}:
        raise ValueError
    times = properties[f"{head[2]}s"]
    return [[properties["track"], properties[head[1]], t, x, y] for t, (x, y) in zip(times, points, strict=True)]


def _polygon(properties: dict[str, Any], geometry: dict[str, Any], head: list[str]) -> list[str]:
    (ring,) = geometry["coordinates"]
    (west, south), (east, south2), (east2, north), (west2, north2), last = ring
    if (
        geometry["type"] != "Polygon"
        or [west, south] != last
        or (south, east, west, north) != (south2, east2, west2, north2)
    ):
        raise ValueError
    edges = {"lon_min": west, "lat_min": south, "lon_max": east, "lat_max": north}
    if set(properties) | set(edges) != set(head):
        raise ValueError
    return [str({**properties, **edges}[name]) for name in head]


def _gpx(content: bytes, head: list[str]) -> list[list[str]]:
    if b"<!" in content:
        raise ValueError
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError:
        raise ValueError from None
    mark, rows = "time" if head[2] == "time" else "cmt", []
    for track in root.findall(f"{_GPX}trk"):
        names = [track.findtext(f"{_GPX}{part}") or "" for part in ("name", "type")]
        for point in track.iter(f"{_GPX}trkpt"):
            when = point.findtext(f"{_GPX}{mark}")
            if not when:
                raise ValueError
            rows.append([*names, when, point.attrib["lon"], point.attrib["lat"]])
    return rows
