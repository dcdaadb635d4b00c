"""A written release read by a fresh engine and counted."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from anonymizer_gui.engine.core.errors import BadParameter, PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.normalisation import repair_names
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType, Role, Table
from anonymizer_gui.engine.rooms.microdata.independent import ColumnRoles, PersonRows, RecountResult, Rows
from anonymizer_gui.engine.rooms.microdata.models.persons import NOBODY
from anonymizer_gui.engine.rooms.microdata.out_of_core.frequency_set import number_persons_on_engine
from anonymizer_gui.engine.rooms.microdata.people import number_persons
from anonymizer_gui.engine.rooms.microdata.release.independent_check import count_certified
from anonymizer_gui.engine.rooms.microdata.release.independent_inputs import column_roles
from anonymizer_gui.engine.rooms.microdata.release.output_format import file_texts, name_in_file
from anonymizer_gui.engine.scale.contract import Engine, EngineInput, find_input
from anonymizer_gui.engine.scale.duckdb_engine import DuckEngine
from anonymizer_gui.engine.scale.frequency_set import (
    NO_REWRITES,
    TupleKeys,
    canonical_checksum,
    count_tuples,
    distinct_values,
    fetch_frequency_set,
)

if TYPE_CHECKING:
    import pyarrow as pa


_FILE = "written"

_ROWS_AT_ONCE = 1 << 16


class EngineReader:
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

    def rows(self, columns: ColumnRoles, progress: Progress = SILENT, *, last: bool = False) -> Iterator[Rows]:
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


def rows_with_persons(
    table: Table, person: Column, names: Sequence[str], options: WriteOptions
) -> Iterator[PersonRows]:
    """Tell the rows of a counted release, cell by cell as they are written, and whom each is about."""
    columns = [table.column(name) for name in names]
    texts = [[text or "" for text in file_texts(column, options)] for column in columns]
    numbers, times = number_persons(person), table.times
    if times is None:
        raise ValueError("Only a counted release is told so.")
    for start in range(0, table.n_told, _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        cells = [
            [known[code] for code in column.codes[rows].tolist()] for known, column in zip(texts, columns, strict=True)
        ]
        persons = [None if number == NOBODY else number for number in numbers[rows].tolist()]
        yield Rows(len(persons), cells, times[rows].tolist()), persons


def require_same_rows(found: str, wanted: str) -> None:
    """Raise PromiseBroken when a file does not hold exactly the rows it should."""
    if found != wanted:
        raise PromiseBroken(
            message("The written file is not the release: {what}", what=message("its rows are others.")),
            "Nothing was released. Choose another format or encoding.",
        )


def counted_columns(
    engine: Engine,
    source: EngineInput,
    names: Sequence[str] | None = None,
    person: str = "",
    progress: Progress = SILENT,
) -> Table:
    """Count the combinations of some columns of a table, or of all, and of the people in one; raises BadParameter."""
    there, _ = repair_names(engine.open(source, progress))
    wanted = list(there) if names is None else list(names)
    unknown = [name for name in (*wanted, *([person] if person else [])) if name not in there]
    if unknown:
        raise BadParameter(
            message("The table has no column “{name}”.", name=unknown[0]), message("It has: {known}.", known=there)
        )
    missing = source.options.missing
    values = [distinct_values(engine, there.index(name), name, missing, progress) for name in wanted]
    if person and person not in wanted:
        values.append(number_persons_on_engine(engine, there.index(person), person, missing, NO_REWRITES, progress))
    keys = TupleKeys.of(values)
    count_tuples(engine, keys, progress)
    return fetch_frequency_set(engine, keys, progress).table


class CertifiedFile:
    """A release that an engine wrote, beside its certificate: read by a fresh engine, compared and counted."""

    def __init__(self, path: Path, told: Mapping[str, Json], progress: Progress = SILENT) -> None:
        self._path, self._told, self._progress = path, told, progress
        self._options = from_json(WriteOptions, told["written"]["options"])
        self._names = [name_in_file(name, self._options) for name in told["written"]["columns"]]

    def has_its_columns(self) -> bool:
        """Tell whether the file has the columns that were written, in their order."""
        with closing(DuckEngine([self._path])) as engine:
            return engine.open(self._source(), self._progress) == self._names

    def has_its_rows(self) -> bool:
        """Tell whether the rows are those that were written, in whatever order."""
        with closing(DuckEngine([self._path])) as engine:
            return bool(self._opened(engine).digest(self._progress) == self._told["written"]["canonical"])

    def counted(self) -> tuple[RecountResult, dict[str, Column]]:
        """Count the rows by the recount, and give every quasi-identifier by its texts and how often each is there."""
        schema = [
            ColumnSchema(entry["name"], ColumnType(entry["type"]), entry["format"], Role(entry["role"]))
            for entry in self._told["columns"]
            if entry["name"] in self._told["written"]["columns"]
        ]
        with closing(DuckEngine([self._path])) as engine:
            rows = self._opened(engine).rows(column_roles(schema, self._options), self._progress)
            found = count_certified(self._path, self._told, self._progress, rows)
            shown = {}
            for entry in (entry for entry in schema if entry.role is Role.QI):
                name = name_in_file(entry.name, self._options)
                missing = (self._options.missing,) if self._options.missing else ()
                at = self._names.index(name)
                shown[name] = distinct_values(engine, at, name, missing, self._progress, rows="written").column
        return found, shown

    def _opened(self, engine: Engine) -> EngineReader:
        return EngineReader(engine, self._path, self._names, self._options, self._progress)

    def _source(self) -> EngineInput:
        is_tabbed = self._path.suffix.lower() in (".tsv", ".tab") and self._options.delimiter == ","
        return find_input(str(self._path), ReadOptions(delimiter="\t" if is_tabbed else self._options.delimiter))
