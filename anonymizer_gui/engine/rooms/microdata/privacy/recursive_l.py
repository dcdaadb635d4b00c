"""Recursive (c,l)-diversity: the commonest value of a class does not outweigh the rare ones."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, Groups, Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.diversity import DiversityModel, missing_param
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import TOLERANCE, Floats
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import column_param, several_param


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class RecursiveLDiversity(DiversityModel):
    """With the counts of a class from the largest down, r1 < c (r_l + ... + r_m).

    Measured is, for the c given, the largest l for which that holds; 0 when not even l = 1 does.
    """

    name: ClassVar[str] = "recursive-l"
    title: ClassVar[str] = "recursive (c,l)-diversity"
    summary: ClassVar[str] = "The commonest sensitive value of a class does not outweigh the rare ones."
    stops: ClassVar[str] = (
        "Homogeneity, probabilistic inference from a dominating value, and background knowledge that rules out up "
        "to l - 2 values: what is left is still (c, 2)-diverse."
    )
    leaves_open: ClassVar[str] = (
        "Skewness against the whole table, and values that differ but mean the same (similarity)."
    )
    formula: ClassVar[str] = "r₁ < c (r_l + … + r_m) for every class E, r₁ ≥ … ≥ r_m its counts"
    source: ClassVar[str] = "Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, l-diversity, TKDD 1(1), 2007"

    l: int = param(  # noqa: E741
        Int(low=1),
        default=2,
        label="l",
        help="The rare values are those from the l-th commonest on.",
        series=(2, 3, 4, 5),
    )
    c: float = param(Float(low=0, above=True), default=2.0, label="c", help="How much the commonest may outweigh them.")
    column: str = column_param()
    several: str = several_param()
    missing: bool = missing_param()

    def least_rows(self) -> int:
        """Fewest rows a class must have: as many as values."""
        return self.l

    def least_values(self) -> int:
        """Fewest different values a class must have."""
        return self.l

    def value_of(self, histogram: Histogram, sensitive: Sensitive) -> Floats:
        """Give the largest l of every group for this c."""
        histogram = self.known(histogram, sensitive)
        order = np.lexsort((-histogram.counts, histogram.groups))
        groups, counts = histogram.groups[order], histogram.counts[order]
        if not len(groups):
            return np.zeros(histogram.n_groups)
        first = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
        lengths = np.diff(np.r_[first, len(groups)])
        tail = np.cumsum(counts[::-1])[::-1]
        after = np.repeat(np.r_[tail[first[1:]], 0], lengths)
        holds = counts[first].repeat(lengths) < self.c * (tail - after) * (1 - TOLERANCE)
        return np.bincount(groups[holds], minlength=histogram.n_groups).astype(np.float64)

    def is_fine(self, values: Floats, groups: Groups) -> npt.NDArray[np.bool_]:
        """Say which groups reach l."""
        return np.asarray(values >= self.l)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "in every class the commonest of {where} stays below {c:g} times all from the {l}. on",
            where=self.where(),
            c=self.c,
            l=self.l,
        )
