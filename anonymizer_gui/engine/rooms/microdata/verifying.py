"""Measure a released table again and compare it with its certificate: what differs is told, cell changes included."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from anonymizer_gui.engine.params import Json, from_json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.room import Findings
from anonymizer_gui.engine.rooms.microdata.policy_opinion import other_policies
from anonymizer_gui.engine.rooms.microdata.readers.summary import other_summary
from anonymizer_gui.engine.rooms.microdata.recount import Recount
from anonymizer_gui.engine.rooms.microdata.second_opinion import (
    count_certified,
    differences,
    is_checked,
    numbers_of,
    other_number,
    other_rows,
    other_sizes,
)
from anonymizer_gui.engine.rooms.microdata.told import LM_DIGITS, column_digest
from anonymizer_gui.engine.rooms.microdata.told_words import other_words
from anonymizer_gui.engine.rooms.microdata.written import name_in_file, read_file
from anonymizer_gui.engine.shapes.tables.io import WriteOptions
from anonymizer_gui.engine.shapes.tables.table import Column, Table
from anonymizer_gui.engine.words import Sentence, say

_ROUNDED = 0.51 * 10**-LM_DIGITS


def measured_again(path: Path, told: Mapping[str, Json], progress: Progress) -> Findings:
    """Compare the cells of a released table with its certificate, and its numbers, counted anew from the bytes.

    Raises UnreadableFile.
    """
    options = from_json(WriteOptions, told["written"]["options"])
    if "canonical" in told["written"]:
        return _by_engine(path, told, options, progress)
    table = read_file(path, options, progress.sub(0.0, 0.5))
    digests = {name_in_file(name, options): digest for name, digest in told["written"]["columns"].items()}
    apart = _apart(path, told, options, progress)
    changed = [*_columns(table, digests), *_changed_apart(apart, told, options)]
    if set(digests) != set(table.names):
        return Findings(tuple(changed))
    found = count_certified(path, told, progress.sub(0.5, 1.0))
    columns = {column.name: column for column in table.columns}
    changed += [*other_policies(table, found, told, options), *other_summary(columns, told, options)]
    columns |= {column.name: column for column in (apart.columns if apart else ())}
    return _compared(found, columns, changed, told, options)


def _by_engine(path: Path, told: Mapping[str, Json], options: WriteOptions, progress: Progress) -> Findings:
    """Compare a release that an engine wrote: an engine reads it again, for no memory may hold it."""
    from anonymizer_gui.engine.rooms.microdata.elsewhere.measuring import CertifiedRelease  # most are not of this sort

    release = CertifiedRelease(path, told, progress)
    if not release.has_its_columns():
        return Findings((say("The columns are others than those of the release."),))
    changed = [] if release.has_its_rows() else [say("The rows are others than those that were written.")]
    found, columns = release.counted()
    compared = _compared(found, columns, changed, told, options)
    if not told.get("policies") and not told.get("questions"):
        return compared
    unchecked = say("policies and the three questions, which need every cell")
    return replace(compared, unchecked=(*compared.unchecked, unchecked))


def _compared(
    found: Recount,
    columns: Mapping[str, Column],
    changed: Sequence[Sentence],
    told: Mapping[str, Json],
    options: WriteOptions,
) -> Findings:
    """Put what was counted beside what the certificate says."""
    lost, is_known = _lm(columns, found.rows, told, options)
    numbers = {**numbers_of(found), "suppressed": told["numbers"]["suppressed"], "lm": lost}
    other = [
        *differences(found, told["numbers"]),
        *other_sizes(found, told),
        *other_words(told),
        *other_rows(found, told),
    ]
    both = zip(told["promises"], found.verdicts, strict=True)
    undecided = [say(promise["title"]) for promise, verdict in both if not is_checked(verdict, found, told["numbers"])]
    if told["numbers"].get("people") is not None:
        undecided.append(say("k, l and risk, which count people: the file does not tell whom a row is about"))
    if is_known:
        other += _other_loss(lost, told["numbers"]["lm"])
    else:
        undecided.append(say("LM, which needs the inside copy"))
    return Findings((*changed, *other), tuple(undecided), numbers)


def _columns(table: Table, digests: Mapping[str, str]) -> Iterator[Sentence]:
    for name in digests:
        if name not in table.names:
            yield say("The column “{name}” is missing.", name=name)
        elif column_digest(table.column(name)) != digests[name]:
            yield say("The column “{name}” has changed.", name=name)
    for name in table.names:
        if name not in digests:
            yield say("The column “{name}” was not in the release.", name=name)
    if set(digests) == set(table.names) and list(digests) != list(table.names):
        yield say("The columns stand in another order.")


def _apart(path: Path, told: Mapping[str, Json], options: WriteOptions, progress: Progress) -> Table | None:
    """Read the file of sets that left unlinked, where there is one."""
    apart = told["written"].get("apart")
    return read_file(path.with_name(Path(str(apart["file"])).name), options, progress) if apart else None


def _changed_apart(apart: Table | None, told: Mapping[str, Json], options: WriteOptions) -> Iterator[Sentence]:
    if apart is not None:
        digests = told["written"]["apart"]["columns"]
        yield from _columns(apart, {name_in_file(name, options): digest for name, digest in digests.items()})


def _other_loss(lost: float | None, told: Json) -> Iterator[Sentence]:
    """Tell that the loss is another one; certificates hold it rounded."""
    is_known = lost is not None and told is not None
    if not is_known or abs(lost - told) > _ROUNDED:
        yield from other_number("lm", lost, told)


def _lm(
    columns: Mapping[str, Column], rows: int, told: Mapping[str, Json], options: WriteOptions
) -> tuple[float | None, bool]:
    """Add up the loss of the published cells, and say whether it can be known; rows that were left out cost 1.

    What a cell costs stands in the inside copy, in certificates of earlier versions in themselves.
    """
    inside = told["inside"] or {}
    losses = told.get("loss_of_cells", inside.get("loss_of_cells"))
    sets = inside.get("loss_of_sets", {})
    if losses is None or ("exposed" in told["numbers"] and not sets):
        return None, told["numbers"]["lm"] is None
    weights = told["recipe"]["weights"]
    if {*losses, *sets} != set(weights):
        return None, True
    lost = 0.0
    for name, weight in weights.items():
        column = columns.get(name_in_file(name, options))
        if column is None:
            return None, True
        all_rows = told["source"]["rows"]
        own = _of_sets(column, sets[name]) if name in sets else _of_cells(column, losses[name], all_rows, rows)
        lost += weight * own
    return lost, True


def _of_cells(column: Column, losses: Mapping[str, float], all_rows: int, rows: int) -> float:
    """Add up what the cells of a column have lost; rows that were left out cost 1."""
    per_label = np.array([losses.get(label, math.nan) for label in column.labels])
    return float((per_label @ column.counts() + all_rows - rows) / max(all_rows, 1))


def _of_sets(column: Column, told: Mapping[str, Json]) -> float:
    """Add up what the sets of a column have lost, by the items that there were; those of left out rows cost 1."""
    per_label = np.array([told["per_row"].get(label, math.nan) for label in column.labels])
    return float((per_label @ column.counts() + told["left_out"]) / max(told["items"], 1))
