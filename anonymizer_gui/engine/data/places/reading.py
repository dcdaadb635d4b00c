"""Tables, GPX, GeoJSON, times; outliers, duplicates, gaps."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import check_params, from_json, to_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.places.layout import NAMES, TIMES, PlaceOptions
from anonymizer_gui.engine.data.places.places import Floats, Ints, Places, Projection
from anonymizer_gui.engine.data.tables.io import read_table, sniff
from anonymizer_gui.engine.data.tables.io.read_report import Lines
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.sources import Source, checksum

_MILLISECONDS_FROM = 1e11
"""Seconds beyond the year 5000 are milliseconds."""

_OUTSIDE = 1e15

_DAY_FIRST = ("%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d.%m.%Y")
"""Dots stand behind the day wherever they are used; dates with strokes may begin with either, and must be stated."""


def parse_times(labels: tuple[str, ...], time_format: str, zone: str) -> tuple[Floats, bool]:
    """Read times; one that cannot be read is NaN. Tells whether any named no zone. Raises BadParameter."""
    import pandas as pd  # takes longer to load than most files to read

    if time_format in ("seconds", "milliseconds", ""):
        numbers = pd.to_numeric(pd.Series(labels, dtype=object), errors="coerce").to_numpy(dtype=float)
        numbers[np.abs(numbers) > _OUTSIDE] = np.nan
        if time_format or np.isfinite(numbers).any():
            is_milli = time_format == "milliseconds" or (not time_format and np.nanmedian(numbers) > _MILLISECONDS_FROM)
            return numbers / 1000.0 if is_milli else numbers, False
    found = _dates(labels, "ISO8601" if time_format in ("", "iso") else time_format, parse_time_zone(zone))
    if time_format or np.isfinite(found[0]).any():
        return found
    others = [_dates(labels, pattern, parse_time_zone(zone)) for pattern in _DAY_FIRST]
    return max(others, key=lambda read: int(np.isfinite(read[0]).sum()))


def parse_time_zone(zone: str) -> ZoneInfo:
    """Give a zone by its name; raises BadParameter."""
    try:
        return ZoneInfo(zone or "UTC")
    except (ValueError, OSError, LookupError):
        raise BadParameter(
            message("There is no time zone “{zone}”.", zone=zone[:60]), "Use a name such as Europe/Berlin or UTC."
        ) from None


def _dates(labels: tuple[str, ...], pattern: str, zone: ZoneInfo) -> tuple[Floats, bool]:
    import pandas as pd

    texts = pd.Series(labels, dtype=object)
    try:
        read = pd.to_datetime(texts, format=pattern, errors="coerce", utc=True)
    except (ValueError, TypeError):
        raise BadParameter(
            message("“{pattern}” is no pattern of a time.", pattern=pattern[:60]),
            message("Use one of {known}, or a pattern such as %d.%m.%Y %H:%M.", known=list(TIMES)),
        ) from None
    says_zone = texts.astype(str).str.contains(r"(?:Z|[+-]\d{2}:?\d{2})$", regex=True).to_numpy()
    bare = read.dt.tz_localize(None)
    local = bare.dt.tz_localize(zone, ambiguous=np.ones(len(bare), dtype=bool), nonexistent="shift_forward")
    zoned, unzoned = _seconds(read), _seconds(local.dt.tz_convert("UTC"))
    return np.where(says_zone, zoned, unzoned), bool((~says_zone & np.isfinite(unzoned)).any())


def _seconds(times: Any) -> Floats:
    import pandas as pd

    since: Any = (times - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(seconds=1)
    found: Floats = since.to_numpy(dtype=float)
    return found


_TRACKS, _POINTS = ("trk", "rte"), ("trkpt", "rtept")

_TIME_LISTS = ("coordTimes", "times", "timestamps")


@dataclass(slots=True)
class MarkupPoints:
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


def read_gpx(content: bytes) -> MarkupPoints:
    """Read tracks, routes and waypoints; raises ValueError for what is no GPX, or defines entities of its own."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise ValueError
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError:
        raise ValueError from None
    found, number = MarkupPoints(), 0
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


def _add_gpx(found: MarkupPoints, track: str, point: ElementTree.Element) -> None:
    found.add(track, float(point.attrib["lon"]), float(point.attrib["lat"]), _child(point, "time"))


def _child(element: ElementTree.Element, name: str) -> str:
    return next((child.text or "" for child in element if _plain(child.tag) == name), "").strip()


def _plain(tag: str) -> str:
    return tag.rpartition("}")[2]


def read_geojson(content: bytes) -> MarkupPoints:
    """Read points and lines of features; raises ValueError."""
    told = json.loads(content.decode("utf-8-sig"))
    if not isinstance(told, dict):
        raise ValueError
    features = told["features"] if told.get("type") == "FeatureCollection" else [told]
    found = MarkupPoints()
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


