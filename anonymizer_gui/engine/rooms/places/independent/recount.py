"""Files, regions, trajectories, mixes and tiles once more."""

import csv
import heapq
import io
import itertools
import json
import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
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


Box = tuple[float, float, float, float]

Point = tuple[float, float]

METRES_PER_DEGREE = math.pi * 6_371_008.8 / 180

_FULL_TURN = 360.0

_TURNS = (-_FULL_TURN, 0.0, _FULL_TURN)
"""By how much degrees of longitude may differ that mean the same."""

_LOOKED_AT = 32
"""Regions, the smallest ones, in which it is counted who may be there: any of them bounds the emptiest region."""


@dataclass(frozen=True, slots=True)
class RegionCounts:
    """What was counted in a file of regions."""

    users: int
    queries: int
    regions: int
    senders: int
    """Fewest rows that are the same."""
    sure: int
    """Fewest users who are surely in a region, by the file alone."""
    possible: int
    """Most users who may be in the emptiest region, by the file alone: those whose own region touches it."""
    reciprocal: float
    median_side: float
    p90_side: float


def count_regions(head: Sequence[str], rows: Sequence[Sequence[str]], k: int, latitude: float | None) -> RegionCounts:
    """Count rows of regions; `latitude` is where degrees were projected, nothing for metres. Raises ValueError."""
    edges = [at for at, name in enumerate(head) if name.endswith(("_min", "_max"))]
    if len(edges) != 4:
        raise ValueError
    boxes = [_box([float(row[at]) for at in edges], latitude) for row in rows]
    seen = _sent(head, rows)
    same = Counter(seen.values())
    by_time: dict[tuple[str, ...], Counter[Box]] = {}
    for row, box in zip(rows, boxes, strict=True):
        by_time.setdefault(_when(head, row), Counter())[box] += 1
    turns = (0.0,) if latitude is None else _TURNS
    sure = min((_surely_inside(box, known, k, turns) for known in by_time.values() for box in known), default=0)
    senders = min(same.values(), default=0)
    possible = senders if "from" in head else _most_inside(by_time, turns)
    queries = len({row[list(head).index("query")] for row in rows}) if "query" in head else 1
    sides = sorted(_side(box, latitude) for box in boxes)
    return RegionCounts(
        len(seen), queries, len(same), senders, sure, possible,
        sum(count for count in same.values() if count >= k) / len(seen) if seen else 1.0,
        _quantile(sides, 0.5), _quantile(sides, 0.9),
    )  # fmt: skip


