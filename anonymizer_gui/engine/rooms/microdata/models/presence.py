"""K-map, estimated k-map, delta-presence."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, Int, param
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    PRIVACY_MODELS,
    SIZE_UNIT,
    ClassGroups,
    Measurement,
    PrivacyModel,
    WholeTable,
)
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import (
    at_least,
    at_most,
    measurement_of,
    population_counts,
)
from anonymizer_gui.engine.rooms.microdata.thresholds import RECOMMENDED_CLASS_SIZES as KNOWN_SIZES


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class KMap(PrivacyModel):
    """Every class matches at least k rows of a population table the people were drawn from (Sweeney 2001)."""

    name: ClassVar[str] = "k-map"
    title: ClassVar[str] = "k-map"
    summary: ClassVar[str] = "Every row looks like at least k people of a larger population."
    stops: ClassVar[str] = (
        "Linking a row to a person of the population, when nobody knows who of the population is in the table."
    )
    leaves_open: ClassVar[str] = (
        "Linking by somebody who knows that a person is in the table, homogeneity, background knowledge, skewness, "
        "similarity and probabilistic inference about sensitive columns. It is worth no more than the population "
        "table is complete."
    )
    formula: ClassVar[str] = "|{x in population : x fits E}| ≥ k for every class E"
    source: ClassVar[str] = "Sweeney, Computational disclosure control, PhD thesis, MIT 2001"
    needs_population: ClassVar[bool] = True

    k: int = param(
        Int(low=1), default=5, label="k", help="Fewest people of the population in a class.", series=SIZE_UNIT
    )

    def satisfied(self, groups: ClassGroups, whole: WholeTable) -> npt.NDArray[np.bool_]:
        """Say for every group whether k people of the population fit it; a group without rows is fine."""
        return np.asarray((population_counts(groups) >= self.k) | (groups.sizes == 0))

    def measure(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the fewest people of the population that fit a class."""
        people = population_counts(groups).astype(np.float64)
        return measurement_of(people, self.satisfied(groups, whole), groups.sizes, small_is_bad=True)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message("at least {k:person|people} of the population {k:~fits|fit} every class", k=self.k)


POISSON, TRUNCATED = "poisson", "zero-truncated"

ESTIMATORS = {POISSON: "Poisson", TRUNCATED: "Poisson, truncated at zero"}

_MOST_PEOPLE = 1 << 40

