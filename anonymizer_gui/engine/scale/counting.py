"""The frequency set: every distinct combination of some columns with how often it occurs (LeFevre et al. 2005).

Values are replaced by codes in the engine, by joins; a combination travels as one or a few whole numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, Table, smallest_codes
from anonymizer_gui.engine.scale.contract import Engine
from anonymizer_gui.engine.scale.values import Values, refuse_changed

if TYPE_CHECKING:
    import pyarrow as pa

Ints = npt.NDArray[np.int64]
_LARGEST_KEY = 1 << 62
COUNTED = "counted"
"""The name of the frequency set in the engine: the keys k0, k1, ... and the count n."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a column stands in a key: `key // stride % width` is its code."""

    key: int
    stride: int
    width: int


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """How the codes of some columns are put together into whole numbers."""

    values: tuple[Values, ...]
    places: tuple[Place, ...]

    @classmethod
    def of(cls, values: Sequence[Values]) -> "Keys":
        """Put as many columns into a key as fit 62 bits."""
        places, key, stride = [], 0, 1
        for one in values:
            width = max(one.width, 1)
            if stride * width > _LARGEST_KEY:
                key, stride = key + 1, 1
            places.append(Place(key, stride, width))
            stride *= width
        return cls(tuple(values), tuple(places))

    @property
    def names(self) -> list[str]:
        """The names of the keys in the engine."""
        return [f"k{number}" for number in range(max((place.key for place in self.places), default=0) + 1)]

    def load(self, engine: Engine, progress: Progress = SILENT) -> None:
        """Give the engine the tables that turn values into codes."""
        for one, place in zip(self.values, self.places, strict=True):
            engine.load(f"d{one.at}", one.lookup(one.column.codes.astype(np.int64) * place.stride), progress)

    def of_rows(self, rows: str = "source", more: Sequence[str] = ()) -> str:
        """Give the SQL of the keys of every row, with some of its columns beside."""
        parts: dict[int, list[str]] = {}
        for one, place in zip(self.values, self.places, strict=True):
            null = f"CAST({one.null_code() * place.stride} AS BIGINT)"  # engines differ in what a bare number is
            parts.setdefault(place.key, []).append(
                f"CASE WHEN s.c{one.at} IS NULL THEN {null} ELSE d{one.at}.place END"
            )
        keys = [f"({' + '.join(parts.get(number, ['0']))}) AS k{number}" for number in range(len(self.names))]
        joins = [f"LEFT JOIN d{one.at} ON s.c{one.at} = d{one.at}.raw" for one in self.values]
        return f"SELECT {', '.join([*keys, *(f's.{name}' for name in more)])} FROM {rows} s {' '.join(joins)}"

    def codes(self, keys: Sequence[Ints]) -> list[Ints]:
        """Take keys apart into the codes of each column."""
        return [np.asarray(keys[place.key] // place.stride % place.width, dtype=np.int64) for place in self.places]


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """A counted table, and the keys under which the engine knows each of its rows."""

    table: Table
    keys: tuple[Ints, ...]


def count_in(engine: Engine, keys: Keys, progress: Progress = SILENT) -> int:
    """Let the engine count every combination and keep the counts; gives how many there are."""
    progress(0.0, message("Counting combinations of values"))
    keys.load(engine, progress)
    listed = ", ".join(keys.names)
    engine.keep(COUNTED, f"SELECT {listed}, count(*) AS n FROM ({keys.of_rows()}) r GROUP BY {listed}", progress)
    return scalar(engine, f"SELECT count(*) AS n FROM {COUNTED}", progress)


def scalar(engine: Engine, sql: str, progress: Progress = SILENT) -> int:
    """Give the one number a query answers."""
    return int(next(iter(engine.fetch(sql, progress))).column(0)[0].as_py())


def counted_table(engine: Engine, keys: Keys, progress: Progress = SILENT) -> Counted:
    """Fetch the counts, in the order of the codes, and see that each column has every value as often as before.

    Raises EngineFailed when it has not: a column read as a constant, or a table that changed meanwhile.
    """
    listed = ", ".join(keys.names)
    batches = list(engine.fetch(f"SELECT {listed}, n FROM {COUNTED} ORDER BY {listed}", progress))
    fetched = [_ints(batches, at) for at in range(len(keys.names) + 1)]
    found, times = fetched[:-1], fetched[-1]
    columns = []
    for one, codes in zip(keys.values, keys.codes(found), strict=True):
        column = replace(one.column, codes=smallest_codes(codes, one.width), times=times)
        refuse_changed(np.array_equal(column.counts(), one.column.counts()))
        columns.append(column)
    return Counted(Table(tuple(columns), int(times.sum())), tuple(found))


def _ints(batches: "Sequence[pa.RecordBatch]", at: int) -> Ints:
    """Join one column of the answer; a row without a key would be one whose value nobody has seen."""
    parts = []
    for batch in batches:
        refuse_changed(batch.column(at).null_count == 0)
        parts.append(batch.column(at).to_numpy(zero_copy_only=False).astype(np.int64))
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def expanded(table: Table) -> Table:
    """Give a table in which every row is told as often as it occurs."""
    if table.times is None:
        return table
    return Table(tuple(Column(c.name, np.repeat(c.codes, table.times), c.labels) for c in table.columns), table.n_rows)