def _sent(head: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[int, tuple[str, ...]]:
    """Give what each user sends, over all queries; raises ValueError when a group does not send the same."""
    if "group" not in head:
        return {number: tuple(row) for number, row in enumerate(rows)}
    told: dict[str, dict[str, list[tuple[str, ...]]]] = {}
    for group, query, *box in rows:
        told.setdefault(group, {}).setdefault(query, []).append(tuple(box))
    users: dict[int, tuple[str, ...]] = {}
    queries = {query for by_query in told.values() for query in by_query}
    for group, by_query in told.items():
        sizes = {len(boxes) for boxes in by_query.values()}
        if len(sizes) != 1 or set(by_query) != queries or any(len(set(boxes)) > 1 for boxes in by_query.values()):
            raise ValueError
        users |= {len(users) + number: (group,) for number in range(sizes.pop())}
    return users


def _when(head: Sequence[str], row: Sequence[str]) -> tuple[str, ...]:
    return tuple(cell for name, cell in zip(head, row, strict=True) if name in ("query", "from", "to"))


def _box(edges: Sequence[float], latitude: float | None) -> Box:
    west, south, east, north = edges
    if latitude is not None and east < west:  # across the antimeridian
        east += _FULL_TURN
    if east < west or north < south:
        raise ValueError
    return west, south, east, north


def _surely_inside(box: Box, known: Mapping[Box, int], k: int, turns: Sequence[float]) -> int:
    """Count users whose own region lies in this one; where enough send the same, that is enough."""
    if known[box] >= k:
        return known[box]
    west, south, east, north = box
    return sum(
        count for other, count in known.items()
        if other[1] >= south and other[3] <= north
        and any(other[0] + turn >= west and other[2] + turn <= east for turn in turns)
    )  # fmt: skip


def _most_inside(by_time: Mapping[tuple[str, ...], Counter[Box]], turns: Sequence[float]) -> int:
    """Count the users whose region touches a small one; the fewest of them bound how many are in the emptiest."""
    regions = [((box[2] - box[0]) * (box[3] - box[1]), box, when) for when, known in by_time.items() for box in known]
    return min(
        (
            sum(count for other, count in by_time[when].items() if any(_touches(box, other, turn) for turn in turns))
            for _area, box, when in heapq.nsmallest(_LOOKED_AT, regions)
        ),
        default=0,
    )


def _touches(one: Box, other: Box, turn: float) -> bool:
    return (
        one[0] <= other[2] + turn and other[0] + turn <= one[2] and one[1] <= other[3] and other[1] <= one[3]
    )  # fmt: skip


def _side(box: Box, latitude: float | None) -> float:
    wide, high = box[2] - box[0], box[3] - box[1]
    if latitude is not None:
        wide, high = wide * METRES_PER_DEGREE * math.cos(math.radians(latitude)), high * METRES_PER_DEGREE
    return math.sqrt(wide * high)


def _quantile(values: Sequence[float], share: float) -> float:
    if not values:
        return 0.0
    at = share * (len(values) - 1)
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def fewest_inside(head: Sequence[str], rows: Sequence[Sequence[str]], points: Sequence[Sequence[Point]]) -> int:
    """Count the users who truly are in every region, by where they were at each query; gives the fewest."""
    edges = [at for at, name in enumerate(head) if name.endswith(("_min", "_max"))]
    query_at = list(head).index("query") if "query" in head else -1
    asked = {(int(row[query_at]) - 1 if query_at >= 0 else 0, tuple(row[at] for at in edges)) for row in rows}
    ordered = [sorted(each) for each in points]
    fewest = len(ordered[0]) if ordered else 0
    for query, cells in asked:
        west, south, east, north = map(float, cells)
        fewest = min(fewest, _count_inside(ordered[query], west, south, east, north))
    return fewest


def _count_inside(points: Sequence[Point], west: float, south: float, east: float, north: float) -> int:
    if east < west:
        return sum((x >= west or x <= east) and south <= y <= north for x, y in points)
    low, high = bisect_left(points, (west, -math.inf)), bisect_right(points, (east, math.inf))
    return sum(south <= y <= north for _x, y in points[low:high])


TracksPoint = tuple[str, str, str]
"""Time and both coordinates, as they are written."""

_COLUMNS = 5


@dataclass(frozen=True, slots=True)
class TrajectoryCounts:
    """What was counted in a file of tracks."""

    tracks: int
    points: int
    classes: int
    smallest: int
    widest: float
    """The farthest two tracks of a class ever are apart, in metres; 0 when they are the same."""


def count_trajectories(rows: Sequence[Sequence[str]], delta: float, latitude: float | None) -> TrajectoryCounts:
    """Count tracks; with a delta of 0 a class is who is the same, whatever it says. Raises ValueError."""
    tracks: dict[tuple[str, str], list[TracksPoint]] = {}
    for row in rows:
        if len(row) != _COLUMNS:
            raise ValueError
        tracks.setdefault((row[0], row[1]), []).append((row[2], row[3], row[4]))
    if len({number for number, _name in tracks}) < len(tracks):  # a track in two classes
        raise ValueError
    named: dict[str, list[list[TracksPoint]]] = {}
    for (_number, name), points in tracks.items():
        named.setdefault(name, []).append(points)
    widest = max((_apart(members, latitude) for members in named.values()), default=0.0)
    sizes = Counter(map(tuple, tracks.values())) if delta == 0 else {name: len(each) for name, each in named.items()}
    return TrajectoryCounts(len(tracks), len(rows), len(sizes), min(sizes.values(), default=0), widest)


def _apart(members: Sequence[Sequence[TracksPoint]], latitude: float | None) -> float:
    """Give the farthest two tracks are apart at any instant; raises ValueError when their instants differ."""
    if len({tuple(t for t, _x, _y in track) for track in members}) > 1:
        raise ValueError
    kinds = {tuple(track) for track in members}
    if len(kinds) == 1:
        return 0.0
    return max(
        _metres(one, other, latitude)
        for first, second in itertools.combinations(kinds, 2)
        for one, other in zip(first, second, strict=True)
    )


def _metres(one: TracksPoint, other: TracksPoint, latitude: float | None) -> float:
    across, up = float(one[1]) - float(other[1]), float(one[2]) - float(other[2])
    if latitude is None:
        return math.hypot(across, up)
    across = (across + 180.0) % 360.0 - 180.0
    return math.hypot(across * METRES_PER_DEGREE * math.cos(math.radians(latitude)), up * METRES_PER_DEGREE)


_TRACK_COLUMNS, _MIX_COLUMNS = 5, 4

_SLACK_METRES = 0.2
"""Published numbers are rounded to a decimetre."""


@dataclass(frozen=True, slots=True)
class MixCounts:
    """What was counted in the files of a release with pseudonyms."""

    pseudonyms: int
    points: int
    mixes: int
    smallest: int
    inside: int
    """Published points that lie inside a zone."""


def count_mix(
    rows: Sequence[Sequence[str]],
    mixes: Sequence[Sequence[str]],
    zones: Sequence[Sequence[float]],
    latitude: float | None,
) -> MixCounts:
    """Count pseudonyms, mixes and points in zones; raises ValueError when the two tables do not fit together."""
    first, last = _ends(rows)
    ended: dict[str, list[str]] = {}
    begun: dict[str, list[str]] = {}
    zone_of: dict[str, str] = {}
    for row in mixes:
        if len(row) != _MIX_COLUMNS or row[3] not in ("in", "out") or row[2] not in first:
            raise ValueError
        (ended if row[3] == "in" else begun).setdefault(row[0], []).append(row[2])
        if zone_of.setdefault(row[0], row[1]) != row[1] or not 1 <= int(row[1]) <= len(zones):
            raise ValueError
    for sides in (ended, begun):
        listed = [track for tracks in sides.values() for track in tracks]
        if len(set(listed)) < len(listed):
            raise ValueError
    for group in {*ended, *begun}:
        _check(ended.get(group, []), begun.get(group, []), first, last)
    inside = sum(_is_inside(float(row[3]), float(row[4]), zones, latitude) for row in rows)
    smallest = min((len(tracks) for tracks in ended.values()), default=0)
    return MixCounts(len(first), len(rows), len(ended), smallest, inside)


def _ends(rows: Sequence[Sequence[str]]) -> tuple[dict[str, str], dict[str, str]]:
    """Give when each pseudonym begins and ends; raises ValueError when a track goes back in time."""
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for row in rows:
        if len(row) != _TRACK_COLUMNS or (row[0] in last and row[2] <= last[row[0]]):
            raise ValueError
        first.setdefault(row[0], row[2])
        last[row[0]] = row[2]
    return first, last


def _check(ended: Sequence[str], begun: Sequence[str], first: dict[str, str], last: dict[str, str]) -> None:
    """Raise ValueError unless as many begin as end, and each that begins could be some that ended."""
    if len(ended) != len(begun) or set(ended) & set(begun):
        raise ValueError
    if not all(any(last[one] < first[other] for one in ended) for other in begun):
        raise ValueError


def _is_inside(x: float, y: float, zones: Sequence[Sequence[float]], latitude: float | None) -> bool:
    for west, north, radius in zones:
        across, up = x - west, y - north
        if latitude is not None:
            across = ((across + 180.0) % 360.0 - 180.0) * METRES_PER_DEGREE * math.cos(math.radians(latitude))
            up *= METRES_PER_DEGREE
        if math.hypot(across, up) < radius - _SLACK_METRES:
            return True
    return False


@dataclass(frozen=True, slots=True)
class TileCounts:
    """What was counted in a file of tiles."""

    people: int
    visits: int
    kinds: int
    clock: str
    """What is told of times: that of the day or of the week, or none where dates are told."""
    smallest: int
    """Fewest people who have any set of up to m tiles and slots that somebody has; 0 when nobody has any."""


def count_tiles(rows: Sequence[Sequence[str]], most: int) -> TileCounts:
    """Count sets of up to so many tiles and slots; raises ValueError when somebody has one twice."""
    held: dict[str, set[tuple[str, ...]]] = {}
    for row in rows:
        own = held.setdefault(row[0], set())
        if tuple(row[1:]) in own:
            raise ValueError
        own.add(tuple(row[1:]))
    kinds = {item for own in held.values() for item in own}
    numbers = {item: number for number, item in enumerate(sorted(kinds))}
    found: dict[tuple[int, ...], int] = {}
    for own in held.values():
        ordered = sorted(numbers[item] for item in own)
        for size in range(1, most + 1):
            for some in combinations(ordered, size):
                found[some] = found.get(some, 0) + 1
    return TileCounts(len(held), len(rows), len(kinds), _clock(rows), min(found.values(), default=0))


def _clock(rows: Sequence[Sequence[str]]) -> str:
    """Read off the first cell what is told of times: `08:00`, `1 08:00` or `2024-05-01T08:00:00Z`."""
    first = rows[0][1] if rows else ""
    return "none" if "T" in first else "week" if " " in first else "day"
