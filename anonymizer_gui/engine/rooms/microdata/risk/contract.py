"""The threshold that several analyses share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import Float, Json, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.equivalence_classes import EquivalenceClasses, classes_of
from anonymizer_gui.engine.data.tables.normalisation import merge_homographs
from anonymizer_gui.engine.data.tables.table import Column, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.models.persons import NOBODY, PersonGroups
from anonymizer_gui.engine.rooms.microdata.people import marks_of
from anonymizer_gui.engine.rooms.microdata.population import population_per_class
from anonymizer_gui.engine.rooms.microdata.thresholds import COMFORTABLE_RISK


def threshold_param() -> float:
    """Declare the risk above which rows are counted."""
    told = "Rows whose risk is above it are counted; 0.2 is one in five."
    declared: float = param(Float(low=0, high=1), default=COMFORTABLE_RISK, label="Threshold", help=told)
    return declared


MAX_CLASSES_SHOWN = 100


@dataclass(frozen=True, eq=False)
class AttackView:
    """What an attacker may hold: a table that is out, and what else is known.

    `table` is the published table, or the original when the risk before is asked. `population` is the table the
    people were drawn from, `population_size` its rows where only their number is known. `outside` is a second
    table with names and some of the quasi-identifiers, for linking. `other` is a release of another house about
    the same people, `known` the quasi-identifiers of everybody as they are, row by row as in the table.
    `person` says for every row whom it is about: where somebody has several rows, people are counted. Of a survey
    `weight` says how many people of the population each row stands for, `household` who lives together.
    """

    table: Table
    qis: tuple[str, ...]
    sas: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    schema: Schema | None = None
    population: Table | None = None
    population_size: int | None = None
    outside: Table | None = None
    other: Table | None = None
    known: Table | None = None
    person: Column | None = None
    weight: Column | None = None
    household: Column | None = None

    @cached_property
    def classes(self) -> EquivalenceClasses:
        """The equivalence classes of the table."""
        return classes_of(self.table, self.qis)

    @cached_property
    def persons(self) -> PersonGroups | None:
        """Who is in each class; None where every row counts as another person."""
        return self.persons_in(self.classes)

    @cached_property
    def people(self) -> npt.NDArray[np.int64]:
        """How many different people each class has: its rows where every row counts as another person."""
        return self.classes.sizes if self.persons is None else self.persons.sizes

    @cached_property
    def n_people(self) -> int:
        """How many different people the table is about."""
        return self.people_in(np.ones(len(self.classes), dtype=np.bool_))

    def people_in(self, which: npt.NDArray[np.bool_]) -> int:
        """Count the different people of some classes."""
        if self.persons is None:
            return int(self.classes.sizes[which].sum())
        return int(self.persons.only(np.where(which, 0, -1), 1).sizes[0])

    def people_of(self, rows: npt.NDArray[np.bool_]) -> int:
        """Count the different people of some rows."""
        if self.persons is None:
            return int(np.count_nonzero(rows))
        marks = self.persons.marks
        return int(np.count_nonzero(np.unique(marks.person[marks.of_row[rows]]) != NOBODY))

    def persons_in(self, classes: EquivalenceClasses) -> PersonGroups | None:
        """Find who is in other classes of the same rows."""
        if self.person is None:
            return None
        marks = marks_of(self.person, {name: merge_homographs(self.table.column(name)).compact() for name in self.sas})
        return None if marks is None else PersonGroups.count(marks, classes.ids.astype(np.int64), len(classes))

    def people_that_fit(self, population: Table, progress: Progress) -> npt.NDArray[np.int64]:
        """Count for every class the people of a population whose values lie in its cells."""
        return population_per_class(
            self.table, self.classes, population, self.qis, self.hierarchies, self.schema, progress
        )


@dataclass(frozen=True, slots=True, eq=False)
class RiskResult:
    """What an attack finds in one table.

    `value` is the analysis' number (a probability or a share), `hit` the people it finds out about, `people` all
    that were looked at; `worst` lists the worst classes first, `per_class` the number of each class, `first_rows`
    a row of each class (to show its cells).
    """

    value: float
    hit: int
    people: int
    per_class: npt.NDArray[np.float64]
    worst: npt.NDArray[np.int64]
    first_rows: npt.NDArray[np.int64]
    details: Mapping[str, Json] = field(default_factory=dict)

    @property
    def is_estimate(self) -> bool:
        """Whether it rests on a model of the population rather than on the population itself."""
        return bool(self.details.get("is_estimate"))

    @property
    def share(self) -> float:
        """The share of the people that are hit."""
        return self.hit / self.people if self.people else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class BeforeAndAfter:
    """The same analysis of the original and of the release."""

    before: RiskResult
    after: RiskResult


class Risk(Protocol):
    """A frozen dataclass of declared parameters, registered in `RISKS`; it inherits what it does not say."""

    __slots__ = ()

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    attacker: ClassVar[str]
    """What the attacker knows."""
    formula: ClassVar[str]
    reference: ClassVar[str]
    by_weight: ClassVar[bool] = False
    """Whether it takes the population from sampling weights, where there are some."""

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Run the analysis on one table."""


RISKS: Registry[Risk] = Registry("risk analysis", __package__)


def attack_before_and_after(risk: Risk, before: AttackView, after: AttackView, progress: Progress) -> BeforeAndAfter:
    """Run an analysis on the original and on the release."""
    return BeforeAndAfter(risk.measure(before, progress.sub(0.0, 0.5)), risk.measure(after, progress.sub(0.5, 1.0)))


def summarise_attack(
    exposure: AttackView,
    value: float,
    per_class: npt.NDArray[np.float64],
    hit_class: npt.NDArray[np.bool_],
    details: Mapping[str, Json] | None = None,
) -> RiskResult:
    """Sum up an analysis whose number per class is bad when it is large, and which hits whole classes or none."""
    classes = exposure.classes
    worst = np.argsort(-per_class, kind="stable")[:MAX_CLASSES_SHOWN]
    hit = exposure.people_in(hit_class)
    return RiskResult(value, hit, exposure.n_people, per_class, worst, classes.first_rows, details or {})


@dataclass(frozen=True, slots=True)
class WorstClass:
    """One class: its published cells, its rows (or people where these are counted), the number the analysis gives."""

    cells: tuple[str, ...]
    rows: int
    value: float
    shares: tuple[float, ...] = ()
    """Which part of the number each column has a hand in, where an analysis tells it (SUDA2)."""


def worst_classes(exposure: AttackView, found: RiskResult, most: int = 50) -> tuple[WorstClass, ...]:
    """List the worst classes of the table that was analysed, worst first; those without any risk are left out."""
    columns = [exposure.table.column(name) for name in exposure.qis]
    listed = []
    for number in found.worst[:most].tolist():
        row = int(found.first_rows[number])
        cells = tuple(column.labels[int(column.codes[row])] for column in columns)
        if found.per_class[number] > 0:
            told = found.details.get("scores", {}).get(str(row), {}).get("columns", {})
            shares = tuple(told.get(name, 0.0) for name in exposure.qis) if told else ()
            listed.append(WorstClass(cells, int(exposure.people[number]), float(found.per_class[number]), shares))
    return tuple(listed)
