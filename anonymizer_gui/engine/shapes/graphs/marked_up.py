"""Graphs in GML and GraphML; networkx, which knows both, is loaded when such a file is read or written."""

import io
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from anonymizer_gui.engine.core.errors import MissingExtra, UnreadableFile
from anonymizer_gui.engine.shapes.graphs.graph import Graph, Ints
from anonymizer_gui.engine.shapes.tables.io.normalise import normalised
from anonymizer_gui.engine.shapes.tables.table import MISSING, Table

_DECLARED = (b"<!DOCTYPE", b"<!ENTITY", b"<!doctype", b"<!entity")
_MANY = "multigraph"
_NODE = "node"


@dataclass(frozen=True, slots=True)
class Parts:
    """What a file holds: names of nodes, edges by number, whether these have a direction, and what is told of nodes."""

    names: list[str]
    pairs: list[tuple[int, int]] | Ints
    is_directed: bool = False
    people: Table | None = None
    first: tuple[str, ...] = ()
    """The names of the first line where they stand nowhere else: an edge, or heads that nobody knows."""


def loaded() -> Any:
    """Import networkx; raises MissingExtra."""
    try:
        import networkx
    except ImportError:
        raise MissingExtra("Graphs in this format need the package networkx.", "graphs") from None
    return networkx


def read_gml(content: bytes) -> Parts:
    """Read GML; nodes are called by their label, or by their number where two share one."""
    text = content.decode("utf-8-sig", "replace")
    if _MANY not in text:
        # Otherwise an edge that stands twice makes the package refuse the whole file.
        text = re.sub(r"\bgraph\s*\[", f"graph [ {_MANY} 1", text, count=1)
    lines = text.splitlines()
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
    pairs = [(numbers[one], numbers[other]) for one, other in found.edges()]
    return Parts(
        names, pairs, bool(found.is_directed()), _people(names, [told for _node, told in found.nodes(data=True)])
    )


def _people(names: list[str], told: list[Mapping[str, Any]]) -> Table | None:
    """Make a table of what is told of nodes; what is itself made of parts, such as how to draw one, is no cell."""
    columns = dict.fromkeys(name for each in told for name, cell in each.items() if not isinstance(cell, (dict, list)))
    if not columns:
        return None
    head = [_NODE if _NODE not in columns else f"{_NODE} ({len(columns)})", *columns]
    rows = [
        [name, *(_cell(each.get(column, "")) for column in columns)] for name, each in zip(names, told, strict=True)
    ]
    return Table.from_rows(head, rows)


def _cell(value: Any) -> str:
    return MISSING if isinstance(value, (dict, list)) else normalised(str(value)) or MISSING


def as_networkx(graph: Graph) -> Any:
    """Give the graph to the package, for measures that it knows."""
    networkx = loaded()
    made = networkx.DiGraph() if graph.is_directed else networkx.Graph()
    made.add_nodes_from(range(graph.n_nodes))
    made.add_edges_from(graph.edges.tolist())
    return made
