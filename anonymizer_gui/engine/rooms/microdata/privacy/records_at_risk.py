"""Records at risk: few have a risk above a threshold, and none above the highest."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.rooms.microdata.privacy.average_risk import risk_of_each
from anonymizer_gui.engine.rooms.microdata.privacy.contract import (
    PRIVACY_MODELS,
    Groups,
    Measurement,
    PrivacyModel,
    Whole,
)
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import at_most
from anonymizer_gui.engine.rooms.microdata.privacy.known_thresholds import RISKS, rows_for


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class RecordsAtRisk(PrivacyModel):
    """At most a share of the rows has a re-identification risk above a threshold, and no row one above the highest."""

    name: ClassVar[str] = "records-at-risk"
    title: ClassVar[str] = "Records at risk"
    summary: ClassVar[str] = "Few rows have a risk above a threshold, and none has one above the highest."
    stops: ClassVar[str] = (
        "Linking a person to one row (prosecutor attack): nobody is picked out with a higher chance than the highest "
        "risk, and only a small share with one above the threshold."
    )
    leaves_open: ClassVar[str] = (
        "The rows above the threshold: they are protected by the highest risk alone. Homogeneity, background "
        "knowledge, skewness, similarity and probabilistic inference about sensitive columns."
    )
    formula: ClassVar[str] = "|{x : 1 / |E(x)| > threshold}| / rows ≤ s and 1 / |E| ≤ highest for every class E"
    source: ClassVar[str] = "El Emam, Guide to the de-identification of personal health information, CRC Press 2013"
    by_size_alone: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True
    of_table: ClassVar[bool] = True

    share: float = param(
        Float(low=0, high=1),
        default=0.05,
        label="Share at risk",
        help="The largest share of rows whose risk may be above the threshold; 0.05 is one in twenty.",
        series=(0.0, 0.01, 0.05, 0.1),
    )
    threshold: float = param(
        Float(low=0, high=1, above=True),
        default=0.2,
        label="Threshold",
        help="Rows with a risk above it are at risk; 0.2 is one in five.",
        presets=RISKS,
    )
    highest: float = param(
        Float(low=0, high=1, above=True),
        default=0.5,
        label="Highest risk",
        help="No row may have a risk above it; 1 allows people who are alone in their class.",
        presets=RISKS,
    )

    def least_rows(self) -> int:
        """Fewest people a class must have, by the highest risk."""
        return rows_for(self.highest)

    def enough_rows(self) -> int:
        """Give how many people in every class are enough."""
        return max(rows_for(self.highest), rows_for(self.threshold))

    def satisfied(self, groups: Groups, whole: Whole) -> npt.NDArray[np.bool_]:
        """Say of every group whether its risk is within the highest."""
        return np.asarray(groups.people >= self.least_rows())

    def measure(self, groups: Groups, whole: Whole) -> Measurement:
        """Give the share of people at risk; per class 1 / people, the worst first."""
        people = groups.people
        at_risk = int(people[people < rows_for(self.threshold)].sum())
        value = at_risk / max(int(people.sum()), 1)
        within = bool((people[people > 0] >= self.least_rows()).all())
        each, worst = risk_of_each(groups)
        return Measurement(value, within and bool(at_most(np.array([value]), self.share)[0]), each, worst)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "at most {share:.4g} of the records have a risk above {threshold:.4g}, none one above {highest:.4g}",
            share=self.share,
            threshold=self.threshold,
            highest=self.highest,
        )
