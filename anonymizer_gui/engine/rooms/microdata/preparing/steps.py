"""The steps a source is read with: kept among its options, done again whenever it is read, each with its counts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from anonymizer_gui.engine.errors import AnonymizerError, BadParameter
from anonymizer_gui.engine.files.source import Source
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.projects.entries import registered, registered_json
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Step
from anonymizer_gui.engine.shapes.tables.table import Table
from anonymizer_gui.engine.words import Sentence, say

STEPS_KEY = "steps"
_COUNTED = ("cells", "rows")


def steps_of(source: Source | None) -> tuple[Step, ...]:
    """Give the steps of a source; raises BadParameter when they cannot be understood."""
    return tuple(_step(entry) for entry in _entries(source))


def with_steps(source: Source, steps: Sequence[Step]) -> Source:
    """Give the source with other steps, not yet counted."""
    others = {name: value for name, value in source.options.items() if name != STEPS_KEY}
    return replace(source, options=others | ({STEPS_KEY: [registered_json(step) for step in steps]} if steps else {}))


def prepared(table: Table, source: Source, progress: Progress = SILENT) -> tuple[Table, Source]:
    """Do the steps of a source, and give the source with what each of them changed; raises BadParameter."""
    steps, decimal = steps_of(source), str(source.options.get("decimal", "."))
    counted: list[Json] = []
    for at, step in enumerate(steps):
        progress(at / len(steps), say("Preparing the table"))
        done = step.apply(table, decimal)
        table = done.table
        counted.append({**_named(step), "cells": done.cells, "rows": done.rows})
    return table, replace(source, options={**source.options, STEPS_KEY: counted}) if counted else source


def changes_of(source: Source | None) -> list[tuple[Step, int, int]]:
    """Give every step with the cells it changed and the rows it left out when the source was read."""
    return [(_step(entry), int(entry.get("cells", 0)), int(entry.get("rows", 0))) for entry in _entries(source)]


def notes_of(source: Source) -> list[Sentence]:
    """Tell the steward what every step did."""
    return [
        say("{step}: {changed}.", step=step.sentence(), changed=changed_sentence(cells, rows))
        for step, cells, rows in changes_of(source)
    ]


def changed_sentence(cells: int, rows: int) -> Sentence:
    """Say in words what a step changed."""
    if rows:
        return say("{rows:row|rows} left out", rows=rows)
    return say("{cells:cell|cells} changed", cells=cells)


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


def _named(step: Step) -> dict[str, Json]:
    named = registered_json(step)
    return named if isinstance(named, dict) else {}


def _not_understood() -> BadParameter:
    return BadParameter("A step of preparation in the project cannot be understood.", "Prepare the table anew.")
