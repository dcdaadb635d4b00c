"""The release and its promise."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.accountant import posterior_odds
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.survey.collection import Collection
from anonymizer_gui.engine.rooms.survey.estimates import QuestionEstimates
from anonymizer_gui.engine.rooms.survey.independent.recount import is_allowed, whole_ratio
from anonymizer_gui.engine.rooms.survey.project import Project
from anonymizer_gui.engine.rooms.survey.reports import RejectedReport, Report

TITLE = "Local differential privacy"

STOPS = (
    "Telling from a report, beyond the odds that are stated, what its sender answered, whatever else is known about "
    "them: also for whoever collects the reports, breaks in where they are kept, or demands them by law."
)

STOPS_READERS = (
    "Telling from what is released, beyond the odds that are stated, what somebody in the table answered, whatever "
    "else is known about them."
)

LEAVES_OPEN = (
    "That somebody took part, when, and from which address. What is true of people in general. Somebody who answers "
    "again with a new draw, or several surveys of the same people, for which epsilon adds up. Reports that were made "
    "up to push an answer: no report can be told from a lie, and so none can be told from a fake."
)

OPEN_HERE = "The true answers were in a table: whoever holds it, or breaks in where it is kept, knows them."

FORMULA = "P(report | answer) ≤ exp(ε) P(report | any other answer)"

REFERENCE = "Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith, What can we learn privately?, FOCS 2008"


@dataclass(frozen=True, slots=True)
class Told:
    """What a promise is composed of: what reports may cost, and the largest ratio of their chances."""

    epsilon: Fraction
    ratio: Fraction
    cost: float
    sharing: str
    is_perturbed_here: bool


def promise(collection: Collection, *, is_perturbed_here: bool) -> Promise:
    """Say what a report can tell at most about its sender; where they came from a table, only readers are stopped."""
    told = Told(collection.epsilon, collection.ratio, collection.cost, collection.sharing, is_perturbed_here)
    return promised(told, holds=collection.is_proven and _is_proven_again(collection))


def promised(told: Told, *, holds: bool) -> Promise:
    """Compose the promise."""
    leaves_open = message(LEAVES_OPEN)
    return Promise(
        name="local-differential-privacy",
        title=TITLE,
        sentence=_sentence(told),
        holds=holds,
        value=told.cost,
        parameters={
            "epsilon": float(told.epsilon),
            "largest_ratio": float(told.ratio),
            "allowed_ratio": math.exp(told.epsilon),
            "sharing": told.sharing,
        },
        stops=message(STOPS_READERS if told.is_perturbed_here else STOPS),
        leaves_open=join_messages(message(OPEN_HERE), leaves_open) if told.is_perturbed_here else leaves_open,
        formula=FORMULA,
        reference=REFERENCE,
    )


def _sentence(told: Told) -> Message:
    return message(
        "No report is more than {ratio:.6g} times likelier for one answer than for another, at most e^ε for epsilon "
        "{epsilon:.6g}: a guess that is right 50 times in 100 is right at most {sure:.1f} times.",
        ratio=float(told.ratio),
        epsilon=float(told.epsilon),
        sure=100 * posterior_odds(told.epsilon),
    )


def _is_proven_again(collection: Collection) -> bool:
    """Find the largest ratio anew from the numbers that clients get, by code that shares nothing with the protocols."""
    again = whole_ratio(collection.to_json())
    return again == collection.ratio and is_allowed(again, collection.epsilon)


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A finished collection."""

    id: str
    name: str
    project: Project
    collection: Collection
    n: int
    results: tuple[QuestionEstimates, ...]
    records: tuple[Report, ...]
    problems: tuple[RejectedReport, ...]
    is_perturbed_here: bool
    """Whether the reports were drawn here from a table, instead of by respondents themselves."""
    seconds: Mapping[str, float]
    version: str
    created: str

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What was promised to everybody who answered."""
        return (promise(self.collection, is_perturbed_here=self.is_perturbed_here),)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful person would want to know."""
        return notes_of(len(self.problems), is_perturbed_here=self.is_perturbed_here)

    def sentence(self) -> str:
        """Say in a few words what was made."""
        return message(
            "{reports:report|reports}, {questions:question|questions}, epsilon {epsilon:.6g} each",
            reports=self.n,
            questions=len(self.results),
            epsilon=float(self.collection.epsilon),
        )

    def to_json(self) -> dict[str, Json]:
        """Give the numbers of the collection as the command line prints them."""
        first = self.results[0].to_json()
        return {
            "n": self.n,
            "estimates": first["estimates"],
            "sd": first["sd"],
            "epsilon": float(self.collection.epsilon),
            "cost": self.collection.cost,
            "survey": self.collection.fingerprint,
            "not_counted": len(self.problems),
            "questions": [result.to_json() for result in self.results],
            "seconds": dict(self.seconds),
            "version": self.version,
            "notes": [str(note) for note in self.notes],
        }


def notes_of(not_counted: int, *, is_perturbed_here: bool) -> tuple[str, ...]:
    """Say what a careful person would want to know of a collection."""
    told = []
    if not_counted:
        told.append(message("{reports:report is|reports are} not counted, and listed instead.", reports=not_counted))
    if is_perturbed_here:
        told.append(
            message(
                "The reports were drawn here from a table. Each run draws anew: publish one of them only, or "
                "epsilon adds up."
            )
        )
    return tuple(told)
