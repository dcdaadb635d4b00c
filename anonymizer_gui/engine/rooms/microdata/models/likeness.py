"""Beta-likeness, delta-disclosure."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS, ClassGroups, SensitiveAttribute
from anonymizer_gui.engine.rooms.microdata.models.reference_distribution import (
    ReferenceModel,
    distribution_param,
    reference_param,
)
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import (
    TOLERANCE,
    Floats,
    at_most,
    column_param,
    distinct_values,
    largest_per_group,
    several_param,
    shares,
)


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class BasicBetaLikeness(ReferenceModel):
    """The share of each value grows from the whole table to a class by at most the factor 1 + beta."""

    name: ClassVar[str] = "beta"
    title: ClassVar[str] = "basic beta-likeness"
    summary: ClassVar[str] = (
        "No sensitive value is more than 1 + beta times as frequent in a class as in the whole table."
    )
    stops: ClassVar[str] = (
        "Skewness and probabilistic inference in relation to how rare a value is: finding somebody's class raises "
        "the probability of every value by at most the factor 1 + beta."
    )
    leaves_open: ClassVar[str] = (
        "Homogeneity for values so common that 1 + beta times their share reaches 1, background knowledge that rules "
        "values out, learning that somebody does not have a value, similarity of the values, and finding a person's "
        "row."
    )
    formula: ClassVar[str] = "(p_E(s) - p(s)) / p(s) ≤ β for every class E and value s with p_E(s) > p(s)"
    source: ClassVar[str] = "Cao, Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012"

    beta: float = param(
        Float(low=0, above=True),
        default=1.0,
        label="beta",
        help="Largest relative growth of a share.",
        series=(0.5, 1.0, 2.0, 4.0),
    )
    column: str = column_param()
    several: str = several_param()
    reference: str = reference_param()
    distribution: tuple[tuple[str, float], ...] = distribution_param()

    def value_of(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
        """Give the largest relative growth of a share in every group."""
        return np.maximum(largest_per_group(histogram, relative_gain(histogram, self.compared(sensitive)[1])), 0.0)

    def is_fine(self, values: Floats, groups: ClassGroups) -> npt.NDArray[np.bool_]:
        """Say which groups stay within beta."""
        return at_most(values, self.beta)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "no value of {where} is more than {factor:g} times as frequent in a class as in {reference}",
            where=self.where(),
            reference=self.against(),
            factor=1 + self.beta,
        )


def relative_gain(histogram: Histogram, reference: Floats) -> Floats:
    """Give the relative growth of every entry's share; infinite for a value the reference does not have."""
    p, q = shares(histogram), reference[histogram.values]
    return np.divide(p, q, out=np.full(len(p), np.inf), where=q > 0) - 1.0


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class EnhancedBetaLikeness(ReferenceModel):
    """The share of each value grows by at most min(beta, -ln p): common values may grow less.

    Measured is the smallest beta for which a class holds; infinite when a share grows by more than -ln p,
    because then no beta does.
    """

    name: ClassVar[str] = "enhanced-beta"
    title: ClassVar[str] = "enhanced beta-likeness"
    summary: ClassVar[str] = "As basic beta-likeness, and common values may grow less the more common they are."
    stops: ClassVar[str] = (
        "Skewness and probabilistic inference in relation to how rare a value is, and homogeneity: no value of the "
        "table can become certain in a class."
    )
    leaves_open: ClassVar[str] = (
        "Learning that somebody does not have a value, similarity of the values, background knowledge, and finding "
        "a person's row."
    )
    formula: ClassVar[str] = "(p_E(s) - p(s)) / p(s) ≤ min(β, -ln p(s)) for every class E and s with p_E(s) > p(s)"
    source: ClassVar[str] = "Cao, Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012"

    beta: float = param(
        Float(low=0, above=True),
        default=1.0,
        label="beta",
        help="Largest relative growth of a share.",
        series=(0.5, 1.0, 2.0, 4.0),
    )
    column: str = column_param()
    several: str = several_param()
    reference: str = reference_param()
    distribution: tuple[tuple[str, float], ...] = distribution_param()

    def value_of(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
        """Give the smallest beta of every group; infinite when there is none."""
        reference = self.compared(sensitive)[1]
        grown, share = relative_gain(histogram, reference), reference[histogram.values]
        bound = -np.log(share, out=np.full(len(share), -np.inf), where=share > 0)
        return np.maximum(largest_per_group(histogram, np.where(grown > bound + TOLERANCE, np.inf, grown)), 0.0)

    def is_fine(self, values: Floats, groups: ClassGroups) -> npt.NDArray[np.bool_]:
        """Say which groups stay within both bounds."""
        return at_most(values, self.beta)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "the share p that any value of {where} has in {reference} grows in a class by at most min({beta:g}, -ln p)",
            where=self.where(),
            reference=self.against(),
            beta=self.beta,
        )


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class DeltaDisclosure(ReferenceModel):
    """The logarithm of each value's share in a class over that in the table stays below delta.

    Read to the letter: a class without one of the table's values has an infinite logarithm and fails. Leaving
    such values out, as some tools do, would not be closed under merging, and hides what the class rules out.
    """

    name: ClassVar[str] = "delta-disclosure"
    title: ClassVar[str] = "delta-disclosure privacy"
    summary: ClassVar[str] = (
        "The share of every sensitive value is nearly the same in every class as in the whole table."
    )
    stops: ClassVar[str] = (
        "Skewness, similarity, homogeneity and probabilistic inference in both directions: neither having nor not "
        "having a value, or one of several that are alike, becomes much likelier in any class."
    )
    leaves_open: ClassVar[str] = (
        "Background knowledge that rules values out, finding a person's row, and what the whole table itself teaches. "
        "Every class must hold every value, which costs a lot of detail when there are rare ones."
    )
    formula: ClassVar[str] = "|ln(p_E(s) / p(s))| < δ for every class E and every value s of the table"
    source: ClassVar[str] = "Brickell, Shmatikov, The cost of privacy, KDD 2008"

    delta: float = param(Float(low=0, above=True), default=1.0, label="delta", help="Bound of the logarithm.")
    column: str = column_param()
    several: str = several_param()
    reference: str = reference_param()
    distribution: tuple[tuple[str, float], ...] = distribution_param()

    def value_of(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
        """Give the largest absolute logarithm of every group; infinite when it lacks a value."""
        reference = self.compared(sensitive)[1]
        p, q = shares(histogram), reference[histogram.values]
        ratio = np.divide(p, q, out=np.full(len(p), np.inf), where=q > 0)
        complete = distinct_values(histogram) == np.count_nonzero(reference)
        return np.where(complete, largest_per_group(histogram, np.abs(np.log(ratio))), np.inf)

    def is_fine(self, values: Floats, groups: ClassGroups) -> npt.NDArray[np.bool_]:
        """Say which groups stay below delta."""
        return np.asarray(values < self.delta * (1 - TOLERANCE))

    def sentence(self) -> str:
        """Say the goal in words."""
        factor = np.exp(self.delta)
        return message(
            "the share of every value of {where} differs in a class from {reference} by less than {factor:.3g} times",
            where=self.where(),
            reference=self.against(),
            factor=factor,
        )
