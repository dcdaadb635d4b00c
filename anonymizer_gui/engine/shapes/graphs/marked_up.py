"""Graphs in GML and GraphML; networkx, which knows both, is loaded when such a file is read or written."""

import io
from contextlib import suppress
from typing import Any

from anonymizer_gui.engine.errors import MissingExtra, UnreadableFile
from anonymizer_gui.engine.shapes.graphs.graph import Graph

Parts = tuple[list[str], list[tuple[int, int]], bool]
_DECLARED = (b"<!DOCTYPE", b"<!ENTITY", b"<!doctype", b"<!entity")


def loaded() -> Any:
    """Import networkx; raises MissingExtra."""
    try:
        import networkx
    except ImportError:
        raise MissingExtra("Graphs in this format need the package networkx.", "graphs") from None
    return networkx


def read_gml(content: bytes) -> Parts:
    """Read GML; nodes are called by their label, or by their number where two share one."""
    lines = content.decode("utf-8-sig", "replace").splitlines()
    networkx = loaded()
    for label in ("label", "id"):
        with suppress(networkx.NetworkXError):
            return _parts(networkx.parse_gml(lines, label=label))
    raise ValueError


def read_graphml(content: bytes) -> Parts:
    """Read GraphML without document types or entities, which a graph never needs; raises UnreadableFile."""
    if any(mark in content for mark in _DECLARED):
        raise UnreadableFile(
            "The file declares a document type or entities, which no graph needs.", "Save it without them."
        )
    networkx = loaded()
    try:
        return _parts(networkx.read_graphml(io.BytesIO(content)))
    except (SyntaxError, networkx.NetworkXError):
        raise ValueError from None


def _parts(found: Any) -> Parts:
    names = [str(node) for node in found.nodes]
    numbers = {node: number for number, node in enumerate(found.nodes)}
    return names, [(numbers[one], numbers[other]) for one, other in found.edges()], bool(found.is_directed())


def as_networkx(graph: Graph) -> Any:
    """Give the graph to the package, for measures that it knows."""
    networkx = loaded()
    made = networkx.DiGraph() if graph.is_directed else networkx.Graph()
    made.add_nodes_from(range(graph.n_nodes))
    made.add_edges_from(graph.edges.tolist())
    return made
