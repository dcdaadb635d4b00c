"""Enhanced beta-likeness: beta-likeness that also keeps common values from becoming certain."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.privacy.basic_beta import growth
from anonymizer_gui.engine.rooms.microdata.privacy.comparing import ComparingModel, distribution_param, reference_param
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, Groups, Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import TOLERANCE, Floats, at_most, largest
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import column_param, several_param


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class EnhancedBetaLikeness(ComparingModel):
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

    def value_of(self, histogram: Histogram, sensitive: Sensitive) -> Floats:
        """Give the smallest beta of every group; infinite when there is none."""
        reference = self.compared(sensitive)[1]
        grown, share = growth(histogram, reference), reference[histogram.values]
        bound = -np.log(share, out=np.full(len(share), -np.inf), where=share > 0)
        return np.maximum(largest(histogram, np.where(grown > bound + TOLERANCE, np.inf, grown)), 0.0)

    def is_fine(self, values: Floats, groups: Groups) -> npt.NDArray[np.bool_]:
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
