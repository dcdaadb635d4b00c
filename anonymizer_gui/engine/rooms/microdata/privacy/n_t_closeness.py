"""(n,t)-closeness: every class is spread nearly as a large group of records."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, Int, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, Groups, Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.distances import NAMES, distance
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import Floats, at_most, totals
from anonymizer_gui.engine.rooms.microdata.privacy.reference_group import nearest_group
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import SensitiveModel, column_param, several_param

GROUPS = {
    "one": "One group for all classes",
    "each": "A group for each class",
}
GROUP_HELP = (
    "Which records a class is compared with. One group: any n records of the table that are near all classes at "
    "once; while a release is made the whole table stands for it, which is safe and may be stricter than needed; the "
    "number measured is that of the best group found. A group for each class: a class of n rows may differ, a "
    "smaller one must be near the whole table."
)


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class NTCloseness(SensitiveModel):
    """Every class is within t of a group M of at least n records.

    With `group="one"` the same M serves every class of the table; each sensitive column has its own. Measured is the
    largest distance from the best M found: it is reached by that M, is never above the distance from the whole table,
    and is the least possible in small tables (see `reference_group`). Candidate classes are decided one by one, and M
    belongs to all of them together: so the whole table stands for M there. A table of classes that satisfy holds.

    With `group="each"` every class may have its own M that contains it (Li et al. 2010). Looked at are the class itself
    and the whole table: both are natural supersets, both can be told without the algorithm that made the classes,
    and the goal stays closed under merging.
    """

    name: ClassVar[str] = "n-t"
    title: ClassVar[str] = "(n,t)-closeness"
    summary: ClassVar[str] = "In every class the sensitive values are spread nearly as in a group of at least n rows."
    stops: ClassVar[str] = (
        "Skewness and probabilistic inference: measured with equal steps, finding somebody's class raises the share of "
        "no value by more than t above that of n rows, which counts as a fact about many, not about a person."
    )
    leaves_open: ClassVar[str] = (
        "What the group itself teaches, which may differ from the whole table; with a group for each class also "
        "homogeneity and probabilistic inference in classes of n rows or more; similarity of the values, background "
        "knowledge, and finding a person's row (combine it with k-anonymity)."
    )
    formula: ClassVar[str] = (
        "D(P_E, Q_M) ≤ t for every class E, with one M of |M| ≥ n for all, or for each E an M ⊇ E: E or the table"
    )
    source: ClassVar[str] = "Li, Li, Venkatasubramanian, Closeness, TKDE 22(7), 2010"
    figure: ClassVar[Literal["t"]] = "t"

    t: float = param(
        Float(low=0),
        default=0.2,
        label="t",
        help="Largest distance of a class from its group.",
        series=(0.1, 0.2, 0.3, 0.5),
    )
    n: int = param(Int(low=1), default=1000, label="n", help="Fewest rows of a group that classes are compared with.")
    group: str = param(Choice(GROUPS), default="one", label="Reference group", help=GROUP_HELP)
    distance: str = param(
        Choice(NAMES),
        default="emd-equal",
        label="Distance",
        help=(
            "How far two distributions are apart. Earth mover's distance counts how far shares must be moved: all"
            " values equally far from each other, along their order, or over their hierarchy."
        ),
    )
    column: str = column_param()
    several: str = several_param()

    @property
    def compares_with_whole(self) -> bool:
        """Whether leaving rows out changes what classes are compared with: it does."""
        return True

    def value_of(self, histogram: Histogram, sensitive: Sensitive) -> Floats:
        """Give the distance of every group from the whole table; 0 for one that is its own reference."""
        if int(sensitive.counts.sum()) < self.n:
            return np.full(histogram.n_groups, np.inf)
        far = distance(self.distance, histogram, sensitive)
        return far if self.group == "one" else np.where(totals(histogram) >= self.n, 0.0, far)

    def value_in_table(self, histogram: Histogram, sensitive: Sensitive) -> Floats:
        """Give the distance of every class from the group of records that is nearest to all of them."""
        if self.group == "each" or int(sensitive.counts.sum()) < self.n:
            return self.value_of(histogram, sensitive)
        nearest = nearest_group(self.distance, histogram, sensitive, self.n)
        return distance(self.distance, histogram, sensitive, nearest / nearest.sum())

    def is_fine(self, values: Floats, groups: Groups) -> npt.NDArray[np.bool_]:
        """Say which groups are close enough."""
        return at_most(values, self.t)

    def sentence(self) -> str:
        """Say the goal in words."""
        if self.group == "each":
            return message(
                "every class of fewer than {n:row|rows} is within {t:g} of the whole table in {where}",
                n=self.n,
                t=self.t,
                where=self.where(),
            )
        return message(
            "every class is within {t:g} of one group of at least {n:row|rows} in {where}",
            t=self.t,
            n=self.n,
            where=self.where(),
        )
