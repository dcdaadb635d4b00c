"""The second, independent query: a written release read by a fresh engine, counted, and judged by the recount."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.rooms.microdata.elsewhere.writing import texts_in_file
from anonymizer_gui.engine.rooms.microdata.person_column import person_numbers
from anonymizer_gui.engine.rooms.microdata.privacy.persons import NOBODY
from anonymizer_gui.engine.rooms.microdata.recount import Columns, Rows, Whom
from anonymizer_gui.engine.scale.contract import Engine
from anonymizer_gui.engine.scale.frequency_set import canonical_checksum

if TYPE_CHECKING:
    import pyarrow as pa

_FILE = "written"
_ROWS_AT_ONCE = 1 << 16


class WrittenRelease:
    """A release in its file, as an engine reads it that has never seen the table it was made of."""

    def __init__(
        self, engine: Engine, path: Path, names: Sequence[str], options: WriteOptions, progress: Progress = SILENT
    ) -> None:
        self._engine, self._names = engine, list(names)
        engine.read(_FILE, path, len(names), options, progress)

    def digest(self, progress: Progress = SILENT) -> str:
        """Give the canonical checksum of the rows."""
        counted = f"(SELECT *, 1 AS n FROM {_FILE}) f"
        return canonical_checksum(self._engine, counted, [f"c{at}" for at in range(len(self._names))], progress)

    def rows(self, columns: Columns, progress: Progress = SILENT, *, last: bool = False) -> Iterator[Rows]:
        """Give the distinct rows of the columns that are counted, quasi-identifiers first, with their counts.

        With `last` nothing more is asked: the recount, which needs memory, has that of the engine then.
        """
        places = [f"c{self._names.index(name)}" for name in columns.in_file()]
        picked = ", ".join(f"coalesce({place}, '') AS t{at}" for at, place in enumerate(places))
        listed = ", ".join(f"t{at}" for at in range(len(places)))
        sql = f"SELECT {listed}, count(*) AS n FROM (SELECT {picked} FROM {_FILE}) f GROUP BY {listed}"
        known: list[dict[str, str]] = [{} for _ in places]
        for batch in self._engine.fetch(sql, progress, last=last):
            cells = [_texts(batch.column(at), seen) for at, seen in enumerate(known)]
            yield Rows(batch.num_rows, cells, batch.column(len(places)).to_pylist())


def _texts(column: "pa.Array", known: dict[str, str]) -> list[str]:
    """Give cells as texts; equal ones are one and the same."""
    coded = column.dictionary_encode()
    texts = [known.setdefault(text, text) for text in coded.dictionary.to_pylist()]
    return [texts[code] for code in coded.indices.to_pylist()]


def whom_rows(table: Table, person: Column, names: Sequence[str], options: WriteOptions) -> Iterator[Whom]:
    """Tell the rows of a counted release, cell by cell as they are written, and whom each is about."""
    columns = [table.column(name) for name in names]
    texts = [[text or "" for text in texts_in_file(column, options)] for column in columns]
    numbers, times = person_numbers(person), table.times
    if times is None:
        raise ValueError("Only a counted release is told so.")
    for start in range(0, table.n_told, _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        cells = [
            [known[code] for code in column.codes[rows].tolist()] for known, column in zip(texts, columns, strict=True)
        ]
        persons = [None if number == NOBODY else number for number in numbers[rows].tolist()]
        yield Rows(len(persons), cells, times[rows].tolist()), persons


def refuse_other(found: str, wanted: str) -> None:
    """Raise PromiseBroken when a file does not hold exactly the rows it should."""
    if found != wanted:
        raise PromiseBroken(
            message("The written file is not the release: {what}", what=message("its rows are others.")),
            "Nothing was released. Choose another format or encoding.",
        )
