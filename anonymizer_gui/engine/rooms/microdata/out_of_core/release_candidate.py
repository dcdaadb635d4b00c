"""A candidate an engine writes by joins."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.memory import release_memory
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.dictionary_encoding import text_order
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.table import Column, Role, Table
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.microdata.composition.attack import CompositionResult
from anonymizer_gui.engine.rooms.microdata.independent import PersonRows
from anonymizer_gui.engine.rooms.microdata.measurement import TableMeasurement
from anonymizer_gui.engine.rooms.microdata.out_of_core.frequency_set import FrequencyTable
from anonymizer_gui.engine.rooms.microdata.out_of_core.verification import (
    EngineReader,
    require_same_rows,
    rows_with_persons,
)
from anonymizer_gui.engine.rooms.microdata.people import MOST_ROWS, person_column
from anonymizer_gui.engine.rooms.microdata.release import checklist
from anonymizer_gui.engine.rooms.microdata.release.checklist import checklist_by_sample
from anonymizer_gui.engine.rooms.microdata.release.independent_check import check_release
from anonymizer_gui.engine.rooms.microdata.release.independent_inputs import column_roles
from anonymizer_gui.engine.rooms.microdata.release.output_format import (
    file_texts,
    name_in_file,
    require_same_table,
    write_options,
)
from anonymizer_gui.engine.rooms.microdata.release.output_table import pseudonym_salt
from anonymizer_gui.engine.rooms.microdata.release.policy_check import confirm_policies, unjudged_policy_checks
from anonymizer_gui.engine.rooms.microdata.release.pseudonyms import pseudonymise
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import (
    ReleaseCandidate,
    measure_release,
    prepare_candidate,
)
from anonymizer_gui.engine.scale.contract import Engine
from anonymizer_gui.engine.scale.frequency_set import DistinctValues, canonical_checksum, distinct_values


def engine_person_checks(
    engine: Engine, fetched: FrequencyTable, release: Release, measured: TableMeasurement, progress: Progress = SILENT
) -> tuple[Check, ...]:
    """Warn of the identifier that seems to say whom a row is about, as it is done for tables in memory."""
    if release.project.person:
        return checklist.person_checks(release.table, release.rows, fetched.table, release.project, measured)
    found = []
    for name in fetched.project.schema.names(Role.EI):
        column = f"c{fetched.place(name)}"
        sql = f"SELECT count({column}) AS known, count(DISTINCT {column}) AS people FROM source"
        row = next(iter(engine.fetch(sql, progress)))
        known, people = int(row.column(0)[0].as_py()), int(row.column(1)[0].as_py())
        if 1 < people < known <= MOST_ROWS * people:
            found.append((people, known, name))
    if not found:
        return ()
    people, known, name = max(found)
    sentence = message(
        "“{name}” repeats: {rows:,} rows are about {people:person|people}, if it says whom a row is about. "
        "Mark the column as the person, and people are counted.",
        name=name,
        rows=known,
        people=people,
    )
    return (Check("people", "People counted, not rows", False, sentence, blocks=False),)


Ints = npt.NDArray[np.int64]

RELEASE = "published"
"""The name of the release in the engine: the texts t0, t1, ... and how often each row occurs, n."""


@dataclass(frozen=True, slots=True, eq=False)
class ExtraColumn:
    """A column that the engine takes along as it is, or by pseudonyms: its values, and the texts they leave with."""

    values: DistinctValues
    written: Column


def publish_whole(engine: Engine, table: Table, options: WriteOptions, progress: Progress) -> None:
    """Give the engine a release that fits into memory, row by row or counted."""
    import pyarrow as pa

    codes = {f"p{at}": label_ranks(column)[column.codes] for at, column in enumerate(table.columns)}
    times = np.ones(table.n_told, dtype=np.int64) if table.times is None else table.times
    engine.load("made", pa.table({**codes, "n": times}), progress)
    listed = ", ".join(codes)
    grouped = f"SELECT {listed}, CAST(sum(n) AS BIGINT) AS n FROM made GROUP BY {listed}"
    _keep_release(engine, grouped, table.columns, options, progress)


def publish_joined(
    engine: Engine,
    fetched: FrequencyTable,
    release: tuple[Table, Ints],
    further: Mapping[str, ExtraColumn],
    order: Sequence[str],
    options: WriteOptions,
    progress: Progress,
) -> None:
    """Let the engine join what was decided about every combination to its rows, further columns beside.

    `release` is the published table and the row of the counted table that each of its rows was; `order` names all
    columns that leave.
    """
    load_recoding(engine, fetched, release, progress)
    table = release[0]
    place = {column.name: f"p{at}" for at, column in enumerate(table.columns)}
    for one in further.values():
        engine.load(
            f"f{one.values.at}",
            one.values.lookup(label_ranks(one.written)[one.written.codes].astype(np.int64)),
            progress,
        )
    picked = [
        f"{_extra_column_sql(further[name])} AS q{at}" if name in further else f"m.{place[name]} AS q{at}"
        for at, name in enumerate(order)
    ]
    taken = [f"c{one.values.at}" for one in further.values()]
    joins = [f"LEFT JOIN f{one.values.at} ON r.c{one.values.at} = f{one.values.at}.raw" for one in further.values()]
    on = " AND ".join(f"r.{key} = m.{key}" for key in fetched.keys.names)
    rows = f"({fetched.keys.of_rows(more=taken)}) r JOIN decided m ON {on} {' '.join(joins)}"
    listed = ", ".join(f"q{at}" for at in range(len(order)))
    grouped = f"SELECT {listed}, count(*) AS n FROM (SELECT {', '.join(picked)} FROM {rows}) g GROUP BY {listed}"
    columns = [further[name].written if name in further else table.column(name) for name in order]
    _keep_release(engine, _renamed(grouped, len(order)), columns, options, progress)


def load_recoding(engine: Engine, fetched: FrequencyTable, release: tuple[Table, Ints], progress: Progress) -> None:
    """Give the engine the published codes of every combination that is published, by its keys."""
    import pyarrow as pa

    table, rows = release
    keys = {name: key[rows] for name, key in zip(fetched.keys.names, fetched.key_of_row, strict=True)}
    codes = {f"p{at}": label_ranks(column)[column.codes] for at, column in enumerate(table.columns)}
    engine.load("decided", pa.table({**keys, **codes}), progress)


def kept_rows(fetched: FrequencyTable, column: int) -> str:
    """Give the SQL of one column of the rows that are published."""
    on = " AND ".join(f"r.{key} = m.{key}" for key in fetched.keys.names)
    return f"(SELECT r.c{column} FROM ({fetched.keys.of_rows(more=[f'c{column}'])}) r JOIN decided m ON {on}) kept"


def write_release(engine: Engine, names: Sequence[str], target: Path, options: WriteOptions, progress: Progress) -> str:
    """Write the release that the engine has, and give its canonical checksum, as it ought to be found in the file."""
    texts = [f"t{at}" for at in range(len(names))]
    progress(0.0, message("Adding up the release"))
    digest = canonical_checksum(engine, RELEASE, texts, progress)
    progress(0.3, message("Writing the release"))
    order = ", ".join(f"p{at}" for at in range(len(texts)))
    ordered = f"SELECT {', '.join([*texts, 'n'])} FROM {RELEASE} ORDER BY {order}"
    engine.write(ordered, names, target, options, progress)
    return digest


def _keep_release(
    engine: Engine, grouped: str, columns: Sequence[Column], options: WriteOptions, progress: Progress
) -> None:
    """Put texts beside the codes, by which the rows will be sorted: their order tells nothing of the source's."""
    import pyarrow as pa

    for at, column in enumerate(columns):
        texts = pa.array(file_texts(column, options), pa.string())
        engine.load(f"l{at}", pa.table({"code": label_ranks(column), "label": texts}), progress)
    picked = ", ".join([*(f"l{at}.label AS t{at}" for at in range(len(columns))), "g.n"])
    joins = " ".join(f"JOIN l{at} ON g.p{at} = l{at}.code" for at in range(len(columns)))
    order = ", ".join(f"g.p{at}" for at in range(len(columns)))
    engine.keep(RELEASE, f"SELECT {picked}, {order} FROM ({grouped}) g {joins}", progress)


