"""Distinct values, frequency set and canonical digest, counted by the engine.

The rows stay as they are where the engine has them: what is counted, shown and published goes through here.

Values are replaced by codes in the engine, by joins; a combination travels as one or a few whole numbers.

Same rows, same checksum, whichever engine wrote them into whichever kind of file; an empty cell is a missing one.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.contract import TextEncoder
from anonymizer_gui.engine.data.tables.io.parquet import texts_of
from anonymizer_gui.engine.data.tables.normalisation import NormalisationCounts, normalise_column
from anonymizer_gui.engine.data.tables.table import Column, Table, smallest_codes
from anonymizer_gui.engine.scale.contract import Engine, EngineFailed

if TYPE_CHECKING:
    import pyarrow as pa


Ints = npt.NDArray[np.int64]

MOST_VALUES = 10_000_000
"""Columns of more different values cannot be looked up in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class DistinctValues:
    """A column by its distinct values: `column` tells them as they are written, with how often each occurs.

    Several raw values may have one text; `raw` holds them as the engine does, one for each row of `column`.
    """

    at: int
    raw: "pa.Array"
    column: Column

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    @property
    def width(self) -> int:
        """How many codes the column has, of labels or of numbers."""
        return len(self.column.labels) or int(self.column.codes.max(initial=0)) + 1

    def null_at(self) -> int:
        """Give the place of the value null; -1 where there is none."""
        import pyarrow.compute as pc

        nulls = np.flatnonzero(pc.is_null(self.raw).to_numpy(zero_copy_only=False))
        return int(nulls[0]) if len(nulls) else -1

    def null_code(self) -> int:
        """Give the code of cells that are null; 0 where there are none."""
        at = self.null_at()
        return int(self.column.codes[at]) if at >= 0 else 0

    def lookup(self, codes: Ints) -> "pa.Table":
        """Give raw values beside numbers, for a join; null is joined by nothing."""
        import pyarrow as pa
        import pyarrow.compute as pc

        table = pa.table({"raw": self.raw, "place": pa.array(codes, pa.int64())})
        return table.filter(pc.is_valid(table["raw"]))


def distinct_values(
    engine: Engine,
    at: int,
    name: str,
    missing: Iterable[str] = (),
    progress: Progress = SILENT,
    *,
    rows: str = "source",
) -> DistinctValues:
    """Ask for the distinct values of column `at` of some rows, with their counts; missing is a value.

    Raises UnreadableFile for nested values and for columns of too many values.
    """
    import pyarrow as pa

    pieces: list[pa.Array] = []
    times: list[Ints] = []
    found = 0
    for piece, counts in counted_values(engine, at, name, progress, rows=rows):
        pieces.append(piece)
        times.append(counts)
        found += len(piece)
        refuse_too_many(found, MOST_VALUES, name)
    raw = pa.concat_arrays(pieces) if pieces else pa.array([], pa.string())
    counted = np.concatenate(times) if times else np.empty(0, dtype=np.int64)
    return DistinctValues(at, raw, distinct_from_arrow(name, raw, counted, missing))


def counted_values(
    engine: Engine, at: int, name: str, progress: Progress = SILENT, *, rows: str = "source"
) -> "Iterator[tuple[pa.Array, Ints]]":
    """Give the distinct values of column `at` with their counts, some at a time; raises UnreadableFile."""
    for batch in engine.fetch(f"SELECT c{at} AS raw, count(*) AS n FROM {rows} GROUP BY c{at}", progress):
        yield _plain(batch.column(0), name), batch.column(1).to_numpy(zero_copy_only=False).astype(np.int64)


def distinct_from_arrow(name: str, raw: "pa.Array", times: Ints, missing: Iterable[str]) -> Column:
    """Make a counted column of values as an engine gives them, in the texts the rest of the program knows."""
    coder = TextEncoder()
    coder.add_coded(np.arange(len(raw)), texts_of(raw))
    codes, labels = coder.finish()
    column = normalise_column(name, codes, labels, frozenset(missing), NormalisationCounts())
    return Column(name, column.codes, column.labels, times)


def _plain(values: "pa.Array", name: str) -> "pa.Array":
    """Take a dictionary apart, and refuse what has no distinct values."""
    import pyarrow as pa

    kind = values.type
    if pa.types.is_dictionary(kind):
        values = values.dictionary_decode()
    if pa.types.is_nested(kind):
        raise UnreadableFile(
            message("“{column}” holds lists or records, which an engine cannot count.", column=name),
            "Leave the column out.",
        )
    return values.cast(pa.string()) if pa.types.is_null(kind) else values


def refuse_too_many(found: int, most: int, name: str) -> None:
    """Refuse a column of more values than can be looked up in memory."""
    if found > most:
        raise UnreadableFile(
            message("“{column}” has more than {most:,} different values.", column=name, most=most),
            "Leave the column out, or write its values more coarsely.",
        )


def refuse_changed(holds: bool) -> None:
    """Refuse to go on when two questions about the same table do not agree."""
    if not holds:
        raise EngineFailed(
            "The engine gives two different answers about the same table.",
            "Nothing was written. Check that nobody changes the table meanwhile, and run again.",
        )


