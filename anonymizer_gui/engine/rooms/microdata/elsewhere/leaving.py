"""A release on its way out of an engine: checked, promised, written by joins, and counted again from its files."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.memory import release_memory
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.table import Column, Role, Table
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.checks import checklist_by_sample
from anonymizer_gui.engine.rooms.microdata.elsewhere.fetching import Fetched
from anonymizer_gui.engine.rooms.microdata.elsewhere.people import people_checks
from anonymizer_gui.engine.rooms.microdata.elsewhere.reading_back import WrittenRelease, refuse_other, whom_rows
from anonymizer_gui.engine.rooms.microdata.elsewhere.writing import (
    Further,
    kept_rows,
    load_decided,
    publish_joined,
    publish_whole,
    ranked,
    write_release,
)
from anonymizer_gui.engine.rooms.microdata.leaving import LeavingTable, measure_leaving, prepare
from anonymizer_gui.engine.rooms.microdata.leaving_table import pseudonym_salt
from anonymizer_gui.engine.rooms.microdata.meeting.found import Meeting
from anonymizer_gui.engine.rooms.microdata.person_column import person_of
from anonymizer_gui.engine.rooms.microdata.plain_facts import columns_of
from anonymizer_gui.engine.rooms.microdata.policy_opinion import confirm_policies, unjudged_checks
from anonymizer_gui.engine.rooms.microdata.pseudonyms import pseudonymized
from anonymizer_gui.engine.rooms.microdata.recount import Whom
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.second_opinion import confirm
from anonymizer_gui.engine.rooms.microdata.written import name_in_file, read_back, write_options
from anonymizer_gui.engine.scale.contract import Engine
from anonymizer_gui.engine.scale.frequency_set import distinct_values

SUFFIXES = (".parquet", ".pq", ".csv", ".tsv", ".txt")
NewEngine = Callable[[Path], Engine]
"""Opens a fresh engine that may read the folder of a file."""


@dataclass(frozen=True, slots=True, eq=False)
class LeavingElsewhere(LeavingTable):
    """A release that an engine writes; its table is counted, unless the rows were needed one by one."""

    engine: Engine | None = None
    fresh: NewEngine | None = None
    fetched: Fetched | None = None
    written: dict[str, str] = field(default_factory=dict)
    """What is known once the file is written: its canonical checksum."""

    def files(self, path: Path) -> tuple["ElsewhereFile", ...]:
        """Give the one file that is written."""
        return (ElsewhereFile(path, self),)

    def columns(self) -> list[str]:
        """Name the columns that leave, in the order of the source."""
        if self.fetched is None or self.fetched.is_whole:
            return list(self.table.names)
        taken = {*self.table.names, *self.further_names()}
        return [name for name in self.fetched.names if name in taken]

    def further_names(self) -> list[str]:
        """Name the columns that leave beside quasi-identifiers and sensitive ones: of no role, and pseudonyms."""
        project = self.release.project
        ways = [name for name, _ in project.publishing.pseudonyms]
        left_out = project.left_out_columns()
        return [*ways, *(name for name in project.schema.names(Role.OTHER) if name not in left_out)]

    def whom(self, options: WriteOptions) -> Iterator[Whom] | None:
        """Tell whom the rows of a counted release are about, where somebody has several; it leaves with no file."""
        project = self.release.project
        person = person_of(self.original, project)
        if person is None or self.measured.people is None:
            return None
        names = [*project.schema.names(Role.QI), *project.schema.names(Role.SA)]
        return whom_rows(self.table, person.take(self.release.rows), names, options)

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate: rows are compared by one checksum, whatever their order."""
        told = LeavingTable.told(self, path)
        options = told["written"]["options"]
        columns = dict.fromkeys(self.columns(), "")
        written = {"options": {**options, "encoding": "utf-8"}, "columns": columns, **self.written}
        return {**told, "written": written, "recipe": {**told["recipe"], "row_order": "sorted"}, "engine": self._told()}

    def _told(self) -> dict[str, Json]:
        base = self.fetched.base if self.fetched is not None else None
        raised = {} if base is None else dict(base.raised)
        return {**(self.engine.described() if self.engine is not None else {}), "base": raised}


