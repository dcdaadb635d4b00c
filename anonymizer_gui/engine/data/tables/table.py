"""A table as integer codes and labels per column, with the type and role each column has."""

import enum
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message

MISSING = "(missing)"

SUPPRESSED = "*"

FEW = 200_000
"""So many values are numbered by hand where pandas is not loaded yet: that takes longer than all of them."""

Codes = npt.NDArray[np.integer[Any]]

Rows = Codes | npt.NDArray[np.int64] | npt.NDArray[np.bool_]


class Role(enum.Enum):
    """What a column is to privacy."""

    EI = "EI"
    QI = "QI"
    SA = "SA"
    OTHER = "other"


class ColumnType(enum.Enum):
    """How the texts of a column are read; a view, never a change."""

    INTEGER = "integer"
    DECIMAL = "decimal"
    DATE = "date"
    CATEGORY = "category"
    TEXT = "text"
    SET = "set"
    PLACE = "place"


def smallest_codes(codes: npt.ArrayLike, n_labels: int) -> Codes:
    """Store codes in the narrowest unsigned type that holds them."""
    dtype = np.uint8 if n_labels <= 1 << 8 else np.uint16 if n_labels <= 1 << 16 else np.uint32
    return np.ascontiguousarray(codes, dtype=dtype)


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One column: `labels[codes[row]]` is the text of a cell; labels are distinct, a missing cell is `(missing)`.

    In a counted table equal rows are told once: `times` says how many rows each stands for.
    """

    name: str
    codes: Codes
    labels: tuple[str, ...]
    times: npt.NDArray[np.int64] | None = None

    @classmethod
    def from_texts(cls, name: str, texts: Iterable[str]) -> "Column":
        """Encode texts; labels come out sorted.

        >>> Column.from_texts("sex", ["m", "f", "m"]).codes.tolist()
        [1, 0, 1]
        """
        values = np.asarray(list(texts), dtype=object)
        if len(values) <= FEW and "pandas" not in sys.modules:
            labels = tuple(sorted({str(value) for value in values.tolist()}))
            place = {label: code for code, label in enumerate(labels)}
            codes = np.fromiter((place[str(value)] for value in values.tolist()), np.int64, len(values))
            return cls(name, smallest_codes(codes, len(labels)), labels)
        import pandas as pd

        codes, uniques = pd.factorize(values, sort=True)
        return cls(name, smallest_codes(codes, len(uniques)), tuple(str(u) for u in uniques))

    def __len__(self) -> int:
        return len(self.codes)

    def texts(self) -> npt.NDArray[np.object_]:
        """Give the text of every cell."""
        return np.asarray(self.labels, dtype=object)[self.codes] if len(self) else np.empty(0, dtype=object)

    @property
    def rows(self) -> int:
        """The number of rows, each as often as it occurs."""
        return len(self.codes) if self.times is None else int(self.times.sum())

    def counts(self) -> npt.NDArray[np.int64]:
        """Count the rows of each label."""
        return np.bincount(self.codes, weights=self.times, minlength=len(self.labels)).astype(np.int64)

    def take(self, rows: Rows) -> "Column":
        """Keep some rows; labels that no row has any more are dropped."""
        times = None if self.times is None else self.times[rows]
        return replace(self, codes=self.codes[rows], times=times).compact()

    def relabelled(self, new: Mapping[str, str]) -> "Column":
        """Write some labels otherwise; labels come out sorted."""
        wanted = [new.get(label, label) for label in self.labels]
        labels = tuple(sorted(set(wanted)))
        place = {label: code for code, label in enumerate(labels)}
        codes = np.array([place[label] for label in wanted], dtype=np.int64)[self.codes]
        return Column(self.name, smallest_codes(codes, len(labels)), labels, self.times)

    def compact(self) -> "Column":
        """Drop labels that no row has, keeping their order."""
        used = self.counts() > 0
        if used.all():
            return self
        new_code = np.cumsum(used) - 1
        labels = tuple(label for label, keep in zip(self.labels, used, strict=True) if keep)
        return Column(self.name, smallest_codes(new_code[self.codes], len(labels)), labels, self.times)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns of equal length; `n_rows` counts rows as often as they occur, `n_told` those that are told."""

    columns: tuple[Column, ...]
    n_rows: int = field(default=-1)

    def __post_init__(self) -> None:
        lengths = {len(column) for column in self.columns}
        if len(lengths) > 1:
            raise ValueError("The columns of a table must have the same length.")
        if self.n_rows < 0:
            object.__setattr__(self, "n_rows", self.columns[0].rows if self.columns else 0)
        counted = [column for column in self.columns if column.times is not None]
        # Counts that some columns do not know would make a wrong k: that is never to go on.
        if counted and (len(counted) < len(self.columns) or counted[0].rows != self.n_rows):
            raise ValueError("The columns of a counted table must stand for the same rows.")

    @classmethod
    def from_rows(cls, names: Sequence[str], rows: Sequence[Sequence[str]]) -> "Table":
        """Encode rows of texts."""
        return cls(
            tuple(Column.from_texts(name, [row[i] for row in rows]) for i, name in enumerate(names)),
            len(rows),
        )

    @property
    def times(self) -> npt.NDArray[np.int64] | None:
        """How many rows each stands for, in a counted table."""
        return self.columns[0].times if self.columns else None

    @property
    def n_told(self) -> int:
        """The number of rows that are told, those of a counted table once each."""
        return self.n_rows if self.times is None else len(self.times)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        """Return the column of that name; raises BadParameter with the names there are."""
        for column in self.columns:
            if column.name == name:
                return column
        raise BadParameter(
            message("The table has no column “{name}”.", name=name), message("It has: {known}.", known=self.names)
        )

    @property
    def n_whole(self) -> int:
        """The number of rows there are; more than here where this is a sample of a table that stays elsewhere."""
        return self.n_rows

    @property
    def is_sample(self) -> bool:
        """Whether there are rows that are not here."""
        return False

    def whole(self, name: str) -> Column:
        """Give a column with all rows there are; a sample knows those of the whole table, counted."""
        return self.column(name)

    def wholes(self) -> tuple[Column, ...]:
        """Give every column with all rows there are; they may be counted, and of different lengths then."""
        return tuple(self.whole(name) for name in self.names)

    def select(self, names: Iterable[str]) -> "Table":
        """Keep some columns, in the order given."""
        return Table(tuple(self.column(name) for name in names), self.n_rows)

    def take(self, rows: Rows) -> "Table":
        """Keep some rows."""
        n_rows = int(np.count_nonzero(rows)) if rows.dtype == np.bool_ else len(rows)
        return Table(tuple(column.take(rows) for column in self.columns), n_rows if self.times is None else -1)