@dataclass(frozen=True, slots=True)
class ValueRewrites:
    """How each value of some columns is written now; values that are not named stay."""

    new: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def column(self, column: Column) -> Column:
        """Give a column as it is written now."""
        new = self.new.get(column.name)
        return column if not new else column.relabelled(new)

    def values(self, values: DistinctValues) -> DistinctValues:
        """Give the distinct values of a column as they are written now."""
        return replace(values, column=self.column(values.column)) if values.name in self.new else values

    def table(self, table: Table) -> Table:
        """Give a table as it is written now."""
        return Table(tuple(self.column(column) for column in table.columns), table.n_rows)

    def then(self, before: Column, after: Column) -> "ValueRewrites":
        """Write the values of a column once more; both tell the same rows, `before` as the engine has them."""
        pairs = zip(before.codes.tolist(), after.codes.tolist(), strict=True)
        changed = {before.labels[old]: after.labels[new] for old, new in set(pairs)}
        kept = {label: text for label, text in changed.items() if label != text}
        return replace(self, new={**self.new, before.name: kept})


NO_REWRITES = ValueRewrites()

_LARGEST_KEY = 1 << 62

COUNTED = "counted"
"""The name of the frequency set in the engine: the keys k0, k1, ... and the count n."""


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """Where a column stands in a key: `key // stride % width` is its code."""

    key: int
    stride: int
    width: int


@dataclass(frozen=True, slots=True, eq=False)
class TupleKeys:
    """How the codes of some columns are put together into whole numbers."""

    values: tuple[DistinctValues, ...]
    places: tuple[KeyColumn, ...]

    @classmethod
    def of(cls, values: Sequence[DistinctValues]) -> "TupleKeys":
        """Put as many columns into a key as fit 62 bits."""
        places, key, stride = [], 0, 1
        for one in values:
            width = max(one.width, 1)
            if stride * width > _LARGEST_KEY:
                key, stride = key + 1, 1
            places.append(KeyColumn(key, stride, width))
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
class FrequencySet:
    """A counted table, and the keys under which the engine knows each of its rows."""

    table: Table
    keys: tuple[Ints, ...]


def count_tuples(engine: Engine, keys: TupleKeys, progress: Progress = SILENT) -> int:
    """Let the engine count every combination and keep the counts; gives how many there are."""
    progress(0.0, message("Counting combinations of values"))
    keys.load(engine, progress)
    listed = ", ".join(keys.names)
    engine.keep(COUNTED, f"SELECT {listed}, count(*) AS n FROM ({keys.of_rows()}) r GROUP BY {listed}", progress)
    return scalar(engine, f"SELECT count(*) AS n FROM {COUNTED}", progress)


def scalar(engine: Engine, sql: str, progress: Progress = SILENT) -> int:
    """Give the one number a query answers."""
    return int(next(iter(engine.fetch(sql, progress))).column(0)[0].as_py())


def fetch_frequency_set(engine: Engine, keys: TupleKeys, progress: Progress = SILENT) -> FrequencySet:
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
    return FrequencySet(Table(tuple(columns), int(times.sum())), tuple(found))


def _ints(batches: "Sequence[pa.RecordBatch]", at: int) -> Ints:
    """Join one column of the answer; a row without a key would be one whose value nobody has seen."""
    parts = []
    for batch in batches:
        refuse_changed(batch.column(at).null_count == 0)
        parts.append(batch.column(at).to_numpy(zero_copy_only=False).astype(np.int64))
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def expand_rows(table: Table) -> Table:
    """Give a table in which every row is told as often as it occurs."""
    if table.times is None:
        return table
    return Table(tuple(Column(c.name, np.repeat(c.codes, table.times), c.labels) for c in table.columns), table.n_rows)


def canonical_checksum(engine: Engine, rows: str, columns: Sequence[str], progress: Progress = SILENT) -> str:
    """Give the canonical SHA-256 of some rows of texts; `rows` names them, `n` is their count."""
    cells = [f"coalesce({name}, '') AS t{at}" for at, name in enumerate(columns)]
    listed = ", ".join(f"t{at}" for at in range(len(columns)))
    sql = (
        f"SELECT {listed}, CAST(sum(n) AS BIGINT) AS times FROM (SELECT {', '.join([*cells, 'n'])} FROM {rows}) r "
        f"GROUP BY {listed} ORDER BY {listed}"
    )
    digest = hashlib.sha256()
    for batch in engine.fetch(sql, progress):
        digest.update(_lines(batch))
    return digest.hexdigest()


def _lines(batch: "pa.RecordBatch") -> bytes:
    """Write rows as lines of cells with tabs between; what could be taken for either is written otherwise."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = []
    for column in batch.columns:
        texts = column.cast(pa.string())
        for sign, written in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n")):
            if pc.any(pc.match_substring(texts, sign)).as_py():
                texts = pc.replace_substring(texts, sign, written)
        cells.append(texts)
    lines = pc.binary_join_element_wise(*cells, "\t")
    ended = pc.binary_join_element_wise(lines, pa.scalar(""), "\n")
    return b"".join(piece.encode() for piece in ended.to_pylist())
