"""The one contract of all algorithms: encoded table and goals in, recoding out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups, GoalSet
from anonymizer_gui.engine.rooms.microdata.models.persons import PersonGroups
from anonymizer_gui.engine.rooms.microdata.recoding import Method, Recoding


@dataclass(frozen=True, slots=True, eq=False)
class QuasiIdentifier:
    """One QI column: its hierarchy, weight in the loss, bounds of the level, and what uneven depth means.

    `ordered` says that its leaves follow numbers or dates, so that a range of them may be published as `[35-38]`.
    """

    name: str
    hierarchy: Hierarchy
    weight: float
    lowest: int = 0
    highest: int | None = None
    uneven: Uneven = "cap"
    ordered: bool = False

    @property
    def top(self) -> int:
        """The highest level that may be published."""
        return self.hierarchy.height if self.highest is None else min(self.highest, self.hierarchy.height)

    def levels(self) -> npt.NDArray[np.int32]:
        """Give the node of every leaf number at each level that may be published, lowest level first."""
        return self.hierarchy.level_table(self.uneven)[min(self.lowest, self.top) : self.top + 1]


@dataclass(frozen=True, slots=True, eq=False)
class EncodedTable:
    """The table as algorithms see it: distinct QI tuples of leaf numbers with counts and sensitive histograms.

    `tuples[t, j]` is the leaf number of tuple t in QI j; `counts[t]` its rows (0 for tuples that only the
    population table has); `tuple_of_row[r]` the tuple of row r; `sensitive[name]` the histogram over tuples;
    `sensitive_of_row[name]` the code of every row; `population[t]` the rows of the population table; `persons` says
    who has each tuple, where several rows may be about one person. Of a counted table the rows are those that are
    told, and `times` says how many each stands for.
    """

    qis: tuple[QuasiIdentifier, ...]
    tuples: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int64]
    tuple_of_row: npt.NDArray[np.int64]
    sensitive: Mapping[str, Histogram] = field(default_factory=dict)
    sensitive_of_row: Mapping[str, npt.NDArray[np.int64]] = field(default_factory=dict)
    population: npt.NDArray[np.int64] | None = None
    persons: PersonGroups | None = None
    times: npt.NDArray[np.int64] | None = None
    targets: Mapping[str, Histogram] = field(default_factory=dict)
    """Columns that a search is to keep predictable, counted over tuples; no goal looks at them."""
    target_of_row: Mapping[str, npt.NDArray[np.int64]] = field(default_factory=dict)
    """The code of every row in each of them."""

    @property
    def n_rows(self) -> int:
        """The number of rows of the table."""
        return len(self.tuple_of_row) if self.times is None else int(self.times.sum())

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """The weight of every QI; they add up to 1."""
        return np.array([qi.weight for qi in self.qis])

    def groups(self, group_of_tuple: npt.NDArray[np.int64], n_groups: int) -> ClassGroups:
        """Add up the tuples of each group."""
        sizes = np.bincount(group_of_tuple, weights=self.counts, minlength=n_groups).astype(np.int64)
        sensitive = {name: h.merged(group_of_tuple, n_groups) for name, h in self.sensitive.items()}
        population = None
        if self.population is not None:
            population = np.bincount(group_of_tuple, weights=self.population, minlength=n_groups).astype(np.int64)
        persons = None if self.persons is None else self.persons.merged(group_of_tuple, n_groups)
        return ClassGroups(sizes, sensitive, population, persons)


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """What holds for every algorithm: the share of rows that may be suppressed, and the seed."""

    suppression: float = 0.0
    seed: int = 0


class Algorithm(Method, Protocol):
    """A method that can be run, registered in `ALGORITHMS`."""

    __slots__ = ()

    def run(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        """Find classes that satisfy the goals; raises Infeasible when there are none."""


ALGORITHMS: Registry[Algorithm] = Registry("algorithm", __package__)
