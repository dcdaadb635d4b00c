"""How long a run will take, so that it is told before the run and not by waiting."""

from dataclasses import replace

from anonymizer_gui.engine.errors import TakesTooLong
from anonymizer_gui.engine.rooms.microdata.memory import size_of
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.shapes.tables.table import Table
from anonymizer_gui.engine.words import Sentence, say

LONGEST_SECONDS = 3600.0
"""What is estimated to take longer is started only when the user says so."""
WORTH_TELLING = 60.0
_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0


def check_duration(table: Table, project: Project, tuples: int) -> None:
    """Raise TakesTooLong when an algorithm would look for classes of so many different tuples for hours."""
    seconds = estimated_seconds(table, project, tuples)
    if seconds > LONGEST_SECONDS and project.algorithm is not None:
        raise TakesTooLong(
            say(
                "{method} will take about {time} for {rows:row|rows}, {tuples} of them different.",
                method=say(project.algorithm.title),
                time=in_words(seconds),
                rows=table.n_rows,
                tuples=tuples,
            ),
            "Choose Mondrian or top-down, take fewer rows or columns, or try anyway.",
        )


def estimated_seconds(table: Table, project: Project, tuples: int | None = None) -> float:
    """Estimate how long the algorithm looks for classes; at most as many tuples as there can be are different.

    Measured on one machine: another one may take a few times as long, and a busy one, too.
    """
    if project.algorithm is None or not table.n_rows:
        return 0.0
    size = size_of(table, project)
    return project.algorithm.seconds(size if tuples is None else replace(size, tuples=tuples))


def in_words(seconds: float) -> Sentence:
    """Say a time in minutes, hours or days.

    >>> print(in_words(90), in_words(9000), in_words(4e5), sep=", ")
    2 minutes, 2.5 hours, 5 days
    """
    if seconds < _HOUR:
        return say("{minutes:minute|minutes}", minutes=max(1, round(seconds / _MINUTE)))
    if seconds < 2 * _DAY:
        return say("{hours:,.1f} hours", hours=seconds / _HOUR)
    return say("{days:day|days}", days=round(seconds / _DAY))
