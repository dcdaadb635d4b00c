"""Small files to be counted, written by Python's own csv module, and goals as a certificate tells them."""

import csv
import tempfile
from collections.abc import Sequence
from pathlib import Path

from anonymizer_gui.engine.core.params import to_json
from anonymizer_gui.engine.rooms.microdata.independent import (
    ColumnRoles,
    FileFormat,
    KnownFacts,
    RecountResult,
    recount,
)
from anonymizer_gui.engine.rooms.microdata.independent.interface import PlainGoal
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel

Rows = Sequence[Sequence[str]]


def told(goal: PrivacyModel) -> PlainGoal:
    """Give a goal of the engine as plain data."""
    return {"model": goal.name, "parameters": to_json(goal)}


def asked(model: str, **parameters: object) -> PlainGoal:
    return {"model": model, "parameters": parameters}


def write_rows(path: Path, names: Sequence[str], rows: Rows) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(names)
        writer.writerows(rows)
    return path


def counted(
    names: Sequence[str],
    rows: Rows,
    qis: Sequence[str],
    sensitive: Sequence[str],
    goals: Sequence[PlainGoal] = (),
    known: KnownFacts | None = None,
    **more: object,
) -> RecountResult:
    """Count rows by way of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_rows(Path(folder) / "release.csv", names, rows)
        columns = ColumnRoles(tuple(qis), tuple(sensitive))
        return recount(path, FileFormat(), columns, goals, known, **more)  # type: ignore[arg-type]
