"""What a privacy model is asked and answers; all goals together."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import Param, params_of
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.models.persons import PersonGroups
from anonymizer_gui.engine.rooms.microdata.set_valued_attributes import ItemsetCounts


class _Together(str):
    """The name of all sensitive columns together: equal to nothing but itself, whatever a column is called."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(_Together)


COMBINED = _Together("all sensitive columns together")
"""Name under which groups hold the histogram of combinations of sensitive values, where a goal needs it."""

SIZE_UNIT = (2, 3, 5, 10, 20, 50)
"""Sizes of classes worth trying one after the other."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassGroups:
    """Candidate classes: their rows, the histogram of each sensitive column by rows, the population in their cells.

    `persons` says who is in them, where several rows may be about one person; `counted` only how many people.
    `sets` are the items of their rows, where a published table has sets among its quasi-identifiers.
    """

    sizes: npt.NDArray[np.int64]
    sensitive: Mapping[str, Histogram] = field(default_factory=dict)
    population: npt.NDArray[np.int64] | None = None
    persons: PersonGroups | None = None
    counted: npt.NDArray[np.int64] | None = None
    sets: ItemsetCounts | None = None
    cells: npt.NDArray[np.int64] | None = None
    """The cells of every class, a number per quasi-identifier; None where they are not known."""

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def people(self) -> npt.NDArray[np.int64]:
        """How many different people each class has: its rows where every row is about another person."""
        if self.counted is not None:
            return self.counted
        return self.sizes if self.persons is None else self.persons.sizes


@dataclass(frozen=True, slots=True, eq=False)
class SensitiveAttribute:
    """A sensitive column of the whole table: labels, counts, order of the values, hierarchy over them.

    `rank[value]` is the place of a value in its order (numbers and dates by value, else as in the hierarchy,
    else by label); `leaf[value]` its leaf in the hierarchy, when there is one. Only the entry `COMBINED` has
    `parts`: for every sensitive column the value it has in each combination. `missing` is the value that stands for
    missing, -1 where there is none. `input` counts the values before rows were left out, where that is known. `wider`
    is the same column with further values at the end, which it is compared with but does not have.
    """

    name: str
    labels: tuple[str, ...]
    counts: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int64]
    hierarchy: Hierarchy | None = None
    leaf: npt.NDArray[np.int64] | None = None
    parts: Mapping[str, npt.NDArray[np.int64]] = field(default_factory=dict)
    input: npt.NDArray[np.int64] | None = None
    wider: "SensitiveAttribute | None" = None
    missing: int = field(init=False, default=-1)

    def __post_init__(self) -> None:
        if MISSING in self.labels:
            object.__setattr__(self, "missing", self.labels.index(MISSING))


@dataclass(frozen=True, slots=True, eq=False)
class WholeTable:
    """The whole published table the classes belong to."""

    n_rows: int
    sensitive: Mapping[str, SensitiveAttribute] = field(default_factory=dict)
    people_in_no_class: int = 0
    """People of the population whom no published class fits; cells may overlap, so the classes do not tell."""


@dataclass(frozen=True, slots=True, eq=False)
class Measurement:
    """What a table achieves: the value, whether the goal holds, the value of each class, the worst classes."""

    value: float
    holds: bool
    per_class: npt.NDArray[np.float64]
    worst: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SetRequirement:
    """What a goal asks of sets: whoever knows up to m items of a row is left with at least k rows."""

    k: int
    m: int
    in_classes: bool
    """Whether that holds for whoever knows the class of the row, too."""
    is_apart: bool
    """Whether sets leave in a file of their own, unlinked."""


class PrivacyModel(Protocol):
    """A frozen dataclass of declared parameters, registered in `PRIVACY_MODELS`; it inherits what it does not say.

    The first parameter is how much it asks for. All models here are closed under merging while every row is about
    another person: when two classes satisfy, so does their union. A goal `of_table` is about all classes together:
    no class decides it, `satisfied` says only which ones could be in a table that keeps it, and `measure` decides.
    """

    __slots__ = ()

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    stops: ClassVar[str]
    leaves_open: ClassVar[str]
    formula: ClassVar[str]
    source: ClassVar[str]
    """Where it was published first."""
    needs_sensitive: ClassVar[bool] = False
    """Whether it looks at sensitive columns."""
    needs_population: ClassVar[bool] = False
    """Whether it counts people of a population table."""
    by_size_alone: ClassVar[bool] = False
    """Whether the number of its rows decides a class."""
    counts_people: ClassVar[bool] = False
    """Whether it counts people, not rows, where it is known whom rows are about."""
    figure: ClassVar[Literal["k", "l", "t", ""]] = ""
    """The figure of a table that is of the same sort; empty where none is."""
    is_the_figure: ClassVar[bool] = False
    """Whether that figure is the very number the goal is judged by."""
    of_table: ClassVar[bool] = False
    """Whether it is about all classes of the table together, so that none of them decides it."""
    stays_when_merged: ClassVar[bool] = True
    """Whether a table that keeps it still does when classes are merged (monotone); a statistical model may not."""
    needs_cells: ClassVar[bool] = False
    """Whether it looks at the cells of classes, for people whom some of the quasi-identifiers do not tell apart."""
    is_estimate: ClassVar[bool] = False
    """Whether it rests on a model of people nobody has counted: what is measured is then no proof."""

    @property
    def compares_with_whole(self) -> bool:
        """Whether leaving rows out changes what classes are compared with."""
        return False

    @property
    def needs_input(self) -> bool:
        """Whether it compares classes with the table as it was before rows were left out."""
        return False

    @property
    def named_values(self) -> tuple[str, ...]:
        """The sensitive values it speaks of, whether the table has them or not."""
        return ()

    @property
    def distance(self) -> str:
        """The distance between distributions it measures by; empty where it measures none."""
        return ""

    @property
    def reads_together(self) -> bool:
        """Whether it needs the combinations of the sensitive columns."""
        return False

    @property
    def fails_in_parts(self) -> bool:
        """Whether every part of a class that fails does so, too."""
        return self.by_size_alone

    def refuse_people(self, people: int) -> None:
        """Raise BadParameter where it cannot be about a table of so many people."""
        return

    def looks_at(self, column: str) -> bool:
        """Tell whether it is about the values of this sensitive column."""
        return False

    def least_rows(self) -> int:
        """Fewest rows a class must have; 1 when the model does not say."""
        return 1

    def enough_rows(self) -> int:
        """Rows that are enough in every class for a goal `of_table` to be kept for certain."""
        return self.least_rows()

    def known_columns(self) -> int:
        """How many quasi-identifiers an attacker knows of whom a goal that needs cells speaks; 0: all."""
        return 0

    def least_values(self) -> int:
        """Fewest different values a class must have in the columns looked at; 1 when the model does not say."""
        return 1

    def about_sets(self) -> SetRequirement | None:
        """Give what it asks of the items of sets; None where it does not look at them."""
        return None

    def satisfied(self, groups: ClassGroups, whole: WholeTable) -> npt.NDArray[np.bool_]:
        """Say for every group whether it satisfies the goal."""

    def measure(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the achieved value of the table made of these classes."""

    def measure_alone(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the value by which classes are decided one by one, as in a search."""
        return self.measure(groups, whole)

    def judged(self, groups: ClassGroups, whole: WholeTable) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """Give the value of every group by which it is decided, and whether it satisfies."""
        return self.measure_alone(groups, whole).per_class, self.satisfied(groups, whole)

    def sentence(self) -> str:
        """Say the goal with its parameters in words, such as “every class has at least 5 rows”."""

    def sentence_about_people(self) -> str:
        """Say the same where people are counted: “every class has at least 5 people”."""
        return self.sentence()


def main_parameter(model: type[PrivacyModel]) -> Param:
    """Give the parameter that says how much a goal asks for."""
    return params_of(model)[0]


def set_requirements(goals: Iterable[PrivacyModel]) -> list[SetRequirement]:
    """Give what those of some goals ask that are about sets."""
    return [asked for goal in goals if (asked := goal.about_sets()) is not None]


PRIVACY_MODELS: Registry[PrivacyModel] = Registry("privacy model", __package__)


@dataclass(frozen=True, slots=True, eq=False)
class GoalSet:
    """The privacy models that must hold together, against one whole table."""

    models: tuple[PrivacyModel, ...]
    whole: WholeTable
    by_people: bool = False
    """Whether several rows may be about one person, so that people are counted."""
    are_stricter: bool = False
    """Whether more is asked than the user did, so that what cannot be reached with them may be reached without."""

    @property
    def least_rows(self) -> int:
        """A class with fewer rows, or fewer people where these are counted, cannot satisfy."""
        return max([1, *(model.least_rows() for model in self.models)])

    @property
    def compare_with_whole(self) -> bool:
        """Whether suppressing rows changes what the classes are compared with."""
        return any(model.compares_with_whole for model in self.models)

    @property
    def hold_in_union(self) -> bool:
        """Whether classes that satisfy do so together, too.

        Somebody with another value in each of two classes counts with one of them in their union.
        """
        return not self.by_people or all(model.by_size_alone or not model.counts_people for model in self.models)

    @property
    def of_table(self) -> tuple[PrivacyModel, ...]:
        """The goals about all classes of the table together."""
        return tuple(model for model in self.models if model.of_table)

    @property
    def stay_when_merged(self) -> bool:
        """Whether a table that keeps all goals still does when classes are merged."""
        return self.hold_in_union and all(model.stays_when_merged for model in self.models)

    @property
    def need_cells(self) -> bool:
        """Whether a goal looks at the cells of classes."""
        return any(model.needs_cells for model in self.models)

    def kept_by_table(self, groups: ClassGroups) -> bool:
        """Say whether the goals about all classes together are kept by a table of these."""
        return all(model.measure(groups, self.whole).holds for model in self.of_table)

    def fails_in_parts(self, model: PrivacyModel) -> bool:
        """Say whether every part of a class that fails a goal does so, too."""
        return model.by_size_alone or (model.fails_in_parts and not (self.by_people and model.counts_people))

    def satisfied(self, groups: ClassGroups) -> npt.NDArray[np.bool_]:
        """Say for every group whether it satisfies all goals.

        A group without rows does, unless a goal about the population says otherwise.
        """
        empty = groups.sizes == 0
        fine = (groups.people >= self.least_rows) | empty
        for model in self.models:
            fine &= model.satisfied(groups, self.whole) | (empty & (not model.needs_population))
        return np.asarray(fine, dtype=np.bool_)
