"""The sensitivity of a question on one given data set: for teaching, and never what noise is calibrated with.

How far the answer moves for the neighbours of this very data depends on the data, so noise of that size would tell
something about it. The true sensitivity is the largest over all data sets.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS
from anonymizer_gui.engine.dp.safe_rounding import root_above
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion, Project
from anonymizer_gui.engine.rooms.statistics.question import Step

MOST_ROWS = 200


@dataclass(frozen=True, slots=True)
class LocalSensitivity:
    """How far the answer moves at most around one small data set, in its own unit, and how many rows that has."""

    sensitivity: Fraction
    rows: int


def local_sensitivity(
    asked: PlannedQuestion, project: Project, data: Any, progress: Progress = SILENT
) -> LocalSensitivity:
    """Try neighbours of the first rows of the data: one unit of protection less, more or changed.

    What is added is there already. Raises BadParameter for data whose neighbours nobody can make.
    """
    shape, question = data_kind(project.shape), asked.question
    data = shape.some(shape.cut(data, project.unit, "first"), MOST_ROWS)
    public = project.public(asked, shape.rows(data))
    here, steps = question.counted(data, public), question.steps(public)
    moves = [Fraction(0)]
    for number, other in enumerate(shape.neighbours(data, public.unit)):
        progress(number / (number + MOST_ROWS), "Trying neighbours")
        there = question.counted(other, public)
        moves += [_moved(step, a, b) for step, a, b in zip(steps[:1], here, there, strict=False)]
    if len(moves) == 1 and shape.rows(data):
        raise BadParameter("Neighbours of this kind of data cannot be tried.", "Look at its sensitivity.")
    return LocalSensitivity(max(moves) * question.size(public), shape.rows(data))


def _moved(step: Step, one: Ints, other: Ints) -> Fraction:
    """Measure as the mechanism does, when the step has the budget alone."""
    moves = np.abs(one - other)
    if step.mechanism == "gaussian":
        return root_above(int(moves @ moves) / step.share)
    if MECHANISMS.get(step.mechanism).chooses:
        return Fraction(int(moves.max(initial=0)))
    return int(moves.sum()) / step.share
