"""Reads places in any of their layouts, in metres; what is odd is listed, what is left out is counted."""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import check_params, from_json, to_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.places.found import Found, odd_things, without_doubles
from anonymizer_gui.engine.shapes.places.marked_up import RawPoints, read_geojson, read_gpx
from anonymizer_gui.engine.shapes.places.options import PlaceOptions
from anonymizer_gui.engine.shapes.places.places import Ints, Places
from anonymizer_gui.engine.shapes.places.projection import Floats, Projection
from anonymizer_gui.engine.shapes.places.times import seconds_of
from anonymizer_gui.engine.shapes.tables.io import read_table, sniff
from anonymizer_gui.engine.shapes.tables.io.read_report import Lines
from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.sources import Source, checksum

_LARGEST_BYTES = 1 << 30
_MOST_EAST, _MOST_NORTH = 180.0, 90.0
_COMMA = re.compile(r"[-+]?\d+,\d+")


@dataclass(slots=True)
class Raw:
    """Points as they stand in the file: codes of tracks, coordinates, seconds; NaN where something is not readable."""

    names: tuple[str, ...]
    codes: Ints
    x: Floats
    y: Floats
    t: Floats | None
    rows: Ints
    """The line of the table each point is from."""
    people: dict[str, str] | None = None
    """The person of each track, where a column tells."""
    empty: int = 0
    zone: str = ""
    read_as: tuple[Message, ...] = ()


def read_source(source: Source, options: PlaceOptions, progress: Progress = SILENT) -> tuple[Places, Found, Source]:
    """Read places, and give the source that a project keeps of them; raises UnreadableFile, BadParameter."""
    places, found = read_places(Path(source.path), options, progress.sub(0.0, 0.9))
    place = Path(source.path).resolve()
    return places, found, Source(str(place), checksum(place, progress.sub(0.9, 1.0)), to_json(options))


def options_of(source: Source) -> PlaceOptions | None:
    """Give the options a source was read with, if any are known; raises BadParameter."""
    return from_json(PlaceOptions, source.options) if source.options else None


def read_places(path: Path, options: PlaceOptions, progress: Progress = SILENT) -> tuple[Places, Found]:
    """Read places; raises UnreadableFile and BadParameter with one sentence."""
    options = check_params(options)
    progress(0.0, "Reading the places")
    if options.layout in ("gpx", "geojson"):
        raw = _marked_up(path, options)
    else:
        table, header = _table(path, options, progress.sub(0.0, 0.6))
        raw = _points(table, options, header) if options.layout == "points" else _polylines(table, options, header)
    progress(0.7, "Reading the places")
    return _tidied(raw, options, path, progress)


def _table(path: Path, options: PlaceOptions, progress: Progress) -> tuple[Table, int]:
    how = sniff(path)
    how = replace(how, encoding=options.encoding) if options.encoding else how
    how = replace(how, header=options.header == "yes") if options.header else how
    return read_table(path, how, progress)[0], int(how.header) + how.skip_lines


def _no_places(path: Path) -> UnreadableFile:
    return UnreadableFile(
        message("“{name}” holds no places that could be read.", name=path.name),
        "A table has columns for user, longitude, latitude and time, or x, y; GPX and GeoJSON are read, too.",
    )


def _no_times() -> BadParameter:
    return BadParameter(
        "No time of the file can be read.",
        "State the time format: iso, seconds, milliseconds, or a pattern such as %d/%m/%Y %H:%M.",
    )


