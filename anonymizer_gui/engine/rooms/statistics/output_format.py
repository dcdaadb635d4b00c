"""Noisy answers as a file: a row for each number with its interval, or one JSON object."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, WriteOptions, read_table
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.data.tables.io.read_write import writer_of
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.storage.safe_open import open_regular, read_regular

HEAD = ("question", "label", "value", "low95", "high95", "epsilon", "mechanism")
JSON_SUFFIX = ".json"
NO_VALUE = "(no value)"
"""How a table calls the category of missing values, whose own name would be an empty cell."""
_TABBED = (".tsv", ".tab")
_DELIMITED = (".csv", ".txt", *_TABBED)
_LARGEST_BYTES = 1 << 30
Cells = list[list[str]]


def answer_rows(answers: Sequence[Answer]) -> Cells:
    """Give the rows of the file: one for each number, with the bounds it lies between in 95 of 100 releases."""
    return [_row(answer, label, value) for answer in answers for label, value in answer.cells()]


def _row(answer: Answer, label: str, value: object) -> list[str]:
    interval = answer.interval(value) if isinstance(value, int | float) else None
    low, high = ("", "") if interval is None else (_text(side) for side in interval)
    return [answer.ask, label, _text(value), low, high, _text(float(answer.epsilon)), answer.mechanism]


def _text(value: object) -> str:
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def check_suffix(path: Path) -> None:
    """Raise UnwritableFile when answers cannot be written in a file of that name: before anything is spent."""
    if path.suffix.lower() != JSON_SUFFIX:
        writer_of(path)


def write_answers(answers: Sequence[Answer], about: Mapping[str, Json], path: Path, progress: Progress) -> None:
    """Write the answers in the format of the path's suffix; JSON begins with what is true of all of them."""
    if path.suffix.lower() == JSON_SUFFIX:
        told = {**about, "answers": [answer_told(answer) for answer in answers]}
        path.write_bytes((json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode())
        return
    rows = [[_named(cell) or MISSING for cell in row] for row in answer_rows(answers)]
    writer_of(path).write(Table.from_rows(HEAD, rows), path, WriteOptions(), progress)


def answer_told(answer: Answer) -> dict[str, Json]:
    """Give an answer with its intervals; whether it was paid now is no part of it."""
    told = {name: entry for name, entry in answer.to_json().items() if name != "cached"}
    intervals = {label: answer.interval(value) for label, value in answer.cells() if not isinstance(value, str)}
    return {**told, "intervals": {label: list(pair) for label, pair in intervals.items() if pair is not None}}


def read_cells(path: Path, progress: Progress = SILENT) -> Cells:
    """Read the numbers of a released file again, without head and intervals of JSON; raises UnreadableFile."""
    return _read_json(path) if path.suffix.lower() == JSON_SUFFIX else read_rows(path, progress)[1:]


def read_rows(path: Path, progress: Progress = SILENT) -> Cells:
    """Read a released table again, its head first; raises UnreadableFile."""
    suffix = path.suffix.lower()
    if suffix in _DELIMITED:
        with open_regular(path) as file:
            text = io.StringIO(file.read().decode("utf-8"), newline="")
        return list(csv.reader(text, delimiter="\t" if suffix in _TABBED else ","))
    table = read_table(path, ReadOptions(), progress)[0]
    columns = [["" if text == MISSING else str(text) for text in column.texts()] for column in table.columns]
    return [list(table.names), *(list(row) for row in zip(*columns, strict=True))]


def _read_json(path: Path) -> Cells:
    try:
        told = json.loads(read_regular(path, _LARGEST_BYTES))
        return [row for answer in told["answers"] for row in _rows_of_json(answer)]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UnreadableFile(
            message("“{name}” does not hold answers.", name=path.name), "Choose the file as it was released."
        ) from None


def told_in(path: Path) -> dict[str, Json]:
    """Give all of a file of answers in JSON; raises UnreadableFile."""
    _read_json(path)
    told: dict[str, Json] = json.loads(read_regular(path, _LARGEST_BYTES))
    return told


def read_model(path: Path) -> Json:
    """Read a model that was released; raises UnreadableFile."""
    try:
        return json.loads(read_regular(path, _LARGEST_BYTES))
    except ValueError:
        raise UnreadableFile(
            message("“{name}” does not hold a model.", name=path.name), "Choose the file as it was released."
        ) from None


def _rows_of_json(answer: Mapping[str, Json]) -> Cells:
    value = answer.get("value")
    if isinstance(value, list):
        cells = [(str(place + 1), label) for place, label in enumerate(value)]
    else:
        cells = [("", value)] if value is not None else list(answer["values"].items())
    intervals = answer["intervals"]
    return [_cells_of_json(answer, label, number, intervals.get(label)) for label, number in cells]


def _cells_of_json(answer: Mapping[str, Json], label: str, value: Json, interval: Json) -> list[str]:
    low, high = ("", "") if interval is None else (_text(side) for side in interval)
    return [answer["ask"], label, _text(value), low, high, _text(answer["epsilon"]), answer["mechanism"]]


def rows_as_written(cells: Cells, path: Path) -> Cells:
    """Give the cells as a reader of the file finds them: what a spreadsheet would run begins with an apostrophe."""
    return (
        cells
        if path.suffix.lower() == JSON_SUFFIX
        else [[escape_formula(_named(cell)) for cell in row] for row in cells]
    )


def _named(cell: str) -> str:
    return NO_VALUE if cell == MISSING else cell
