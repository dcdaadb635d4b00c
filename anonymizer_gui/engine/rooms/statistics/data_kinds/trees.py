"""Nested records: what is protected is a record with all below it, or a single entry of one of its lists."""

import hmac
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.trees.reading import likelihood, read_trees
from anonymizer_gui.engine.data.trees.trees import Trees, Vertex, text_of, type_of
from anonymizer_gui.engine.dp.accountant import Part
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.room import ReadFile
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import (
    DATA_KINDS,
    KIND_OPTION,
    DataKind,
    Surplus,
    keyed_hashes,
    mix_bits,
)
from anonymizer_gui.engine.storage.sources import Source

_AFTER_ITS_ROOM = 0.6


@DATA_KINDS.register
class RecordKind(DataKind):
    """A record is a row, with all that hangs below it."""

    name: ClassVar[str] = "trees"
    title: ClassVar[str] = "Nested records"
    summary: ClassVar[str] = "JSON or XML records with lists below them; a row is a record with all of them."

    def units(self) -> Mapping[Neighbours, Message]:
        """Protect records; nothing tells which of them belong to one person."""
        return {
            Neighbours.ROW: message("A record more or less, with all below it"),
            Neighbours.CHANGE: message("All of a record; how many there are is public"),
        }

    def sentence(self, unit: PrivacyUnit) -> Message:
        """Speak of records."""
        if unit.kind is Neighbours.CHANGE:
            return message("Nobody can tell what is in a record; how many there are is public.")
        return message("Nobody can tell whether a record with all below it is there.")

    def accepts(self, path: Path, head: bytes) -> float:
        """Take JSON with objects inside, and XML, before tables do and after the room of nested records."""
        return _AFTER_ITS_ROOM * likelihood(path, head)

    def read(self, source: Source, progress: Progress) -> ReadFile:
        """Read records with the options they were read with before."""
        kept = {name: value for name, value in source.options.items() if name != KIND_OPTION}
        found = read_trees(replace(source, options=kept), progress, alone=True)
        told = replace(found.source, options={KIND_OPTION: self.name, **found.source.options})
        return ReadFile(found.trees, told, found.notes)

    def columns(self, data: Trees) -> tuple[str, ...]:
        """Name the paths of labels."""
        return data.names

    def rows(self, data: Trees) -> int:
        """Give the number of records."""
        return len(data)

    def cut(self, data: Trees, unit: PrivacyUnit, surplus: Surplus) -> Trees:
        """Keep everything: questions cut lists in the way each of them needs."""
        return data

    def part(self, data: Trees, part: Part) -> Trees:
        """Refuse parts: a record may have several values at one path."""
        raise BadParameter("Nested records have no parts.", "Ask about all of them.")

    def fingerprint(self, data: Trees, key: bytes, progress: Progress = SILENT) -> str:
        """Add up keyed numbers of all records, whatever is protected: no order makes a difference."""
        progress(0.0, "Recognising the data")
        told = [repr(_content(record)) for record in data.records]
        summed = mix_bits(keyed_hashes(told, RecordKind.name, key, progress)).sum(axis=1, dtype=np.uint64).tolist()
        return hmac.digest(key, repr((RecordKind.name, len(data), summed)).encode(), "sha256").hex()

    def some(self, data: Trees, rows: int) -> Trees:
        """Take the first records."""
        return Trees.of(data.records[:rows], data.form)

    def neighbours(self, data: Trees, unit: PrivacyUnit) -> Iterator[Trees]:
        """Leave out, double or exchange one record."""
        for row in range(len(data)):
            without = [*data.records[:row], *data.records[row + 1 :]]
            if unit.kind is Neighbours.CHANGE:
                yield from (Trees.of([*without, other], data.form) for other in data.records)
            else:
                yield Trees.of(without, data.form)
                yield Trees.of([*data.records, data.records[row]], data.form)


@DATA_KINDS.register
class EntryKind(RecordKind):
    """A single entry of a list is a row: an enrolment, not the student."""

    name: ClassVar[str] = "tree-entries"
    title: ClassVar[str] = "Single entries of nested records"
    summary: ClassVar[str] = (
        "Nested records of which only one entry of a list is protected; long lists are known better."
    )

    def units(self) -> Mapping[Neighbours, Message]:
        """Protect entries."""
        return {
            Neighbours.ROW: message("An entry of a list more or less, with all below it"),
            Neighbours.CHANGE: message("An entry of a list that is exchanged; how many there are is public"),
        }

    def sentence(self, unit: PrivacyUnit) -> Message:
        """Speak of entries."""
        if unit.kind is Neighbours.CHANGE:
            return message("Nobody can tell what an entry of a list is; how many there are is public.")
        return message("Nobody can tell whether an entry of a list is there.")

    def accepts(self, path: Path, head: bytes) -> float:
        """Take nothing unasked: whole records are protected better."""
        return 0.0

    def rows(self, data: Trees) -> int:
        """Give the number of entries of all lists."""
        return sum(
            branch.vertices for branch in data.branches if branch.is_list or (data.form.is_xml and branch.parent >= 0)
        )

    def neighbours(self, data: Trees, unit: PrivacyUnit) -> Iterator[Trees]:
        """Leave out each entry of a list; where it is exchanged, put another in its place."""
        for row, record in enumerate(data.records):
            for changed in _without_one(record, unit.kind is Neighbours.CHANGE):
                yield Trees.of([*data.records[:row], changed, *data.records[row + 1 :]], data.form)


def _content(vertex: Vertex) -> Any:
    """Give what is in a vertex: parts in no order, for none means anything."""
    found: list[Any] = []
    for name, part in vertex.parts:
        if isinstance(part, Vertex):
            found.append((name, "one", _content(part)))
        elif isinstance(part, list):
            found.append((name, "list", sorted((_content(each) for each in part), key=repr)))
        else:
            found.append((name, type_of(part), text_of(part)))
    return vertex.form, vertex.tag, sorted(found, key=repr)


def _without_one(vertex: Vertex, is_exchanged: bool) -> Iterator[Vertex]:
    """Give the vertex without each entry of a list in or below it, or with another of the list in its place."""
    for at, (name, part) in enumerate(vertex.parts):
        for kept in _parts_without_one(part, is_exchanged):
            yield Vertex([*vertex.parts[:at], (name, kept), *vertex.parts[at + 1 :]], vertex.form, vertex.tag)


def _parts_without_one(part: Any, is_exchanged: bool) -> Iterator[Any]:
    if isinstance(part, Vertex):
        yield from _without_one(part, is_exchanged)
    for gone, entry in enumerate(part) if isinstance(part, list) else ():
        before, after = part[:gone], part[gone + 1 :]
        yield from ([*before, *after, other] for other in part) if is_exchanged else ([*before, *after],)
        yield from ([*before, inner, *after] for inner in _without_one(entry, is_exchanged))
