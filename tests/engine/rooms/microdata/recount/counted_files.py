"""Small files to be counted, written by Python's own csv module, and goals as a certificate tells them."""

import csv
import tempfile
from collections.abc import Sequence
from pathlib import Path

from anonymizer_gui.engine.core.params import to_json
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.recount import Columns, Known, Reading, Recount, recount
from anonymizer_gui.engine.rooms.microdata.recount.asked import Goal

Rows = Sequence[Sequence[str]]


def told(goal: PrivacyModel) -> Goal:
    """Give a goal of the engine as plain data."""
    return {"model": goal.name, "parameters": to_json(goal)}


def asked(model: str, **parameters: object) -> Goal:
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
    goals: Sequence[Goal] = (),
    known: Known | None = None,
    **more: object,
) -> Recount:
    """Count rows by way of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_rows(Path(folder) / "release.csv", names, rows)
        columns = Columns(tuple(qis), tuple(sensitive))
        return recount(path, Reading(), columns, goals, known, **more)  # type: ignore[arg-type]
