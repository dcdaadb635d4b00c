"""Edge lists, matrices, GML, GraphML."""

import csv
import io
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.data.tables.io.csv_dialect import encoding_or_refuse
from anonymizer_gui.engine.data.tables.normalisation import normalise_text
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.storage.safe_open import read_regular, refuse_beyond_memory

_DECLARED = (b"<!DOCTYPE", b"<!ENTITY", b"<!doctype", b"<!entity")

_MANY = "multigraph"

_NODE = "node"


@dataclass(frozen=True, slots=True)
class GraphParts:
    """What a file holds: names of nodes, edges by number, whether these have a direction, and what is told of nodes."""

    names: list[str]
    pairs: list[tuple[int, int]] | Ints
    is_directed: bool = False
    people: Table | None = None
    first: tuple[str, ...] = ()
    """The names of the first line where they stand nowhere else: an edge, or heads that nobody knows."""


def load_networkx() -> Any:
    """Import networkx; raises MissingExtra."""
    try:
        import networkx
    except ImportError:
        raise MissingExtra("Graphs in this format need the package networkx.", "graphs") from None
    return networkx


def read_gml(content: bytes) -> GraphParts:
    """Read GML; nodes are called by their label, or by their number where two share one."""
    text = content.decode("utf-8-sig", "replace")
    if _MANY not in text:
        # Otherwise an edge that stands twice makes the package refuse the whole file.
        text = re.sub(r"\bgraph\s*\[", f"graph [ {_MANY} 1", text, count=1)
    lines = text.splitlines()
    networkx = load_networkx()
    for label in ("label", "id"):
        with suppress(networkx.NetworkXError):
            return _parts(networkx.parse_gml(lines, label=label))
    raise ValueError


def read_graphml(content: bytes) -> GraphParts:
    """Read GraphML without document types or entities, which a graph never needs; raises UnreadableFile."""
    if any(mark in content for mark in _DECLARED):
        raise UnreadableFile(
            "The file declares a document type or entities, which no graph needs.", "Save it without them."
        )
    networkx = load_networkx()
    try:
        return _parts(networkx.read_graphml(io.BytesIO(content)))
    except (SyntaxError, networkx.NetworkXError):
        raise ValueError from None


def _parts(found: Any) -> GraphParts:
    names = [str(node) for node in found.nodes]
    numbers = {node: number for number, node in enumerate(found.nodes)}
    pairs = [(numbers[one], numbers[other]) for one, other in found.edges()]
    return GraphParts(
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
    return MISSING if isinstance(value, (dict, list)) else normalise_text(str(value)) or MISSING


def as_networkx(graph: Graph) -> Any:
    """Give the graph to the package, for measures that it knows."""
    networkx = load_networkx()
    made = networkx.DiGraph() if graph.is_directed else networkx.Graph()
    made.add_nodes_from(range(graph.n_nodes))
    made.add_edges_from(graph.edges.tolist())
    return made


_LARGEST_BYTES, _LARGEST_MARKED_UP = 512 << 20, 32 << 20
"""Of lists and matrices, and of formats that a package reads whole before anybody can stop it."""

_MEMORY_PER_BYTE = 24

_MOST_NODES = 5_000_000

_MOST_MATRIX = 20_000

_MOST_DIGITS, _MOST_TIES = 9, 100_000_000

_COLUMNS_WITH_WEIGHTS = 3

_EVERY = 50_000

_LOOKED_AT = 1 << 20

_ENDS_OF_AN_EDGE = 2

_ENDS = {"source", "target", "from", "to", "src", "dst", "node1", "node2", "person", "friend", "id1", "id2"}

DIRECTIONS = ("", "directed", "undirected")

FORMATS = {".gml": read_gml, ".graphml": read_graphml, ".xml": read_graphml}


@dataclass(frozen=True, slots=True)
class ReadGraph:
    """A graph as it was read, and what was left out: edges from a node to itself, and edges that stood twice."""

    graph: Graph
    loops: int = 0
    doubles: int = 0
    first: tuple[str, ...] = ()

    def notes(self) -> tuple[Message, ...]:
        """Say what the user should look at."""
        told = []
        if self.loops:
            told.append(message("{loops:edge leads|edges lead} from a node to itself and {loops:~was|were} left out.",
                            loops=self.loops))  # fmt: skip
        if self.doubles:
            told.append(message("{doubles:edge stands|edges stand} there twice and {doubles:~was|were} counted once.",
                            doubles=self.doubles))  # fmt: skip
        if self.first:
            told.append(
                message(
                    "“{one}” and “{other}” stand in the first line only, and were read as two nodes with an edge: call "
                    "the columns source and target where these are their heads.",
                    one=self.first[0],
                    other=self.first[1],
                )
            )
        return tuple(told)


def read_graph(path: Path, options: Mapping[str, Json] | None = None, progress: Progress = SILENT) -> ReadGraph:
    """Read a graph by the suffix of its file; `options["direction"]` overrides what the file says.

    Raises UnreadableFile, BadParameter.
    """
    wanted = str((options or {}).get("direction", ""))
    if wanted not in DIRECTIONS:
        raise BadParameter("A graph is directed or undirected.", "Leave the direction out to take the file's word.")
    progress(0.0, "Reading the graph")
    reader = FORMATS.get(path.suffix.lower())
    content = read_regular(path, _LARGEST_MARKED_UP if reader else _LARGEST_BYTES)
    refuse_beyond_memory(path, _MEMORY_PER_BYTE * len(content))
    progress(0.2, "Reading the graph")
    try:
        found = reader(content) if reader else _plain_text(_text(path, content), progress.sub(0.2, 0.9))
    except AnonymizerError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, csv.Error):
        raise _no_graph(path) from None
    if not found.names:
        raise _no_graph(path)
    if len(found.names) > _MOST_NODES:
        raise UnreadableFile(
            message("“{name}” has more than {most:,} nodes.", name=path.name, most=_MOST_NODES), "Choose a part of it."
        )
    progress(0.95, "Reading the graph")
    return _tidied(found, found.is_directed if not wanted else wanted == "directed")


