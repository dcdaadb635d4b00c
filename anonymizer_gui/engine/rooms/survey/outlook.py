"""What is known before anybody is asked: the protocols for a question, curves of their errors, and the proof."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from anonymizer_gui.engine.dp.local.design import (
    COMPARED,
    Design,
    Sharing,
    curve,
    design,
    design_number,
    needed_answers,
    shared,
)
from anonymizer_gui.engine.dp.local.protocol import Counting, Matrix
from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.survey.project import Project
from anonymizer_gui.engine.rooms.survey.question import Question

ALONG: Mapping[str, str] = {
    "epsilon": "Error against epsilon",
    "values": "Error against the number of values",
    "answers": "Error against the number of answers",
}
WANTED_ERROR = 0.01
"""The error of a share for which the number of answers needed is told."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a question will cost and tell; `problem` says why it cannot be asked, and then nothing else is known."""

    design: Design | None = None
    chosen: str = ""
    size: int = 0
    """How many values can be answered; 0 for a number."""
    ratio: Fraction = Fraction(1)
    epsilon: Fraction = Fraction(1)
    """What this answer may cost."""
    matrix: tuple[tuple[Fraction, ...], ...] = ()
    curves: Mapping[str, tuple[tuple[float, float], ...]] | None = None
    sharing: tuple[Sharing, ...] = ()
    needed: int = 0
    problem: AnonymizerError | None = None


def look_ahead(project: Project, at: int, along: str, progress: Progress = SILENT) -> Outlook:
    """Compare the protocols for one question of a survey; no data is touched."""
    question, epsilon = project.questions[at], project.share()
    try:
        protocol = question.made(epsilon)
        found = _design(question, epsilon, project.answers)
    except AnonymizerError as error:
        return Outlook(problem=error)
    progress(0.2, "Comparing the protocols")
    values = isinstance(protocol, Counting)
    return Outlook(
        design=found,
        chosen=protocol.name,
        size=len(question.domain),
        ratio=protocol.ratio(),
        epsilon=epsilon,
        matrix=_rows(protocol.matrix()),
        curves=_curves(question, project, along, progress.sub(0.2, 0.9)) if values else None,
        sharing=_sharing(project),
        needed=needed_answers(protocol.name, len(question.domain), epsilon, WANTED_ERROR) if values else 0,
    )


def _rows(matrix: Matrix) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(row) for row in matrix)


def _design(question: Question, epsilon: Fraction, answers: int) -> Design:
    return design(len(question.domain), epsilon, answers) if question.domain else design_number(epsilon, answers)


def _curves(
    question: Question, project: Project, along: str, progress: Progress
) -> dict[str, tuple[tuple[float, float], ...]]:
    found = {}
    for at, name in enumerate(COMPARED):
        progress(at / len(COMPARED), "Comparing the protocols")
        points = curve(name, along, len(question.domain), project.share(), project.answers)
        found[name] = tuple((x, y) for x, y in points if y == y)
    return found


def _sharing(project: Project) -> tuple[Sharing, ...]:
    """Compare both ways to share a budget, for the questions that can be asked, each by the protocol it has now."""
    asked = [each for each in project.questions if len(each.domain) > 1 or (not each.domain and each.low < each.high)]
    if len(project.questions) < 2:
        return ()
    told = [(each.name, each.chosen(project.share()), len(each.domain)) for each in asked]
    return shared(told, project.epsilon, project.answers, len(project.questions))


def levels_of(tree: Hierarchy) -> tuple[tuple[str, ...], ...]:
    """Give the values of every level of a hierarchy that has at least two, the leaves first."""
    levels = [tuple(dict.fromkeys(str(tree.labels[node]) for node in row)) for row in tree.level_table()]
    return tuple(level for level in levels if len(level) > 1)
