"""What may leave: rows, and as CSV, GeoJSON, GPX."""

import csv
import io
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from anonymizer_gui.engine.core.errors import UnwritableFile
from anonymizer_gui.engine.data.places.places import Floats, Projection
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, TILES
from anonymizer_gui.engine.rooms.places.cloaking import CloakedRegions
from anonymizer_gui.engine.rooms.places.mix_zones import MixedTrajectories
from anonymizer_gui.engine.rooms.places.trajectories import DAY, TiledVisits, TrajectoryClasses

Rows = tuple[tuple[str, ...], ...]

DIGITS = {True: 6, False: 1}
"""Decimals of published degrees and metres: about a decimetre both."""

_SOUTH, _NORTH = -90.0, 90.0


@dataclass(frozen=True, slots=True, eq=False)
class PublishedTables:
    """A table that leaves, and further ones beside it by name."""

    head: tuple[str, ...]
    rows: Rows
    parts: Mapping[str, tuple[tuple[str, ...], Rows]] = field(default_factory=dict)


def publish_regions(made: CloakedRegions, projection: Projection) -> PublishedTables:
    """Write a row for every user and query, sorted by what is written: nobody's order is left."""
    axes = ("lon", "lat") if projection.is_degrees else ("x", "y")
    edges = tuple(f"{axis}_{end}" for end in ("min", "max") for axis in axes)
    if made.spans is not None:
        spans = [(format_time(begin), format_time(end)) for begin, end in made.spans.tolist()]
        rows = [(*box, *span) for box, span in zip(_boxes(made.box[0], projection), spans, strict=True)]
        return PublishedTables((*edges, "from", "to"), tuple(sorted(rows)))
    if made.n_queries == 1:
        return PublishedTables(edges, tuple(sorted(_boxes(made.box[0], projection))))
    groups = [str(group + 1) for group in made.region_of.tolist()]
    rows = [
        (group, str(query + 1), *box)
        for query in range(made.n_queries)
        for group, box in zip(groups, _boxes(made.box[query], projection), strict=True)
    ]
    rows.sort(key=lambda row: (int(row[0]), int(row[1]), row[2:]))
    return PublishedTables(("group", "query", *edges), tuple(rows))


def _boxes(box: Floats, projection: Projection) -> list[tuple[str, ...]]:
    """Write boxes, their edges rounded outwards."""
    west, south = projection.degrees(box[:, 0], box[:, 1])
    east, north = projection.degrees(box[:, 2], box[:, 3])
    unit = 10.0 ** DIGITS[projection.is_degrees]
    sides = [np.floor(west * unit) / unit, np.floor(south * unit) / unit,
             np.ceil(east * unit) / unit, np.ceil(north * unit) / unit]  # fmt: skip
    if projection.is_degrees:
        sides[1], sides[3] = np.maximum(sides[1], _SOUTH), np.minimum(sides[3], _NORTH)
    texts = [format_numbers(side, projection) for side in sides]
    return list(zip(*texts, strict=True))


def format_numbers(values: Floats, projection: Projection) -> list[str]:
    """Write numbers with the decimals of their unit."""
    digits = DIGITS[projection.is_degrees]
    return [f"{value:.{digits}f}" for value in (values + 0.0).tolist()]


def format_time(seconds: float) -> str:
    """Write a time.

    >>> format_time(1372636858.0)
    '2013-07-01T00:00:58Z'
    """
    told = datetime.fromtimestamp(round(seconds, 3), UTC)
    return told.isoformat(timespec="milliseconds" if told.microsecond else "seconds").replace("+00:00", "Z")


def publish_tracks(made: TrajectoryClasses, projection: Projection) -> PublishedTables:
    """Write every point of every track; classes are numbered by what they look like, tracks anew inside them."""
    axes = ("lon", "lat") if projection.is_degrees else ("x", "y")
    written = []
    for each in made.classes:
        times = [f"{t:g}" for t in each.times.tolist()] if made.is_relative else [format_time(t) for t in each.times]
        flat = each.shown.reshape(-1, 2)
        x, y = projection.degrees(flat[:, 0], flat[:, 1])
        points = list(zip(format_numbers(x, projection), format_numbers(y, projection), strict=True))
        width = len(times)
        tracks = sorted(points[at * width : (at + 1) * width] for at in range(len(each.tracks)))
        written.append((times, tracks))
    written.sort(key=lambda pair: (pair[0], pair[1]))
    rows, number = [], 0
    for name, (times, tracks) in enumerate(written, start=1):
        for points in tracks:
            number += 1
            rows += [(str(number), str(name), t, *point) for t, point in zip(times, points, strict=True)]
    return PublishedTables(("track", "class", "elapsed" if made.is_relative else "time", *axes), tuple(rows))


def publish_mixed(made: MixedTrajectories, projection: Projection) -> PublishedTables:
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
            map(format_time, places.t[low:high].tolist()),
            format_numbers(x, projection),
            format_numbers(y, projection),
            strict=True,
        )
        rows += [(name, part, *point) for point in told]
    mixes = sorted(_mix_rows(made), key=lambda row: (int(row[0]), row[3], int(row[2])))
    parts = {"mixes": (("mix", "zone", "track", "side"), tuple(mixes))}
    return PublishedTables(("track", "part", "time", *axes), tuple(rows), parts)


def _mix_rows(made: MixedTrajectories) -> list[tuple[str, ...]]:
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


def published_zones(made: MixedTrajectories, projection: Projection) -> list[list[float]]:
    """Give the zones in the units of the file; they are round, for the busiest place is where somebody was."""
    x, y = projection.degrees(made.zones[:, 0], made.zones[:, 1])
    return [[float(a), float(b), float(c)] for a, b, c in zip(x, y, made.zones[:, 2], strict=True)]


