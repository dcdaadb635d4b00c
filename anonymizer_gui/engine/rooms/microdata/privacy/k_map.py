"""k-map: at least k people of the population fit every class."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.rooms.microdata.privacy.contract import (
    PRIVACY_MODELS,
    SIZES,
    Groups,
    Measurement,
    PrivacyModel,
    Whole,
)
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import population_of, verdict


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class KMap(PrivacyModel):
    """Every class matches at least k rows of a population table the people were drawn from (Sweeney 2001)."""

    name: ClassVar[str] = "k-map"
    title: ClassVar[str] = "k-map"
    summary: ClassVar[str] = "Every row looks like at least k people of a larger population."
    stops: ClassVar[str] = (
        "Linking a row to a person of the population, when nobody knows who of the population is in the table."
    )
    leaves_open: ClassVar[str] = (
        "Linking by somebody who knows that a person is in the table, homogeneity, background knowledge, skewness, "
        "similarity and probabilistic inference about sensitive columns. It is worth no more than the population "
        "table is complete."
    )
    formula: ClassVar[str] = "|{x in population : x fits E}| ≥ k for every class E"
    source: ClassVar[str] = "Sweeney, Computational disclosure control, PhD thesis, MIT 2001"
    needs_population: ClassVar[bool] = True

    k: int = param(Int(low=1), default=5, label="k", help="Fewest people of the population in a class.", series=SIZES)

    def satisfied(self, groups: Groups, whole: Whole) -> npt.NDArray[np.bool_]:
        """Say for every group whether k people of the population fit it; a group without rows is fine."""
        return np.asarray((population_of(groups) >= self.k) | (groups.sizes == 0))

    def measure(self, groups: Groups, whole: Whole) -> Measurement:
        """Give the fewest people of the population that fit a class."""
        people = population_of(groups).astype(np.float64)
        return verdict(people, self.satisfied(groups, whole), groups.sizes, small_is_bad=True)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message("at least {k:person|people} of the population {k:~fits|fit} every class", k=self.k)
