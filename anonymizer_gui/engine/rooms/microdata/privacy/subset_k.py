"""k for all subsets of columns: whoever knows m quasi-identifiers of a person is left with at least k rows."""

import itertools
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.rooms.microdata.privacy.contract import (
    PRIVACY_MODELS,
    SIZES,
    Groups,
    Measurement,
    PrivacyModel,
    Whole,
)
from anonymizer_gui.engine.rooms.microdata.privacy.known_thresholds import SIZES as KNOWN_SIZES
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import verdict

_MOST_SETS = 20_000


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class SubsetK(PrivacyModel):
    """Every combination of cells in any m quasi-identifiers is shared by at least k rows.

    Weaker than k-anonymity over all of them, and within reach where there are many. `*` is a cell like any other.
    """

    name: ClassVar[str] = "subset-k"
    title: ClassVar[str] = "k for all subsets of columns"
    summary: ClassVar[str] = "Whoever knows any m quasi-identifiers of a person is left with at least k rows."
    stops: ClassVar[str] = (
        "Linking a person to one row by somebody who knows no more than m of the quasi-identifiers, whichever they are."
    )
    leaves_open: ClassVar[str] = (
        "Linking by somebody who knows more of the quasi-identifiers than m; homogeneity, background knowledge, "
        "skewness, similarity and probabilistic inference about sensitive columns."
    )
    formula: ClassVar[str] = "|{y : y = x in S}| ≥ k for every row x and every set S of m quasi-identifiers"
    source: ClassVar[str] = (
        "Templ, Kowarik, Meindl, Statistical disclosure control for micro-data using the R package sdcMicro, "
        "JSS 67(4), 2015 (kAnon with combs); mu-Argus manual, 2015"
    )
    by_size_alone: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True
    of_table: ClassVar[bool] = True
    needs_cells: ClassVar[bool] = True

    k: int = param(
        Int(low=1),
        default=5,
        label="k",
        help="Smallest number of rows that share the cells of any m columns.",
        series=SIZES,
        presets=KNOWN_SIZES,
    )
    m: int = param(
        Int(low=1, high=20),
        default=2,
        label="Columns known",
        help="How many of the quasi-identifiers somebody may know; with all of them it is k-anonymity.",
        series=(1, 2, 3, 4),
    )

    def enough_rows(self) -> int:
        """Rows that are alike in all columns are so in some."""
        return self.k

    def known_columns(self) -> int:
        """How many quasi-identifiers an attacker knows."""
        return self.m

    def satisfied(self, groups: Groups, whole: Whole) -> npt.NDArray[np.bool_]:
        """Say of every group that it may be in a table that keeps the goal, if it has anybody."""
        return np.asarray(groups.people >= 1)

    def measure(self, groups: Groups, whole: Whole) -> Measurement:
        """Give the fewest rows that share the cells of any m columns; where cells are not known, those of a class.

        Raises BadParameter when there are too many sets of columns.
        """
        fewest = groups.people.astype(np.float64)
        if groups.cells is not None and len(groups):
            fewest = np.minimum.reduce([self._sharing(groups, groups.cells, key) for key in self._sets(groups.cells)])
        return verdict(fewest, fewest >= self.k, groups.people, small_is_bad=True)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message("whoever knows any {m:column|columns} is left with at least {k:row|rows}", m=self.m, k=self.k)

    def _sets(self, cells: npt.NDArray[np.int64]) -> list[tuple[int, ...]]:
        columns = cells.shape[1]
        if math.comb(columns, min(self.m, columns)) > _MOST_SETS:
            raise BadParameter(
                message(
                    "There are too many sets of {m} of {columns:column|columns} to look at.", m=self.m, columns=columns
                ),
                "Let somebody know fewer columns, or use k-anonymity.",
            )
        return list(itertools.combinations(range(columns), min(self.m, columns)))

    @staticmethod
    def _sharing(groups: Groups, cells: npt.NDArray[np.int64], key: tuple[int, ...]) -> npt.NDArray[np.float64]:
        """Count for every class the people who share its cells in some columns."""
        wider = group_rows([cells[:, at] for at in key], len(groups))
        if groups.persons is None:
            people = np.bincount(wider.ids, groups.people, len(wider))
        else:
            people = groups.persons.merged(wider.ids.astype(np.int64), len(wider)).sizes
        return np.asarray(people[wider.ids], dtype=np.float64)
