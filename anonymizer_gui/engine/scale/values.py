"""The distinct values of a column as an engine gives them, with the texts and codes the rest of the program knows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.contract import TextEncoder
from anonymizer_gui.engine.data.tables.io.parquet import texts_of
from anonymizer_gui.engine.data.tables.normalisation import NormalisationCounts, normalise_column
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.scale.contract import Engine, EngineFailed

if TYPE_CHECKING:
    import pyarrow as pa

Ints = npt.NDArray[np.int64]
MOST_VALUES = 10_000_000
"""Columns of more different values cannot be looked up in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Values:
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


def values_of(
    engine: Engine,
    at: int,
    name: str,
    missing: Iterable[str] = (),
    progress: Progress = SILENT,
    *,
    rows: str = "source",
) -> Values:
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
    return Values(at, raw, values_in(name, raw, counted, missing))


def counted_values(
    engine: Engine, at: int, name: str, progress: Progress = SILENT, *, rows: str = "source"
) -> "Iterator[tuple[pa.Array, Ints]]":
    """Give the distinct values of column `at` with their counts, some at a time; raises UnreadableFile."""
    for batch in engine.fetch(f"SELECT c{at} AS raw, count(*) AS n FROM {rows} GROUP BY c{at}", progress):
        yield _plain(batch.column(0), name), batch.column(1).to_numpy(zero_copy_only=False).astype(np.int64)


def values_in(name: str, raw: "pa.Array", times: Ints, missing: Iterable[str]) -> Column:
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
