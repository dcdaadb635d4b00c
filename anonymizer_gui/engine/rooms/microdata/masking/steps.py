"""The steps of a source done again whenever it is read; columns as they were.

Everybody who knows a true value and the rules can work this out, so that is what they look for in a release.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table, smallest_codes
from anonymizer_gui.engine.projects.json_entries import registered, registered_json
from anonymizer_gui.engine.rooms.microdata.masking.contract import STEPS, Step, StepResult, number_text
from anonymizer_gui.engine.storage.sources import Source


@dataclass(frozen=True, slots=True, eq=False)
class PreparedTable(Table):
    """The table as it is protected; `before` holds the changed columns as they were read, row by row the same people.

    Rows that are made up have missing cells there. `ruled` holds, of columns that rules and chance changed, what the
    rules alone make of what was read.
    """

    before: tuple[Column, ...] = field(default=())
    made_up: int = 0
    ruled: tuple[Column, ...] = field(default=())


def with_columns_before(
    table: Table, raw: Table, names: set[str], origin: npt.NDArray[np.int64], ruled: Mapping[str, Column]
) -> Table:
    """Give the prepared table with the named columns as they were read, and some as rules alone make them."""
    if not names:
        return table
    before = tuple(column_before(raw.column(name), origin) for name in raw.names if name in names)
    return PreparedTable(table.columns, table.n_rows, before, int(np.count_nonzero(origin < 0)), tuple(ruled.values()))


def unprepared(table: Table) -> Table:
    """Give the table as it was before cells were changed; rows that were left out stay so."""
    before = {column.name: column for column in columns_before(table)}
    return Table(tuple(before.get(column.name, column) for column in table.columns), table.n_rows)


def columns_before(table: Table) -> tuple[Column, ...]:
    """Give the columns that were changed, as they were."""
    return table.before if isinstance(table, PreparedTable) else ()


def columns_by_rules(table: Table) -> tuple[Column, ...]:
    """Give the columns that rules and chance changed, as the rules alone make them."""
    return table.ruled if isinstance(table, PreparedTable) else ()


def change_examples(table: Table, names: Collection[str] | None, most: int) -> list[tuple[str, str, int]]:
    """Give what became of cells of some columns (None: of all): before, after and how many rows, the most first."""
    found: list[tuple[str, str, int]] = []
    for before in columns_before(table):
        if names is None or before.name in names:
            found += _changed(before, table.column(before.name), most)
    return sorted(found, key=lambda each: -each[2])[:most]


def _changed(before: Column, after: Column, most: int) -> list[tuple[str, str, int]]:
    place = {label: code for code, label in enumerate(after.labels)}
    same = np.array([place.get(label, -1) for label in before.labels] or [-1], dtype=np.int64)
    other = np.flatnonzero(same[before.codes] != after.codes)
    pairs, rows = np.unique(
        before.codes[other].astype(np.int64) * len(after.labels) + after.codes[other], return_counts=True
    )
    first = np.argsort(-rows, kind="stable")[:most]
    shown = zip(pairs[first].tolist(), rows[first].tolist(), strict=True)
    return [(before.labels[at // len(after.labels)], after.labels[at % len(after.labels)], n) for at, n in shown]


def column_before(column: Column, origin: npt.NDArray[np.int64]) -> Column:
    """Give a column for rows that were others before; those that are made up have missing cells."""
    if (origin >= 0).all():
        return column.take(origin)
    labels = column.labels if MISSING in column.labels else (*column.labels, MISSING)
    codes = np.where(origin >= 0, column.codes[origin].astype(np.int64), labels.index(MISSING))
    return Column(column.name, smallest_codes(codes, len(labels)), labels).compact()


def deterministic_columns(table: Table, steps: Sequence[Step]) -> dict[str, Column]:
    """Give the columns that some steps change by the value alone and others do not, as they are read."""
    rules, others = (
        {name for step in steps if step.is_by_value is by_value for name in step.touched() or ()}
        for by_value in (True, False)
    )
    return {name: table.column(name) for name in table.names if name in rules & others}


def apply_deterministic(ruled: Mapping[str, Column], step: Step, done: StepResult, decimal: str) -> dict[str, Column]:
    """Take the columns through a step: rules are followed, chance is not, rows are those that are left."""
    now = {
        name: column if done.origin is None else column_before(column, done.origin) for name, column in ruled.items()
    }
    for name in (step.touched() or ()) if step.is_by_value else ():
        if name in now:
            now[name] = _followed(now[name], step, decimal)
    return now


def _followed(column: Column, step: Step, decimal: str) -> Column:
    try:
        return step.apply(Table((column,)), decimal).table.columns[0]
    except BadParameter:  # chance made numbers or dates where there were none: the rule finds nothing to change
        return column


STEPS_KEY = "steps"

_COUNTED = ("cells", "rows", "added", "kept")


def steps_of(source: Source | None) -> tuple[Step, ...]:
    """Give the steps of a source; raises BadParameter when they cannot be understood."""
    return tuple(_step(entry) for entry in _entries(source))


def with_steps(source: Source, steps: Sequence[Step]) -> Source:
    """Give the source with other steps, not yet counted."""
    others = {name: value for name, value in source.options.items() if name != STEPS_KEY}
    return replace(source, options=others | ({STEPS_KEY: [registered_json(step) for step in steps]} if steps else {}))


def apply_steps(table: Table, source: Source, progress: Progress = SILENT) -> tuple[Table, Source]:
    """Do the steps of a source, and give the source with what each of them changed; raises BadParameter.

    The table remembers its changed columns as they were. Steps within the classes of a release wait for it.
    A seed nobody chose is drawn here, and stands in the source that is given back.
    """
    steps, decimal = [step.with_secret_seed() for step in steps_of(source)], decimal_of(source)
    raw, origin, names = table, np.arange(table.n_rows), set[str]()
    ruled = deterministic_columns(table, steps)
    counted: list[Json] = []
    for at, step in enumerate(steps):
        progress(at / len(steps), message("Preparing the table"))
        done = StepResult(table) if step.waits() else step.apply(table, decimal)
        table = done.table
        origin = origin if done.origin is None else np.where(done.origin >= 0, origin[done.origin], -1)
        ruled = apply_deterministic(ruled, step, done, decimal)
        names |= set() if step.waits() else changed_columns(step, table)
        counted.append(counted_entry(step, done))
    if not counted:
        return table, source
    table = with_columns_before(table, raw, names, origin, ruled)
    return table, with_step_counts(source, counted)


def with_step_counts(source: Source, counted: Sequence[Json]) -> Source:
    """Give the source with its steps as they were done."""
    return replace(source, options={**source.options, STEPS_KEY: list(counted)}) if counted else source


def counted_entry(step: Step, done: StepResult) -> Json:
    """Give the entry of a step with what it changed."""
    return {**_named(step), "cells": done.cells, "rows": done.rows, "added": done.added, "kept": done.kept}


def decimal_of(source: Source | None) -> str:
    """Give the decimal mark of a source."""
    return str(source.options.get("decimal", ".")) if source is not None else "."


def changed_columns(step: Step, table: Table) -> set[str]:
    """Name the columns of a table whose cells a step changes."""
    touched = step.touched()
    return set(table.names) if touched is None else set(touched)


def untruthful_columns(source: Source | None, names: Sequence[str]) -> tuple[str, ...]:
    """Name the columns, among these, whose cells some step has made untrue."""
    touched = [step.touched() for step in steps_of(source) if step.is_untruthful]
    return tuple(name for name in names if any(each is None or name in each for each in touched))


def is_masked(source: Source | None, name: str) -> bool:
    """Tell whether some step changes cells of a column."""
    touched = [step.touched() for step in steps_of(source)]
    return any(each is None or name in each for each in touched)


def step_changes(source: Source | None) -> list[tuple[Step, int, int, int, int]]:
    """Give every step with the cells it changed, the rows it left out and added, and the cells it could not change."""
    return [(_step(entry), *_counts(entry)) for entry in _entries(source)]


def step_notes(source: Source) -> list[Message]:
    """Tell the steward what every step did."""
    return [
        message("{step}: {changed}.", step=step.sentence(), changed=change_text(step, *counts))
        for step, *counts in step_changes(source)
    ]


def change_text(step: Step, cells: int, rows: int, added: int, kept: int) -> Message:
    """Say in words what a step changed."""
    if step.waits():
        return message("done within the classes of every release")
    if rows:
        return message("{rows:row|rows} left out", rows=rows)
    if added:
        return message("{rows:row|rows} added", rows=added)
    return cell_count_text(cells, kept)


def cell_count_text(cells: int, kept: int) -> Message:
    """Say how many cells are others now, and how many are not although they have a value."""
    if kept:
        return message(
            "{cells:cell|cells} changed, {kept:cell|cells} could not be changed and {kept:~stays|stay}",
            cells=cells,
            kept=kept,
        )
    return message("{cells:cell|cells} changed", cells=cells)


def _entries(source: Source | None) -> list[Mapping[str, Json]]:
    entries = source.options.get(STEPS_KEY, []) if source is not None else []
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise _not_understood()
    return entries


def _step(entry: Mapping[str, Json]) -> Step:
    try:
        for name in _COUNTED:
            int(entry.get(name, 0))
        return registered(STEPS, {name: value for name, value in entry.items() if name not in _COUNTED})
    except AnonymizerError:
        raise
    except (KeyError, TypeError, ValueError):
        raise _not_understood() from None


def _counts(entry: Mapping[str, Json]) -> tuple[int, int, int, int]:
    cells, rows, added, kept = (int(entry.get(name, 0)) for name in _COUNTED)
    return cells, rows, added, kept


def _named(step: Step) -> dict[str, Json]:
    named = registered_json(step)
    return named if isinstance(named, dict) else {}


def _not_understood() -> BadParameter:
    return BadParameter("A step of preparation in the project cannot be understood.", "Prepare the table anew.")


def top_coded_cells(source: Source | None, cells: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Give the columns, named with their published cells, that have such a cell, each with it."""
    steps, decimal, found = steps_of(source), decimal_of(source), {}
    for name, published in cells.items() if steps else ():
        limits = [limit for step in steps if (limit := step.top_of(name, decimal)) is not None]
        if limits and (cell := number_text(min(limits), decimal)) in published:
            found[name] = cell
    return found
