"""Memory, time and lattice size before a run."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from anonymizer_gui.engine.core.errors import NotEnoughMemory, TakesTooLong
from anonymizer_gui.engine.core.memory import free_memory
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize


@dataclass(frozen=True, slots=True)
class LatticeSize:
    """The rows, the quasi-identifiers, the nodes of the full-domain lattice, and whether nothing can be pruned."""

    rows: int
    columns: int
    nodes: int
    compares_while_suppressing: bool


def lattice_size(table: Table, project: Project) -> LatticeSize:
    """Count the nodes of the lattice within the level bounds; a column without a hierarchy has two levels.

    Goals that compare classes with the whole table are not monotone when rows may be suppressed: every node that
    could be better must then be looked at.
    """
    heights = []
    for name in project.schema.names(Role.QI):
        tree = project.hierarchies.get(name)
        height = 1 if tree is None else tree.height
        lowest, highest = project.bounds.get(name, (0, height))
        heights.append(max(min(highest, height) - lowest, 0) + 1)
    compares = any(goal.compares_with_whole for goal in project.goals)
    return LatticeSize(table.n_whole, len(heights), math.prod(heights), compares and project.suppression > 0)


MAX_SECONDS = 3600.0
"""What is estimated to take longer is started only when the user says so."""

MIN_SECONDS_SHOWN = 60.0

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0

# Measured on tables of 100,000 to ten million rows; rounded up. What a run holds all the time, and what it takes in
# the end to publish, measure and export, when the algorithm has given back its own.
_HELD_PER_ROW = 30

_HELD_PER_CELL = {Role.QI: 8, Role.SA: 40, Role.EI: 0, Role.OTHER: 0}

_HELD_PER_PERSON = 90

_PUBLISHED_PER_ROW = 30

_PUBLISHED_PER_CELL = {Role.QI: 16, Role.SA: 40, Role.EI: 12, Role.OTHER: 12}

_PER_LABEL = 120

_PER_LEAF = 200


def check_memory(table: Table, project: Project, population: Table | None = None) -> None:
    """Raise NotEnoughMemory when the free memory will hardly suffice for a run; say nothing when it is unknown."""
    needed, free = needed_memory(table, project, population), free_memory()
    if free is not None and needed > free:
        raise NotEnoughMemory(
            message(
                "This run will need about {needed:,.1f} GB of memory, and {free:,.1f} GB are free.",
                needed=needed / 1e9,
                free=free / 1e9,
            ),
            "Close other programs, take fewer rows or columns, or try anyway.",
        )


def needed_memory(table: Table, project: Project, population: Table | None = None) -> int:
    """Estimate the bytes that anonymizing, measuring and exporting take beyond the table itself.

    >>> from anonymizer_gui.engine.data.tables.table import Schema
    >>> needed_memory(Table((), 0), Project(schema=Schema()))
    0
    """
    if not table.n_rows:
        return 0
    roles = {entry.name: entry.role for entry in project.schema.columns}
    roles_there = [roles.get(column.name, Role.OTHER) for column in table.columns]
    size = problem_size(table, project)
    beside = (column for column in table.columns if roles.get(column.name) is not Role.QI)
    labels = _PER_LABEL * sum(len(column.labels) for column in beside)
    people = 0 if population is None else 28 * population.n_rows * size.columns
    return labels + needed_by_size(size, roles_there, project) + people


def needed_by_size(size: ProblemSize, roles: Sequence[Role], project: Project) -> int:
    """Estimate the bytes a run takes for a table of that size with columns of these roles."""
    per_row = _HELD_PER_ROW + (_HELD_PER_PERSON if project.person else 0)
    held = size.rows * (per_row + sum(_HELD_PER_CELL[role] for role in roles))
    published = size.rows * (_PUBLISHED_PER_ROW + sum(_PUBLISHED_PER_CELL[role] for role in roles))
    found = 0 if project.algorithm is None else project.algorithm.memory(size)
    return _hierarchies(size) + held + max(found, published)


def check_duration(table: Table, project: Project, tuples: int) -> None:
    """Raise TakesTooLong when an algorithm would look for classes of so many different tuples for hours."""
    seconds = estimated_seconds(table, project, tuples)
    if seconds > MAX_SECONDS and project.algorithm is not None:
        raise TakesTooLong(
            message(
                "{method} will take about {time} for {rows:row|rows}, {tuples:,} of them different.",
                method=message(project.algorithm.title),
                time=duration_text(seconds),
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
    size = problem_size(table, project)
    return project.algorithm.seconds(size if tuples is None else replace(size, tuples=tuples))


def duration_text(seconds: float) -> Message:
    """Say a time in minutes, hours or days.

    >>> print(duration_text(90), duration_text(9000), duration_text(4e5), sep=", ")
    2 minutes, 2.5 hours, 5 days
    """
    if seconds < _HOUR:
        return message("{minutes:minute|minutes}", minutes=max(1, round(seconds / _MINUTE)))
    if seconds < 2 * _DAY:
        return message("{hours:,.1f} hours", hours=seconds / _HOUR)
    return message("{days:day|days}", days=round(seconds / _DAY))


def problem_size(table: Table, project: Project) -> ProblemSize:
    """Tell the size of a table; a QI without a hierarchy will get a flat one."""
    names = [name for name in project.schema.names(Role.QI) if name in table.names]
    there = [len(table.column(name).labels) for name in names]
    trees = [project.hierarchies.get(name) for name in names]
    sensitive = [len(table.column(name).labels) for name in project.schema.names(Role.SA) if name in table.names]
    if len(sensitive) > 1 and any(goal.reads_together for goal in project.goals):
        sensitive.append(min(table.n_told, math.prod(sensitive)))  # their combinations are counted, too
    return ProblemSize(
        rows=table.n_told,
        tuples=min(table.n_told, math.prod(there)),
        leaves=tuple(n if tree is None else tree.n_leaves for n, tree in zip(there, trees, strict=True)),
        nodes=tuple(n + 1 if tree is None else len(tree) for n, tree in zip(there, trees, strict=True)),
        levels=tuple(2 if tree is None else tree.height + 1 for tree in trees),
        sensitive=len(sensitive),
        values=max(sensitive, default=1),
        least_rows=max([1, *(goal.least_rows() for goal in project.goals)]),
        by_size_alone=not project.person and all(goal.by_size_alone for goal in project.goals),
    )


def _hierarchies(size: ProblemSize) -> int:
    """Give the bytes of what is looked up in hierarchies: labels, ancestors by level, common ancestors."""
    each = zip(size.leaves, size.levels, strict=True)
    return sum(leaves * (_PER_LEAF + 8 * leaves.bit_length() + 4 * levels) for leaves, levels in each)