def publish_tiles(made: TiledVisits, projection: Projection) -> PublishedTables:
    """Write the tiles and slots of everybody of whom any are told; people are numbered by what is told of them."""
    axes = ("lon", "lat") if projection.is_degrees else ("x", "y")
    edges = tuple(f"{axis}_{end}" for end in ("min", "max") for axis in axes)
    kinds = sorted({node for nodes in made.sets for node in nodes})
    boxes = _boxes(np.array([made.box(node) for node in kinds]).reshape(-1, 4), projection)
    words = {node: (*_span_words(made, node), *box) for node, box in zip(kinds, boxes, strict=True)}
    rows = [(str(at), *words[node]) for at, nodes in enumerate(made.sets, start=1) for node in nodes]
    return PublishedTables(("person", "from", "to", *edges), tuple(rows))


def _span_words(made: TiledVisits, node: tuple[int, int, int, int]) -> tuple[str, str]:
    begin, end = made.span(node)
    return (
        (format_time(begin), format_time(end))
        if made.clock == "none"
        else (_of_day(begin, made.clock), _of_day(end, made.clock))
    )


def _of_day(seconds: float, clock: str) -> str:
    """Write a time of the day, or of the week with the number of the day before it."""
    minutes = round(seconds / 60)
    if clock == DAY:
        return f"{minutes // 60:02}:{minutes % 60:02}"
    return f"{minutes // 1440 + 1} {minutes % 1440 // 60:02}:{minutes % 60:02}"


CSV, GEOJSON, GPX = ".csv", ".geojson", ".gpx"

_TRACK_COLUMNS = 3
"""Number, class and time stand before the coordinates of a point."""


def require_suffix(path: Path, way: str, *, is_degrees: bool) -> None:
    """Raise UnwritableFile when places cannot leave in a file of that name."""
    suffix = path.suffix.lower()
    if suffix not in (CSV, GEOJSON, GPX):
        raise UnwritableFile("Places leave as CSV, GeoJSON or GPX.", "Let the name end in .csv, .geojson or .gpx.")
    if suffix == GPX and way in (CLOAK, TILES):
        raise UnwritableFile("GPX holds tracks, and no regions.", "Let the name end in .csv or .geojson.")
    if suffix != CSV and not is_degrees:
        raise UnwritableFile("GeoJSON and GPX hold degrees, and these places are in metres.",
                             "Let the name end in .csv.")  # fmt: skip


def output_files(path: Path, published: PublishedTables) -> list[tuple[Path, str]]:
    """Give every file that is written when the first is called so, and its content."""
    write = {CSV: csv_text, GEOJSON: geojson_text, GPX: gpx_text}[path.suffix.lower()]
    others = [(companion_path(path, name), csv_text(*table)) for name, table in published.parts.items()]
    return [(path, write(published.head, published.rows)), *others]


def companion_path(path: Path, part: str) -> Path:
    """Name a table that belongs to another.

    >>> companion_path(Path("walks.gpx"), "pseudonyms").name
    'walks.pseudonyms.csv'
    """
    return path.with_name(f"{path.stem}.{part}{CSV}")


def csv_text(head: Sequence[str], rows: Rows) -> str:
    """Write rows as CSV; all of them are numbers and times of our own."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def geojson_text(head: Sequence[str], rows: Rows) -> str:
    """Write regions as polygons, tracks as lines."""
    features = _lines(head, rows) if head[0] == "track" else _polygons(head, rows)
    return '{"type": "FeatureCollection", "features": [\n' + ",\n".join(features) + "\n]}\n"


def _polygons(head: Sequence[str], rows: Rows) -> Iterator[str]:
    at = list(head).index("lon_min")
    for row in rows:
        west, south, east, north = row[at : at + 4]
        ring = ", ".join(f"[{x}, {y}]" for x, y in ((west, south), (east, south), (east, north), (west, north),
                                                    (west, south)))  # fmt: skip
        told = {name: cell for name, cell in zip(head, row, strict=True) if not name.startswith(("lon_", "lat_"))}
        yield _feature(told, "Polygon", f"[[{ring}]]")


def _lines(head: Sequence[str], rows: Rows) -> Iterator[str]:
    for (track, group), points in itertools.groupby(rows, key=lambda row: row[:2]):
        held = list(points)
        told = {"track": track, head[1]: group, f"{head[2]}s": [row[2] for row in held]}
        line = ", ".join(f"[{row[_TRACK_COLUMNS]}, {row[_TRACK_COLUMNS + 1]}]" for row in held)
        yield _feature(told, "LineString", f"[{line}]") if len(held) > 1 else _feature(told, "Point", line)


def _feature(told: Mapping[str, object], sort: str, coordinates: str) -> str:
    properties = json.dumps(told, ensure_ascii=False)
    return (
        f'{{"type": "Feature", "properties": {properties}, '
        f'"geometry": {{"type": "{sort}", "coordinates": {coordinates}}}}}'
    )


def gpx_text(head: Sequence[str], rows: Rows) -> str:
    """Write tracks; a time since the start stands in a comment, for GPX knows only dates."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             '<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="Anonymizer">']  # fmt: skip
    mark = "time" if head[2] == "time" else "cmt"
    for (track, group), points in itertools.groupby(rows, key=lambda row: row[:2]):
        lines.append(f"<trk><name>{escape(track)}</name><type>{escape(group)}</type><trkseg>")
        lines += [f'<trkpt lat="{row[4]}" lon="{row[3]}"><{mark}>{row[2]}</{mark}></trkpt>' for row in points]
        lines.append("</trkseg></trk>")
    return "\n".join([*lines, "</gpx>"]) + "\n"