def label_ranks(column: Column) -> npt.NDArray[np.int32]:
    """Give every label its place among the texts; narrow, for it is sent for every combination."""
    rank = np.empty(len(column.labels), dtype=np.int32)
    rank[text_order(column.labels)] = np.arange(len(column.labels), dtype=np.int32)
    return rank


def _extra_column_sql(one: ExtraColumn) -> str:
    """Give the SQL of the code of a further column; null cells have the code of missing ones."""
    at = one.values.null_at()
    null = int(label_ranks(one.written)[one.written.codes[at]]) if at >= 0 else 0
    return f"CASE WHEN r.c{one.values.at} IS NULL THEN CAST({null} AS BIGINT) ELSE f{one.values.at}.place END"


def _renamed(grouped: str, columns: int) -> str:
    picked = ", ".join([*(f"q{at} AS p{at}" for at in range(columns)), "n"])
    return f"SELECT {picked} FROM ({grouped}) q"


SUFFIXES = (".parquet", ".pq", ".csv", ".tsv", ".txt")

NewEngine = Callable[[Path], Engine]
"""Opens a fresh engine that may read the folder of a file."""


@dataclass(frozen=True, slots=True, eq=False)
class OutOfCoreCandidate(ReleaseCandidate):
    """A release that an engine writes; its table is counted, unless the rows were needed one by one."""

    engine: Engine | None = None
    fresh: NewEngine | None = None
    fetched: FrequencyTable | None = None
    written: dict[str, str] = field(default_factory=dict)
    """What is known once the file is written: its canonical checksum."""

    def files(self, path: Path) -> tuple["EngineFile", ...]:
        """Give the one file that is written."""
        return (EngineFile(path, self),)

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

    def whom(self, options: WriteOptions) -> Iterator[PersonRows] | None:
        """Tell whom the rows of a counted release are about, where somebody has several; it leaves with no file."""
        project = self.release.project
        person = person_column(self.original, project)
        if person is None or self.measured.people is None:
            return None
        names = [*project.schema.names(Role.QI), *project.schema.names(Role.SA)]
        return rows_with_persons(self.table, person.take(self.release.rows), names, options)

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate: rows are compared by one checksum, whatever their order."""
        told = ReleaseCandidate.told(self, path)
        options = told["written"]["options"]
        columns = dict.fromkeys(self.columns(), "")
        written = {"options": {**options, "encoding": "utf-8"}, "columns": columns, **self.written}
        return {**told, "written": written, "recipe": {**told["recipe"], "row_order": "sorted"}, "engine": self._told()}

    def _told(self) -> dict[str, Json]:
        base = self.fetched.base if self.fetched is not None else None
        raised = {} if base is None else dict(base.raised)
        return {**(self.engine.described() if self.engine is not None else {}), "base": raised}


@dataclass(frozen=True, slots=True, eq=False)
class EngineFile:
    """The file an engine writes a release into."""

    place: Path
    leaving: OutOfCoreCandidate

    def write(self, target: Path, progress: Progress) -> None:
        """Let the engine join, sort and write; it is closed afterwards, for what judges the file must be another."""
        leaving, options = self.leaving, engine_write_options(self.leaving, self.place)
        engine, fetched = leaving.engine, leaving.fetched
        if engine is None or fetched is None:
            raise ValueError("There is no engine to write the release.")
        release_memory()
        further = {} if fetched.is_whole else _extra_columns(engine, leaving, progress)
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
        leaving, options = self.leaving, engine_write_options(self.leaving, self.place)
        if leaving.fresh is None or leaving.fetched is None:
            raise ValueError("There is no engine to read the release.")
        names = [name_in_file(name, options) for name in leaving.columns()]
        release_memory()
        with closing(leaving.fresh(target)) as engine:
            progress(0.0, message("Counting the written release"))
            written = EngineReader(engine, target, names, options, progress)
            require_same_rows(written.digest(progress), leaving.written["canonical"])
            if not leaving.fetched.is_whole:
                columns = column_roles(leaving.release.project.schema.columns, options)
                rows = written.rows(columns, progress, last=True)
                check_release(target, leaving, options, progress.sub(0.4, 1.0), rows, leaving.whom(options))
        if leaving.fetched.is_whole:
            require_same_table(target, leaving.table, options, progress.sub(0.2, 0.6))
            confirm_policies(leaving, check_release(target, leaving, options, progress.sub(0.6, 1.0)))


def prepare_out_of_core(
    release: Release,
    fetched: FrequencyTable,
    engines: tuple[Engine, NewEngine],
    safeguards: Safeguards,
    progress: Progress,
    *,
    sample: Table,
    population: Table | None = None,
) -> OutOfCoreCandidate:
    """Make what would leave and check it; nothing is written.

    Raises BadParameter when pseudonyms lack their key, or a ledger is to remember a table that no memory holds.
    """
    engine, fresh = engines
    if fetched.is_whole:
        whole = prepare_candidate(release, fetched.table, safeguards, progress, population)
        order = _sorted_rows(whole.table)
        rows = None if whole.rows is None else whole.rows[order]
        parts = {name: getattr(whole, name) for name in ReleaseCandidate.__dataclass_fields__}
        parts |= {"table": whole.table.take(order), "rows": rows}
        return OutOfCoreCandidate(**parts, engine=engine, fresh=fresh, fetched=fetched)
    _refuse_unkept(release, fetched, safeguards)
    measured = measure_release(release.table, release.rows, release, fetched.table, population, progress.sub(0.0, 0.6))
    checks = checklist_by_sample(
        release.table, sample, release.project, measured, asks=safeguards.asks, progress=progress.sub(0.6, 1.0)
    )
    checks += engine_person_checks(engine, fetched, release, measured, progress) + unjudged_policy_checks(
        release.project
    )
    return OutOfCoreCandidate(
        release,
        fetched.table,
        population,
        release.table,
        measured,
        checks,
        CompositionResult(),
        None,
        safeguards,
        rows=release.rows,
        engine=engine,
        fresh=fresh,
        fetched=fetched,
    )


def engine_write_options(leaving: ReleaseCandidate, path: Path) -> WriteOptions:
    """Write as the project says, in UTF-8; raises BadParameter for kinds of files that engines do not write."""
    if path.suffix.lower() not in SUFFIXES:
        raise BadParameter(
            message("An engine does not write “{suffix}”.", suffix=path.suffix or path.name),
            message("Use one of: {known}.", known=list(SUFFIXES)),
        )
    return replace(write_options(leaving.release.project, path), encoding="utf-8")


def _sorted_rows(table: Table) -> npt.NDArray[np.int64]:
    ranks = [label_ranks(column)[column.codes] for column in table.columns]
    return np.asarray(np.lexsort(ranks[::-1]) if ranks else np.arange(table.n_rows), dtype=np.int64)


def _extra_columns(engine: Engine, leaving: OutOfCoreCandidate, progress: Progress) -> Mapping[str, ExtraColumn]:
    """Look up the further columns of the rows that are published; pseudonyms are made here, the key stays here."""
    fetched, project = leaving.fetched, leaving.release.project
    names = leaving.further_names()
    if fetched is None or not names:
        return {}
    ways, key = dict(project.publishing.pseudonyms), leaving.safeguards.key
    load_recoding(engine, fetched, (leaving.table, leaving.release.rows), progress)
    missing = project.source.options.get("missing", ()) if project.source else ()
    found = {}
    for name in names:
        at = fetched.place(name)
        values = distinct_values(engine, at, name, missing, progress, rows=kept_rows(fetched, at))
        values = fetched.written.values(values)
        written = Column(name, values.column.codes, values.column.labels)
        if name in ways:
            written = pseudonymise(written, ways[name], key, pseudonym_salt(project, fetched.table))
        found[name] = ExtraColumn(values, written)
    return found


def _refuse_unkept(release: Release, fetched: FrequencyTable, safeguards: Safeguards) -> None:
    project = release.project
    if safeguards.ledger is not None:
        raise BadParameter(
            "The ledger compares people one by one and cannot take a table that no memory holds.",
            "Leave the ledger out, and keep the certificate.",
        )
    for name, way in project.publishing.pseudonyms:
        nobody = Column(name, np.empty(0, dtype=np.uint8), ())
        pseudonymise(nobody, way, safeguards.key, pseudonym_salt(project, fetched.table))
