"""From a table that stays where it is to the counted table that algorithms search: names, values, combinations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadProject, NotEnoughMemory
from anonymizer_gui.engine.core.memory import free_memory
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.normalisation import repair_names
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.rooms.microdata.elsewhere.base import Base, first_base, raised
from anonymizer_gui.engine.rooms.microdata.elsewhere.persons import numbered_people
from anonymizer_gui.engine.rooms.microdata.elsewhere.preparing import prepared_there, refuse_row_steps
from anonymizer_gui.engine.rooms.microdata.needs import needed_for, size_of
from anonymizer_gui.engine.rooms.microdata.preparing.steps import prepared, steps_of, with_counted, with_steps
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recipe import with_hierarchies
from anonymizer_gui.engine.scale.contract import Engine, EngineInput
from anonymizer_gui.engine.scale.frequency_set import (
    NO_REWRITES,
    DistinctValues,
    TupleKeys,
    ValueRewrites,
    count_tuples,
    distinct_values,
    expand_rows,
    fetch_frequency_set,
    scalar,
)
from anonymizer_gui.engine.storage.sources import Source

WHOLE_ROWS = 100_000
"""Tables of so many rows are fetched with all their columns; larger ones are counted, and stay where they are."""
_PER_CELL = 12
_RECOUNTED_PER_PERSON = 520
"""What the recount of people takes for each of their combinations, measured; rounded up."""
_UNKNOWN_MEMORY = 2 << 30


@dataclass(frozen=True, slots=True, eq=False)
class Fetched:
    """What is known of a table that an engine holds.

    `table` is the whole table where `is_whole`, otherwise its quasi-identifiers and sensitive columns, counted; `keys`
    are then those under which the engine knows each of its rows.
    """

    project: Project
    names: tuple[str, ...]
    table: Table
    keys: TupleKeys
    key_of_row: tuple[npt.NDArray[np.int64], ...]
    is_whole: bool
    base: Base
    written: ValueRewrites

    def place(self, name: str) -> int:
        """Give the number of a column in the engine."""
        return self.names.index(name)


def fetch_table(
    engine: Engine, source: EngineInput, project: Project, progress: Progress, *, most_bytes: int = 0
) -> Fetched:
    """Ask an engine for all a run must know; `most_bytes` is what the combinations may take (0: half of what is free).

    Raises BadProject when a column is not there, BadHierarchy when a value has no place, NotEnoughMemory.
    """
    progress(0.0, message("Opening the table"))
    refuse_row_steps(project.source)
    names, _ = repair_names(engine.open(source, progress))
    _refuse_missing(project, names)
    n_rows = scalar(engine, "SELECT count(*) AS n FROM source", progress)
    opened = _Opened(engine, source, names, project.source, most_bytes)
    described = replace(project, source=Source(source.place, source.digest(), params_json(source.options)))
    if _is_whole(project, n_rows):
        _refuse_too_large(n_rows, len(names), most_bytes)
        return _whole(opened, described, progress)
    return _counted(opened, described, progress)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A table that an engine has opened, and the steps its project prepares it by."""

    engine: Engine
    source: EngineInput
    names: tuple[str, ...]
    steps: Source | None
    most_bytes: int

    def values(self, wanted: Sequence[str], progress: Progress) -> tuple[DistinctValues, ...]:
        """Ask for the distinct values of some columns."""
        found = []
        for done, name in enumerate(wanted):
            told: Message = message("Counting the values of “{name}”", name=name)
            progress(done / len(wanted), told)
            found.append(
                distinct_values(self.engine, self.names.index(name), name, self.source.options.missing, progress)
            )
        return tuple(found)


def _whole(opened: _Opened, project: Project, progress: Progress) -> Fetched:
    """Fetch every row, and go on with the table as memory does."""
    base = Base(project, opened.values(opened.names, progress.sub(0.05, 0.5)), {})
    keys = TupleKeys.of(base.values)
    count_tuples(opened.engine, keys, progress)
    counted = fetch_frequency_set(opened.engine, keys, progress.sub(0.9, 1.0))
    table = expand_rows(counted.table)
    if project.source is not None:
        table, described = prepared(table, with_steps(project.source, steps_of(opened.steps)), progress)
        project = replace(project, source=described)
    project = with_hierarchies(project, table) if project.rules else project
    return Fetched(project, opened.names, table, keys, counted.keys, True, replace(base, project=project), NO_REWRITES)


