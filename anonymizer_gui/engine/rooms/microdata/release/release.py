"""What a run brings out: the published table, how it was made, and what it was measured to hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED, Column, ColumnSchema, ColumnType, Role, Table
from anonymizer_gui.engine.hierarchy.coverage import flat_domain, place_cells
from anonymizer_gui.engine.hierarchy.fit import add_missing_values
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE, encode_column, find_leaves, with_missing
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.microdata.masking.steps import PreparedTable, columns_before, steps_of, unprepared
from anonymizer_gui.engine.rooms.microdata.measurement import TableMeasurement
from anonymizer_gui.engine.rooms.microdata.people import person_column
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding
from anonymizer_gui.engine.rooms.microdata.risk.contract import AttackView
from anonymizer_gui.engine.rooms.microdata.utility.contract import Comparison, PlacedColumn


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A finished run; never changed afterwards.

    `table` is what may be published, in source order; `rows` the original row of each of its rows and
    `class_of_row` its class in `recoding` (-1: published as `*`), both for the pages that compare, never exported.
    `suppressed` counts the rows left out or published as `*`.
    """

    id: str
    name: str
    project: Project
    table: Table
    rows: npt.NDArray[np.int64]
    class_of_row: npt.NDArray[np.int64]
    recoding: Recoding
    measured: TableMeasurement
    suppressed: int
    seconds: Mapping[str, float]
    seed: int
    version: str
    created: str

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What was promised, as it was measured."""
        return self.measured.promises

    @property
    def notes(self) -> tuple[str, ...]:
        """What the algorithm has to say about its result."""
        return self.recoding.notes

    def sentence(self) -> str:
        """Say in a few words what was made."""
        loss = self.measured.lm
        return self._size() if loss is None else message("{made}, loss {loss:.1%}", made=self._size(), loss=loss)

    def _size(self) -> Message:
        if self.measured.people is None:
            return message("{rows:row|rows}, k = {k}", rows=self.table.n_rows, k=self.measured.k)
        return message(
            "{rows:row|rows} about {people:person|people}, k = {k}",
            rows=self.table.n_rows,
            people=self.measured.people,
            k=self.measured.k,
        )

    def to_json(self) -> dict[str, Json]:
        """Give the numbers of the run as the command line prints them."""
        algorithm = self.project.algorithm
        return {
            **self.measured.to_json(),
            "suppressed": self.suppressed,
            "algorithm": "" if algorithm is None else algorithm.name,
            "parameters": {} if algorithm is None else params_json(algorithm),
            "seconds": dict(self.seconds),
            "seed": self.seed,
            "version": self.version,
            "notes": list(self.notes),
        }


_DIGITS = 6


def compare_release(release: Release, original: Table) -> Comparison:
    """Put a release beside its original, for utility measures."""
    project = release.project
    return Comparison(
        _unmasked(original, release),
        release.table,
        release.rows.astype(np.int64, copy=False),
        project.schema.names(Role.QI),
        project.schema.names(Role.SA),
        project.hierarchies,
        project.weights,
        project.schema,
    )


def _unmasked(original: Table, release: Release) -> Table:
    """Give sensitive columns as they were before masks, so that what these cost is counted in the measures.

    Measures place what is published among the values there were: a column with new values stays as it is masked, and
    so does one with a hierarchy; how far masks moved them is told beside the measures.
    """
    counted = set(release.project.schema.names(Role.SA)) - release.project.hierarchies.keys()
    was = {column.name: column for column in columns_before(original)}
    columns = []
    for column in original.columns:
        if column.name in counted:
            published = release.table.column(column.name).compact()
            kept = was.get(column.name, column)
            fits = set(published.labels) <= set(kept.labels)
            columns.append(kept if fits else _with_new(column, release.table.column(column.name), release.rows))
        else:
            columns.append(column)
    return Table(tuple(columns), original.n_rows)


def _with_new(column: Column, published: Column, rows: npt.NDArray[np.int64]) -> Column:
    """Give a column with the values its rows are published with, where these are others."""
    if set(published.compact().labels) <= set(column.labels):
        return column
    texts = column.texts()
    texts[rows] = published.texts()
    return Column.from_texts(column.name, texts)


def attack_views(
    release: Release,
    original: Table,
    *,
    population: Table | None = None,
    population_size: int | None = None,
    outside: Table | None = None,
    other: Table | None = None,
) -> tuple[AttackView, AttackView]:
    """Give what an attacker faces with the original and with the release."""

    person = person_column(original, release.project)

    def exposure(table: Table, known: Table, about: Column | None) -> AttackView:
        schema = release.project.schema
        qis, sas = schema.names(Role.QI), schema.names(Role.SA)
        trees = release.project.hierarchies
        survey = weight_and_household(known, release.project)
        return AttackView(
            table, qis, sas, trees, schema, population, population_size, outside, other, known, about, *survey
        )

    after = None if person is None else person.take(release.rows)
    return exposure(original, original, person), exposure(release.table, original.take(release.rows), after)


def weight_and_household(table: Table, project: Project) -> tuple[Column | None, Column | None]:
    """Give the sampling weight and the household of every row of a table, where the project names such columns."""
    weight, household = (
        table.column(name) if name and name in table.names else None
        for name in (project.sampling_weight, project.household)
    )
    return weight, household


_OTHER_DOMAINS = (ColumnType.SET, ColumnType.PLACE)


@dataclass(frozen=True, eq=False)
class UnmaskedComparison(Comparison):
    """A comparison in which masked columns have both the values they had and those that masks gave them as domain.

    Rows that are made up are in the release only.
    """

    prepared: Table = Table(())  # noqa: RUF009 - a table is frozen

    @cached_property
    def real(self) -> npt.NDArray[np.bool_]:
        """Say of every row whether somebody stands behind it: made-up ones were missing in every column."""
        made_up = self.prepared.made_up if isinstance(self.prepared, PreparedTable) else 0
        real = np.ones(self.original.n_rows, dtype=np.bool_)
        if made_up:
            gaps = np.logical_and.reduce([_is_missing(column) for column in columns_before(self.prepared)])
            real[np.flatnonzero(gaps)[-made_up:]] = False
        return real

    @property
    def suppressed(self) -> int:
        """The rows of the table that was read that were left out."""
        return int(np.count_nonzero(self.real)) - int(np.count_nonzero(self.real[self.rows]))

    def _place(self, name: str) -> PlacedColumn:
        entry = None if self.schema is None else self.schema.column(name)
        raw, published = self.original.column(name).take(np.flatnonzero(self.real)), self.published.column(name)
        if entry is not None and entry.type in _OTHER_DOMAINS:
            return super()._place(name)
        after = self.prepared.column(name) if name in self.qis else published
        domain = _domain((raw, self.prepared.column(name), after), self.hierarchies.get(name), entry)
        start = encode_column(raw, domain, entry)
        return PlacedColumn(
            start.hierarchy, start.codes, published, place_cells(published, domain, entry), self.suppressed
        )


def compare_with_source(release: Release, prepared: Table) -> Comparison:
    """Put a release beside the table it was read from; where no step changed cells, it is the usual comparison."""
    usual = compare_release(release, prepared)
    if not columns_before(prepared) and not any(step.waits() for step in steps_of(release.project.source)):
        return usual
    return UnmaskedComparison(
        unprepared(prepared),
        usual.published,
        usual.rows,
        usual.qis,
        usual.sas,
        usual.hierarchies,
        usual.weights,
        usual.schema,
        prepared,
    )


def _domain(columns: Sequence[Column], hierarchy: Hierarchy | None, entry: ColumnSchema | None) -> Hierarchy:
    """Give the values there were and those that masks made: the hierarchy with what it lacks, or all in a row."""
    labels = tuple(dict.fromkeys(label for column in columns for label in column.compact().labels))
    every = Column(columns[0].name, np.arange(len(labels)), labels)
    if hierarchy is None:
        return flat_domain(every, entry)
    lacking = np.flatnonzero(find_leaves(every, hierarchy, entry) == NO_PLACE).tolist()
    new = [labels[at] for at in lacking if labels[at] not in (MISSING, SUPPRESSED)]
    return with_missing(add_missing_values(hierarchy, new), every)


def _is_missing(column: Column) -> npt.NDArray[np.bool_]:
    gap = column.labels.index(MISSING) if MISSING in column.labels else -1
    return np.asarray(column.codes == gap)
