"""Estimated k-map: enough rows of a class that it hardly stands for fewer than k people of the population."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, Int, param
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
        series=SIZES,
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

    def satisfied(self, groups: Groups, whole: Whole) -> npt.NDArray[np.bool_]:
        """Say for every group whether it has rows enough."""
        return np.asarray(groups.people >= self.least_rows())

    def measure(self, groups: Groups, whole: Whole) -> Measurement:
        """Give the largest k for which the smallest class is fine."""
        sizes, place = np.unique(groups.people, return_inverse=True)
        reached = np.array([self._reached(size) for size in sizes.tolist()], dtype=np.float64)
        values = reached[place.reshape(-1)] if len(sizes) else np.zeros(0)
        return verdict(values, self.satisfied(groups, whole), groups.sizes, small_is_bad=True)

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
