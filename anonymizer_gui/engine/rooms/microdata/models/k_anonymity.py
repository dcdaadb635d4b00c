"""K-anonymity, k for all subsets of m columns, (alpha,k)-anonymity."""

import itertools
import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, group_rows
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    PRIVACY_MODELS,
    SIZE_UNIT,
    ClassGroups,
    Measurement,
    PrivacyModel,
    SensitiveAttribute,
    WholeTable,
)
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import (
    Floats,
    SensitiveAttributeModel,
    at_most,
    column_param,
    largest_per_group,
    measurement_of,
    several_param,
    shares,
)
from anonymizer_gui.engine.rooms.microdata.thresholds import RECOMMENDED_CLASS_SIZES as KNOWN_SIZES


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class KAnonymity(PrivacyModel):
    """Every class has at least k rows (Samarati and Sweeney 1998)."""

    name: ClassVar[str] = "k"
    title: ClassVar[str] = "k-anonymity"
    summary: ClassVar[str] = "Every row looks like at least k - 1 others in the quasi-identifiers."
    stops: ClassVar[str] = (
        "Linking a person to one row: somebody who knows all quasi-identifiers is left with at least k rows."
    )
    leaves_open: ClassVar[str] = (
        "Learning the sensitive value when the rows of a class agree in it (homogeneity) or when background "
        "knowledge rules the other values out; skewness, similarity and probabilistic inference. "
        "Where no column says whom a row is about, k counts rows: a person with several rows is less protected."
    )
    formula: ClassVar[str] = "|E| ≥ k for every class E"
    source: ClassVar[str] = "Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002"
    by_size_alone: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True
    figure: ClassVar[Literal["k"]] = "k"
    is_the_figure: ClassVar[bool] = True

    k: int = param(
        Int(low=1),
        default=5,
        label="k",
        help="Smallest number of rows in a class.",
        series=SIZE_UNIT,
        presets=KNOWN_SIZES,
    )

    def least_rows(self) -> int:
        """Fewest rows a class must have."""
        return self.k

    def satisfied(self, groups: ClassGroups, whole: WholeTable) -> npt.NDArray[np.bool_]:
        """Say for every group whether it has k rows."""
        return np.asarray(groups.people >= self.k)

    def measure(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the size of the smallest class."""
        sizes = groups.people.astype(np.float64)
        return measurement_of(sizes, self.satisfied(groups, whole), groups.sizes, small_is_bad=True)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message("every class has at least {k:row|rows}", k=self.k)

    def sentence_about_people(self) -> str:
        """Say the same where people are counted."""
        return message("every class has at least {k:person|people}", k=self.k)


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
        series=SIZE_UNIT,
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

    def satisfied(self, groups: ClassGroups, whole: WholeTable) -> npt.NDArray[np.bool_]:
        """Say of every group that it may be in a table that keeps the goal, if it has anybody."""
        return np.asarray(groups.people >= 1)

    def measure(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the fewest rows that share the cells of any m columns; where cells are not known, those of a class.

        Raises BadParameter when there are too many sets of columns.
        """
        fewest = groups.people.astype(np.float64)
        if groups.cells is not None and len(groups):
            fewest = np.minimum.reduce([self._sharing(groups, groups.cells, key) for key in self._sets(groups.cells)])
        return measurement_of(fewest, fewest >= self.k, groups.people, small_is_bad=True)

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
    def _sharing(groups: ClassGroups, cells: npt.NDArray[np.int64], key: tuple[int, ...]) -> npt.NDArray[np.float64]:
        """Count for every class the people who share its cells in some columns."""
        wider = group_rows([cells[:, at] for at in key], len(groups))
        if groups.persons is None:
            people = np.bincount(wider.ids, groups.people, len(wider))
        else:
            people = groups.persons.merged(wider.ids.astype(np.int64), len(wider)).sizes
        return np.asarray(people[wider.ids], dtype=np.float64)


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class AlphaKAnonymity(SensitiveAttributeModel):
    """Every class has k rows and no sensitive value fills more than the share alpha of it; measured is the share."""

    name: ClassVar[str] = "alpha-k"
    title: ClassVar[str] = "(alpha,k)-anonymity"
    summary: ClassVar[str] = "Every class has k rows, and no sensitive value fills more than a share alpha of it."
    stops: ClassVar[str] = (
        "Linking a person to fewer than k rows, and for alpha below 1 homogeneity and probabilistic inference: no "
        "sensitive value has a probability above alpha in a class."
    )
    leaves_open: ClassVar[str] = (
        "Background knowledge that rules values out, skewness (a rare value may become as common as alpha), and "
        "similarity of the values."
    )
    formula: ClassVar[str] = "|E| ≥ k and max_s p_E(s) ≤ α for every class E"
    source: ClassVar[str] = "Wong, Li, Fu, Wang, (α,k)-anonymity, KDD 2006"
    counts_people: ClassVar[bool] = True

    alpha: float = param(
        Float(low=0, high=1, above=True),
        default=0.5,
        label="alpha",
        help="Largest share of one value.",
        series=(0.3, 0.5, 0.7),
    )
    k: int = param(Int(low=1), default=5, label="k", help="Smallest number of rows in a class.", series=SIZE_UNIT)
    column: str = column_param()
    several: str = several_param()

    def least_rows(self) -> int:
        """Fewest rows a class must have."""
        return self.k

    def value_of(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
        """Give the share of the commonest value of every group."""
        return largest_per_group(histogram, shares(histogram))

    def is_fine(self, values: Floats, groups: ClassGroups) -> npt.NDArray[np.bool_]:
        """Say which groups have k rows and no dominating value."""
        return at_most(values, self.alpha) & (groups.people >= self.k)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "every class has {k:row|rows} and at most {share:.0%} with the same value of {where}",
            k=self.k,
            share=self.alpha,
            where=self.where(),
        )

    def sentence_about_people(self) -> str:
        """Say the same where people are counted."""
        return message(
            "every class has {k:person|people} and at most {share:.0%} of them have the same value of {where}",
            k=self.k,
            share=self.alpha,
            where=self.where(),
        )
