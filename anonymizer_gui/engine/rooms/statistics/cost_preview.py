"""What a plan costs and how far off it will be; where the budget stands."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.accountant import ComposedBudget, compose, compose_parts, group_privacy
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS
from anonymizer_gui.engine.releases.ledger.budget import BudgetAccount, BudgetLedger
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.statistics.budget_accounting import (
    allowed_total,
    compose_spent,
    known_answers,
    questions_to_pay,
    refuse_other_unit,
    refuse_overdraft,
    remaining_budget,
    spend_for,
)
from anonymizer_gui.engine.rooms.statistics.budget_allocation import (
    EXACT,
    CalibratedQuestion,
    allocate_budget,
    calibrate,
)
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.mechanism_run import (
    budget_questions,
    refuse_unknown_columns,
    unknown_column,
)
from anonymizer_gui.engine.rooms.statistics.project import LEDGER, TABLE, PlannedQuestion, Project
from anonymizer_gui.engine.rooms.statistics.question_syntax import question_text


@dataclass(frozen=True, slots=True)
class QuestionPreview:
    """One question of a plan as it would be answered; one with a problem has nothing else to tell.

    `is_signal` says whether the answer is expected to be larger than its error, nothing where nobody can say.
    """

    asked: PlannedQuestion
    ask: str
    problem: AnonymizerError | None = None
    mechanism: str = ""
    mechanism_title: str = ""
    sensitivity: Fraction = Fraction(0)
    why: str = ""
    scale: Fraction = Fraction(0)
    epsilon: Fraction = Fraction(0)
    spend: Budget = NO_BUDGET
    cells: int = 0
    error95: float | None = None
    error95_all: float | None = None
    in_unit: str = ""
    is_signal: bool | None = None


def preview_questions(project: Project, columns: Collection[str] | None = None) -> tuple[QuestionPreview, ...]:
    """Look ahead at every question of a plan; one about a column that is not among those of the data has a problem."""
    problems = [_unknown(asked, columns) or _problem(asked, project) for asked in project.questions]
    good = tuple(asked for asked, problem in zip(project.questions, problems, strict=True) if problem is None)
    try:
        epsilons = iter(allocate_budget(replace(project, questions=good)))
    except AnonymizerError as error:
        return tuple(
            QuestionPreview(asked, question_text(asked), problem or error)
            for asked, problem in zip(project.questions, problems, strict=True)
        )
    return tuple(
        QuestionPreview(asked, question_text(asked), problem) if problem else _seen(asked, project, next(epsilons))
        for asked, problem in zip(project.questions, problems, strict=True)
    )


def plan_cost(project: Project) -> ComposedBudget:
    """Compose what the questions of a plan would cost together; raises what keeps them from being asked."""
    spends = [(each.made.spend, each.asked.part) for each in budget_questions(project)]
    return compose(compose_parts(spends, project.unit), project.delta)


def error_curve(asked: PlannedQuestion, project: Project, epsilons: Iterable[Fraction]) -> tuple[float | None, ...]:
    """Give the 95 % error of one number of the answer for several epsilons; nothing where it cannot be had."""
    return tuple(_error(asked, project, epsilon) for epsilon in epsilons)


def _error(asked: PlannedQuestion, project: Project, epsilon: Fraction) -> float | None:
    try:
        return calibrate(asked.question, project.public(asked), epsilon, project.delta_of(asked)).error()
    except AnonymizerError:
        return None


def _unknown(asked: PlannedQuestion, columns: Collection[str] | None) -> AnonymizerError | None:
    unknown = [name for name in asked.columns() if columns is not None and name and name not in columns]
    return unknown_column(unknown[0]) if unknown else None


def _problem(asked: PlannedQuestion, project: Project) -> AnonymizerError | None:
    try:
        calibrate(asked.question, project.public(asked), asked.epsilon or Fraction(1), project.delta_of(asked))
    except AnonymizerError as error:
        return error
    return None


def _seen(asked: PlannedQuestion, project: Project, epsilon: Fraction) -> QuestionPreview:
    made = calibrate(asked.question, project.public(asked), epsilon, project.delta_of(asked))
    question, public = made.question, made.public
    return QuestionPreview(
        asked,
        question_text(asked),
        mechanism=made.mechanism,
        mechanism_title=_title(made),
        sensitivity=question.sensitivity(public),
        why=question.why(public),
        scale=made.scale,
        epsilon=made.epsilon,
        spend=made.spend,
        cells=made.cells,
        error95=made.error(),
        error95_all=made.error(made.cells),
        in_unit=question.in_unit(),
        is_signal=_is_signal(made),
    )


def _title(made: CalibratedQuestion) -> Message:
    return (
        message("No noise: it is public") if made.mechanism == EXACT else message(MECHANISMS.get(made.mechanism).title)
    )


def _is_signal(made: CalibratedQuestion) -> bool | None:
    typical, error = made.question.typical(made.public), made.error()
    return None if typical is None or error is None else error < typical


@dataclass(frozen=True, slots=True)
class BudgetState:
    """The total, what was spent of it, what the plan would cost by itself, and the ledger's account."""

    total: Budget
    spent: ComposedBudget
    left: Budget
    plan: ComposedBudget | None
    """Nothing while a question cannot be asked."""
    account: BudgetAccount

    def group(self, people: int) -> Budget:
        """Give what all releases cost a group of so many people together."""
        return group_privacy(self.spent.budget(), people)


