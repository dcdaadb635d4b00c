"""Average risk: somebody who links everybody at random within the classes is right seldom enough."""

from dataclasses import dataclass
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
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import at_most
from anonymizer_gui.engine.rooms.microdata.privacy.known_thresholds import RISKS, rows_for

SHOWN_CLASSES = 100


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class AverageRisk(PrivacyModel):
    """The average re-identification risk, classes / rows, is at most this (marketer risk, El Emam)."""

    name: ClassVar[str] = "average-risk"
    title: ClassVar[str] = "Average risk"
    summary: ClassVar[str] = "On average a row is linked to the right person no more often than this."
    stops: ClassVar[str] = (
        "Linking of everybody (marketer attack): of all rows somebody links who knows the quasi-identifiers of "
        "everybody in the table, no larger share is linked rightly."
    )
    leaves_open: ClassVar[str] = (
        "Picking out single people: some may be alone in their class while the average is low, so it belongs beside "
        "k-anonymity or a highest risk. Homogeneity, background knowledge, skewness, similarity and probabilistic "
        "inference about sensitive columns."
    )
    formula: ClassVar[str] = "number of classes / number of rows ≤ r"
    source: ClassVar[str] = "El Emam, Guide to the de-identification of personal health information, CRC Press 2013"
    by_size_alone: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True
    of_table: ClassVar[bool] = True

    risk: float = param(
        Float(low=0, high=1, above=True),
        default=0.2,
        label="Average risk",
        help="The largest share of rows that may be linked rightly on average; 0.2 is one in five.",
        series=(0.05, 0.09, 0.2, 0.33),
        presets=RISKS,
    )

    def enough_rows(self) -> int:
        """Give how many people in every class are enough."""
        return rows_for(self.risk)

    def satisfied(self, groups: Groups, whole: Whole) -> npt.NDArray[np.bool_]:
        """Say of every group that it may be in a table that keeps the goal, if it has anybody."""
        return np.asarray(groups.people >= 1)

    def measure(self, groups: Groups, whole: Whole) -> Measurement:
        """Give classes / people; per class 1 / people, the worst first."""
        people = groups.people[groups.people > 0]
        value = len(people) / int(people.sum()) if len(people) else 0.0
        each, worst = risk_of_each(groups)
        return Measurement(value, bool(at_most(np.array([value]), self.risk)[0]), each, worst)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message("the average risk is at most {risk:.4g}", risk=self.risk)


def risk_of_each(groups: Groups) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Give the risk of every class, 1 / people, and the classes of highest risk first."""
    there = groups.people > 0
    each = np.divide(1.0, groups.people, out=np.zeros(len(groups)), where=there)
    order = np.argsort(-each, kind="stable")
    return each, order[there[order]][:SHOWN_CLASSES]
