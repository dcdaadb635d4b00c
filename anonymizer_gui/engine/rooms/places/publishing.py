"""What may leave: rows of regions, or of tracks under new numbers; rounded, in an order that tells nothing, no id."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from anonymizer_gui.engine.data.places.places import Floats, Projection
from anonymizer_gui.engine.rooms.places.cloaking.regions import Regions
from anonymizer_gui.engine.rooms.places.mixing.mixed import Mixed
from anonymizer_gui.engine.rooms.places.tiles.tiled import DAY, Tiled
from anonymizer_gui.engine.rooms.places.tracks.grouped import Grouped

Rows = tuple[tuple[str, ...], ...]
DIGITS = {True: 6, False: 1}
"""Decimals of published degrees and metres: about a decimetre both."""
_SOUTH, _NORTH = -90.0, 90.0


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """A table that leaves, and further ones beside it by name."""

    head: tuple[str, ...]
    rows: Rows
    parts: Mapping[str, tuple[tuple[str, ...], Rows]] = field(default_factory=dict)


def publish_regions(made: Regions, projection: Projection) -> Published:
    """Write a row for every user and query, sorted by what is written: nobody's order is left."""
    axes = ("lon", "lat") if projection.is_degrees else ("x", "y")
    edges = tuple(f"{axis}_{end}" for end in ("min", "max") for axis in axes)
    if made.spans is not None:
        spans = [(instant(begin), instant(end)) for begin, end in made.spans.tolist()]
        rows = [(*box, *span) for box, span in zip(_boxes(made.box[0], projection), spans, strict=True)]
        return Published((*edges, "from", "to"), tuple(sorted(rows)))
    if made.n_queries == 1:
        return Published(edges, tuple(sorted(_boxes(made.box[0], projection))))
    groups = [str(group + 1) for group in made.region_of.tolist()]
    rows = [
        (group, str(query + 1), *box)
        for query in range(made.n_queries)
        for group, box in zip(groups, _boxes(made.box[query], projection), strict=True)
    ]
    rows.sort(key=lambda row: (int(row[0]), int(row[1]), row[2:]))
    return Published(("group", "query", *edges), tuple(rows))


def _boxes(box: Floats, projection: Projection) -> list[tuple[str, ...]]:
    """Write boxes, their edges rounded outwards."""
    west, south = projection.degrees(box[:, 0], box[:, 1])
    east, north = projection.degrees(box[:, 2], box[:, 3])
    unit = 10.0 ** DIGITS[projection.is_degrees]
    sides = [np.floor(west * unit) / unit, np.floor(south * unit) / unit,
             np.ceil(east * unit) / unit, np.ceil(north * unit) / unit]  # fmt: skip
    if projection.is_degrees:
        sides[1], sides[3] = np.maximum(sides[1], _SOUTH), np.minimum(sides[3], _NORTH)
    texts = [decimals(side, projection) for side in sides]
    return list(zip(*texts, strict=True))


def decimals(values: Floats, projection: Projection) -> list[str]:
    """Write numbers with the decimals of their unit."""
    digits = DIGITS[projection.is_degrees]
    return [f"{value:.{digits}f}" for value in (values + 0.0).tolist()]


def instant(seconds: float) -> str:
    """Write a time.

    >>> instant(1372636858.0)
    '2013-07-01T00:00:58Z'
    """
    told = datetime.fromtimestamp(round(seconds, 3), UTC)
    return told.isoformat(timespec="milliseconds" if told.microsecond else "seconds").replace("+00:00", "Z")


def publish_tracks(made: Grouped, projection: Projection) -> Published:
    """Write every point of every track; classes are numbered by what they look like, tracks anew inside them."""
    axes = ("lon", "lat") if projection.is_degrees else ("x", "y")
    written = []
    for each in made.classes:
        times = [f"{t:g}" for t in each.times.tolist()] if made.is_relative else [instant(t) for t in each.times]
        flat = each.shown.reshape(-1, 2)
        x, y = projection.degrees(flat[:, 0], flat[:, 1])
        points = list(zip(decimals(x, projection), decimals(y, projection), strict=True))
        width = len(times)
        tracks = sorted(points[at * width : (at + 1) * width] for at in range(len(each.tracks)))
        written.append((times, tracks))
    written.sort(key=lambda pair: (pair[0], pair[1]))
    rows, number = [], 0
    for name, (times, tracks) in enumerate(written, start=1):
        for points in tracks:
            number += 1
            rows += [(str(number), str(name), t, *point) for t, point in zip(times, points, strict=True)]
    return Published(("track", "class", "elapsed" if made.is_relative else "time", *axes), tuple(rows))


