"""The help of the room: pages made of what questions and mechanisms say of themselves."""

from typing import Any

from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS
from anonymizer_gui.ui.help_pages import Composed, composed_page
from anonymizer_gui.ui.i18n import tr

ORDER = (
    "statistics/statistics", "statistics/plan", "statistics/preview", "statistics/bench", "statistics/questions",
    "statistics/mechanisms", "statistics/budget", "statistics/checker", "release",
)  # fmt: skip


def questions_page() -> str:
    """Describe every question."""
    intro = tr("What can be asked. Bounds, bins and categories are given by you or by a hierarchy, never by the data.")
    facts = ((tr("On the command line"), "usage"), (tr("Careful"), "why_careful"))
    questions: list[Any] = list(QUESTIONS)
    return composed_page(tr("Questions"), intro, questions, facts)


def mechanisms_page() -> str:
    """Describe every mechanism."""
    intro = tr("How an answer is changed by chance, so that nobody can tell whether you are in the data.")
    mechanisms: list[Any] = list(MECHANISMS)
    return composed_page(tr("Mechanisms"), intro, mechanisms)


COMPOSED: Composed = {
    "statistics/questions": (lambda: tr("Questions"), questions_page),
    "statistics/mechanisms": (lambda: tr("Mechanisms"), mechanisms_page),
}
