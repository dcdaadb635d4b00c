"""Graphs: what is protected is a person with all of their ties (node privacy), or a single tie (edge privacy)."""

import hmac
from collections.abc import Iterator, Mapping
from itertools import combinations, islice
from pathlib import Path
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.data.graphs.reading import read_graph
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
from anonymizer_gui.engine.storage.sources import Source, checksum

_SURE, _BEFORE_TABLES = 0.9, 0.45
_FORMATS = (".gml", ".graphml")
_HEADS = (b"source,target", b"from,to", b"source\ttarget", b"from\tto", b"source;target", b"from;to")
_MOST_PAIRS = 300


@DATA_KINDS.register
class NodePrivacyKind(DataKind):
    """A person is a row, with all of their ties; people without any tie count nowhere, for no list of ties has them."""

    name: ClassVar[str] = "graph"
    title: ClassVar[str] = "Graph"
    summary: ClassVar[str] = "People and the ties between them; a row is a person with all of their ties."

    def units(self) -> Mapping[Neighbours, Message]:
        """Protect people; nothing tells which of them belong together."""
        return {
            Neighbours.ROW: message("A person more or less, with all of their ties"),
            Neighbours.CHANGE: message("All ties of a person; who is there is public"),
        }

    def sentence(self, unit: PrivacyUnit) -> Message:
        """Speak of people and ties."""
        if unit.kind is Neighbours.CHANGE:
            return message("Nobody can tell whom a person is tied to; who is there is public.")
        return message("Nobody can tell whether a person with all of their ties is in the graph.")

    def accepts(self, path: Path, head: bytes) -> float:
        """Take formats for graphs, and tables that name two ends, before tables do."""
        if path.suffix.lower() in _FORMATS:
            return _SURE
        return _BEFORE_TABLES if head.lstrip(b"\xef\xbb\xbf").lower().startswith(_HEADS) else 0.0

    def read(self, source: Source, progress: Progress) -> ReadFile:
        """Read a graph; a tie counts once, whichever way it goes."""
        path = Path(source.path)
        kept = {name: value for name, value in source.options.items() if name != KIND_OPTION}
        read = read_graph(path, kept, progress.sub(0.0, 0.9))
        graph = Graph.of(read.graph.names, read.graph.edges)
        notes = read.notes()
        if read.graph.is_directed:
            notes = (*notes, message("Ties have a direction: each counts once here, whichever way it goes."))
        digest = checksum(path, progress.sub(0.9, 1.0))
        return ReadFile(graph, Source(source.path, digest, {KIND_OPTION: self.name, **kept}), notes)

    def columns(self, data: Graph) -> tuple[str, ...]:
        """Name nothing: questions are about ties."""
        return ()

    def rows(self, data: Graph) -> int:
        """Give the number of people."""
        return data.n_nodes

    def cut(self, data: Graph, unit: PrivacyUnit, surplus: Surplus) -> Graph:
        """Keep everything: questions cut ties in the way each of them needs."""
        return data

    def part(self, data: Graph, part: Part) -> Graph:
        """Refuse parts: ties lead from one to another."""
        raise BadParameter("A graph has no parts.", "Ask about all of it.")

    def fingerprint(self, data: Graph, key: bytes, progress: Progress = SILENT) -> str:
        """Add up keyed numbers of all people and all ties, whatever is protected: no order makes a difference."""
        progress(0.0, "Recognising the data")
        people = keyed_hashes(data.names, NodePrivacyKind.name, key, progress).reshape(2, -1)
        ties = mix_bits(people[:, data.edges[:, 0]] + people[:, data.edges[:, 1]])
        summed = [lanes.sum(axis=1, dtype=np.uint64).tolist() for lanes in (mix_bits(people), ties)]
        told = repr((NodePrivacyKind.name, data.n_nodes, data.n_edges, summed)).encode()
        return hmac.digest(key, told, "sha256").hex()

    def some(self, data: Graph, rows: int) -> Graph:
        """Take the first people and the ties between them."""
        return Graph.of(data.names[:rows], data.edges[(data.edges < rows).all(axis=1)])

    def neighbours(self, data: Graph, unit: PrivacyUnit) -> Iterator[Graph]:
        """Leave out each person and add one who is tied to all; or tie each person to nobody, and to everybody."""
        people = np.arange(data.n_nodes)
        for person in people:
            others = data.edges[(data.edges != person).all(axis=1)]
            yield Graph.of(data.names, others)
            if unit.kind is Neighbours.CHANGE:
                yield Graph.of(data.names, np.vstack([others, _to_all(person, people)]))
        if unit.kind is not Neighbours.CHANGE:
            newcomer = np.int64(data.n_nodes)
            yield Graph.of((*data.names, "\N{BULLET}"), np.vstack([data.edges, _to_all(newcomer, people)]))


@DATA_KINDS.register
class EdgePrivacyKind(NodePrivacyKind):
    """A single tie is a row."""

    name: ClassVar[str] = "graph-edges"
    title: ClassVar[str] = "Single ties of a graph"
    summary: ClassVar[str] = "A graph of which only a single tie is protected; whoever has many ties is known better."

    def units(self) -> Mapping[Neighbours, Message]:
        """Protect ties."""
        return {
            Neighbours.ROW: message("A tie more or less"),
            Neighbours.CHANGE: message("A tie that is exchanged; how many there are is public"),
        }

    def sentence(self, unit: PrivacyUnit) -> Message:
        """Speak of ties."""
        if unit.kind is Neighbours.CHANGE:
            return message("Nobody can tell who is tied to whom; how many ties there are is public.")
        return message("Nobody can tell whether two people are tied.")

    def accepts(self, path: Path, head: bytes) -> float:
        """Take nothing unasked: whole people are protected better."""
        return 0.0

    def rows(self, data: Graph) -> int:
        """Give the number of ties."""
        return data.n_edges

    def some(self, data: Graph, rows: int) -> Graph:
        """Take the first ties."""
        return Graph.of(data.names, data.edges[:rows])

    def neighbours(self, data: Graph, unit: PrivacyUnit) -> Iterator[Graph]:
        """Leave out each tie, add some that are not there, or do both."""
        pairs = data.pairs()
        new = list(islice((pair for pair in combinations(range(data.n_nodes), 2) if pair not in pairs), _MOST_PAIRS))
        for gone in range(data.n_edges):
            kept = np.delete(data.edges, gone, axis=0)
            if unit.kind is Neighbours.CHANGE:
                yield from (Graph.of(data.names, np.vstack([kept, pair])) for pair in new[: _MOST_PAIRS // 10])
            else:
                yield Graph.of(data.names, kept)
        if unit.kind is not Neighbours.CHANGE:
            yield from (Graph.of(data.names, np.vstack([data.edges, pair])) for pair in new)


def _to_all(
    person: np.int64, people: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.stack([np.full(len(people), person), people], axis=1)
