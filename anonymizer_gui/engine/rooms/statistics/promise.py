"""What a release promises, in the words of certificate, report and figures."""

from dataclasses import dataclass
from fractions import Fraction

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.messages import join_messages, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.accountant import ComposedBudget, posterior_odds
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.shape import protected_by

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


def promise_of(project: Project, cost: ComposedBudget, spent: ComposedBudget, total: Budget) -> Promise:
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


def about(project: Project, spent: ComposedBudget) -> dict[str, Json]:
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
