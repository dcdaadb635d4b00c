"""The sensitivity of a question on one given table: for teaching, and never what noise is calibrated with.

How far the answer moves for the neighbours of this very table depends on the table, so noise of that size would tell
something about it. The true sensitivity is the largest over all tables.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.unit import Neighbours
from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.statistics.project import Asked, Project
from anonymizer_gui.engine.shapes.tables.classes import classes_of
from anonymizer_gui.engine.shapes.tables.table import Table

MOST_ROWS = 300
_MOST_VALUES = 40


def local_sensitivity(asked: Asked, project: Project, table: Table, progress: Progress = SILENT) -> Fraction:
    """Give how far removing, adding or changing one row of a small table moves the answer, in its own unit.

    Rows that are added are those that are there already. Raises BadParameter for a table that is not small.
    """
    if table.n_rows > MOST_ROWS:
        raise BadParameter("The table is too large to try all of its neighbours.", "Take a small table to learn with.")
    public = project.public(asked, table.n_rows)
    here = asked.question.counted(table, public)
    farthest = 0
    for number, neighbour in enumerate(_neighbours(table, public.unit.kind is Neighbours.CHANGE)):
        progress(number / (number + MOST_ROWS), "Trying neighbours")
        farthest = max(farthest, _distance(here, asked.question.counted(neighbour, public)))
    return farthest * asked.question.size(public)


def _distance(one: tuple[Ints, ...], other: tuple[Ints, ...]) -> int:
    return max(int(np.abs(a - b).sum()) for a, b in zip(one, other, strict=True))


def _neighbours(table: Table, is_changed: bool) -> Iterator[Table]:
    rows = np.arange(table.n_rows)
    kinds = classes_of(table, table.names).first_rows if table.n_rows else rows
    for row in kinds:
        without = rows[rows != row]
        if is_changed:
            for other in kinds[:_MOST_VALUES]:
                yield table.take(np.append(without, other))
        else:
            yield table.take(without)
            yield table.take(np.append(rows, row))
