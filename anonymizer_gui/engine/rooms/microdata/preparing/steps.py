"""The steps a source is read with: kept among its options, done again whenever it is read, each with its counts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.projects.json_entries import registered, registered_json
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared, Step
from anonymizer_gui.engine.rooms.microdata.preparing.prepared_table import remembering
from anonymizer_gui.engine.rooms.microdata.preparing.ruled import by_rules, ruled_columns
from anonymizer_gui.engine.storage.sources import Source

STEPS_KEY = "steps"
_COUNTED = ("cells", "rows", "added", "kept")


def steps_of(source: Source | None) -> tuple[Step, ...]:
    """Give the steps of a source; raises BadParameter when they cannot be understood."""
    return tuple(_step(entry) for entry in _entries(source))


def with_steps(source: Source, steps: Sequence[Step]) -> Source:
    """Give the source with other steps, not yet counted."""
    others = {name: value for name, value in source.options.items() if name != STEPS_KEY}
    return replace(source, options=others | ({STEPS_KEY: [registered_json(step) for step in steps]} if steps else {}))


def prepared(table: Table, source: Source, progress: Progress = SILENT) -> tuple[Table, Source]:
    """Do the steps of a source, and give the source with what each of them changed; raises BadParameter.

    The table remembers its changed columns as they were. Steps within the classes of a release wait for it.
    A seed nobody chose is drawn here, and stands in the source that is given back.
    """
    steps, decimal = [step.with_secret_seed() for step in steps_of(source)], decimal_of(source)
    raw, origin, names = table, np.arange(table.n_rows), set[str]()
    ruled = ruled_columns(table, steps)
    counted: list[Json] = []
    for at, step in enumerate(steps):
        progress(at / len(steps), message("Preparing the table"))
        done = Prepared(table) if step.waits() else step.apply(table, decimal)
        table = done.table
        origin = origin if done.origin is None else np.where(done.origin >= 0, origin[done.origin], -1)
        ruled = by_rules(ruled, step, done, decimal)
        names |= set() if step.waits() else columns_of(step, table)
        counted.append(counted_entry(step, done))
    if not counted:
        return table, source
    table = remembering(table, raw, names, origin, ruled)
    return table, with_counted(source, counted)


def with_counted(source: Source, counted: Sequence[Json]) -> Source:
    """Give the source with its steps as they were done."""
    return replace(source, options={**source.options, STEPS_KEY: list(counted)}) if counted else source


def counted_entry(step: Step, done: Prepared) -> Json:
    """Give the entry of a step with what it changed."""
    return {**_named(step), "cells": done.cells, "rows": done.rows, "added": done.added, "kept": done.kept}


def decimal_of(source: Source | None) -> str:
    """Give the decimal mark of a source."""
    return str(source.options.get("decimal", ".")) if source is not None else "."


def columns_of(step: Step, table: Table) -> set[str]:
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


def changes_of(source: Source | None) -> list[tuple[Step, int, int, int, int]]:
    """Give every step with the cells it changed, the rows it left out and added, and the cells it could not change."""
    return [(_step(entry), *_counts(entry)) for entry in _entries(source)]


def notes_of(source: Source) -> list[Message]:
    """Tell the steward what every step did."""
    return [
        message("{step}: {changed}.", step=step.sentence(), changed=changed_sentence(step, *counts))
        for step, *counts in changes_of(source)
    ]


def changed_sentence(step: Step, cells: int, rows: int, added: int, kept: int) -> Message:
    """Say in words what a step changed."""
    if step.waits():
        return message("done within the classes of every release")
    if rows:
        return message("{rows:row|rows} left out", rows=rows)
    if added:
        return message("{rows:row|rows} added", rows=added)
    return cells_sentence(cells, kept)


def cells_sentence(cells: int, kept: int) -> Message:
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
