"""A finished collection: estimates, the reports they come from, and what was promised to respondents; never changed."""

from collections.abc import Mapping
from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.survey.collection import Collection
from anonymizer_gui.engine.rooms.survey.project import Project
from anonymizer_gui.engine.rooms.survey.promise import promise_of
from anonymizer_gui.engine.rooms.survey.reports import Problem, Record
from anonymizer_gui.engine.rooms.survey.results import Result


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A finished collection."""

    id: str
    name: str
    project: Project
    collection: Collection
    n: int
    results: tuple[Result, ...]
    records: tuple[Record, ...]
    problems: tuple[Problem, ...]
    is_perturbed_here: bool
    """Whether the reports were drawn here from a table, instead of by respondents themselves."""
    seconds: Mapping[str, float]
    version: str
    created: str

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What was promised to everybody who answered."""
        return (promise_of(self.collection, is_perturbed_here=self.is_perturbed_here),)

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