def _no_graph(path: Path) -> UnreadableFile:
    return UnreadableFile(
        message("“{name}” holds no graph that could be read.", name=path.name),
        "A list of edges has two columns, one edge per line; GML, GraphML and matrices of 0 and 1 are read, too.",
    )


def _tidied(found: GraphParts, is_directed: bool) -> ReadGraph:
    names, place = _names_as_seen(found.names)
    ends = place[np.asarray(found.pairs, dtype=np.int64).reshape(-1, 2)]
    loops = int((ends[:, 0] == ends[:, 1]).sum())
    people = found.people if len(names) == len(found.names) else None
    graph = Graph.of(names, ends, is_directed=is_directed, people=people)
    return ReadGraph(graph, loops, len(ends) - loops - graph.n_edges, found.first)


def _names_as_seen(names: Sequence[str]) -> tuple[list[str], Ints]:
    """Give names as tables have them, and the number of each: two that nobody can tell apart are one node."""
    numbers: dict[str, int] = {}
    place = np.array([numbers.setdefault(normalise_text(name), len(numbers)) for name in names], dtype=np.int64)
    return list(numbers), place


def _text(path: Path, content: bytes) -> str:
    """Read the letters as those of a table are read; raises UnreadableFile where there are none."""
    try:
        found = encoding_or_refuse(content[:_LOOKED_AT], len(content) <= _LOOKED_AT, path.name)
    except UnreadableFile:
        raise _no_graph(path) from None
    return content.decode(found, errors="replace").removeprefix("\ufeff")


