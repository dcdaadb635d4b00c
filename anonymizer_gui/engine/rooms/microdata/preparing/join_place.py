"""Latitude and longitude into one column of places."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Text, param
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.data.tables.values import write_point
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step, column_of


@STEPS.register
@dataclass(frozen=True, slots=True)
class JoinPlace(Step):
    """A point stands where the latitude stood; the longitude has no column of its own any more."""

    name: ClassVar[str] = "place"
    title: ClassVar[str] = "Join latitude and longitude"
    summary: ClassVar[str] = "Makes one column of places of two columns, so that both become coarser together."

    latitude: str = param(Text(column=True), default="", label="Latitude", help="The column of latitudes, in degrees.")
    longitude: str = param(Text(column=True), default="", label="Longitude", help="The column of longitudes.")
    into: str = param(Text(), default="place", label="Name", help="What the column of places is called.")

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Write both numbers as one cell, missing where one of them is; raises BadParameter."""
        both = column_of(table, self.latitude), column_of(table, self.longitude)
        others = [column for column in table.columns if column not in both]
        if self.latitude == self.longitude or not self.into.strip() or self.into in [other.name for other in others]:
            raise BadParameter(
                "A place is made of two columns and has a name of its own.", "Choose two columns and another name."
            )
        pairs = zip(*(column.texts().tolist() for column in both), strict=True)
        joined = Column.from_texts(self.into, [_joined(lat, lon, decimal) for lat, lon in pairs])
        columns = [joined if column is both[0] else column for column in table.columns if column is not both[1]]
        return Prepared(Table(tuple(columns), table.n_rows), cells=2 * table.n_rows)

    def sentence(self) -> Message:
        """Say which columns become one."""
        return message("Join “{lat}” and “{lon}” into places", lat=self.latitude, lon=self.longitude)

    def without_values(self) -> Message:
        """Say the same; names of columns are no values."""
        return message("“{lat}” and “{lon}” were joined into places", lat=self.latitude, lon=self.longitude)


def _joined(lat: str, lon: str, decimal: str) -> str:
    if MISSING in (lat, lon):
        return MISSING
    return write_point(lat.replace(decimal, "."), lon.replace(decimal, "."))
