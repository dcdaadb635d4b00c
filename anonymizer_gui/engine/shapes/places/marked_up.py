"""GPX and GeoJSON: names, coordinates and times of points, as they stand there."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

from anonymizer_gui.engine.shapes.places.sniffing import NAMES

_TRACKS, _POINTS = ("trk", "rte"), ("trkpt", "rtept")
_TIME_LISTS = ("coordTimes", "times", "timestamps")


@dataclass(slots=True)
class RawPoints:
    """Points in degrees with the name of their track; a time is a text, empty where none is told."""

    tracks: list[str] = field(default_factory=list)
    x: list[float] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    empty: int = 0

    def add(self, track: str, x: float, y: float, time: str = "") -> None:
        """Add a point."""
        self.tracks.append(track)
        self.x.append(x)
        self.y.append(y)
        self.times.append(time)


def read_gpx(content: bytes) -> RawPoints:
    """Read tracks, routes and waypoints; raises ValueError for what is no GPX, or defines entities of its own."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise ValueError
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError:
        raise ValueError from None
    found, number = RawPoints(), 0
    for track in root:
        sort = _plain(track.tag)
        if sort in _TRACKS:
            number += 1
            points = [point for point in track.iter() if _plain(point.tag) in _POINTS]
            found.empty += not points
            for point in points:
                _add_gpx(found, str(number), point)
        elif sort == "wpt":
            _add_gpx(found, _child(track, "name") or "waypoints", track)
    return found


def _add_gpx(found: RawPoints, track: str, point: ElementTree.Element) -> None:
    found.add(track, float(point.attrib["lon"]), float(point.attrib["lat"]), _child(point, "time"))


def _child(element: ElementTree.Element, name: str) -> str:
    return next((child.text or "" for child in element if _plain(child.tag) == name), "").strip()


def _plain(tag: str) -> str:
    return tag.rpartition("}")[2]


def read_geojson(content: bytes) -> RawPoints:
    """Read points and lines of features; raises ValueError."""
    told = json.loads(content.decode("utf-8-sig"))
    if not isinstance(told, dict):
        raise ValueError
    features = told["features"] if told.get("type") == "FeatureCollection" else [told]
    found = RawPoints()
    for number, feature in enumerate(features, start=1):
        properties = feature.get("properties") or {}
        name = _property(properties, "track")
        for at, line in enumerate(_lines(feature.get("geometry") or {})):
            track = name or (str(number) if at == 0 else f"{number}.{at + 1}")
            times = _times(properties, len(line))
            found.empty += not line
            for (x, y, *_), time in zip(line, times, strict=True):
                found.add(track, float(x), float(y), time)
    return found


def _lines(geometry: dict[str, Any]) -> Iterator[list[list[float]]]:
    sort, coordinates = geometry.get("type"), geometry.get("coordinates")
    if sort == "Point":
        yield [coordinates]  # type: ignore[list-item]
    elif sort in ("LineString", "MultiPoint"):
        yield coordinates  # type: ignore[misc]
    elif sort == "MultiLineString":
        yield from coordinates  # type: ignore[misc]
    elif sort == "GeometryCollection":
        for inner in geometry["geometries"]:
            yield from _lines(inner)


def _property(properties: dict[str, Any], role: str) -> str:
    known = {name.casefold(): value for name, value in properties.items()}
    return next((str(known[word]) for word in NAMES[role] if known.get(word) is not None), "")


def _times(properties: dict[str, Any], points: int) -> list[str]:
    listed = next((properties[name] for name in _TIME_LISTS if isinstance(properties.get(name), list)), None)
    if listed is not None and len(listed) == points:
        return [str(time) for time in listed]
    one = _property(properties, "time")
    return [one if points == 1 else ""] * points