@dataclass(frozen=True, slots=True, eq=False)
class ElsewhereFile:
    """The file an engine writes a release into."""

    place: Path
    leaving: LeavingElsewhere

    def write(self, target: Path, progress: Progress) -> None:
        """Let the engine join, sort and write; it is closed afterwards, for what judges the file must be another."""
        leaving, options = self.leaving, options_for(self.leaving, self.place)
        engine, fetched = leaving.engine, leaving.fetched
        if engine is None or fetched is None:
            raise ValueError("There is no engine to write the release.")
        release_memory()
        further = {} if fetched.is_whole else _further(engine, leaving, progress)
        if further:
            release = leaving.table, leaving.release.rows
            publish_joined(engine, fetched, release, further, leaving.columns(), options, progress)
        else:
            publish_whole(engine, leaving.table, options, progress)
        names = [name_in_file(name, options) for name in leaving.columns()]
        release_memory()
        leaving.written["canonical"] = write_release(engine, names, target, options, progress)
        engine.close()

    def check(self, target: Path, progress: Progress) -> None:
        """Count the file anew by a fresh engine; raises PromiseBroken unless it is the release."""
        leaving, options = self.leaving, options_for(self.leaving, self.place)
        if leaving.fresh is None or leaving.fetched is None:
            raise ValueError("There is no engine to read the release.")
        names = [name_in_file(name, options) for name in leaving.columns()]
        release_memory()
        with closing(leaving.fresh(target)) as engine:
            progress(0.0, message("Counting the written release"))
            written = WrittenRelease(engine, target, names, options, progress)
            refuse_other(written.digest(progress), leaving.written["canonical"])
            if not leaving.fetched.is_whole:
                columns = columns_of(leaving.release.project.schema.columns, options)
                rows = written.rows(columns, progress, last=True)
                confirm(target, leaving, options, progress.sub(0.4, 1.0), rows, leaving.whom(options))
        if leaving.fetched.is_whole:
            read_back(target, leaving.table, options, progress.sub(0.2, 0.6))
            confirm_policies(leaving, confirm(target, leaving, options, progress.sub(0.6, 1.0)))


def prepare_elsewhere(
    release: Release,
    fetched: Fetched,
    engines: tuple[Engine, NewEngine],
    safeguards: Safeguards,
    progress: Progress,
    *,
    sample: Table,
    population: Table | None = None,
) -> LeavingElsewhere:
    """Make what would leave and check it; nothing is written.

    Raises BadParameter when pseudonyms lack their key, or a ledger is to remember a table that no memory holds.
    """
    engine, fresh = engines
    if fetched.is_whole:
        whole = prepare(release, fetched.table, safeguards, progress, population)
        order = _sorted_rows(whole.table)
        rows = None if whole.rows is None else whole.rows[order]
        parts = {name: getattr(whole, name) for name in LeavingTable.__dataclass_fields__}
        parts |= {"table": whole.table.take(order), "rows": rows}
        return LeavingElsewhere(**parts, engine=engine, fresh=fresh, fetched=fetched)
    _refuse_unkept(release, fetched, safeguards)
    measured = measure_leaving(release.table, release.rows, release, fetched.table, population, progress.sub(0.0, 0.6))
    checks = checklist_by_sample(
        release.table, sample, release.project, measured, asks=safeguards.asks, progress=progress.sub(0.6, 1.0)
    )
    checks += people_checks(engine, fetched, release, measured, progress) + unjudged_checks(release.project)
    return LeavingElsewhere(
        release,
        fetched.table,
        population,
        release.table,
        measured,
        checks,
        Meeting(),
        None,
        safeguards,
        rows=release.rows,
        engine=engine,
        fresh=fresh,
        fetched=fetched,
    )


def options_for(leaving: LeavingTable, path: Path) -> WriteOptions:
    """Write as the project says, in UTF-8; raises BadParameter for kinds of files that engines do not write."""
    if path.suffix.lower() not in SUFFIXES:
        raise BadParameter(
            message("An engine does not write “{suffix}”.", suffix=path.suffix or path.name),
            message("Use one of: {known}.", known=list(SUFFIXES)),
        )
    return replace(write_options(leaving.release.project, path), encoding="utf-8")


def _sorted_rows(table: Table) -> npt.NDArray[np.int64]:
    ranks = [ranked(column)[column.codes] for column in table.columns]
    return np.asarray(np.lexsort(ranks[::-1]) if ranks else np.arange(table.n_rows), dtype=np.int64)


def _further(engine: Engine, leaving: LeavingElsewhere, progress: Progress) -> Mapping[str, Further]:
    """Look up the further columns of the rows that are published; pseudonyms are made here, the key stays here."""
    fetched, project = leaving.fetched, leaving.release.project
    names = leaving.further_names()
    if fetched is None or not names:
        return {}
    ways, key = dict(project.publishing.pseudonyms), leaving.safeguards.key
    load_decided(engine, fetched, (leaving.table, leaving.release.rows), progress)
    missing = project.source.options.get("missing", ()) if project.source else ()
    found = {}
    for name in names:
        at = fetched.place(name)
        values = distinct_values(engine, at, name, missing, progress, rows=kept_rows(fetched, at))
        values = fetched.written.values(values)
        written = Column(name, values.column.codes, values.column.labels)
        if name in ways:
            written = pseudonymized(written, ways[name], key, pseudonym_salt(project, fetched.table))
        found[name] = Further(values, written)
    return found


def _refuse_unkept(release: Release, fetched: Fetched, safeguards: Safeguards) -> None:
    project = release.project
    if safeguards.ledger is not None:
        raise BadParameter(
            "The ledger compares people one by one and cannot take a table that no memory holds.",
            "Leave the ledger out, and keep the certificate.",
        )
    for name, way in project.publishing.pseudonyms:
        nobody = Column(name, np.empty(0, dtype=np.uint8), ())
        pseudonymized(nobody, way, safeguards.key, pseudonym_salt(project, fetched.table))
