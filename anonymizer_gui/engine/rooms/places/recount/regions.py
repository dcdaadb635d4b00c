"""Counts released regions one by one: who sends the same, who is surely inside, how large they are."""

import heapq
import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Box = tuple[float, float, float, float]
Point = tuple[float, float]
METRES_PER_DEGREE = math.pi * 6_371_008.8 / 180
_FULL_TURN = 360.0
_TURNS = (-_FULL_TURN, 0.0, _FULL_TURN)
"""By how much degrees of longitude may differ that mean the same."""
_LOOKED_AT = 32
"""Regions, the smallest ones, in which it is counted who may be there: any of them bounds the emptiest region."""


@dataclass(frozen=True, slots=True)
class CountedRegions:
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


def count_regions(head: Sequence[str], rows: Sequence[Sequence[str]], k: int, latitude: float | None) -> CountedRegions:
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
    return CountedRegions(
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
