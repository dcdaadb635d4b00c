"""Population uniqueness: by estimate few of the rows are about somebody who is unique in the population."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Float, Int, param
from anonymizer_gui.engine.rooms.microdata.privacy.average_risk import risk_of_each
from anonymizer_gui.engine.rooms.microdata.privacy.contract import (
    PRIVACY_MODELS,
    Groups,
    Measurement,
    PrivacyModel,
    Whole,
)
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import at_most
from anonymizer_gui.engine.rooms.microdata.risk.population_uniques import Sample, refuse_small, uniques_by

MODELS = {
    "dankar": "Dankar’s rule",
    "pitman": "Pitman",
    "zayatz": "Zayatz",
    "snb": "Slide negative binomial (SNB)",
}


@PRIVACY_MODELS.register
@dataclass(frozen=True, slots=True)
class PopulationUniqueness(PrivacyModel):
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
        refuse_small(self.population, people)

    def enough_rows(self) -> int:
        """Without a class of one nobody in the table is unique, in the population neither."""
        return 2

    def satisfied(self, groups: Groups, whole: Whole) -> npt.NDArray[np.bool_]:
        """Say of every group that it may be in a table that keeps the goal, if it has anybody."""
        return np.asarray(groups.people >= 1)

    def measure(self, groups: Groups, whole: Whole) -> Measurement:
        """Give the estimated share; per class 1 / people, the worst first."""
        people = groups.people[groups.people > 0]
        each, worst = risk_of_each(groups)
        rows = int(people.sum())
        if not rows:
            return Measurement(0.0, True, each, worst)
        value = uniques_by(self.model, Sample.of(people, max(self.population, rows))) / rows
        return Measurement(value, bool(at_most(np.array([value]), self.share)[0]), each, worst)

    def sentence(self) -> str:
        """Say the goal in words."""
        return message(
            "by estimate ({model}) at most {share:.4g} of the records are unique among {people:person|people}",
            model=message(MODELS[self.model]),
            share=self.share,
            people=self.population,
        )
