"""The release: answers, synthetic tables and models, promise."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.messages import join_messages, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.accountant import ComposedBudget, posterior_odds
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.releases.ledger.budget import BudgetAccount
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.rooms.statistics.output_format import JSON_SUFFIX
from anonymizer_gui.engine.rooms.statistics.project import Project, protected_by
from anonymizer_gui.engine.rooms.statistics.questions.synthetic import Synthetic
from anonymizer_gui.engine.rooms.statistics.synthesis import MarginalModel, sample_table

Kind = Literal["table", "model"]

TABLE_SUFFIX = ".csv"


@dataclass(frozen=True, slots=True, eq=False)
class ModelOutput:
    """A synthetic table that was drawn, or a model that was learned; `at` is the place of its answer."""

    at: int
    kind: Kind
    table: Table | None = None
    model: Mapping[str, Json] | None = None

    def fits(self, path: Path) -> bool:
        """Tell whether a file of that name can hold it: a model is JSON, a table everything else."""
        return (path.suffix.lower() == JSON_SUFFIX) == (self.kind == "model")

    def place(self, path: Path) -> Path:
        """Give its place beside the answers."""
        word, suffix = ("synthetic", TABLE_SUFFIX) if self.kind == "table" else ("model", JSON_SUFFIX)
        return path.with_name(f"{path.stem}.{word}-{self.at + 1}{suffix}")


def draw_outputs(project: Project, answers: Sequence[Answer], progress: Progress = SILENT) -> tuple[ModelOutput, ...]:
    """Draw the tables and take the models of a release; rows are drawn once, and cost nothing."""
    found = []
    for at, (asked, answer) in enumerate(zip(project.questions, answers, strict=True)):
        if answer.model is None:
            continue
        if isinstance(asked.question, Synthetic):
            domains = asked.question.domains(project.public(asked))
            rows = asked.question.rows
            found.append(
                ModelOutput(at, "table", sample_table(MarginalModel.from_json(answer.model), domains, rows, progress))
            )
        else:
            found.append(ModelOutput(at, "model", model=answer.model))
    return tuple(found)


def output_files(
    path: Path, answers: Sequence[Answer], made: Sequence[ModelOutput]
) -> tuple[tuple[Path, ModelOutput | None], ...]:
    """Say which file holds what, the first at `path`: where nothing else is told, that is what was made."""
    is_alone = len(made) == len(answers) and bool(made) and made[0].fits(path)
    first, others = (made[0], made[1:]) if is_alone else (None, made)
    return ((path, first), *((each.place(path), each) for each in others))


def model_digest(model: Mapping[str, Json]) -> str:
    """Give what tells a model from every other."""
    return hashlib.sha256(json.dumps(model, sort_keys=True).encode()).hexdigest()


TITLE = "Differential privacy"

STOPS = (
    "Telling from the published numbers whether somebody is in the data or what stands in their row, whatever else "
    "is known about them and whatever is computed from the numbers later."
)

LEAVES_OPEN = (
    "What is true of people in general: the numbers may show that smokers fall ill more often, and so tell something "
    "about a smoker, in the data or not. People with more rows than the unit allows, groups of people who belong "
    "together, and every release of the same people that is not entered in the same ledger."
)

FORMULA = "P(answers | data) ≤ exp(ε) P(answers | neighbouring data) + δ"

REFERENCE = "Dwork, McSherry, Nissim and Smith, Calibrating noise to sensitivity in private data analysis, TCC 2006"


@dataclass(frozen=True, slots=True)
class Told:
    """What a promise is composed of: who is protected, what this release cost and all of them spent, and the total."""

    unit: str
    protected: str
    cost: Fraction
    spent: Budget
    total: Budget


def promise(project: Project, cost: ComposedBudget, spent: ComposedBudget, total: Budget) -> Promise:
    """Say what all releases of the data promise together, this one included."""
    return promised(Told(str(project.unit), protected_by(project), cost.epsilon, spent.budget(), total))


def promised(told: Told) -> Promise:
    """Compose the promise."""
    spent, total = told.spent, told.total
    return Promise(
        name="differential-privacy",
        title=TITLE,
        sentence=join_messages(told.protected, _odds(spent)),
        holds=spent.epsilon <= total.epsilon and spent.delta <= total.delta,
        value=float(spent.epsilon),
        parameters={
            "unit": told.unit,
            "epsilon": float(spent.epsilon),
            "delta": float(spent.delta),
            "epsilon_of_this_release": float(told.cost),
            "epsilon_in_all": float(total.epsilon),
        },
        stops=message(STOPS),
        leaves_open=message(LEAVES_OPEN),
        formula=FORMULA,
        reference=REFERENCE,
    )


def promise_in_model(project: Project, spent: ComposedBudget) -> dict[str, Json]:
    """Say it in the file of a model itself, which may be passed on without its certificate."""
    return {
        "unit": str(project.unit),
        "epsilon": float(spent.epsilon),
        "delta": float(spent.delta),
        "meaning": str(project.unit.sentence()),
    }


def _odds(spent: Budget) -> str:
    sure = message(
        "A guess that is right 50 times in 100 is right at most {sure:.1f} times.",
        sure=100 * posterior_odds(spent.epsilon),
    )
    if not spent.delta:
        return sure
    return join_messages(sure, message("That may fail with a chance of {delta:.2g}.", delta=float(spent.delta)))


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
    made: tuple[ModelOutput, ...]
    """The synthetic tables and models that leave with the answers."""
    seconds: Mapping[str, float]
    version: str
    created: str

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What is promised: differential privacy, and that the budget was not overdrawn."""
        return (promise(self.project, self.cost, self.spent, self.total),)

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