def _plain_text(text: str, progress: Progress) -> GraphParts:
    """Read a list of edges or a matrix, whichever it is."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("#", "%"))]
    separator = _separator(lines)
    first = next(_cells(lines[:1], separator), [])
    # Rows of a long list are split one by one: all of them together take many times the memory of the file.
    has_head = _is_head([first])
    if not has_head and len(first) > _ENDS_OF_AN_EDGE and _is_matrix(rows := list(_cells(lines, separator))):
        return _matrix(rows)
    names, pairs = _edge_list(_cells(lines[has_head:], separator), len(lines), progress)
    return GraphParts(names, pairs) if has_head else _without_head(names, pairs)


def _without_head(names: list[str], pairs: Ints) -> GraphParts:
    """Take away heads nobody knows: names in the first line alone, where all others are numbers; else name them."""
    often = np.bincount(pairs.ravel(), minlength=_ENDS_OF_AN_EDGE)
    if len(pairs) < _ENDS_OF_AN_EDGE or pairs[0].tolist() != [0, 1] or often[:_ENDS_OF_AN_EDGE].tolist() != [1, 1]:
        return GraphParts(names, pairs)
    first, others = tuple(names[:_ENDS_OF_AN_EDGE]), names[_ENDS_OF_AN_EDGE:]
    if not any(name.isdigit() for name in first) and all(name.isdigit() for name in others):
        return GraphParts(others, pairs[1:] - _ENDS_OF_AN_EDGE)
    return GraphParts(names, pairs, first=first if not any(name.isdigit() for name in first) else ())


def _separator(lines: Sequence[str]) -> str:
    """Take the separator the first lines have most of; nothing stands for white space."""
    sample = "\n".join(lines[:50])
    found = max(("\t", ",", ";"), key=sample.count)
    return "" if sample.count(found) < len(lines[:50]) else found


def _cells(lines: Sequence[str], separator: str) -> Iterator[list[str]]:
    if not separator:
        yield from (line.split() for line in lines)
        return
    for row in csv.reader(lines, delimiter=separator):
        yield [cell.strip() for cell in row]


def _is_head(rows: Sequence[Sequence[str]]) -> bool:
    return bool(rows) and len(rows[0]) > 1 and {cell.casefold() for cell in rows[0][:2]} <= _ENDS


def _is_matrix(rows: Sequence[Sequence[str]]) -> bool:
    """Tell a square of 0 and 1, or of numbers of ties, with or without names around it, from a list of edges.

    Three lines of three numbers may be edges with weights: such a matrix may hold 0 and 1 only.
    """
    head = _matrix_head(rows)
    inner = [row[head:] for row in rows[head:]]
    size = len(inner)
    if not 2 < size <= _MOST_MATRIX or any(len(row) != size for row in inner):
        return False
    cells = {cell for row in inner for cell in row}
    return cells <= {"0", "1"} or (size > _COLUMNS_WITH_WEIGHTS and all(map(_is_count, cells)))


def _is_count(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) <= _MOST_DIGITS


def _matrix_head(rows: Sequence[Sequence[str]]) -> int:
    """Say whether names stand around a matrix: above it, and before each of its rows."""
    if not rows or all(map(_is_count, rows[0])):
        return 0
    return int([row[0] for row in rows[1:]] == list(rows[0][1:]) or not all(map(_is_count, rows[0][1:])))


def _matrix(rows: Sequence[Sequence[str]]) -> GraphParts:
    head = _matrix_head(rows)
    names = list(rows[0][1:]) if head else [str(number + 1) for number in range(len(rows))]
    if len(set(names)) < len(names):
        raise UnreadableFile("Two nodes of the matrix have the same name.", "Give every node a name of its own.")
    times = np.array([row[head:] for row in rows[head:]], dtype=np.int64)
    if int(times.sum()) > _MOST_TIES:
        raise UnreadableFile(
            "The numbers in the matrix are too large for numbers of ties.", "Write 1 where there is a tie, else 0."
        )
    is_directed = bool((times != times.T).any())
    times = times if is_directed else np.triu(times)
    return GraphParts(names, np.repeat(np.argwhere(times), times[times > 0], axis=0), is_directed)


def _edge_list(rows: Iterable[Sequence[str]], count: int, progress: Progress) -> tuple[list[str], Ints]:
    """Number the nodes in the order they come; a line with one name is a node without an edge."""
    numbers: dict[str, int] = {}
    flat = array("q")
    for at, row in enumerate(rows):
        if at % _EVERY == 0:
            progress(at / count, "Reading the graph")
        ends = [numbers.setdefault(name, len(numbers)) for name in row[:_ENDS_OF_AN_EDGE] if name]
        if len(ends) == _ENDS_OF_AN_EDGE:
            flat.extend(ends)
    return list(numbers), np.array(flat, dtype=np.int64).reshape(-1, _ENDS_OF_AN_EDGE)
