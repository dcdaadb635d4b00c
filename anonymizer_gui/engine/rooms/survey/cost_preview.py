"""What is known before anybody is asked: the protocols for a question, curves of their errors, and the proof."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.local.design import (
    COMPARED,
    FOR_NUMBERS,
    Design,
    Sharing,
    compare_sharing,
    design,
    design_number,
    error_curve,
    needed_answers,
)
from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, MeanProtocol
from anonymizer_gui.engine.dp.local.protocols.local_hashing import LocalHashing
from anonymizer_gui.engine.dp.local.protocols.unary_encoding import UnaryEncoding
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.survey.collection import Question
from anonymizer_gui.engine.rooms.survey.project import Project

ALONG: Mapping[str, str] = {
    "epsilon": "Error against epsilon",
    "values": "Error against the number of values",
    "answers": "Error against the number of answers",
}
WANTED_ERROR = 0.01
"""The error of a share for which the number of answers needed is told."""


@dataclass(frozen=True, slots=True)
class ProtocolPreview:
    """What a question will cost and tell; `problem` says why it cannot be asked, and then nothing else is known."""

    design: Design | None = None
    chosen: str = ""
    size: int = 0
    """How many values can be answered; 0 for a number."""
    ratio: Fraction = Fraction(1)
    epsilon: Fraction = Fraction(1)
    """What this answer may cost."""
    matrix: tuple[tuple[Fraction, ...], ...] = ()
    """Exact chances: a row for each answer, a column for each report, or for those that look the same."""
    answers: tuple[str, ...] = ()
    reports: tuple[str, ...] = ()
    """What the rows and the columns of the matrix stand for."""
    along: str = "epsilon"
    curves: Mapping[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)
    """Errors of the protocols along `along`."""
    sharing: tuple[Sharing, ...] = ()
    needed: int = 0
    problem: AnonymizerError | None = None


def preview_protocols(project: Project, at: int, along: str, progress: Progress = SILENT) -> ProtocolPreview:
    """Compare the protocols for one question of a survey; no data is touched."""
    question, epsilon = project.questions[at], project.share()
    try:
        protocol = question.made(epsilon)
        found = _design(question, epsilon, project.answers)
    except AnonymizerError as error:
        return ProtocolPreview(problem=error)
    progress(0.2, "Comparing the protocols")
    size = len(question.domain)
    # A number has no values to vary.
    along = along if size else {"values": "epsilon"}.get(along, along)
    answers, reports = _heads(protocol, question)
    return ProtocolPreview(
        design=found,
        chosen=protocol.name,
        size=size,
        ratio=protocol.ratio(),
        epsilon=epsilon,
        matrix=tuple(tuple(row) for row in protocol.matrix()),
        answers=answers,
        reports=reports,
        along=along,
        curves=_curves(size, project, along, progress.sub(0.2, 0.9)),
        sharing=_sharing(project),
        needed=needed_answers(protocol.name, size, epsilon, WANTED_ERROR) if size else 0,
    )


def _heads(protocol: FrequencyProtocol | MeanProtocol, question: Question) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name the rows and the columns of the matrix of a protocol."""
    rows, columns = len(protocol.matrix()), len(protocol.matrix()[0])
    domain = question.domain[:rows]
    if isinstance(protocol, MeanProtocol):
        middle = (question.low + question.high) / 2
        cells = ("0", "512", "1023") if columns > 2 else ("0", "1")
        return tuple(f"{number:g}" for number in (question.low, middle, question.high)), cells
    if isinstance(protocol, UnaryEncoding):
        more = "…" if protocol.size > rows else ""
        return domain, tuple("".join(bits) + more for bits in itertools.product("01", repeat=rows))
    if isinstance(protocol, LocalHashing):
        places = tuple(str(place) for place in range(columns))
        return tuple(f"h(v) = {place}" for place in places), places
    return domain, domain


def _design(question: Question, epsilon: Fraction, answers: int) -> Design:
    return design(len(question.domain), epsilon, answers) if question.domain else design_number(epsilon, answers)


def _curves(size: int, project: Project, along: str, progress: Progress) -> dict[str, tuple[tuple[float, float], ...]]:
    found = {}
    names = COMPARED if size else FOR_NUMBERS
    for at, name in enumerate(names):
        progress(at / len(names), "Comparing the protocols")
        points = error_curve(name, along, size, project.share(), project.answers)
        found[name] = tuple((x, y) for x, y in points if y == y)
    return found


def _sharing(project: Project) -> tuple[Sharing, ...]:
    """Compare both ways to share a budget, for the questions that can be asked, each by the protocol it has now."""
    asked = [each for each in project.questions if len(each.domain) > 1 or (not each.domain and each.low < each.high)]
    if len(project.questions) < 2:
        return ()
    told = [(each.name, each.chosen(project.share()), len(each.domain)) for each in asked]
    return compare_sharing(told, project.epsilon, project.answers, len(project.questions))


def levels_of(tree: Hierarchy) -> tuple[tuple[str, ...], ...]:
    """Give the values of every level of a hierarchy that has at least two, the leaves first."""
    levels = [tuple(dict.fromkeys(str(tree.labels[node]) for node in row)) for row in tree.level_table()]
    return tuple(level for level in levels if len(level) > 1)
