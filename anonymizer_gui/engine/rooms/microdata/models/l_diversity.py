"""Distinct, entropy, recursive (c,l)-diversity."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Flag, Float, Int, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS, ClassGroups, SensitiveAttribute
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import (
    TOLERANCE,
    Floats,
    SensitiveAttributeModel,
    at_least,
    column_param,
    distinct_values,
    effective_values,
    several_param,
    without_value,
)

MISSING_HELP = (
    "Whether a missing cell counts as a value of its own. It does not unless you say so: of five rows, four with one "
    "value and one without, nothing is left to guess."
)


def missing_param() -> bool:
    """Declare whether a missing sensitive value counts as one."""
    declared: bool = param(Flag(), default=False, label="Missing counts", help=MISSING_HELP)
    return declared


class LDiversityModel(SensitiveAttributeModel):
    """A model about how many values a class has and how evenly; cells without a value count only where asked for."""

    __slots__ = ()

    small_is_bad: ClassVar[bool] = True
    figure: ClassVar[Literal["l"]] = "l"
    counts_people: ClassVar[bool] = True

    missing: bool

    def known(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Histogram:
        """Give the values that count."""
        return without_value(histogram, self.left_out(sensitive))

    def left_out(self, sensitive: SensitiveAttribute) -> int:
        """Give the value that does not count: missing, unless it was asked for."""
        return -1 if self.missing else sensitive.missing

    def where(self) -> str:
        """Name the columns looked at, for the sentence of the goal."""
        where = SensitiveAttributeModel.where(self)
        return message("{where}, missing being one of them", where=where) if self.missing else where


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class DistinctLDiversity(LDiversityModel):
    """Every class has at least l different values (Machanavajjhala et al. 2007)."""

    name: ClassVar[str] = "l"
    title: ClassVar[str] = "distinct l-diversity"
    summary: ClassVar[str] = "Every class has at least l different sensitive values."
    stops: ClassVar[str] = "Homogeneity: no class gives its sensitive value away because all its rows agree in it."
    leaves_open: ClassVar[str] = (
        "Probabilistic inference: one value may still fill nearly the whole class. Background knowledge that rules "
        "out l - 1 values, skewness against the whole table, and values that differ but mean the same (similarity)."
    )
    formula: ClassVar[str] = "|{s : s occurs in E}| ≥ l for every class E"
    source: ClassVar[str] = "Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, l-diversity, TKDD 1(1), 2007"
    is_the_figure: ClassVar[bool] = True

    l: int = param(  # noqa: E741
        Int(low=1), default=2, label="l", help="Fewest different sensitive values in a class.", series=(2, 3, 4, 5)
    )
    column: str = column_param()
    several: str = several_param()
    missing: bool = missing_param()

    @property
    def fails_in_parts(self) -> bool:
        """Whether every part of a class that fails does so, too; cut by other sensitive columns parts may differ."""
        return not self.reads_together

    def least_rows(self) -> int:
        """Fewest rows a class must have: as many as values."""
        return self.l

    def least_values(self) -> int:
        """Fewest different values a class must have."""
        return self.l

    def value_of(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
        """Count the different values of every group, missing aside unless it counts."""
        return distinct_values(self.known(histogram, sensitive))

    def is_fine(self, values: Floats, groups: ClassGroups) -> npt.NDArray[np.bool_]:
        """Say which groups have l values."""
        return np.asarray(values >= self.l)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message("every class has at least {l:value|different values} of {where}", l=self.l, where=self.where())


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class EntropyLDiversity(LDiversityModel):
    """The entropy of every class is at least log l; measured as exp(entropy), not cut to a whole number."""

    name: ClassVar[str] = "entropy-l"
    title: ClassVar[str] = "entropy l-diversity"
    summary: ClassVar[str] = "The sensitive values of every class are as uncertain as l equally likely ones."
    stops: ClassVar[str] = (
        "Homogeneity, and probabilistic inference in classes that have l values but where one of them dominates."
    )
    leaves_open: ClassVar[str] = (
        "Skewness against the whole table, similarity of the values, and background knowledge that rules out many "
        "values. It is out of reach when one value dominates the whole table."
    )
    formula: ClassVar[str] = "-Σ p ln p ≥ ln l for every class E, p being the shares of its sensitive values"
    source: ClassVar[str] = "Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, l-diversity, TKDD 1(1), 2007"

    l: float = param(  # noqa: E741
        Float(low=1),
        default=2.0,
        label="l",
        help="Smallest effective number of values in a class.",
        series=(2, 3, 4, 5),
    )
    column: str = column_param()
    several: str = several_param()
    missing: bool = missing_param()

    def least_rows(self) -> int:
        """Fewest rows a class must have: as many as values."""
        return self.least_values()

    def least_values(self) -> int:
        """Fewest different values a class must have: the entropy of n values is at most log n."""
        return int(np.ceil(self.l - 1e-6))

    def value_of(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
        """Give exp(entropy) of every group: the number of equally likely values as uncertain as these."""
        return effective_values(self.known(histogram, sensitive))

    def is_fine(self, values: Floats, groups: ClassGroups) -> npt.NDArray[np.bool_]:
        """Say which groups reach l."""
        return at_least(values, self.l)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "every class is as uncertain as {l:g} equally likely values of {where}", l=self.l, where=self.where()
        )


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class RecursiveLDiversity(LDiversityModel):
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

    def value_of(self, histogram: Histogram, sensitive: SensitiveAttribute) -> Floats:
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

    def is_fine(self, values: Floats, groups: ClassGroups) -> npt.NDArray[np.bool_]:
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
