"""Basic beta-likeness: no sensitive value is much more frequent in a class than in the whole table."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.privacy.comparing import ComparingModel, distribution_param, reference_param
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, Groups, Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import Floats, at_most, largest, shares
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import column_param, several_param


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class BasicBetaLikeness(ComparingModel):
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

    def value_of(self, histogram: Histogram, sensitive: Sensitive) -> Floats:
        """Give the largest relative growth of a share in every group."""
        return np.maximum(largest(histogram, growth(histogram, self.compared(sensitive)[1])), 0.0)

    def is_fine(self, values: Floats, groups: Groups) -> npt.NDArray[np.bool_]:
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


def growth(histogram: Histogram, reference: Floats) -> Floats:
    """Give the relative growth of every entry's share; infinite for a value the reference does not have."""
    p, q = shares(histogram), reference[histogram.values]
    return np.divide(p, q, out=np.full(len(p), np.inf), where=q > 0) - 1.0