_TINY = 1e-18


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class EstimatedKMap(PrivacyModel):
    """k-map without a population table: a test on the rows of each class (El Emam and Dankar 2008, D3 and D4).

    If only k people of the population looked like a class, its rows would be Poisson with mean k times the sampling
    fraction. A class is fine when so many rows or more would then be as rare as the significance level; k rows are
    always enough. Measured is the largest k for which the smallest class is fine.
    """

    name: ClassVar[str] = "estimated-k-map"
    title: ClassVar[str] = "k-map (estimated)"
    summary: ClassVar[str] = "Every row is likely to look like at least k people of a population that is not at hand."
    stops: ClassVar[str] = (
        "By estimate: linking a row to a person of the population, when nobody knows who of the population is in the "
        "table. It rests on a random sample and on the fraction you state, and proves nothing."
    )
    leaves_open: ClassVar[str] = (
        "Linking by somebody who knows that a person is in the table, homogeneity, background knowledge, skewness, "
        "similarity and probabilistic inference about sensitive columns. One class in as many as the significance "
        "level says may stand for fewer than k people."
    )
    formula: ClassVar[str] = "|E| ≥ min(k, f) with the least f for which P(X ≥ f) ≤ α, X ~ Poisson(k · fraction)"
    source: ClassVar[str] = (
        "El Emam, Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008; Pannekoek, Statistical methods for "
        "some simple disclosure limitation rules, Statistica Neerlandica 53(1), 1999"
    )
    by_size_alone: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True
    is_estimate: ClassVar[bool] = True

    k: int = param(
        Int(low=1, high=1_000_000),
        default=11,
        label="k",
        help="Fewest people of the population that are likely to look like a row.",
        series=SIZE_UNIT,
        presets=KNOWN_SIZES,
    )
    fraction: float = param(
        Float(low=0, high=1, above=True),
        default=0.1,
        label="Sampling fraction",
        help="The share of the population that is in the table, drawn at random: its people over those of all.",
    )
    significance: float = param(
        Float(low=0, high=1, above=True),
        default=0.05,
        label="Significance level",
        help="How seldom a class that stands for only k people may look as large as it does.",
    )
    estimator: str = param(
        Choice(ESTIMATORS),
        default=TRUNCATED,
        label="Estimator",
        help=(
            "How the rows of a class are spread: by a Poisson distribution, or by one truncated at zero, since a "
            "class that is seen has at least one row."
        ),
    )

    def least_rows(self) -> int:
        """Fewest rows a class must have."""
        return min(self.k, self._fewest(self.k))

    def satisfied(self, groups: ClassGroups, whole: WholeTable) -> npt.NDArray[np.bool_]:
        """Say for every group whether it has rows enough."""
        return np.asarray(groups.people >= self.least_rows())

    def measure(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the largest k for which the smallest class is fine."""
        sizes, place = np.unique(groups.people, return_inverse=True)
        reached = np.array([self._reached(size) for size in sizes.tolist()], dtype=np.float64)
        values = reached[place.reshape(-1)] if len(sizes) else np.zeros(0)
        return measurement_of(values, self.satisfied(groups, whole), groups.sizes, small_is_bad=True)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "by estimate at least {k:person|people} of the population {k:~fits|fit} every class (classes of at least "
            "{rows:row|rows})",
            k=self.k,
            rows=self.least_rows(),
        )

    def _fewest(self, k: int) -> int:
        """Give the least number of rows that are rare where only k people look alike."""
        rows = 1
        while not self._is_rare(rows, k):
            rows += 1
        return rows

    def _reached(self, rows: int) -> int:
        """Give the largest k for which so many rows are enough."""
        low, high = rows, 2 * max(rows, 1)  # k rows are enough for k people
        while high < _MOST_PEOPLE and self._is_rare(rows, high):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._is_rare(rows, middle) else (low, middle)
        return low

    def _is_rare(self, rows: int, k: int) -> bool:
        """Say whether so many rows or more are rare for k people."""
        mean = k * self.fraction
        if rows <= 0:
            return False
        chance = _at_least(rows, mean)
        if self.estimator == TRUNCATED:
            chance /= -math.expm1(-mean)
        return chance <= self.significance


def _at_least(rows: int, mean: float) -> float:
    """Give P(X ≥ rows) of a Poisson distribution, adding up whichever side is short.

    >>> round(_at_least(1, 1.0), 6), round(_at_least(3, 1.0), 6)
    (0.632121, 0.080301)
    """
    below = mean > rows
    step, total = rows - 1 if below else rows, 0.0
    term = math.exp(step * math.log(mean) - mean - math.lgamma(step + 1)) if step >= 0 else 0.0
    while term > _TINY * max(total, _TINY) and step >= 0:
        total += term
        term *= step / mean if below else mean / (step + 1)
        step += -1 if below else 1
    return min(max(1.0 - total if below else total, 0.0), 1.0)


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class DeltaPresence(PrivacyModel):
    """The share of a cell's population that is in the table lies between two bounds (Nergiz et al. 2007).

    Cells that hold people of the population but no row of the table count too: there the share is 0.
    Measured is the largest share.
    """

    name: ClassVar[str] = "delta-presence"
    title: ClassVar[str] = "delta-presence"
    summary: ClassVar[str] = "Nobody can tell well from the release who of the population is in the table."
    stops: ClassVar[str] = (
        "Membership: learning that a person is (or is not) in the table, where that alone is sensitive, as in a "
        "register of a disease."
    )
    leaves_open: ClassVar[str] = (
        "Homogeneity, background knowledge, skewness, similarity and probabilistic inference about sensitive "
        "columns. It is worth no more than the population table is complete."
    )
    formula: ClassVar[str] = "δ_min ≤ |E| / |{x in population : x fits E}| ≤ δ_max for every class E"
    source: ClassVar[str] = "Nergiz, Atzori, Clifton, Hiding the presence of individuals, SIGMOD 2007"
    needs_population: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True

    delta_max: float = param(Float(low=0, high=1), default=0.5, label="delta max", help="Largest share in the table.")
    delta_min: float = param(Float(low=0, high=1), default=0.0, label="delta min", help="Smallest share in the table.")

    def satisfied(self, groups: ClassGroups, whole: WholeTable) -> npt.NDArray[np.bool_]:
        """Say for every group whether the share lies between the bounds; a cell without people is fine."""
        share = self._shares(groups)
        empty = (groups.sizes == 0) & (population_counts(groups) == 0)
        return np.asarray((at_most(share, self.delta_max) & at_least(share, self.delta_min)) | empty)

    def measure(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the largest share of any class; people who fit no class break a lower bound."""
        people = population_counts(groups)
        found = measurement_of(
            self._shares(groups), self.satisfied(groups, whole), groups.sizes + people, small_is_bad=False
        )
        return replace(found, holds=found.holds and not (whole.people_in_no_class and self.delta_min > 0))

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "between {low:.0%} and {high:.0%} of the population that fits a class is in the table",
            low=self.delta_min,
            high=self.delta_max,
        )

    @staticmethod
    def _shares(groups: ClassGroups) -> npt.NDArray[np.float64]:
        people = population_counts(groups)
        without = np.where(groups.sizes > 0, np.inf, 0.0)
        return np.divide(groups.people, people, out=without, where=people > 0)
