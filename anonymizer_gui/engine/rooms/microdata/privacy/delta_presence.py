"""delta-presence: nobody can tell with certainty who of the population is in the table."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.rooms.microdata.privacy.contract import (
    PRIVACY_MODELS,
    Groups,
    Measurement,
    PrivacyModel,
    Whole,
)
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import at_least, at_most
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import population_of, verdict


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class DeltaPresence(PrivacyModel):
    """The share of a cell's population that is in the table lies between two bounds (Nergiz et al. 2007).

    Cells that hold people of the population but no row of the table count too: there the share is 0.
    Measured is the largest share.
    """

    name: ClassVar[str] = "delta-presence"
    title: ClassVar[str] = "delta-presence"
    summary: ClassVar[str] = "Nobody can tell well from the release who of the population is in the table."
    stops: ClassVar[str] = (
        "Membership: learning that a person is (or is not) in the table, where that alone is sensitive, as in a "
        "register of a disease."
    )
    leaves_open: ClassVar[str] = (
        "Homogeneity, background knowledge, skewness, similarity and probabilistic inference about sensitive "
        "columns. It is worth no more than the population table is complete."
    )
    formula: ClassVar[str] = "δ_min ≤ |E| / |{x in population : x fits E}| ≤ δ_max for every class E"
    source: ClassVar[str] = "Nergiz, Atzori, Clifton, Hiding the presence of individuals, SIGMOD 2007"
    needs_population: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True

    delta_max: float = param(Float(low=0, high=1), default=0.5, label="delta max", help="Largest share in the table.")
    delta_min: float = param(Float(low=0, high=1), default=0.0, label="delta min", help="Smallest share in the table.")

    def satisfied(self, groups: Groups, whole: Whole) -> npt.NDArray[np.bool_]:
        """Say for every group whether the share lies between the bounds; a cell without people is fine."""
        share = self._shares(groups)
        empty = (groups.sizes == 0) & (population_of(groups) == 0)
        return np.asarray((at_most(share, self.delta_max) & at_least(share, self.delta_min)) | empty)

    def measure(self, groups: Groups, whole: Whole) -> Measurement:
        """Give the largest share of any class; people who fit no class break a lower bound."""
        people = population_of(groups)
        found = verdict(self._shares(groups), self.satisfied(groups, whole), groups.sizes + people, small_is_bad=False)
        return replace(found, holds=found.holds and not (whole.people_in_no_class and self.delta_min > 0))

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "between {low:.0%} and {high:.0%} of the population that fits a class is in the table",
            low=self.delta_min,
            high=self.delta_max,
        )

    @staticmethod
    def _shares(groups: Groups) -> npt.NDArray[np.float64]:
        people = population_of(groups)
        without = np.where(groups.sizes > 0, np.inf, 0.0)
        return np.divide(groups.people, people, out=without, where=people > 0)
