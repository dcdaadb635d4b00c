"""A table that stays where it is, because memory does not hold it: some rows to look at, figures of all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from anonymizer_gui.engine.shapes.tables.table import Column, Table


@dataclass(frozen=True, slots=True)
class Crowd:
    """What an engine has counted of a column of more values than anybody lists.

    `unique` counts rows whose value no other row has, `pairs` the pairs of rows with the same value, ordered.
    """

    rows: int
    distinct: int
    missing: int
    unique: int
    pairs: int
    top: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class CrowdedColumn(Column):
    """A column by the values of some rows; its figures are those of all."""

    crowd: Crowd = field(default_factory=lambda: Crowd(0, 0, 0, 0, 0, ()))


@dataclass(frozen=True, slots=True, eq=False)
class NumberedColumn(Column):
    """A column of so many values that they are known by number only; it has no labels, and 0 is a missing cell."""

    def compact(self) -> "NumberedColumn":
        """Keep every number."""
        return self


@dataclass(frozen=True, slots=True, eq=False)
class HeldTable(Table):
    """Some rows of a table, drawn at random; `counted` holds each column of the whole table, every value once.

    What is made of its rows is made of a sample, and never a release.
    """

    of_rows: int = 0
    counted: Mapping[str, Column] = field(default_factory=dict)
    engine: str = ""

    @property
    def n_whole(self) -> int:
        """The number of rows of the whole table."""
        return self.of_rows

    @property
    def is_sample(self) -> bool:
        """Whether there are rows that are not here."""
        return True

    def whole(self, name: str) -> Column:
        """Give a column of the whole table: every value once, with how often it occurs."""
        return self.counted[self.column(name).name]
