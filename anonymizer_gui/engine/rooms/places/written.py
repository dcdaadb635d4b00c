"""A release of places as files: CSV, GeoJSON for maps, GPX for tracks; the same numbers to the last digit in each."""

import csv
import io
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from anonymizer_gui.engine.core.errors import UnwritableFile
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, TILES
from anonymizer_gui.engine.rooms.places.publishing import Published, Rows

CSV, GEOJSON, GPX = ".csv", ".geojson", ".gpx"
_TRACK_COLUMNS = 3
"""Number, class and time stand before the coordinates of a point."""


def check_suffix(path: Path, way: str, *, is_degrees: bool) -> None:
    """Raise UnwritableFile when places cannot leave in a file of that name."""
    suffix = path.suffix.lower()
    if suffix not in (CSV, GEOJSON, GPX):
        raise UnwritableFile("Places leave as CSV, GeoJSON or GPX.", "Let the name end in .csv, .geojson or .gpx.")
    if suffix == GPX and way in (CLOAK, TILES):
        raise UnwritableFile("GPX holds tracks, and no regions.", "Let the name end in .csv or .geojson.")
    if suffix != CSV and not is_degrees:
        raise UnwritableFile("GeoJSON and GPX hold degrees, and these places are in metres.",
                             "Let the name end in .csv.")  # fmt: skip


def places_of(path: Path, published: Published) -> list[tuple[Path, str]]:
    """Give every file that is written when the first is called so, and its content."""
    write = {CSV: csv_text, GEOJSON: geojson_text, GPX: gpx_text}[path.suffix.lower()]
    others = [(beside(path, name), csv_text(*table)) for name, table in published.parts.items()]
    return [(path, write(published.head, published.rows)), *others]


def beside(path: Path, part: str) -> Path:
    """Name a table that belongs to another.

    >>> beside(Path("walks.gpx"), "pseudonyms").name
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
