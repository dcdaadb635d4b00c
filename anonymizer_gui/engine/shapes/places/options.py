"""How places are read: every choice declared once, kept in the project."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.params import Choice, Float, Text, param
from anonymizer_gui.engine.shapes.tables.io.options import ENCODINGS

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