def _marked_up(path: Path, options: PlaceOptions) -> Raw:
    content = read_regular(path, _LARGEST_BYTES)
    try:
        found: RawPoints = read_gpx(content) if options.layout == "gpx" else read_geojson(content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _no_places(path) from None
    column = Column.from_texts("track", found.tracks).compact()
    t, bare = _times(Column.from_texts("time", found.times), options) if any(found.times) else (None, False)
    return Raw(
        column.labels, column.codes.astype(np.int64), np.array(found.x), np.array(found.y), t,
        np.arange(1, len(found.x) + 1), empty=found.empty, zone=options.zone if bare else "",
    )  # fmt: skip


def _column(table: Table, name: str, what: Message | str) -> Column:
    if name not in table.names:
        raise BadParameter(
            message("No column tells {what}.", what=what)
            if not name
            else message("There is no column “{name}”.", name=name),
            message("Choose one of: {known}.", known=list(table.names)),
        )
    return table.column(name)


def _numbers(column: Column) -> Floats:
    import pandas as pd  # takes longer to load than most files to read

    texts = [text.replace(",", ".") if _COMMA.fullmatch(text) else text for text in column.labels]
    values = pd.to_numeric(pd.Series(texts, dtype=object), errors="coerce").to_numpy(dtype=float)
    return values[column.codes] if len(column) else np.empty(0)


def _times(column: Column, options: PlaceOptions) -> tuple[Floats, bool]:
    values, bare = seconds_of(column.labels, options.time_format, options.zone)
    return (values[column.codes] if len(column) else np.empty(0)), bare


def _points(table: Table, options: PlaceOptions, header: int) -> Raw:
    x, y = _column(table, options.x, message("longitude or x")), _column(table, options.y, message("latitude or y"))
    t, bare = _times(_column(table, options.time, message("the time")), options) if options.time else (None, False)
    rows = np.arange(table.n_rows, dtype=np.int64) + header + 1
    people = None
    if options.track:
        column = _column(table, options.track, message("the track")).compact()
        names, codes = column.labels, column.codes.astype(np.int64)
        people = _people(table, options, names, codes)
    else:  # a line per person
        names, codes = tuple(str(row) for row in rows.tolist()), np.arange(table.n_rows, dtype=np.int64)
    told = join_messages(
        message("“{x}” is how far east, “{y}” how far north a point is.", x=options.x, y=options.y),
        message("“{track}” tells the track.", track=options.track) if options.track else "",
        message("“{time}” tells the time.", time=options.time) if options.time else "",
    )
    return Raw(names, codes, _numbers(x), _numbers(y), t, rows, people, zone=options.zone if bare else "",
               read_as=(told,))  # fmt: skip


def _people(table: Table, options: PlaceOptions, names: tuple[str, ...], codes: Ints) -> dict[str, str] | None:
    if not options.person:
        return None
    texts = _column(table, options.person, message("the person")).texts()
    first = np.full(len(names), -1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return {name: str(texts[at]) for name, at in zip(names, first.tolist(), strict=True) if at >= 0}


def _polylines(table: Table, options: PlaceOptions, header: int) -> Raw:
    """Read a track per line; its points follow each other by a fixed step from the time of the line."""
    lines = _column(table, options.polyline, message("the points")).texts()
    texts = _column(table, options.track, message("the track")).texts() if options.track else np.arange(len(lines))
    begins, bare = _times(_column(table, options.time, message("the time")), options) if options.time else (None, False)
    parts: list[Floats] = []
    rows, empty, seen = [], 0, dict[str, int]()
    for at, text in enumerate(lines.tolist()):
        points = _listed(text)
        if points is None:
            rows.append(at)
            parts.append(np.full((1, 2), np.nan))
        elif len(points):
            rows.append(at)
            parts.append(points)
        else:
            empty += 1
    sizes = np.array([len(part) for part in parts], dtype=np.int64)
    of_line = np.repeat(np.array(rows, dtype=np.int64), sizes)
    whole = np.concatenate(parts) if parts else np.empty((0, 2))
    within = np.arange(len(whole)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    t = within * options.step + (begins[of_line] if begins is not None else 0.0)
    names = tuple(_distinct(str(texts[at]), seen) for at in range(len(lines)))
    people = None
    if options.person:
        persons = _column(table, options.person, message("the person")).texts()
        people = {name: str(person) for name, person in zip(names, persons, strict=True)}
    return Raw(names, of_line, whole[:, 0], whole[:, 1], t, of_line + header + 1, people, empty,
               options.zone if bare else "")  # fmt: skip


def _distinct(name: str, seen: dict[str, int]) -> str:
    """Tell apart lines of one name: each is a track."""
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name} ({seen[name]})"


def _listed(text: str) -> Floats | None:
    if text in ("", MISSING):
        return np.empty((0, 2))
    try:
        told = np.array(json.loads(text), dtype=float)
    except (ValueError, TypeError, RecursionError):
        return None
    if not told.size:
        return np.empty((0, 2))
    return told[:, :2] if told.ndim == 2 and told.shape[1] >= 2 else None


def _tidied(raw: Raw, options: PlaceOptions, path: Path, progress: Progress) -> tuple[Places, Found]:
    """Leave out what cannot be read, project, put in order, and look for what is odd."""
    is_degrees = options.units == "degrees" or (not options.units and _look_like_degrees(raw, options))
    fine: npt.NDArray[np.bool_] = np.isfinite(raw.x) & np.isfinite(raw.y)
    fine &= np.isfinite(raw.t) if raw.t is not None else True
    if is_degrees:
        fine &= (np.abs(raw.x) <= _MOST_EAST) & (np.abs(raw.y) <= _MOST_NORTH)
    if not fine.any():
        raise _no_times() if raw.t is not None and not np.isfinite(raw.t).any() else _no_places(path)
    projection = Projection.around(raw.x[fine], raw.y[fine]) if is_degrees else Projection()
    x, y = projection.metres(raw.x[fine], raw.y[fine])
    times = None if raw.t is None else raw.t[fine]
    places = Places.from_codes(raw.names, raw.codes[fine], x, y, times, projection)
    progress(0.85, "Looking for odd places")
    places = without_doubles(places)
    if raw.people is not None:
        who = Column.from_texts("person", [raw.people.get(name, name) for name in places.names]).compact()
        places = replace(places, person_of=who.codes.astype(np.int64))
    odd, counts = odd_things(places)
    bad = np.unique(raw.rows[~fine]).tolist()
    found = Found(
        len(places), places.n_points, Lines().plus(bad), raw.empty, odd, counts, raw.zone, raw.read_as,
        projection.distortion(places.y),
    )  # fmt: skip
    return places, found


def _look_like_degrees(raw: Raw, options: PlaceOptions) -> bool:
    """Take names of the columns at their word, otherwise numbers no larger than degrees are."""
    if options.layout in ("gpx", "geojson") or options.x.casefold().startswith(("lon", "lng")):
        return True
    if options.x.casefold() in ("x", "easting", "rechtswert"):
        return False
    with np.errstate(invalid="ignore"):
        return bool((np.abs(raw.x[np.isfinite(raw.x)]) <= _MOST_EAST).all()
                    and (np.abs(raw.y[np.isfinite(raw.y)]) <= _MOST_NORTH).all())  # fmt: skip
