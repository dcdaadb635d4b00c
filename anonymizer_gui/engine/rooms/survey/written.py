"""Estimates as a file: a row for each number with its error, or one JSON object; and the reports beside it."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.rooms.survey.collection import Collection
from anonymizer_gui.engine.rooms.survey.results import Cell, Result

HEAD = ("question", "value", "n", "support", "estimate", "sd", "low95", "high95", "consistent")
SUFFIXES = (".csv", ".json")
REPORTS_SUFFIX = ".reports.jsonl"


def check_suffix(path: Path) -> None:
    """Raise UnwritableFile when estimates cannot be written in a file of that name."""
    if path.suffix.lower() not in SUFFIXES:
        raise UnwritableFile(
            message("Estimates cannot be written as “{name}”.", name=path.name),
            "Choose a name that ends in .csv or .json.",
        )


def estimates_text(collection: Collection, results: Sequence[Result], path: Path) -> str:
    """Write the estimates in the format of the path's suffix."""
    if path.suffix.lower() == ".json":
        return json.dumps(_told(collection, results), ensure_ascii=False, indent=1) + "\n"
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(HEAD)
    rows.writerows(_row(result, cell) for result in results for cell in result.cells)
    return file.getvalue()


def _told(collection: Collection, results: Sequence[Result]) -> dict[str, object]:
    questions = [
        {**result.to_json(), "support": {cell.value: cell.support for cell in result.cells}} for result in results
    ]
    return {"survey": collection.fingerprint, "epsilon": float(collection.epsilon), "questions": questions}


def _row(result: Result, cell: Cell) -> list[str]:
    names = escape_formula(result.question.name), escape_formula(cell.value)
    numbers = cell.estimate, cell.sd, cell.low, cell.high, cell.consistent
    return [*names, str(result.n), str(cell.support), *(repr(number) for number in numbers)]
