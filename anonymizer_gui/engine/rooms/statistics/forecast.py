"""What a release would cost now: questions whose answers are known already cost nothing again."""

from dataclasses import dataclass, replace
from fractions import Fraction

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.releases.ledger.budget import BudgetAccount
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.statistics.accounts import (
    bought_before,
    dearest,
    refuse_other_unit,
    refuse_overdraft,
    spend_for,
    standing,
)
from anonymizer_gui.engine.rooms.statistics.answering import planned, refuse_unknown
from anonymizer_gui.engine.rooms.statistics.budget_state import BudgetState, account_of, state
from anonymizer_gui.engine.rooms.statistics.project import TABLE, Asked, Project
from anonymizer_gui.engine.rooms.statistics.shape import shape_of
from anonymizer_gui.engine.rooms.statistics.splitting import shares

_ENOUGH = Fraction(10**6)
"""More than any question may cost: the error wanted alone decides."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """Where the budget stands, what a release would add to what was spent, and why it would be refused."""

    budget: BudgetState
    cost: Budget = NO_BUDGET
    known: int = 0
    """So many questions are answered from memory."""
    problem: AnonymizerError | None = None

    @property
    def left(self) -> Budget:
        """What would be left afterwards."""
        after = max(self.budget.left.epsilon - self.cost.epsilon, NO_BUDGET.epsilon)
        return Budget(epsilon=after, delta=self.budget.left.delta)


def forecast(project: Project, files: Files, progress: Progress = SILENT) -> Forecast:
    """Say what a release would cost, without making it; raises Infeasible when the ledger does not allow its delta."""
    account = account_of(project, files, progress)
    budget = state(project, account)
    try:
        return _paid(project, files, account, budget)
    except AnonymizerError as error:
        own = budget.plan.budget() if budget.plan else NO_BUDGET
        return Forecast(budget, own, problem=error)


def _paid(project: Project, files: Files, account: BudgetAccount, budget: BudgetState) -> Forecast:
    refuse_other_unit(project, account)
    shape = shape_of(project.shape)
    rows = shape.rows(files[TABLE]) if TABLE in files else None
    if TABLE in files:
        refuse_unknown(project, shape.columns(files[TABLE]))
    questions = planned(project, rows)
    known = bought_before(project, questions, account)
    new = [spend_for(each, project) for each in dearest(questions, known).values()]
    refuse_overdraft(project, account, new)
    after = standing(account, budget.total, new)
    cost = max(after.epsilon - budget.spent.epsilon, NO_BUDGET.epsilon)
    return Forecast(budget, Budget(epsilon=cost), len(known))


def epsilon_for_error(asked: Asked, project: Project, error: float) -> Fraction:
    """Find the smallest epsilon whose expected error is the one wanted; raises BadParameter when there is none."""
    alone = replace(asked, epsilon=None, error=error, part=None)
    return shares(replace(project, questions=(alone,), policy="error", epsilon=_ENOUGH))[0]