def publish_mixed(made: Mixed, projection: Projection) -> Published:
    """Write every leg under its pseudonym, and beside it who ended and began in which mix."""
    axes = ("lon", "lat") if projection.is_degrees else ("x", "y")
    places = made.places
    rows: list[tuple[str, ...]] = []
    order = sorted(range(len(made.legs)), key=lambda leg: (made.pseudonym[leg], made.part[leg]))
    for leg in order:
        _track, low, high = made.legs[leg]
        x, y = projection.degrees(places.x[low:high], places.y[low:high])
        name, part = str(made.pseudonym[leg] + 1), str(made.part[leg])
        told = zip(
            map(instant, places.t[low:high].tolist()), decimals(x, projection), decimals(y, projection), strict=True
        )
        rows += [(name, part, *point) for point in told]
    mixes = sorted(_mix_rows(made), key=lambda row: (int(row[0]), row[3], int(row[2])))
    parts = {"mixes": (("mix", "zone", "track", "side"), tuple(mixes))}
    return Published(("track", "part", "time", *axes), tuple(rows), parts)


def _mix_rows(made: Mixed) -> list[tuple[str, ...]]:
    """List who ended and who began in each mix, numbered by when it took place, which its points tell anyway."""
    found: list[tuple[str, ...]] = []
    ordered = sorted(made.attacked, key=lambda each: min(made.passages[at].t_in for at in each.members))
    for number, each in enumerate(ordered, start=1):
        for at in each.members:
            passage = made.passages[at]
            head = (str(number), str(passage.zone + 1))
            found.append((*head, str(made.pseudonym[passage.before] + 1), "in"))
            found.append((*head, str(made.pseudonym[passage.after] + 1), "out"))
    return found


def zones_told(made: Mixed, projection: Projection) -> list[list[float]]:
    """Give the zones in the units of the file; they are round, for the busiest place is where somebody was."""
    x, y = projection.degrees(made.zones[:, 0], made.zones[:, 1])
    return [[float(a), float(b), float(c)] for a, b, c in zip(x, y, made.zones[:, 2], strict=True)]


def publish_tiles(made: Tiled, projection: Projection) -> Published:
    """Write the tiles and slots of everybody of whom any are told; people are numbered by what is told of them."""
    axes = ("lon", "lat") if projection.is_degrees else ("x", "y")
    edges = tuple(f"{axis}_{end}" for end in ("min", "max") for axis in axes)
    kinds = sorted({node for nodes in made.sets for node in nodes})
    boxes = _boxes(np.array([made.box(node) for node in kinds]).reshape(-1, 4), projection)
    words = {node: (*_span_words(made, node), *box) for node, box in zip(kinds, boxes, strict=True)}
    rows = [(str(at), *words[node]) for at, nodes in enumerate(made.sets, start=1) for node in nodes]
    return Published(("person", "from", "to", *edges), tuple(rows))


def _span_words(made: Tiled, node: tuple[int, int, int, int]) -> tuple[str, str]:
    begin, end = made.span(node)
    return (
        (instant(begin), instant(end))
        if made.clock == "none"
        else (_of_day(begin, made.clock), _of_day(end, made.clock))
    )


def _of_day(seconds: float, clock: str) -> str:
    """Write a time of the day, or of the week with the number of the day before it."""
    minutes = round(seconds / 60)
    if clock == DAY:
        return f"{minutes // 60:02}:{minutes % 60:02}"
    return f"{minutes // 1440 + 1} {minutes % 1440 // 60:02}:{minutes % 60:02}"