def _counted(opened: _Opened, project: Project, progress: Progress) -> Fetched:
    """Fetch the combinations that algorithms search, with whom they are about where that is known."""
    engine, names = opened.engine, opened.names
    written, steps = prepared_there(engine, names, opened.source, opened.steps, progress.sub(0.05, 0.1))
    known = {entry.name: entry.role for entry in project.schema.columns}
    wanted = [name for name in names if known.get(name) in (Role.QI, Role.SA)]
    values = tuple(written.values(one) for one in opened.values(wanted, progress.sub(0.1, 0.5)))
    if project.source is not None:
        project = replace(project, source=with_counted(project.source, steps))
    base = first_base(_with_hierarchies(project, values), values)
    if project.person:
        at, missing = names.index(project.person), opened.source.options.missing
        people = numbered_people(engine, at, project.person, missing, written, progress)
        base = replace(base, values=(*base.values, people))
    base = _fitted(engine, base, progress.sub(0.5, 0.9), opened.most_bytes)
    keys = TupleKeys.of(base.values)
    counted = fetch_frequency_set(engine, keys, progress.sub(0.9, 1.0))
    return Fetched(base.project, names, counted.table, keys, counted.keys, False, base, written)


def _fitted(engine: Engine, base: Base, progress: Progress, most_bytes: int) -> Base:
    """Count the combinations, and raise the base until they fit."""
    most = most_bytes or (free_memory() or _UNKNOWN_MEMORY) // 2
    while True:
        combinations = count_tuples(engine, TupleKeys.of(base.values), progress)
        if _needed(base, combinations) <= most:
            return base
        while _needed(base, combinations) > most:
            narrower = raised(base)
            combinations = _guessed(combinations, base, narrower)
            base = narrower


def _guessed(combinations: int, before: Base, after: Base) -> int:
    """Guess how many combinations are left when one column has fewer values; they are counted again in any case."""
    shrunk = [after.width(one.name) / max(before.width(one.name), 1) for one in before.values]
    return int(combinations * min(shrunk, default=1.0) ** 0.5)


def _needed(base: Base, combinations: int) -> int:
    project = base.project
    counted = [one for one in base.values if one.name != project.person]
    size = size_of(_domains(counted), project)
    roles = [project.schema.column(one.name).role for one in counted]
    people = _RECOUNTED_PER_PERSON * combinations if project.person else 0
    return needed_for(replace(size, rows=combinations, tuples=combinations), roles, project) + people


def _is_whole(project: Project, n_rows: int) -> bool:
    """Tell whether rows are fetched one by one: few of them, or for a method that takes them in turn."""
    return n_rows <= WHOLE_ROWS or (project.algorithm is not None and project.algorithm.takes_rows_in_turn)


def _refuse_too_large(n_rows: int, columns: int, most_bytes: int) -> None:
    needed, free = n_rows * columns * _PER_CELL, most_bytes or free_memory()
    if free is not None and needed > free:
        raise NotEnoughMemory(
            message(
                "Methods that take rows in turn need every row in memory: about {needed:,.1f} GB.",
                needed=needed / 1e9,
            ),
            "Choose bottom-up, Mondrian, top-down or best loss.",
        )


def _refuse_missing(project: Project, names: Sequence[str]) -> None:
    missing = [entry.name for entry in project.schema.columns if entry.name not in names]
    if missing:
        raise BadProject(
            message("The table has no column “{name}”, of which the project speaks.", name=missing[0]),
            "Choose the table the project was made with.",
        )


def _with_hierarchies(project: Project, values: Sequence[DistinctValues]) -> Project:
    """Make the hierarchies of which a recipe holds the rule, column by column."""
    for one in values:
        if one.name in project.rules:
            made = with_hierarchies(replace(project, rules={one.name: project.rules[one.name]}), Table((one.column,)))
            left = {name: rule for name, rule in project.rules.items() if name != one.name}
            project = replace(made, rules=left)
    return project


def _domains(values: Sequence[DistinctValues]) -> Table:
    """Give a table by which every value of a column can be known; its rows are no rows."""
    longest = max((len(one.column.codes) for one in values), default=0)
    padded = [replace(one.column, codes=np.resize(one.column.codes, longest), times=None) for one in values]
    return Table(tuple(padded), longest)
