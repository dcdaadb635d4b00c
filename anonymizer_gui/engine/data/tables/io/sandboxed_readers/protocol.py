"""Frames, questions, tables and errors as plain bytes."""

import dataclasses
import enum
import json
import os
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError, MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.messages import pack_message, unpack_message
from anonymizer_gui.engine.core.params import Json, from_json, to_json
from anonymizer_gui.engine.data.tables.io.options import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_report import Lines, ReadReport
from anonymizer_gui.engine.data.tables.table import Codes, Column, Table

_HEAD = struct.Struct("<BQ")


class FrameKind(enum.IntEnum):
    """What a frame holds."""

    BEGUN = 1
    PROGRESS = 2
    ERROR = 3
    ANSWER = 4
    TABLE = 5
    CODES = 6
    LABELS = 7
    END = 8


Frame = tuple[FrameKind, bytearray]


def send(handle: int, kind: FrameKind, payload: bytes | memoryview = b"") -> None:
    """Write one frame."""
    view = memoryview(payload).cast("B") if len(payload) else memoryview(b"")
    for part in (memoryview(_HEAD.pack(kind, len(view))), view):
        while part:
            part = part[os.write(handle, part) :]


def receive(stream: IO[bytes], most: int) -> Frame | None:
    """Read one frame, None when there is no whole one; raises ValueError for one that cannot be ours."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, size = _HEAD.unpack(head)
    if size > most:
        raise ValueError("a frame is larger than anything that was asked for")
    payload = bytearray(size)
    return (FrameKind(kind), payload) if _filled(stream, payload) else None


def _filled(stream: IO[bytes], payload: bytearray) -> bool:
    rest = memoryview(payload)
    while rest:
        taken = stream.readinto(rest)  # type: ignore[attr-defined]
        if not taken:
            return False
        rest = rest[taken:]
    return True


PACKAGE = __package__.rpartition(".")[0]
"""Readers are found in this package and nowhere else."""

_LABELS_AT_ONCE = 1 << 15  # a million in one call would keep every other thread waiting

_BETWEEN = "\0"  # no label holds one once it is normalised


@dataclass(frozen=True, slots=True)
class Question:
    """What the process apart is asked: which reader, what of it, which file, and how."""

    reader: str
    asked: str
    path: str
    seconds: float
    memory: int
    options: ReadOptions | None = None
    limit: int | None = None

    def to_line(self) -> bytes:
        """Write the question as one line."""
        entries = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        options = None if self.options is None else to_json(self.options)
        return json.dumps({**entries, "options": options}).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> "Question":
        """Read the question."""
        entries = json.loads(line)
        options = entries.pop("options")
        return cls(**entries, options=None if options is None else from_json(ReadOptions, options))


def table_frames(table: Table, report: ReadReport) -> Iterator[tuple[FrameKind, bytes | memoryview]]:
    """Give a table as frames: what it holds, then the codes and the labels of each column."""
    about = {
        "rows": table.n_rows,
        "columns": [[c.name, c.codes.dtype.itemsize, len(c.labels)] for c in table.columns],
        "report": _report_json(report),
    }
    yield FrameKind.TABLE, json.dumps(about).encode()
    for column in table.columns:
        yield FrameKind.CODES, np.ascontiguousarray(column.codes).data
        for at in range(0, len(column.labels), _LABELS_AT_ONCE):
            yield FrameKind.LABELS, _BETWEEN.join(column.labels[at : at + _LABELS_AT_ONCE]).encode()


class ArrivingTable:
    """A table that arrives frame by frame; whatever does not fit together raises ValueError."""

    def __init__(self, about: bytes | bytearray) -> None:
        entries = json.loads(about)
        self._rows = int(entries["rows"])
        self._announced: list[list[Any]] = entries["columns"]
        self._report = _report_of(entries["report"])
        self._codes: list[Codes] = []
        self._labels: list[list[str]] = []

    def take(self, kind: FrameKind, payload: bytearray) -> None:
        """Take the next part."""
        if kind is FrameKind.CODES:
            size = self._announced[len(self._codes)][1]
            self._codes.append(np.frombuffer(payload, dtype={1: np.uint8, 2: np.uint16, 4: np.uint32}[size]))
            self._labels.append([])
        elif kind is FrameKind.LABELS:
            self._labels[-1] += payload.decode().split(_BETWEEN)
        else:
            raise ValueError("a table has no such part")

    def finish(self) -> tuple[Table, ReadReport]:
        """Give the table and how it was read."""
        parts = zip(self._announced, self._codes, self._labels, strict=True)
        return Table(tuple(self._column(*part) for part in parts), self._rows), self._report

    def _column(self, about: Sequence[Any], codes: Codes, labels: list[str]) -> Column:
        name, _, count = about
        if len(codes) != self._rows or len(labels) != count or (len(codes) and int(codes.max()) >= count):
            raise ValueError("a column is not what was announced")
        return Column(str(name), codes, tuple(labels))


def error_json(error: AnonymizerError) -> Json:
    """Give an error with its sentences."""
    return {
        "extra": isinstance(error, MissingExtra),
        "message": pack_message(error.message),
        "hint": pack_message(error.hint),
        "line": getattr(error, "line", None),
        "column": getattr(error, "column", ""),
    }


def error_from_json(entries: Json) -> UnreadableFile:
    """Make the error again."""
    message, hint = unpack_message(entries["message"]), unpack_message(entries["hint"])
    if entries["extra"]:
        error = MissingExtra(message)
        error.hint = hint  # it says already where such a package cannot be had
        return error
    return UnreadableFile(message, hint, entries["line"], entries["column"])


def _report_json(report: ReadReport) -> Json:
    entries = {f.name: getattr(report, f.name) for f in dataclasses.fields(report)}
    return {
        name: [value.total, list(value.first)] if isinstance(value, Lines) else pack_message(value)
        for name, value in entries.items()
    }


def _report_of(entries: dict[str, Json]) -> ReadReport:
    plain = ReadReport()
    values: dict[str, Any] = {
        name: Lines(value[0], tuple(value[1])) if isinstance(getattr(plain, name), Lines) else unpack_message(value)
        for name, value in entries.items()
    }
    return ReadReport(**values)
