"""The help of the room: pages made of what questions and mechanisms say of themselves, all together and one by one."""

import re
from fractions import Fraction
from functools import partial
from typing import Any

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, Mechanism
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, histogram
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion, Project
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Question
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question
from anonymizer_gui.ui.help_pages import GeneratedPages, generated_page
from anonymizer_gui.ui.i18n import format_significant, tr

_UNITS = ("row", "change", "person=id:3")
_EPSILONS = ("0.1", "0.5", "1", "2")
_TREES = {"education": Hierarchy.from_nested({"*": {"lower": ["none", "school"], "higher": ["college", "doctorate"]}})}
_ROWS = 1000


def questions_page() -> str:
    """Describe every question."""
    intro = tr("What can be asked. Bounds, bins and categories are given by you or by a hierarchy, never by the data.")
    questions: list[Any] = list(QUESTIONS)
    each = "\n".join(f"- [{tr(kind.title)}](question-{kind.name}.md)" for kind in QUESTIONS)
    return f"{generated_page(tr('Questions'), intro, questions, _facts())}\n## {tr('One by one')}\n\n{each}\n"


def mechanisms_page() -> str:
    """Describe every mechanism."""
    intro = tr("How an answer is changed by chance, so that nobody can be sure whether you are in the data.")
    mechanisms: list[Any] = list(MECHANISMS)
    each = "\n".join(f"- [{tr(kind.title)}](mechanism-{kind.name}.md)" for kind in MECHANISMS)
    page = generated_page(tr("Mechanisms"), intro, mechanisms, formula=True, source="reference")
    return f"{page}\n## {tr('One by one')}\n\n{each}\n"


def question_page(kind: type[Question]) -> str:
    """Describe one question: how it is asked, what can be set, and how far one person moves it."""
    several = tr("See also: [all questions](questions.md), [mechanisms](mechanisms.md).")
    page = generated_page(tr(kind.title), tr("A question of the plan."), [kind], _facts())
    return f"{_under_one_title(page)}\n{_sensitivities(kind)}\n{several}\n"


def mechanism_page(kind: type[Mechanism]) -> str:
    """Describe one mechanism: its formula, and how far off its answers are."""
    several = tr("See also: [all mechanisms](mechanisms.md), [questions](questions.md).")
    page = generated_page(
        tr(kind.title), tr("How an answer is changed by chance."), [kind], formula=True, source="reference"
    )
    return f"{_under_one_title(page)}\n{_errors(kind)}\n{several}\n"


def _under_one_title(page: str) -> str:
    """Leave out the second heading, which says the same."""
    return re.sub(r"\n## .*\n", "", page, count=1)


def _facts() -> tuple[tuple[str, str], ...]:
    return (tr("On the command line"), "usage"), (tr("Careful"), "why_careful")


def _sensitivities(kind: type[Question]) -> str:
    """Tell S for every unit of protection, for the question as one would ask it."""
    if not kind.example:
        return ""
    asked = parse_question(kind.example, kind.shape)
    rows = [f"## {tr('Sensitivity')}", "", tr("For `{example}`:", example=kind.example), ""]
    rows += [f"| {tr('Unit')} | S | {tr('Why')} |", "| --- | --- | --- |"]
    for unit in (unit for unit in map(PrivacyUnit.parse, _UNITS) if unit.kind in data_kind(kind.shape).units()):
        public = Project(unit=unit, hierarchies=_TREES, rows=_ROWS).public(PlannedQuestion(asked.question))
        most = format_significant(float(asked.question.sensitivity(public)), 4)
        rows.append(f"| {unit} | {most} | {tr(asked.question.why(public))} |")
    return "\n".join(rows) + "\n"


def _errors(kind: type[Mechanism]) -> str:
    """Tell the error of a count, or of a choice among ten candidates, for some epsilons; rho where that is spent."""
    cells = 10 if kind.chooses else 1
    name = "ε" if kind.spends == "epsilon" else "ρ"
    rows = [f"## {tr('95% error')}", "", tr("Counts of {cells:cell|cells}, one row more or less:", cells=cells), ""]
    rows += [f"| {name} | {tr('Scale')} | {tr('95% error')} |", "| --- | --- | --- |"]
    for text in _EPSILONS:
        made = kind(histogram(PrivacyUnit()), Budget(**{kind.spends: Fraction(text)}))
        rows.append(
            f"| {format_significant(float(text), 2)} | {format_significant(float(made.scale()), 4)} | "
            f"{made.error(cells)} |"
        )
    return "\n".join(rows) + "\n"


def _titled(kind: Any) -> str:
    return tr(kind.title)


COMPOSED: GeneratedPages = {
    "statistics/questions": (lambda: tr("Questions"), questions_page),
    **{
        f"statistics/question-{kind.name}": (partial(_titled, kind), partial(question_page, kind)) for kind in QUESTIONS
    },
    "statistics/mechanisms": (lambda: tr("Mechanisms"), mechanisms_page),
    **{
        f"statistics/mechanism-{kind.name}": (partial(_titled, kind), partial(mechanism_page, kind))
        for kind in MECHANISMS
    },
}
ORDER = (
    "statistics/statistics", "statistics/hierarchies", "statistics/plan", "statistics/preview", "statistics/models",
    "statistics/bench",
    "statistics/budget", "statistics/checker", "release", *COMPOSED,
)  # fmt: skip
