"""Distinct l-diversity: every class shows at least l different sensitive values."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.classes import Histogram
from anonymizer_gui.engine.params import Int, param
from anonymizer_gui.engine.privacy.contract import Groups, Measurement, Sensitive, Whole
from anonymizer_gui.engine.privacy.judging import (
    COLUMN,
    COLUMN_HELP,
    SEVERAL,
    SEVERAL_HELP,
    verdict,
    worst_over_columns,
)
from anonymizer_gui.engine.privacy.shares import Floats, distinct_values
from anonymizer_gui.engine.registry import PRIVACY_MODELS


def _value(histogram: Histogram, sensitive: Sensitive) -> Floats:
    return distinct_values(histogram)


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class DistinctLDiversity:
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
    reference: ClassVar[str] = "Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, l-diversity, TKDD 1(1), 2007"
    needs_sensitive: ClassVar[bool] = True
    needs_population: ClassVar[bool] = False
    compares_with_whole: ClassVar[bool] = False

    l: int = param(Int(low=1), default=2, label="l", help="Fewest different sensitive values in a class.")  # noqa: E741
    column: str = param(COLUMN, default="", label="Column", help=COLUMN_HELP)
    several: str = param(SEVERAL, default="each", label="Several columns", help=SEVERAL_HELP)

    def least_rows(self) -> int:
        """Fewest rows a class must have: as many as values."""
        return self.l

    def satisfied(self, groups: Groups, whole: Whole) -> npt.NDArray[np.bool_]:
        """Say for every group whether it has l different values."""
        return np.asarray(self._values(groups, whole) >= self.l)

    def measure(self, groups: Groups, whole: Whole) -> Measurement:
        """Give the fewest different values any class has."""
        values = self._values(groups, whole)
        return verdict(values, values >= self.l, groups.sizes, small_is_bad=True)

    def sentence(self) -> str:
        """Say the goal in words."""
        return f"every class has at least {self.l} different values of {self.column or 'each sensitive column'}"

    def _values(self, groups: Groups, whole: Whole) -> Floats:
        return worst_over_columns(groups, whole, (self.column, self.several), _value, small_is_bad=True)
