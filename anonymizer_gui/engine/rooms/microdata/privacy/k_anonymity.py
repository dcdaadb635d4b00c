"""k-anonymity: nobody is in a group of fewer than k that look alike."""

from dataclasses import dataclass
from typing import ClassVar, Literal

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
from anonymizer_gui.engine.rooms.microdata.privacy.known_thresholds import SIZES as KNOWN_SIZES
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import verdict


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class KAnonymity(PrivacyModel):
    """Every class has at least k rows (Samarati and Sweeney 1998)."""

    name: ClassVar[str] = "k"
    title: ClassVar[str] = "k-anonymity"
    summary: ClassVar[str] = "Every row looks like at least k - 1 others in the quasi-identifiers."
    stops: ClassVar[str] = (
        "Linking a person to one row: somebody who knows all quasi-identifiers is left with at least k rows."
    )
    leaves_open: ClassVar[str] = (
        "Learning the sensitive value when the rows of a class agree in it (homogeneity) or when background "
        "knowledge rules the other values out; skewness, similarity and probabilistic inference. "
        "Where no column says whom a row is about, k counts rows: a person with several rows is less protected."
    )
    formula: ClassVar[str] = "|E| ≥ k for every class E"
    source: ClassVar[str] = "Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002"
    by_size_alone: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True
    figure: ClassVar[Literal["k"]] = "k"
    is_the_figure: ClassVar[bool] = True

    k: int = param(
        Int(low=1),
        default=5,
        label="k",
        help="Smallest number of rows in a class.",
        series=SIZES,
        presets=KNOWN_SIZES,
    )

    def least_rows(self) -> int:
        """Fewest rows a class must have."""
        return self.k

    def satisfied(self, groups: Groups, whole: Whole) -> npt.NDArray[np.bool_]:
        """Say for every group whether it has k rows."""
        return np.asarray(groups.people >= self.k)

    def measure(self, groups: Groups, whole: Whole) -> Measurement:
        """Give the size of the smallest class."""
        sizes = groups.people.astype(np.float64)
        return verdict(sizes, self.satisfied(groups, whole), groups.sizes, small_is_bad=True)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message("every class has at least {k:row|rows}", k=self.k)

    def sentence_about_people(self) -> str:
        """Say the same where people are counted."""
        return message("every class has at least {k:person|people}", k=self.k)
