"""Average risk, records at risk, population uniqueness as goals."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, Int, param
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    PRIVACY_MODELS,
    ClassGroups,
    Measurement,
    PrivacyModel,
    WholeTable,
)
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import at_most
from anonymizer_gui.engine.rooms.microdata.risk.population_estimates import (
    SampleFrequencies,
    population_uniques,
    refuse_small_population,
)
from anonymizer_gui.engine.rooms.microdata.thresholds import RECOMMENDED_RISKS, class_size_for_risk

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
        presets=RECOMMENDED_RISKS,
    )

    def enough_rows(self) -> int:
        """Give how many people in every class are enough."""
        return class_size_for_risk(self.risk)

    def satisfied(self, groups: ClassGroups, whole: WholeTable) -> npt.NDArray[np.bool_]:
        """Say of every group that it may be in a table that keeps the goal, if it has anybody."""
        return np.asarray(groups.people >= 1)

    def measure(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give classes / people; per class 1 / people, the worst first."""
        people = groups.people[groups.people > 0]
        value = len(people) / int(people.sum()) if len(people) else 0.0
        each, worst = class_risks(groups)
        return Measurement(value, bool(at_most(np.array([value]), self.risk)[0]), each, worst)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message("the average risk is at most {risk:.4g}", risk=self.risk)


def class_risks(groups: ClassGroups) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Give the risk of every class, 1 / people, and the classes of highest risk first."""
    there = groups.people > 0
    each = np.divide(1.0, groups.people, out=np.zeros(len(groups)), where=there)
    order = np.argsort(-each, kind="stable")
    return each, order[there[order]][:SHOWN_CLASSES]


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
        presets=RECOMMENDED_RISKS,
    )
    highest: float = param(
        Float(low=0, high=1, above=True),
        default=0.5,
        label="Highest risk",
        help="No row may have a risk above it; 1 allows people who are alone in their class.",
        presets=RECOMMENDED_RISKS,
    )

    def least_rows(self) -> int:
        """Fewest people a class must have, by the highest risk."""
        return class_size_for_risk(self.highest)

    def enough_rows(self) -> int:
        """Give how many people in every class are enough."""
        return max(class_size_for_risk(self.highest), class_size_for_risk(self.threshold))

    def satisfied(self, groups: ClassGroups, whole: WholeTable) -> npt.NDArray[np.bool_]:
        """Say of every group whether its risk is within the highest."""
        return np.asarray(groups.people >= self.least_rows())

    def measure(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the share of people at risk; per class 1 / people, the worst first."""
        people = groups.people
        at_risk = int(people[people < class_size_for_risk(self.threshold)].sum())
        value = at_risk / max(int(people.sum()), 1)
        within = bool((people[people > 0] >= self.least_rows()).all())
        each, worst = class_risks(groups)
        return Measurement(value, within and bool(at_most(np.array([value]), self.share)[0]), each, worst)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "at most {share:.4g} of the records have a risk above {threshold:.4g}, none one above {highest:.4g}",
            share=self.share,
            threshold=self.threshold,
            highest=self.highest,
        )


MODELS = {
    "dankar": "Dankar’s rule",
    "pitman": "Pitman",
    "zayatz": "Zayatz",
    "snb": "Slide negative binomial (SNB)",
}


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class PopulationUniquenessGoal(PrivacyModel):
    """The estimated share of rows that are unique in the population is at most this.

    Dankar's rule takes Pitman's model where the table has at most a tenth of the population, else the lower of Zayatz
    and the slide negative binomial. Where a model has no answer every unique row counts as unique in the population.
    """

    name: ClassVar[str] = "population-uniqueness"
    title: ClassVar[str] = "Population uniqueness"
    summary: ClassVar[str] = "By estimate few rows are about somebody who is unique in the whole population."
    stops: ClassVar[str] = (
        "By estimate: being sure of a link, since somebody of the population who looks like no other is seldom in the "
        "table. Models differ by large factors and none can be checked from the table: it proves nothing."
    )
    leaves_open: ClassVar[str] = (
        "Linking by somebody who knows that a person is in the table; small groups of the population that are not "
        "unique. Homogeneity, background knowledge, skewness, similarity and probabilistic inference about sensitive "
        "columns. Merging classes may raise the estimate: models are not monotone."
    )
    formula: ClassVar[str] = "estimated rows that are unique in the population / rows ≤ s"
    source: ClassVar[str] = (
        "Dankar, El Emam, Neisa, Roffey, Estimating the re-identification risk of clinical data sets, BMC Med. Inform. "
        "12, 2012; Hoshino, JOS 17(4), 2001; Zayatz, US Census 1991; Chen, Keller-McNulty, JOS 14(1), 1998"
    )
    by_size_alone: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True
    of_table: ClassVar[bool] = True
    stays_when_merged: ClassVar[bool] = False
    is_estimate: ClassVar[bool] = True

    share: float = param(
        Float(low=0, high=1),
        default=0.01,
        label="Share unique",
        help="The largest share of rows that may be unique in the population by estimate; 0.01 is one in a hundred.",
        series=(0.0, 0.001, 0.01, 0.05),
    )
    population: int = param(
        Int(low=1),
        default=1_000_000,
        label="Population",
        help="How many people the population has from which those of the table were drawn at random.",
    )
    model: str = param(
        Choice(MODELS), default="dankar", label="Model", help="How unique people of the population are estimated."
    )

    def refuse_people(self, people: int) -> None:
        """Raise BadParameter where the population is smaller than the table that was drawn from it."""
        refuse_small_population(self.population, people)

    def enough_rows(self) -> int:
        """Without a class of one nobody in the table is unique, in the population neither."""
        return 2

    def satisfied(self, groups: ClassGroups, whole: WholeTable) -> npt.NDArray[np.bool_]:
        """Say of every group that it may be in a table that keeps the goal, if it has anybody."""
        return np.asarray(groups.people >= 1)

    def measure(self, groups: ClassGroups, whole: WholeTable) -> Measurement:
        """Give the estimated share; per class 1 / people, the worst first."""
        people = groups.people[groups.people > 0]
        each, worst = class_risks(groups)
        rows = int(people.sum())
        if not rows:
            return Measurement(0.0, True, each, worst)
        value = population_uniques(self.model, SampleFrequencies.of(people, max(self.population, rows))) / rows
        return Measurement(value, bool(at_most(np.array([value]), self.share)[0]), each, worst)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "by estimate ({model}) at most {share:.4g} of the records are unique among {people:person|people}",
            model=message(MODELS[self.model]),
            share=self.share,
            people=self.population,
        )
