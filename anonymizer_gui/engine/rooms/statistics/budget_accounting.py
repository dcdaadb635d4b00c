"""What is left to a plan: the ledger's account of the data set, seen from the questions that are to be asked."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.dp.accountant import ComposedBudget, compose
from anonymizer_gui.engine.releases.ledger.budget import BudgetAccount, Spend
from anonymizer_gui.engine.rooms.statistics import answers
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.mechanism_run import BudgetedQuestion
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS


def allowed_total(project: Project, account: BudgetAccount) -> Budget:
    """Give what all releases may spend together: what the ledger was begun with, or less when the plan says so.

    It is no less than what was spent, so that a plan that asks only what is known already can be answered. Raises
    Infeasible when the plan needs a delta that the ledger does not allow.
    """
    if account.total is None:
        return Budget(epsilon=project.total, delta=project.delta)
    if project.delta > account.total.delta:
        raise Infeasible(
            message(
                "The plan allows delta {asked:.3g}, but the ledger only {most:.3g}.",
                asked=float(project.delta),
                most=float(account.total.delta),
            ),
            "Ask with the delta of the ledger, or reset it with a reason.",
        )
    spent = compose_spent(account, account.total)
    most = min(project.total, account.total.epsilon)
    return Budget(epsilon=max(most, spent.epsilon), delta=account.total.delta)


def compose_spent(account: BudgetAccount, total: Budget, more: Sequence[Spend] = ()) -> ComposedBudget:
    """Compose what was spent, with further spends."""
    return compose(account.charged(tuple(more)), total.delta)


def remaining_budget(total: Budget, spent: ComposedBudget) -> Budget:
    """Give what is left; nothing when more was spent than the plan would allow."""
    return Budget(epsilon=max(total.epsilon - spent.epsilon, Fraction(0)), delta=total.delta)


def refuse_other_unit(project: Project, account: BudgetAccount) -> None:
    """Raise BadParameter when earlier spends protect somebody else: what they cost could not be added up."""
    shapes = {kind.shape for kind in QUESTIONS if kind.name in _asked(account)}
    if shapes - {project.shape}:
        other = data_kind(min(shapes - {project.shape}))
        raise BadParameter(
            message("The ledger counts for another kind of data: {title}.", title=message(other.title)),
            "Plan for the kind of data of the ledger, or reset it with a reason.",
        )
    before = account.unit
    if before is not None and (before.kind, before.column) != (project.unit.kind, project.unit.column):
        raise BadParameter(
            message(
                "The ledger counts for the unit {before}, but the plan protects {now}.",
                before=str(before),
                now=str(project.unit),
            ),
            "Plan with the unit of the ledger, or reset it with a reason.",
        )


def _asked(account: BudgetAccount) -> set[str]:
    """Name the questions that were answered before."""
    return {spend.answer["question"] for spend in account.spends if spend.answer and "question" in spend.answer}


def refuse_overdraft(project: Project, account: BudgetAccount, new: Sequence[Spend]) -> None:
    """Raise Infeasible with what is left when the new spends cost more."""
    total = allowed_total(project, account)
    after = compose_spent(account, total, new)
    if after.epsilon <= total.epsilon and after.delta <= total.delta:
        return
    before = compose_spent(account, total)
    if after.delta > total.delta:
        raise Infeasible(
            message("This needs delta {asked:.3g} in all, but only {most:.3g} is allowed.", asked=float(after.delta),
                most=float(total.delta)),
            "Leave out what learns, or reset the ledger with a reason and a larger delta.",
            goal="budget",
        )  # fmt: skip
    raise Infeasible(
        message(
            "This spends {asked}, but only {left} is left.",
            asked=Budget(epsilon=after.epsilon - before.epsilon).sentence(),
            left=Budget(epsilon=remaining_budget(total, before).epsilon).sentence(),
        ),
        _way_out(project, account),
        goal="budget",
    )


def _way_out(project: Project, account: BudgetAccount) -> str:
    """Say what helps: the total of a ledger stands once something was spent."""
    if account.total is not None and account.total.epsilon <= project.total:
        return message("Ask with a smaller epsilon, or ask less; the total of the ledger stands until it is reset.")
    return message("Ask with a smaller epsilon, ask less, or raise the total.")


def known_answers(project: Project, questions: Iterable[BudgetedQuestion], account: BudgetAccount) -> dict[str, Answer]:
    """Find answers that were bought before; the same question again costs nothing.

    It is asked anew only when somebody says how good the answer must be, and no earlier one is as good.
    """
    found: dict[str, Answer] = {}
    for each in questions:
        is_said = each.asked.epsilon is not None or project.policy == "error"
        kept = [spend for spend in account.find(each.key) if spend.answer]
        enough = [spend for spend in kept if not is_said or each.made.spend <= spend.spend]
        if enough:
            found[each.key] = answers.answer_from_json(max(enough, key=_worth).answer)
    return found


def questions_to_pay(questions: Iterable[BudgetedQuestion], known: Mapping[str, Answer]) -> dict[str, BudgetedQuestion]:
    """Give what must be paid: each question once, in the best quality the plan asks for, unless it is known."""
    chosen: dict[str, BudgetedQuestion] = {}
    for each in questions:
        is_better = each.key not in chosen or chosen[each.key].made.spend < each.made.spend
        if each.key not in known and is_better:
            chosen[each.key] = each
    return chosen


def spend_for(each: BudgetedQuestion, project: Project, answer: Answer | None = None) -> Spend:
    """Give the entry of the ledger for a question, with its answer."""
    told = None if answer is None else answers.answer_to_json(answer)
    return Spend(project.room, str(project.unit), each.ask, each.key, each.made.spend, each.asked.part, told)


def _worth(spend: Spend) -> tuple[Fraction, Fraction]:
    return spend.spend.epsilon, spend.spend.rho
