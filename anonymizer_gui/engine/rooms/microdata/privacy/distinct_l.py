"""Distinct l-diversity: every class shows at least l different sensitive values."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, Groups, Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.diversity import DiversityModel, missing_param
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import Floats, distinct_values
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import column_param, several_param


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class DistinctLDiversity(DiversityModel):
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

    def value_of(self, histogram: Histogram, sensitive: Sensitive) -> Floats:
        """Count the different values of every group, missing aside unless it counts."""
        return distinct_values(self.known(histogram, sensitive))

    def is_fine(self, values: Floats, groups: Groups) -> npt.NDArray[np.bool_]:
        """Say which groups have l values."""
        return np.asarray(values >= self.l)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message("every class has at least {l:value|different values} of {where}", l=self.l, where=self.where())
