"""Entropy l-diversity: the sensitive values of every class are as uncertain as l equally likely ones."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, Groups, Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.diversity import DiversityModel, missing_param
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import Floats, at_least, effective_values
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import column_param, several_param


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class EntropyLDiversity(DiversityModel):
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

    def value_of(self, histogram: Histogram, sensitive: Sensitive) -> Floats:
        """Give exp(entropy) of every group: the number of equally likely values as uncertain as these."""
        return effective_values(self.known(histogram, sensitive))

    def is_fine(self, values: Floats, groups: Groups) -> npt.NDArray[np.bool_]:
        """Say which groups reach l."""
        return at_least(values, self.l)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "every class is as uncertain as {l:g} equally likely values of {where}", l=self.l, where=self.where()
        )
