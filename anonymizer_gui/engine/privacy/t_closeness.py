"""t-closeness: in every class the sensitive values are spread nearly as in the whole table."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.classes import Histogram
from anonymizer_gui.engine.params import Choice, Float, param
from anonymizer_gui.engine.privacy.contract import Groups, Measurement, Sensitive, Whole
from anonymizer_gui.engine.privacy.distances import NAMES, distance
from anonymizer_gui.engine.privacy.judging import (
    COLUMN,
    COLUMN_HELP,
    SEVERAL,
    SEVERAL_HELP,
    verdict,
    worst_over_columns,
)
from anonymizer_gui.engine.privacy.shares import Floats, at_most
from anonymizer_gui.engine.registry import PRIVACY_MODELS

DISTANCE_HELP = (
    "How far two distributions are apart. Ordered and hierarchical earth mover's distances also stop the similarity "
    "attack, since nearby values count as nearly the same."
)


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class TCloseness:
    """The distance of every class' distribution from the whole table's is at most t (Li et al. 2007)."""

    name: ClassVar[str] = "t"
    title: ClassVar[str] = "t-closeness"
    summary: ClassVar[str] = "In every class the sensitive values are spread nearly as in the whole table."
    stops: ClassVar[str] = (
        "Skewness and probabilistic inference: finding somebody's class teaches at most t more than the whole table "
        "does; homogeneity for small t; similarity with an ordered or hierarchical distance."
    )
    leaves_open: ClassVar[str] = (
        "Finding a person's row (combine it with k-anonymity), what the whole table itself teaches, and rare values "
        "whose share grows many times over while the distance stays small (see beta-likeness)."
    )
    formula: ClassVar[str] = "D(P_E, Q) ≤ t for every class E, Q being the whole table's distribution"
    reference: ClassVar[str] = "Li, Li, Venkatasubramanian, t-closeness, ICDE 2007"
    needs_sensitive: ClassVar[bool] = True
    needs_population: ClassVar[bool] = False
    compares_with_whole: ClassVar[bool] = True

    t: float = param(Float(low=0), default=0.2, label="t", help="Largest distance of a class from the whole table.")
    distance: str = param(Choice(NAMES), default="emd-equal", label="Distance", help=DISTANCE_HELP)
    column: str = param(COLUMN, default="", label="Column", help=COLUMN_HELP)
    several: str = param(SEVERAL, default="each", label="Several columns", help=SEVERAL_HELP)

    def least_rows(self) -> int:
        """Fewest rows a class must have; this model does not say."""
        return 1

    def satisfied(self, groups: Groups, whole: Whole) -> npt.NDArray[np.bool_]:
        """Say for every group whether it is close enough to the whole."""
        return at_most(self._values(groups, whole), self.t)

    def measure(self, groups: Groups, whole: Whole) -> Measurement:
        """Give the largest distance of any class."""
        values = self._values(groups, whole)
        return verdict(values, at_most(values, self.t), groups.sizes, small_is_bad=False)

    def sentence(self) -> str:
        """Say the goal in words."""
        what = self.column or "each sensitive column"
        return f"every class is within {self.t:g} of the whole table in {what} ({NAMES[self.distance].lower()})"

    def _values(self, groups: Groups, whole: Whole) -> Floats:
        def value(histogram: Histogram, sensitive: Sensitive) -> Floats:
            return distance(self.distance, histogram, sensitive)

        return worst_over_columns(groups, whole, (self.column, self.several), value, small_is_bad=False)
