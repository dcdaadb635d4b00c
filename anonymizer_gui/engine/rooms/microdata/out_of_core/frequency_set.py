"""Distinct combinations counted by the engine; pre-generalised until they fit.

Values of one leaf are told together, which loses nothing. Where there are still too many combinations the column of
most values is told at its next level, or in ranges; no cell finer than that base can be published, and it is recorded.

Counted are then combinations with the person in them, so that different people are counted as in memory; their ids
stay in the engine, and no list of them is made here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadProject, NotEnoughMemory
from anonymizer_gui.engine.core.memory import free_memory
from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.normalisation import fold_text, repair_names
from anonymizer_gui.engine.data.tables.table import (
    MISSING,
    SUPPRESSED,
    Column,
    ColumnType,
    Role,
    Table,
    UnlabelledColumn,
)
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.masking.steps import apply_steps, steps_of, with_step_counts, with_steps
from anonymizer_gui.engine.rooms.microdata.out_of_core.engine_source import prepare_on_engine, refuse_row_steps
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recipe import with_hierarchies
from anonymizer_gui.engine.rooms.microdata.resource_estimate import needed_by_size, problem_size
from anonymizer_gui.engine.scale.contract import Engine, EngineInput
from anonymizer_gui.engine.scale.frequency_set import (
    NO_REWRITES,
    DistinctValues,
    TupleKeys,
    ValueRewrites,
    count_tuples,
    counted_values,
    distinct_from_arrow,
    distinct_values,
    expand_rows,
    fetch_frequency_set,
    refuse_too_many,
    scalar,
)
from anonymizer_gui.engine.storage.sources import Source

Ints = npt.NDArray[np.int64]

MAX_BINS = 256

_ORDERED = (ColumnType.INTEGER, ColumnType.DECIMAL, ColumnType.DATE)


@dataclass(frozen=True, slots=True, eq=False)
class Pregeneralisation:
    """A project, the values it is searched with, and the level each raised column begins at."""

    project: Project
    values: tuple[DistinctValues, ...]
    raised: Mapping[str, int]
    binned: frozenset[str] = frozenset()

    def width(self, name: str) -> int:
        """Count the different values of a column as they are told now."""
        return len(np.unique(_of(self.values, name).column.codes))

    def note(self) -> Message | None:
        """Say which columns could not be searched at their finest level."""
        if not self.raised:
            return None
        return message(
            "There are too many combinations of values for memory, so that {columns} are not published finer than "
            "the base they were counted at.",
            columns=quote(list(self.raised)),
        )


def initial_values(project: Project, values: tuple[DistinctValues, ...]) -> Pregeneralisation:
    """Tell values that lie in the same leaf of a hierarchy together; raises BadHierarchy when one has no place."""
    found = Pregeneralisation(project, values, {})
    for name in project.schema.names(Role.QI):
        if name in project.hierarchies:
            found = replace(found, values=_at_level(found, name, 0))
    return found


def coarsen(base: Pregeneralisation) -> Pregeneralisation:
    """Tell the column of most values more coarsely; raises NotEnoughMemory when none can be."""
    names = sorted(base.project.schema.names(Role.QI), key=base.width, reverse=True)
    for name in names:
        found = _raised(base, name)
        if found is not None and found.width(name) < base.width(name):
            return found
    raise NotEnoughMemory(
        "There are more combinations of values than memory holds, even at the highest level of every hierarchy.",
        "Give columns hierarchies with higher levels, use fewer quasi-identifiers, or allow more memory.",
    )


def _raised(base: Pregeneralisation, name: str) -> Pregeneralisation | None:
    project = base.project
    tree = project.hierarchies.get(name)
    if tree is None:
        return _binned(base, name) if project.schema.column(name).type in _ORDERED else None
    lowest, highest = project.bounds.get(name, (0, tree.height))
    highest = min(highest, tree.height)
    before = base.width(name)
    for level in range(max(base.raised.get(name, 0), lowest) + 1, highest + 1):
        bounded = replace(project, bounds={**project.bounds, name: (level, highest)})
        moved = replace(base, project=bounded, raised={**base.raised, name: level})
        moved = replace(moved, values=_at_level(moved, name, level))
        if moved.width(name) < before:
            return moved
    return None


def _binned(base: Pregeneralisation, name: str) -> Pregeneralisation | None:
    """Give numbers or dates without a hierarchy one of ranges with about equally many rows each."""
    one, schema = _of(base.values, name), base.project.schema.column(name)
    labels, counts = one.column.labels, one.column.counts()
    numbers = parse_by_type(labels, schema)
    known = np.flatnonzero(~np.isnan(numbers))
    if len(known) <= MAX_BINS:
        return None
    known = known[np.argsort(numbers[known], kind="stable")]
    before = np.cumsum(counts[known]) - counts[known]
    bins = np.minimum(before * MAX_BINS // max(int(counts[known].sum()), 1), MAX_BINS - 1)
    names: list[str] = [SUPPRESSED]
    parents: list[int] = [-1]
    for number in np.unique(bins).tolist():
        inside = [labels[code] for code in known[bins == number].tolist()]
        names += [f"[{inside[0]}-{inside[-1]}]", *inside] if len(inside) > 1 else [inside[0]]
        parents += [0, *([len(parents)] * len(inside))] if len(inside) > 1 else [0]
    rest = [label for label, number in zip(labels, numbers.tolist(), strict=True) if np.isnan(number)]
    tree = Hierarchy([*names, *rest], [*parents, *([0] * len(rest))])
    project = replace(base.project, hierarchies={**base.project.hierarchies, name: tree})
    project = replace(project, bounds={**project.bounds, name: (1, tree.height)})
    moved = replace(base, project=project, raised={**base.raised, name: 1}, binned=base.binned | {name})
    return replace(moved, values=_at_level(moved, name, 1))


def _at_level(base: Pregeneralisation, name: str, level: int) -> tuple[DistinctValues, ...]:
    """Tell every value of a column by the first one that has the same node at a level."""
    one, project = _of(base.values, name), base.project
    placed = encode_column(one.column, project.hierarchies[name], project.schema.column(name))
    tree = placed.hierarchy
    leaf = np.where(placed.leaf_of_label < 0, 0, placed.leaf_of_label)
    node = tree.level_table(project.uneven)[min(level, tree.height)][leaf]
    used = np.flatnonzero(one.column.counts() > 0)
    _, firsts, group = np.unique(node[used], return_index=True, return_inverse=True)
    of_code = np.arange(len(one.column.labels), dtype=np.int64)
    of_code[used] = used[firsts][group.reshape(-1)]
    column = Column(name, of_code[one.column.codes], one.column.labels, one.column.times)
    return tuple(replace(other, column=column) if other is one else other for other in base.values)


def _of(values: tuple[DistinctValues, ...], name: str) -> DistinctValues:
    return next(one for one in values if one.name == name)


MAX_PERSONS = 100_000_000


def number_persons_on_engine(
    engine: Engine, at: int, name: str, missing: Sequence[str], written: ValueRewrites, progress: Progress = SILENT
) -> DistinctValues:
    """Number the people of a column from 1 on, 0 being nobody: capital letters and white space make no other person."""
    import pyarrow as pa

    raws: list[pa.Array] = []
    folds: list[pa.Array] = []
    times = []
    for raw, counts in counted_values(engine, at, name, progress):
        column = written.column(distinct_from_arrow(name, raw, counts, missing))
        texts = pa.array([None if label == MISSING else fold_text(label) for label in column.labels], pa.string())
        raws.append(raw)
        folds.append(texts.take(pa.array(column.codes)))
        times.append(counts)
        refuse_too_many(sum(map(len, raws)), MAX_PERSONS, name)
    # Arrow numbers texts without making an object of each.
    people = pa.chunked_array(folds, pa.string()).dictionary_encode().chunks
    codes = [piece.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64) for piece in people]
    nobody = np.empty(0, dtype=np.int64)
    column = UnlabelledColumn(name, np.concatenate([nobody, *codes]) + 1, (), np.concatenate([nobody, *times]))
    return DistinctValues(at, pa.concat_arrays(raws) if raws else pa.array([], pa.string()), column)


MAX_ROWS_FETCHED = 100_000
"""Tables of so many rows are fetched with all their columns; larger ones are counted, and stay where they are."""

_PER_CELL = 12

_RECOUNTED_PER_PERSON = 520
"""What the recount of people takes for each of their combinations, measured; rounded up."""

_UNKNOWN_MEMORY = 2 << 30


@dataclass(frozen=True, slots=True, eq=False)
class FrequencyTable:
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
    base: Pregeneralisation
    written: ValueRewrites

    def place(self, name: str) -> int:
        """Give the number of a column in the engine."""
        return self.names.index(name)


def count_table(
    engine: Engine, source: EngineInput, project: Project, progress: Progress, *, most_bytes: int = 0
) -> FrequencyTable:
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


def _whole(opened: _Opened, project: Project, progress: Progress) -> FrequencyTable:
    """Fetch every row, and go on with the table as memory does."""
    base = Pregeneralisation(project, opened.values(opened.names, progress.sub(0.05, 0.5)), {})
    keys = TupleKeys.of(base.values)
    count_tuples(opened.engine, keys, progress)
    counted = fetch_frequency_set(opened.engine, keys, progress.sub(0.9, 1.0))
    table = expand_rows(counted.table)
    if project.source is not None:
        table, described = apply_steps(table, with_steps(project.source, steps_of(opened.steps)), progress)
        project = replace(project, source=described)
    project = with_hierarchies(project, table) if project.rules else project
    return FrequencyTable(
        project, opened.names, table, keys, counted.keys, True, replace(base, project=project), NO_REWRITES
    )


def _counted(opened: _Opened, project: Project, progress: Progress) -> FrequencyTable:
    """Fetch the combinations that algorithms search, with whom they are about where that is known."""
    engine, names = opened.engine, opened.names
    written, steps = prepare_on_engine(engine, names, opened.source, opened.steps, progress.sub(0.05, 0.1))
    known = {entry.name: entry.role for entry in project.schema.columns}
    wanted = [name for name in names if known.get(name) in (Role.QI, Role.SA)]
    values = tuple(written.values(one) for one in opened.values(wanted, progress.sub(0.1, 0.5)))
    if project.source is not None:
        project = replace(project, source=with_step_counts(project.source, steps))
    base = initial_values(_with_hierarchies(project, values), values)
    if project.person:
        at, missing = names.index(project.person), opened.source.options.missing
        people = number_persons_on_engine(engine, at, project.person, missing, written, progress)
        base = replace(base, values=(*base.values, people))
    base = _fitted(engine, base, progress.sub(0.5, 0.9), opened.most_bytes)
    keys = TupleKeys.of(base.values)
    counted = fetch_frequency_set(engine, keys, progress.sub(0.9, 1.0))
    return FrequencyTable(base.project, names, counted.table, keys, counted.keys, False, base, written)


def _fitted(engine: Engine, base: Pregeneralisation, progress: Progress, most_bytes: int) -> Pregeneralisation:
    """Count the combinations, and raise the base until they fit."""
    most = most_bytes or (free_memory() or _UNKNOWN_MEMORY) // 2
    while True:
        combinations = count_tuples(engine, TupleKeys.of(base.values), progress)
        if _needed(base, combinations) <= most:
            return base
        while _needed(base, combinations) > most:
            narrower = coarsen(base)
            combinations = _guessed(combinations, base, narrower)
            base = narrower


def _guessed(combinations: int, before: Pregeneralisation, after: Pregeneralisation) -> int:
    """Guess how many combinations are left when one column has fewer values; they are counted again in any case."""
    shrunk = [after.width(one.name) / max(before.width(one.name), 1) for one in before.values]
    return int(combinations * min(shrunk, default=1.0) ** 0.5)


def _needed(base: Pregeneralisation, combinations: int) -> int:
    project = base.project
    counted = [one for one in base.values if one.name != project.person]
    size = problem_size(_domains(counted), project)
    roles = [project.schema.column(one.name).role for one in counted]
    people = _RECOUNTED_PER_PERSON * combinations if project.person else 0
    return needed_by_size(replace(size, rows=combinations, tuples=combinations), roles, project) + people


def _is_whole(project: Project, n_rows: int) -> bool:
    """Tell whether rows are fetched one by one: few of them, or for a method that takes them in turn."""
    return n_rows <= MAX_ROWS_FETCHED or (project.algorithm is not None and project.algorithm.takes_rows_in_turn)


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