FASTEST = 100.0
"""Metres per second: 360 km/h, faster than anybody on the ground."""

_GAP_STEPS, _GAP_SECONDS = 20.0, 600.0

_MOST_LISTED = 1000

_MUCH = 0.01

SPEED, GAP, DOUBLE = "speed", "gap", "double"


@dataclass(frozen=True, slots=True)
class Outlier:
    """One thing to look at: its sort, the track, when, and how much (metres per second, or seconds; 0 for a double)."""

    sort: str
    track: str
    t: float
    value: float


@dataclass(frozen=True, slots=True)
class PlacesReadReport:
    """What there was to see in a file."""

    tracks: int = 0
    points: int = 0
    bad: Lines = field(default=Lines())
    """Lines whose place or time cannot be read; they were left out."""
    empty: int = 0
    """Tracks without a point."""
    odd: tuple[Outlier, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    zone: str = ""
    """The zone that was taken for times that name none."""
    read_as: tuple[Message, ...] = ()
    """How the file was understood."""
    distortion: float = 0.0

    @property
    def problems(self) -> tuple[Message, ...]:
        """Say in sentences what the user should look at."""
        count = dict(self.counts)
        told = (
            (self.bad.total, message("{n:line holds|lines hold} no readable place or time and {n:~was|were} left out: "
                                 "{lines}.", n=self.bad.total, lines=self.bad.named())),
            (self.empty, message("{n:track has|tracks have} no point.", n=self.empty)),
            (count.get(DOUBLE, 0), message("{n:point is|points are} at the same instant as another of its track and "
                                       "{n:~was|were} left out.", n=count.get(DOUBLE, 0))),
            (count.get(SPEED, 0), message("{n:time|times} somebody is faster than 360 km/h.", n=count.get(SPEED, 0))),
            (count.get(GAP, 0), message("{n:gap is|gaps are} much longer than the usual step.", n=count.get(GAP, 0))),
            (self.zone, message("Times that name no zone were read as {zone}.", zone=self.zone)),
            (self.distortion > _MUCH, message("The places are far apart: widths at the edge are wrong by {share:.0%}.",
                                          share=self.distortion)),
        )  # fmt: skip
        return (*self.read_as, *(sentence for is_there, sentence in told if is_there))


def drop_duplicates(places: Places) -> Places:
    """Leave out points at the same instant as the one before them in their track, and remember which."""
    if not places.has_time or not places.n_points:
        return places
    is_same = (np.diff(places.t, prepend=np.nan) == 0) & (np.diff(places.track_of, prepend=-1) == 0)
    listed = np.flatnonzero(is_same)[:_MOST_LISTED]
    names = [places.names[track] for track in places.track_of[listed].tolist()]
    doubles = tuple(zip(names, places.t[listed].tolist(), strict=True))
    return replace(places.where(~is_same), doubles=doubles, n_doubles=int(is_same.sum()))


def find_outliers(places: Places) -> tuple[tuple[Outlier, ...], tuple[tuple[str, int], ...]]:
    """List speeds nobody has, gaps nobody expects, the worst first, and doubles; and count all of them."""
    doubles = [Outlier(DOUBLE, track, t, 0.0) for track, t in places.doubles]
    counted = (DOUBLE, places.n_doubles)
    if not places.has_time or places.n_points <= 1:
        return tuple(doubles), (counted,)
    inner = np.flatnonzero(np.diff(places.track_of) == 0)
    seconds = places.t[inner + 1] - places.t[inner]
    metres = np.hypot(places.x[inner + 1] - places.x[inner], places.y[inner + 1] - places.y[inner])
    speed = metres / np.maximum(seconds, 1e-9)
    usual = float(np.median(seconds)) if len(seconds) else 0.0
    fast, gap = speed > FASTEST, seconds > max(_GAP_STEPS * usual, _GAP_SECONDS)
    listed = [
        *_listed(places, SPEED, inner[fast], speed[fast]),
        *_listed(places, GAP, inner[gap], seconds[gap]),
        *doubles,
    ]
    return tuple(listed), ((SPEED, int(fast.sum())), (GAP, int(gap.sum())), counted)


def _listed(places: Places, sort: str, at: Ints, values: Floats) -> list[Outlier]:
    worst = np.argsort(-values, kind="stable")[:_MOST_LISTED]
    return [
        Outlier(sort, places.names[int(places.track_of[place])], float(places.t[place]), float(value))
        for place, value in zip(at[worst].tolist(), values[worst].tolist(), strict=True)
    ]


_LARGEST_BYTES = 1 << 30

_MOST_EAST, _MOST_NORTH = 180.0, 90.0

_COMMA = re.compile(r"[-+]?\d+,\d+")


@dataclass(slots=True)
class RawPlaces:
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


def read_source(
    source: Source, options: PlaceOptions, progress: Progress = SILENT
) -> tuple[Places, PlacesReadReport, Source]:
    """Read places, and give the source that a project keeps of them; raises UnreadableFile, BadParameter."""
    places, found = read_places(Path(source.path), options, progress.sub(0.0, 0.9))
    place = Path(source.path).resolve()
    return places, found, Source(str(place), checksum(place, progress.sub(0.9, 1.0)), to_json(options))


def options_of_source(source: Source) -> PlaceOptions | None:
    """Give the options a source was read with, if any are known; raises BadParameter."""
    return from_json(PlaceOptions, source.options) if source.options else None


def read_places(path: Path, options: PlaceOptions, progress: Progress = SILENT) -> tuple[Places, PlacesReadReport]:
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


def _marked_up(path: Path, options: PlaceOptions) -> RawPlaces:
    content = read_regular(path, _LARGEST_BYTES)
    try:
        found: MarkupPoints = read_gpx(content) if options.layout == "gpx" else read_geojson(content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _no_places(path) from None
    column = Column.from_texts("track", found.tracks).compact()
    t, bare = _reading_times(Column.from_texts("time", found.times), options) if any(found.times) else (None, False)
    return RawPlaces(
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


def _reading_times(column: Column, options: PlaceOptions) -> tuple[Floats, bool]:
    values, bare = parse_times(column.labels, options.time_format, options.zone)
    return (values[column.codes] if len(column) else np.empty(0)), bare


def _points(table: Table, options: PlaceOptions, header: int) -> RawPlaces:
    x, y = _column(table, options.x, message("longitude or x")), _column(table, options.y, message("latitude or y"))
    t, bare = (
        _reading_times(_column(table, options.time, message("the time")), options) if options.time else (None, False)
    )
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
    return RawPlaces(names, codes, _numbers(x), _numbers(y), t, rows, people, zone=options.zone if bare else "",
               read_as=(told,))  # fmt: skip


def _people(table: Table, options: PlaceOptions, names: tuple[str, ...], codes: Ints) -> dict[str, str] | None:
    if not options.person:
        return None
    texts = _column(table, options.person, message("the person")).texts()
    first = np.full(len(names), -1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return {name: str(texts[at]) for name, at in zip(names, first.tolist(), strict=True) if at >= 0}


def _polylines(table: Table, options: PlaceOptions, header: int) -> RawPlaces:
    """Read a track per line; its points follow each other by a fixed step from the time of the line."""
    lines = _column(table, options.polyline, message("the points")).texts()
    texts = _column(table, options.track, message("the track")).texts() if options.track else np.arange(len(lines))
    begins, bare = (
        _reading_times(_column(table, options.time, message("the time")), options) if options.time else (None, False)
    )
    parts: list[Floats] = []
    rows, empty, seen = [], 0, dict[str, int]()
    for at, text in enumerate(lines.tolist()):
        points = _reading_listed(text)
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
    return RawPlaces(names, of_line, whole[:, 0], whole[:, 1], t, of_line + header + 1, people, empty,
               options.zone if bare else "")  # fmt: skip


def _distinct(name: str, seen: dict[str, int]) -> str:
    """Tell apart lines of one name: each is a track."""
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name} ({seen[name]})"


def _reading_listed(text: str) -> Floats | None:
    if text in ("", MISSING):
        return np.empty((0, 2))
    try:
        told = np.array(json.loads(text), dtype=float)
    except (ValueError, TypeError, RecursionError):
        return None
    if not told.size:
        return np.empty((0, 2))
    return told[:, :2] if told.ndim == 2 and told.shape[1] >= 2 else None


def _tidied(raw: RawPlaces, options: PlaceOptions, path: Path, progress: Progress) -> tuple[Places, PlacesReadReport]:
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
    places = drop_duplicates(places)
    if raw.people is not None:
        who = Column.from_texts("person", [raw.people.get(name, name) for name in places.names]).compact()
        places = replace(places, person_of=who.codes.astype(np.int64))
    odd, counts = find_outliers(places)
    bad = np.unique(raw.rows[~fine]).tolist()
    found = PlacesReadReport(
        len(places), places.n_points, Lines().plus(bad), raw.empty, odd, counts, raw.zone, raw.read_as,
        projection.distortion(places.y),
    )  # fmt: skip
    return places, found


def _look_like_degrees(raw: RawPlaces, options: PlaceOptions) -> bool:
    """Take names of the columns at their word, otherwise numbers no larger than degrees are."""
    if options.layout in ("gpx", "geojson") or options.x.casefold().startswith(("lon", "lng")):
        return True
    if options.x.casefold() in ("x", "easting", "rechtswert"):
        return False
    with np.errstate(invalid="ignore"):
        return bool((np.abs(raw.x[np.isfinite(raw.x)]) <= _MOST_EAST).all()
                    and (np.abs(raw.y[np.isfinite(raw.y)]) <= _MOST_NORTH).all())  # fmt: skip