def ledger_account(project: Project, files: Files, progress: Progress = SILENT) -> BudgetAccount:
    """Give the ledger's account of the data; an empty one without a ledger, or before it is made."""
    ledger: BudgetLedger | None = files.get(LEDGER)
    if ledger is None or TABLE not in files or not ledger.path.exists():
        return BudgetAccount("")
    subject = data_kind(project.shape).fingerprint(files[TABLE], ledger.secret(), progress)
    return ledger.account(subject)


def budget_state(project: Project, account: BudgetAccount) -> BudgetState:
    """Say where the budget stands for a plan; raises Infeasible when the ledger does not allow its delta."""
    total = allowed_total(project, account)
    spent = compose_spent(account, total)
    try:
        plan = plan_cost(project)
    except AnonymizerError:
        plan = None
    return BudgetState(total, spent, remaining_budget(total, spent), plan, account)


_ENOUGH = Fraction(10**6)
"""More than any question may cost: the error wanted alone decides."""


@dataclass(frozen=True, slots=True)
class CostPreview:
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


def preview_cost(project: Project, files: Files, progress: Progress = SILENT) -> CostPreview:
    """Say what a release would cost, without making it; raises Infeasible when the ledger does not allow its delta."""
    account = ledger_account(project, files, progress)
    budget = budget_state(project, account)
    try:
        return _paid(project, files, account, budget)
    except AnonymizerError as error:
        own = budget.plan.budget() if budget.plan else NO_BUDGET
        return CostPreview(budget, own, problem=error)


def _paid(project: Project, files: Files, account: BudgetAccount, budget: BudgetState) -> CostPreview:
    refuse_other_unit(project, account)
    shape = data_kind(project.shape)
    rows = shape.rows(files[TABLE]) if TABLE in files else None
    if TABLE in files:
        refuse_unknown_columns(project, shape.columns(files[TABLE]))
    questions = budget_questions(project, rows)
    known = known_answers(project, questions, account)
    new = [spend_for(each, project) for each in questions_to_pay(questions, known).values()]
    refuse_overdraft(project, account, new)
    after = compose_spent(account, budget.total, new)
    cost = max(after.epsilon - budget.spent.epsilon, NO_BUDGET.epsilon)
    return CostPreview(budget, Budget(epsilon=cost), len(known))


def epsilon_for_error(asked: PlannedQuestion, project: Project, error: float) -> Fraction:
    """Find the smallest epsilon whose expected error is the one wanted; raises BadParameter when there is none."""
    alone = replace(asked, epsilon=None, error=error, part=None)
    return allocate_budget(replace(project, questions=(alone,), policy="error", epsilon=_ENOUGH))[0]