@dataclass(frozen=True, slots=True)
class ColumnSchema:
    """The type, the stated format of that type (of dates, decimals, sets, points) and the role of one column."""

    name: str
    type: ColumnType = ColumnType.CATEGORY
    format: str = ""
    role: Role = Role.OTHER

    @property
    def is_known_in_part(self) -> bool:
        """Whether it is a quasi-identifier whose cells are sets of items."""
        return self.role is Role.QI and self.type is ColumnType.SET


@dataclass(frozen=True, slots=True)
class Schema:
    """What is known about every column, in the order of the table."""

    columns: tuple[ColumnSchema, ...] = ()

    def column(self, name: str) -> ColumnSchema:
        """Return the entry of that name; raises BadParameter with the names there are."""
        for column in self.columns:
            if column.name == name:
                return column
        names = [column.name for column in self.columns]
        raise BadParameter(
            message("The table has no column “{name}”.", name=name), message("It has: {known}.", known=names)
        )

    def names(self, role: Role) -> tuple[str, ...]:
        """List the columns of a role, in order; of quasi-identifiers those that make classes, which sets do not."""
        return tuple(c.name for c in self.columns if c.role is role and not c.is_known_in_part)

    @property
    def sets(self) -> tuple[str, ...]:
        """The quasi-identifiers whose cells are sets of items: an attacker knows a few of them, not the cell."""
        return tuple(c.name for c in self.columns if c.is_known_in_part)

    @property
    def quasi(self) -> tuple[str, ...]:
        """All quasi-identifiers, those that make classes first."""
        return (*self.names(Role.QI), *self.sets)

    def with_roles(self, roles: Mapping[str, Role]) -> "Schema":
        """Give some columns another role."""
        for name in roles:
            self.column(name)
        return Schema(tuple(replace(c, role=roles.get(c.name, c.role)) for c in self.columns))

    def with_type(self, name: str, column_type: ColumnType, column_format: str = "") -> "Schema":
        """Read a column as another type."""
        self.column(name)
        return Schema(
            tuple(replace(c, type=column_type, format=column_format) if c.name == name else c for c in self.columns)
        )


@dataclass(frozen=True, slots=True)
class ColumnCounts:
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
class CountedColumn(Column):
    """A column by the values of some rows; its figures are those of all."""

    crowd: ColumnCounts = field(default_factory=lambda: ColumnCounts(0, 0, 0, 0, 0, ()))


@dataclass(frozen=True, slots=True, eq=False)
class UnlabelledColumn(Column):
    """A column of so many values that they are known by number only; it has no labels, and 0 is a missing cell."""

    def compact(self) -> "UnlabelledColumn":
        """Keep every number."""
        return self


@dataclass(frozen=True, slots=True, eq=False)
class SampledTable(Table):
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
