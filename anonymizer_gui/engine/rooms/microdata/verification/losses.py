"""The loss of a certificate: added up from the published cells where the inside copy tells what each of them costs."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.room import Near
from anonymizer_gui.engine.rooms.microdata.told import COLUMN_DIGITS, LM_DIGITS
from anonymizer_gui.engine.rooms.microdata.verification.certified import Certified
from anonymizer_gui.engine.rooms.microdata.written import name_in_file

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
