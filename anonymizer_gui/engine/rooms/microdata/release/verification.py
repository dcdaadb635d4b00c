"""A published file compared with its certificate."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.room import Near, VerificationResult
from anonymizer_gui.engine.rooms.microdata.release.certificate import COLUMN_DIGITS, LM_DIGITS, column_digest
from anonymizer_gui.engine.rooms.microdata.release.expected_entries import (
    Certified,
    attacks_again,
    expected_entries,
    expected_numbers,
    expected_promises,
    impossible,
    missing_checks,
    not_counted,
    not_run_again,
    other_columns,
    run_again,
    taken_as_told,
)
from anonymizer_gui.engine.rooms.microdata.release.independent_check import (
    count_certified,
    is_decidable,
    numbers_of_recount,
)
from anonymizer_gui.engine.rooms.microdata.release.output_format import name_in_file, read_release
from anonymizer_gui.engine.rooms.microdata.release.policy_check import PolicyJudgement, judged_again, policy_checks

_ROUNDED = 0.51 * 10**-LM_DIGITS

_COLUMN_ROUNDED = 0.51 * 10**-COLUMN_DIGITS

LOSSES = ("numbers.lm", "numbers.lm_total", "numbers.lm_columns", "loss_per_column")


def losses_of(release: Certified) -> dict[str, float] | None:
    """Give what every quasi-identifier has lost; None where nothing tells what a cell costs.

    That stands in the inside copy, in certificates of earlier versions in themselves. Rows that were left out cost 1.
    Raises LookupError where a column or the cost of one is missing.
    """
    told, inside = release.told, release.told["inside"] or {}
    cells = told.get("loss_of_cells", inside.get("loss_of_cells"))
    sets = inside.get("loss_of_sets", {})
    if cells is None or ("exposed" in told["numbers"] and not sets):
        return None
    return {
        name: _of_sets(column, sets[name]) if name in sets else _of_cells(release, column, cells[name])
        for name, column in _columns(release, {**cells, **sets}).items()
    }


def expected_losses(release: Certified, losses: Mapping[str, float]) -> dict[str, Any]:
    """Give the entries about the loss, each as far as certificates round it."""
    weights = release.told["recipe"]["weights"]
    columns = {name: Near(lost, _COLUMN_ROUNDED) for name, lost in losses.items()}
    lm = math.fsum(weights[name] * lost for name, lost in losses.items()) if set(losses) == set(weights) else None
    total = None if lm is None else lm * release.told["source"]["rows"]
    digit = 10.0 ** (math.floor(math.log10(total)) - LM_DIGITS + 1) if total and math.isfinite(total) else 0.0
    numbers = {"lm": Near(lm, _ROUNDED), "lm_total": Near(total, 0.51 * digit), "lm_columns": columns}
    return {"numbers": numbers, "loss_per_column": columns}


def impossible_losses(release: Certified) -> Iterator[Message]:
    """Tell losses that contradict each other or the rows left out, and those with digits that give these rows away."""
    numbers, rows = release.told["numbers"], int(release.told["source"]["rows"])
    lm, columns = numbers["lm"], numbers.get("lm_columns", {})
    if not release.is_current or lm is None:
        return
    given = [(lm, LM_DIGITS), *((lost, COLUMN_DIGITS) for lost in columns.values())]
    if any(round(lost, digits) != lost for lost, digits in given) or not _has_three_digits(numbers["lm_total"]):
        yield message("The loss has more digits than a certificate may have: they reveal records that were left out.")
    weights = release.told["recipe"]["weights"]
    summed = sum(weights.get(name, 0.0) * lost for name, lost in columns.items())
    is_sum = set(columns) == set(weights) and abs(summed - lm) <= _ROUNDED + _COLUMN_ROUNDED
    is_total = abs(numbers["lm_total"] - lm * rows) <= _ROUNDED * rows + 0.51 * 10 ** (1 - LM_DIGITS) * lm * rows
    is_enough = lm >= release.left_out / max(rows, 1) - _ROUNDED
    if not (is_sum and is_total and is_enough and release.told["loss_per_column"] == columns):
        yield message("The losses in the certificate contradict each other.")


def _has_three_digits(total: Json) -> bool:
    return total is None or float(f"{total:.{LM_DIGITS}g}") == total


def _columns(release: Certified, costs: Mapping[str, Json]) -> dict[str, Column]:
    weights = release.told["recipe"]["weights"]
    return {name: release.columns[name_in_file(name, release.options)] for name in weights if name in costs}


def _of_cells(release: Certified, column: Column, losses: Mapping[str, float]) -> float:
    """Add up what the cells of a column have lost; rows that were left out cost 1."""
    all_rows = int(release.told["source"]["rows"])
    per_label = np.array([losses.get(label, math.nan) for label in column.labels])
    return float((per_label @ column.counts() + release.left_out) / max(all_rows, 1))


def _of_sets(column: Column, told: Mapping[str, Json]) -> float:
    """Add up what the sets of a column have lost, by the items that there were; those of left out rows cost 1."""
    per_label = np.array([told["per_row"].get(label, math.nan) for label in column.labels])
    return float((per_label @ column.counts() + told["left_out"]) / max(told["items"], 1))


_COMPARED = ("written.columns", "written.apart.columns", "written.canonical", "recipe.pseudonyms", "reference_groups")
"""Entries that are compared here, or that the count of the file rests on and would not agree with otherwise."""


def verify_release(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    """Compare the cells of a released table with its certificate, and give its entries, counted anew from the bytes.

    Raises UnreadableFile.
    """
    options = from_json(WriteOptions, told["written"]["options"])
    if "canonical" in told["written"]:
        return _by_engine(path, told, options, progress)
    table = read_release(path, options, progress.sub(0.0, 0.5))
    digests = {name_in_file(name, options): digest for name, digest in told["written"]["columns"].items()}
    apart = _apart(path, told, options, progress)
    changed = [*_verifying_columns(table, digests), *_changed_apart(apart, told, options)]
    if set(digests) != set(table.names):
        return _not_even_its_columns(changed)
    found = count_certified(path, told, progress.sub(0.5, 1.0))
    columns = {column.name: column for each in (table, apart) if each is not None for column in each.columns}
    return _findings(Certified(path, told, options, found, columns, table), changed)


def _by_engine(path: Path, told: Mapping[str, Json], options: WriteOptions, progress: Progress) -> VerificationResult:
    """Compare a release that an engine wrote: an engine reads it again, for no memory may hold it."""
    from anonymizer_gui.engine.rooms.microdata.out_of_core.verification import (
        CertifiedFile,  # most are not of this sort
    )

    release = CertifiedFile(path, told, progress)
    if not release.has_its_columns():
        return _not_even_its_columns([message("The columns are others than those of the release.")])
    changed = [] if release.has_its_rows() else [message("The rows are others than those that were written.")]
    found, columns = release.counted()
    return _findings(Certified(path, told, options, found, columns, None), changed)


def _not_even_its_columns(changed: Sequence[Message]) -> VerificationResult:
    """Give the differences of a file that has other columns, of which nothing else can be counted."""
    return VerificationResult(tuple(changed), not_measured={"": message("everything but the names of the columns")})


def _findings(release: Certified, changed: Sequence[Message]) -> VerificationResult:
    """Gather what was counted, what cannot be, and what contradicts itself."""
    losses, opinion = losses_of(release), _opinion(release)
    has_loss = losses is not None or release.told["numbers"]["lm"] is None
    not_measured = {**taken_as_told(release), **not_counted(release), **not_run_again(release)}
    if not has_loss:
        not_measured |= dict.fromkeys(LOSSES, message("losses that need the inside copy"))
    expected = _expected(release, losses, opinion)
    return VerificationResult(
        (
            *changed,
            *other_columns(release),
            *missing_checks(release),
            *impossible(release),
            *impossible_losses(release),
        ),
        tuple(_unchecked(release, has_loss=has_loss)),
        _numbers(release, expected),
        expected,
        _COMPARED,
        not_measured,
        run_again(release, policy_checks(opinion[0])),
    )


def _expected(release: Certified, losses: Mapping[str, float] | None, opinion: PolicyJudgement) -> dict[str, Any]:
    lost = {"numbers": {}} if losses is None else expected_losses(release, losses)
    if losses is None and release.told["numbers"]["lm"] is None:
        lost["numbers"] = {"lm": None, "lm_total": None}
    return {
        "promises": expected_promises(release),
        **expected_entries(release),
        **attacks_again(release),
        **(_judged(release, opinion) if release.table is not None else {}),
        **lost,
        "numbers": expected_numbers(release) | lost["numbers"],
    }


def _opinion(release: Certified) -> PolicyJudgement:
    if release.table is None:
        return (), ()
    return judged_again(release.table, release.found, release.told, release.options)


def _judged(release: Certified, opinion: PolicyJudgement) -> dict[str, Any]:
    """Give policies and questions; other versions may word their sentences otherwise."""
    policies, questions = [each.told() for each in opinion[0]], [each.told() for each in opinion[1]]
    if not release.is_current:
        policies = [
            {"passes": each["passes"], "found": [{"holds": found["holds"]} for found in each["found"]]}
            for each in policies
        ]
        questions = [{name: each[name] for name in ("name", "figures")} for each in questions]
    return {"policies": policies, "questions": questions}


def _numbers(release: Certified, expected: Mapping[str, Any]) -> dict[str, Json]:
    """Give the numbers for the reader."""
    lm = expected["numbers"].get("lm")
    suppressed = release.told["numbers"]["suppressed"]
    return {
        **numbers_of_recount(release.found),
        "suppressed": suppressed,
        "lm": lm.value if isinstance(lm, Near) else None,
    }


def _unchecked(release: Certified, *, has_loss: bool) -> Iterator[Message]:
    """Tell the goals and numbers that could not be decided, and what they would need."""
    for promise, verdict in zip(release.told["promises"], release.found.verdicts, strict=True):
        if not is_decidable(verdict, release.found, release.told["numbers"]):
            yield message(promise["title"])
    if release.counts_people:
        yield message("k, l and risk, which count people: the file does not tell whom a row is about")
    if not has_loss:
        yield message("LM, which needs the inside copy")
    if release.table is None and (release.told.get("policies") or release.told.get("questions")):
        yield message("policies and the three questions, which need every cell")


def _verifying_columns(table: Table, digests: Mapping[str, str]) -> Iterator[Message]:
    for name in digests:
        if name not in table.names:
            yield message("The column “{name}” is missing.", name=name)
        elif column_digest(table.column(name)) != digests[name]:
            yield message("The column “{name}” has changed.", name=name)
    for name in table.names:
        if name not in digests:
            yield message("The column “{name}” was not in the release.", name=name)
    if set(digests) == set(table.names) and list(digests) != list(table.names):
        yield message("The columns stand in another order.")


def _apart(path: Path, told: Mapping[str, Json], options: WriteOptions, progress: Progress) -> Table | None:
    """Read the file of sets that left unlinked, where there is one."""
    apart = told["written"].get("apart")
    return read_release(path.with_name(Path(str(apart["file"])).name), options, progress) if apart else None


def _changed_apart(apart: Table | None, told: Mapping[str, Json], options: WriteOptions) -> Iterator[Message]:
    if apart is not None:
        digests = told["written"]["apart"]["columns"]
        yield from _verifying_columns(apart, {name_in_file(name, options): digest for name, digest in digests.items()})
