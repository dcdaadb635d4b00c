"""(alpha,k)-anonymity: k rows in every class, and no sensitive value in more than a share alpha of them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, param
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, SIZES, Groups, Sensitive
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import Floats, at_most, largest, shares
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import SensitiveModel, column_param, several_param


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class AlphaKAnonymity(SensitiveModel):
    """Every class has k rows and no sensitive value fills more than the share alpha of it; measured is the share."""

    name: ClassVar[str] = "alpha-k"
    title: ClassVar[str] = "(alpha,k)-anonymity"
    summary: ClassVar[str] = "Every class has k rows, and no sensitive value fills more than a share alpha of it."
    stops: ClassVar[str] = (
        "Linking a person to fewer than k rows, and for alpha below 1 homogeneity and probabilistic inference: no "
        "sensitive value has a probability above alpha in a class."
    )
    leaves_open: ClassVar[str] = (
        "Background knowledge that rules values out, skewness (a rare value may become as common as alpha), and "
        "similarity of the values."
    )
    formula: ClassVar[str] = "|E| ≥ k and max_s p_E(s) ≤ α for every class E"
    source: ClassVar[str] = "Wong, Li, Fu, Wang, (α,k)-anonymity, KDD 2006"
    counts_people: ClassVar[bool] = True

    alpha: float = param(
        Float(low=0, high=1, above=True),
        default=0.5,
        label="alpha",
        help="Largest share of one value.",
        series=(0.3, 0.5, 0.7),
    )
    k: int = param(Int(low=1), default=5, label="k", help="Smallest number of rows in a class.", series=SIZES)
    column: str = column_param()
    several: str = several_param()

    def least_rows(self) -> int:
        """Fewest rows a class must have."""
        return self.k

    def value_of(self, histogram: Histogram, sensitive: Sensitive) -> Floats:
        """Give the share of the commonest value of every group."""
        return largest(histogram, shares(histogram))

    def is_fine(self, values: Floats, groups: Groups) -> npt.NDArray[np.bool_]:
        """Say which groups have k rows and no dominating value."""
        return at_most(values, self.alpha) & (groups.people >= self.k)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "every class has {k:row|rows} and at most {share:.0%} with the same value of {where}",
            k=self.k,
            share=self.alpha,
            where=self.where(),
        )

    def sentence_about_people(self) -> str:
        """Say the same where people are counted."""
        return message(
            "every class has {k:person|people} and at most {share:.0%} of them have the same value of {where}",
            k=self.k,
            share=self.alpha,
            where=self.where(),
        )
