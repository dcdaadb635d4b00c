"""(n,t)-closeness: every class is large, or spread nearly as the whole table."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.classes import Histogram
from anonymizer_gui.engine.params import Choice, Float, Int, param
from anonymizer_gui.engine.privacy.contract import Groups, Sensitive
from anonymizer_gui.engine.privacy.distances import NAMES, distance
from anonymizer_gui.engine.privacy.judging import SensitiveModel, column_param, several_param
from anonymizer_gui.engine.privacy.shares import Floats, at_most, totals
from anonymizer_gui.engine.registry import PRIVACY_MODELS


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class NTCloseness(SensitiveModel):
    """Every class is within t of some group of at least n records that contains it (Li et al. 2010).

    The containing groups looked at are the class itself and the whole table: both are natural supersets, both
    can be told without the algorithm that made the classes, and the goal stays closed under merging. A class of
    at least n rows therefore satisfies; a smaller one must be within t of the whole table, which must have n rows.
    """

    name: ClassVar[str] = "n-t"
    title: ClassVar[str] = "(n,t)-closeness"
    summary: ClassVar[str] = "Every class has n rows, or its sensitive values are spread nearly as in the whole table."
    stops: ClassVar[str] = (
        "Skewness and probabilistic inference about small groups; what is learnt about groups of at least n people "
        "counts as a fact about many, not about a person."
    )
    leaves_open: ClassVar[str] = (
        "Homogeneity and probabilistic inference in classes of n rows or more, background knowledge, and finding a "
        "person's row (combine it with k-anonymity)."
    )
    formula: ClassVar[str] = "for every class E there is M ⊇ E with |M| ≥ n and D(P_E, Q_M) ≤ t; M is E or the table"
    reference: ClassVar[str] = "Li, Li, Venkatasubramanian, Closeness, TKDE 22(7), 2010"
    compares_with_whole: ClassVar[bool] = True

    t: float = param(
        Float(low=0), default=0.2, label="t", help="Largest distance of a small class from the whole table."
    )
    n: int = param(Int(low=1), default=1000, label="n", help="Rows from which on a class may differ.")
    distance: str = param(
        Choice(NAMES), default="emd-equal", label="Distance", help="How far two distributions are apart."
    )
    column: str = column_param()
    several: str = several_param()

    def value_of(self, histogram: Histogram, sensitive: Sensitive) -> Floats:
        """Give the distance of every small group from the whole table; 0 for a group of n rows."""
        far = np.inf if int(sensitive.counts.sum()) < self.n else distance(self.distance, histogram, sensitive)
        return np.where(totals(histogram) >= self.n, 0.0, far)

    def is_fine(self, values: Floats, groups: Groups) -> npt.NDArray[np.bool_]:
        """Say which groups are large or close enough."""
        return at_most(values, self.t)

    def sentence(self) -> str:
        """Say the goal in words."""
        return f"every class of fewer than {self.n} rows is within {self.t:g} of the whole table in {self.where()}"
