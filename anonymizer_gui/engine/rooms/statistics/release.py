"""A finished run: noisy answers, what they cost, and what is left; never changed afterwards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.accountant import ComposedBudget
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.releases.ledger.budget import BudgetAccount
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.rooms.statistics.made import Made
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.promise import promise_of


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A finished run. `cost` is that of this release alone, `spent` that of all releases of the data together.

    `account` is what the ledger knew of the data before, under a fingerprint that is empty without a ledger; `entries`
    are the digests of the entries this release has made in it.
    """

    id: str
    name: str
    project: Project
    answers: tuple[Answer, ...]
    cost: ComposedBudget
    spent: ComposedBudget
    left: Budget
    total: Budget
    account: BudgetAccount
    entries: tuple[str, ...]
    made: tuple[Made, ...]
    """The synthetic tables and models that leave with the answers."""
    seconds: Mapping[str, float]
    version: str
    created: str

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What is promised: differential privacy, and that the budget was not overdrawn."""
        return (promise_of(self.project, self.cost, self.spent, self.total),)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful person would want to know."""
        is_less = self.account.total is not None and self.project.total > self.total.epsilon
        return notes_of(
            [note for answer in self.answers for note in answer.notes],
            sum(answer.is_cached for answer in self.answers),
            self.project.unit,
            has_ledger=bool(self.account.subject),
            allowed=self.total.epsilon if is_less else None,
        )

    def sentence(self) -> str:
        """Say in a few words what was made."""
        return message(
            "{answers:answer|answers} for epsilon {cost:.6g}, epsilon {left:.6g} left",
            answers=len(self.answers),
            cost=float(self.cost.epsilon),
            left=float(self.left.epsilon),
        )

    def to_json(self) -> dict[str, Json]:
        """Give the numbers of the run as the command line prints them."""
        return {
            "unit": str(self.project.unit),
            "epsilon": float(self.project.epsilon),
            "delta": float(self.project.delta),
            "cost": float(self.cost.epsilon),
            "spent": float(self.spent.epsilon),
            "left": float(self.left.epsilon),
            "composition": self.spent.way,
            "answers": [answer.to_json() for answer in self.answers],
            "seconds": dict(self.seconds),
            "version": self.version,
            "notes": list(self.notes),
        }


def notes_of(
    answers: Iterable[str], again: int, unit: PrivacyUnit, *, has_ledger: bool, allowed: Fraction | None
) -> tuple[str, ...]:
    """Give the notes of a release: those of its answers, and what follows from unit and ledger.

    `again` answers were given before; `allowed` is what the ledger allows, where that is less than the plan does.
    """
    told = list(answers)
    if again:
        told.append(
            message(
                "{again:answer was|answers were} given before and cost nothing now; "
                "lock the epsilon of a question to ask it anew.",
                again=again,
            )
        )
    if unit.kind is Neighbours.PERSON:
        told.append(message("Of each person at most {rows:row was|rows were} counted.", rows=unit.rows))
    if not has_ledger:
        told.append(message("No ledger was named: nobody will remember what was spent."))
    if allowed is not None:
        told.append(
            message(
                "The ledger allows epsilon {total:.6g} in all; the larger total of the plan does not count.",
                total=float(allowed),
            )
        )
    return tuple(dict.fromkeys(told))
