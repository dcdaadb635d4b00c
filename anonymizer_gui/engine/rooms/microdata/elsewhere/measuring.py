"""Tables that no memory holds, counted by an engine for what measures and verifies them."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.normalisation import repair_names
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType, Role, Table
from anonymizer_gui.engine.rooms.microdata.elsewhere.persons import numbered_people
from anonymizer_gui.engine.rooms.microdata.elsewhere.reading_back import WrittenRelease
from anonymizer_gui.engine.rooms.microdata.plain_facts import columns_of
from anonymizer_gui.engine.rooms.microdata.recount import Recount
from anonymizer_gui.engine.rooms.microdata.second_opinion import count_certified
from anonymizer_gui.engine.rooms.microdata.written import name_in_file
from anonymizer_gui.engine.scale.contract import Engine, EngineInput, find_input
from anonymizer_gui.engine.scale.duckdb_engine import DuckEngine
from anonymizer_gui.engine.scale.frequency_set import (
    NO_REWRITES,
    TupleKeys,
    count_tuples,
    distinct_values,
    fetch_frequency_set,
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
        values.append(numbered_people(engine, there.index(person), person, missing, NO_REWRITES, progress))
    keys = TupleKeys.of(values)
    count_tuples(engine, keys, progress)
    return fetch_frequency_set(engine, keys, progress).table


class CertifiedRelease:
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

    def counted(self) -> tuple[Recount, dict[str, Column]]:
        """Count the rows by the recount, and give every quasi-identifier by its texts and how often each is there."""
        schema = [
            ColumnSchema(entry["name"], ColumnType(entry["type"]), entry["format"], Role(entry["role"]))
            for entry in self._told["columns"]
            if entry["name"] in self._told["written"]["columns"]
        ]
        with closing(DuckEngine([self._path])) as engine:
            rows = self._opened(engine).rows(columns_of(schema, self._options), self._progress)
            found = count_certified(self._path, self._told, self._progress, rows)
            shown = {}
            for entry in (entry for entry in schema if entry.role is Role.QI):
                name = name_in_file(entry.name, self._options)
                missing = (self._options.missing,) if self._options.missing else ()
                at = self._names.index(name)
                shown[name] = distinct_values(engine, at, name, missing, self._progress, rows="written").column
        return found, shown

    def _opened(self, engine: Engine) -> WrittenRelease:
        return WrittenRelease(engine, self._path, self._names, self._options, self._progress)

    def _source(self) -> EngineInput:
        is_tabbed = self._path.suffix.lower() in (".tsv", ".tab") and self._options.delimiter == ","
        return find_input(str(self._path), ReadOptions(delimiter="\t" if is_tabbed else self._options.delimiter))
