"""delta-disclosure privacy: the share of every sensitive value is nearly the same in all classes."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.privacy.comparing import ComparingModel, distribution_param, reference_param
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, Groups, Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import (
    TOLERANCE,
    Floats,
    distinct_values,
    largest,
    shares,
)
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import column_param, several_param


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class DeltaDisclosure(ComparingModel):
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

    def value_of(self, histogram: Histogram, sensitive: Sensitive) -> Floats:
        """Give the largest absolute logarithm of every group; infinite when it lacks a value."""
        reference = self.compared(sensitive)[1]
        p, q = shares(histogram), reference[histogram.values]
        ratio = np.divide(p, q, out=np.full(len(p), np.inf), where=q > 0)
        complete = distinct_values(histogram) == np.count_nonzero(reference)
        return np.where(complete, largest(histogram, np.abs(np.log(ratio))), np.inf)

    def is_fine(self, values: Floats, groups: Groups) -> npt.NDArray[np.bool_]:
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
