"""t-closeness: in every class the sensitive values are spread nearly as in the whole table."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.privacy.comparing import ComparingModel, distribution_param, reference_param
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, Groups, Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.distances import NAMES, SPOKEN, distance
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import Floats, at_most
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import column_param, several_param

DISTANCE_HELP = (
    "How far two distributions are apart, and so what t means. With equal steps t is the share of people who would "
    "need another value; by order or hierarchy near values count as nearly the same, so the same t allows more: take "
    "a smaller one."
)


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class TCloseness(ComparingModel):
    """The distance of every class' distribution from that of a reference is at most t (Li et al. 2007)."""

    name: ClassVar[str] = "t"
    title: ClassVar[str] = "t-closeness"
    summary: ClassVar[str] = "In every class the sensitive values are spread nearly as in what it is compared with."
    stops: ClassVar[str] = (
        "Skewness and probabilistic inference: measured with equal steps, finding somebody's class raises the share of "
        "no value by more than t above what it is compared with; homogeneity for small t."
    )
    leaves_open: ClassVar[str] = (
        "Finding a person's row (combine it with k-anonymity), background knowledge that rules values out, what the "
        "whole table itself teaches, and rare values whose share grows many times over while the distance stays small "
        "(see beta-likeness). By order or hierarchy also similarity: classes of values that lie near each other."
    )
    formula: ClassVar[str] = "D(P_E, Q) ≤ t for every class E, Q being the distribution of the reference"
    source: ClassVar[str] = "Li, Li, Venkatasubramanian, t-closeness, ICDE 2007"
    figure: ClassVar[Literal["t"]] = "t"
    is_the_figure: ClassVar[bool] = True

    t: float = param(
        Float(low=0),
        default=0.2,
        label="t",
        help="Largest distance of a class from the reference.",
        series=(0.1, 0.2, 0.3, 0.5),
    )
    distance: str = param(Choice(NAMES), default="emd-equal", label="Distance", help=DISTANCE_HELP)
    column: str = column_param()
    several: str = several_param()
    reference: str = reference_param()
    distribution: tuple[tuple[str, float], ...] = distribution_param()

    def value_of(self, histogram: Histogram, sensitive: Sensitive) -> Floats:
        """Give the distance of every group from the reference."""
        values, shares = self.compared(sensitive)
        return distance(self.distance, histogram, values, shares)

    def is_fine(self, values: Floats, groups: Groups) -> npt.NDArray[np.bool_]:
        """Say which groups are close enough."""
        return at_most(values, self.t)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "every class is within {t:g} of {reference} in {where} ({how})",
            t=self.t,
            reference=self.against(),
            where=self.where(),
            how=message(SPOKEN[self.distance]),
        )
