"""A run: the plan is checked, the budget is taken, noise is drawn, and all of it is on the disk before it is shown."""

import time
import uuid
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.accountant import compose
from anonymizer_gui.engine.releases.ledger.budget import BudgetAccount, BudgetLedger, OpenAccount, Spend
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.statistics.answers import Answer
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
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.mechanism_run import (
    BudgetedQuestion,
    InterruptedRun,
    answer_question,
    budget_questions,
    error_with_cost,
    refuse_unknown_columns,
)
from anonymizer_gui.engine.rooms.statistics.project import LEDGER, TABLE, Project
from anonymizer_gui.engine.rooms.statistics.release import ModelOutput, Release, draw_outputs


@dataclass(frozen=True, slots=True)
class PaidAnswers:
    """The answers in the order of the plan, and what had to be paid for them."""

    answers: tuple[Answer, ...]
    spends: tuple[Spend, ...]
    stopped: BaseException | None = None
    """What ended it after noise was drawn for somebody to wait for; then there are spends without answers."""


def run(project: Project, files: Files, progress: Progress = SILENT) -> Release:
    """Answer the questions of a plan and spend their budget.

    With a ledger the spends are written and synced together with the answers before these are returned; what was
    bought before is given again for nothing. Raises Infeasible with what is left when the budget does not suffice,
    BadParameter when a question cannot be asked; nothing is spent then.
    """
    started = time.perf_counter()
    shape, data = data_kind(project.shape), files[TABLE]
    ledger: BudgetLedger | None = files.get(LEDGER)
    refuse_unknown_columns(project, shape.columns(data))
    _refuse_counted(project, data)
    questions = budget_questions(project, shape.rows(data))
    if not questions:
        raise BadParameter("The plan asks nothing.", "Add a question, such as count.")
    subject = "" if ledger is None else shape.fingerprint(data, ledger.secret(), progress.sub(0.0, 0.2))
    kept = shape.cut(data, project.unit, project.surplus)
    with nullcontext() if ledger is None else ledger.spending(subject) as spending:
        account = BudgetAccount(subject) if spending is None else spending.account
        bought = _bought(project, questions, account, kept, progress.sub(0.2, 0.95))
        entries = () if spending is None else _entered(spending, project, bought)
    if bought.stopped is not None:
        raise error_with_cost(bought.stopped, bought.spends, has_ledger=ledger is not None)
    # The budget is gone: who stops from here on is given the same answers again for nothing.
    made = draw_outputs(project, bought.answers, progress.sub(0.95, 1.0)) if bought.answers else ()
    return _release(project, account, bought, entries, made, time.perf_counter() - started)


def _refuse_counted(project: Project, data: Any) -> None:
    """Refuse what needs every row where an engine has counted them; raises BadParameter."""
    if not isinstance(data, Table) or data.times is None:
        return
    if project.unit.column:
        raise BadParameter(
            "An engine does not tell the rows of a person apart.", "Protect rows, or read the table into memory."
        )
    other = [asked.question.title for asked in project.questions if not asked.question.only_counts]
    if other:
        raise BadParameter(
            message("“{question}” needs every row, and an engine only counts them.", question=message(other[0])),
            "Ask for counts and histograms, or read the table into memory.",
        )


def _bought(
    project: Project, questions: Sequence[BudgetedQuestion], account: BudgetAccount, data: Any, progress: Progress
) -> PaidAnswers:
    """Answer every question, from memory where that is possible; nothing is drawn unless all can be paid."""
    refuse_other_unit(project, account)
    known = known_answers(project, questions, account)
    to_pay = questions_to_pay(questions, known)
    refuse_overdraft(project, account, [spend_for(each, project) for each in to_pay.values()])
    drawn: dict[str, Answer] = {}
    for at, (key, each) in enumerate(to_pay.items()):
        part = progress.sub(at / len(to_pay), (at + 1) / len(to_pay))
        try:
            drawn[key] = answer_question(each, project, data, part)
        except InterruptedRun as stop:
            begun = [spend_for(each, project, drawn[key]) for key, each in to_pay.items() if key in drawn]
            lost = replace(spend_for(each, project), spend=stop.spent)
            return PaidAnswers((), (*(spend for spend in begun if spend.spend), lost), stop.cause)
    spends = tuple(spend_for(each, project, drawn[key]) for key, each in to_pay.items() if each.made.spend)
    return PaidAnswers(tuple(_in_order(questions, known, drawn)), spends)


def _in_order(
    questions: Sequence[BudgetedQuestion], known: dict[str, Answer], drawn: dict[str, Answer]
) -> list[Answer]:
    """Give an answer to every question; one that is there already costs nothing again."""
    given: set[str] = set()
    answers = []
    for each in questions:
        is_again = each.key in known or each.key in given
        found = known.get(each.key) or drawn[each.key]
        answers.append(replace(found, ask=each.ask, is_cached=is_again))
        given.add(each.key)
    return answers


def _entered(spending: OpenAccount, project: Project, bought: PaidAnswers) -> tuple[str, ...]:
    """Write the spends with their answers, and the total when the account is new."""
    if spending.account.total is None:
        spending.set_total(allowed_total(project, spending.account))
    return tuple(spending.add(spend) for spend in bought.spends)


def _release(
    project: Project,
    account: BudgetAccount,
    bought: PaidAnswers,
    entries: tuple[str, ...],
    made: tuple[ModelOutput, ...],
    seconds: float,
) -> Release:
    total = allowed_total(project, account)
    spent = compose_spent(account, total, bought.spends)
    return Release(
        id=uuid.uuid4().hex,
        name=project.name,
        project=project,
        answers=bought.answers,
        cost=compose(BudgetAccount("").charged(bought.spends), total.delta),
        spent=spent,
        left=remaining_budget(total, spent),
        total=total,
        account=account,
        entries=entries,
        made=made,
        seconds={"answer": seconds},
        version=__version__,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
