"""People with their rows, what of them leaves, and as which files."""

import csv
import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Role, Schema, Table
from anonymizer_gui.engine.recode_for_other_rooms import RecodingRequest, room_recoding_tables
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import AnonymisedGraph
from anonymizer_gui.engine.rooms.graphs.project import Project


@dataclass(frozen=True, slots=True)
class People:
    """The graph with everybody in it, and the cells of each column in the order of the nodes."""

    graph: Graph
    cells: dict[str, tuple[str, ...]]
    unknown: int
    """How many nodes the table says nothing about."""

    def labels(self, project: Project) -> tuple[str, ...]:
        """Give the sensitive value of each node, empty where it is missing; nothing when no column is sensitive."""
        column = next(iter(project.columns(Role.SA)), "")
        return tuple("" if cell == MISSING else cell for cell in self.cells.get(column, ()))


def join_people(graph: Graph, table: Table | None, project: Project) -> People:
    """Bring graph and table together: people of the table without a tie are nodes, too; raises BadParameter."""
    if table is None:
        return People(graph, {}, 0)
    key = project.key or table.names[0]
    names = [str(text) for text in table.column(key).texts()]
    if len(set(names)) < len(names):
        raise BadParameter(
            message("“{name}” names the same person more than once.", name=key),
            "Choose the column that names the nodes.",
        )
    known = set(graph.names)
    everybody = (*graph.names, *(name for name in names if name not in known))
    row = {name: number for number, name in enumerate(names)}
    leaving = [name for role in (Role.QI, Role.SA, Role.OTHER) for name in project.columns(role)]
    wanted = [name for name in leaving if name != key and name in table.names]
    texts = {name: table.column(name).texts() for name in wanted}
    cells = {
        name: tuple(str(column[row[node]]) if node in row else MISSING for node in everybody)
        for name, column in texts.items()
    }
    whole = Graph.of(everybody, graph.edges, is_directed=graph.is_directed)
    return People(whole, cells, sum(name not in row for name in graph.names))


def generalise_rows(
    people: People, project: Project, sets: Ints, progress: Progress
) -> tuple[dict[str, tuple[str, ...]], float, tuple[str, ...]]:
    """Let the room of tables make the rows of people in one candidate set alike; tell what is lost by it, and notes.

    Raises BadParameter and BadHierarchy when table and hierarchies do not fit together.
    """
    columns = tuple(column for column in project.schema.columns if column.role in (Role.QI, Role.SA))
    if not project.columns(Role.QI):
        return {}, 0.0, ()
    table = Table(tuple(Column.from_texts(c.name, people.cells[c.name]) for c in columns), people.graph.n_nodes)
    asked = RecodingRequest(
        table, Schema(columns), project.hierarchies, sets, project.k, project.l, project.rows, project.uneven,
        project.seed,
    )  # fmt: skip
    made = room_recoding_tables().rows_made_alike(asked, progress)
    cells = {name: tuple(map(str, made.table.column(name).texts())) for name in project.columns(Role.QI)}
    return cells, made.lm, made.notes


Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class PublishedGraph:
    """What leaves. With groups, `edges` are counts between groups and `sample` may be a graph drawn from them."""

    is_grouped: bool
    is_directed: bool
    edges: Rows
    head: tuple[str, ...]
    nodes: Rows
    sample: Rows
    place: Ints
    """The new number of each node of the original, less 1; for the pages that compare, never exported."""
    lm: float
    notes: tuple[str, ...] = ()


def publish_graph(
    people: People, made: AnonymisedGraph, project: Project, classes: Ints, progress: Progress = SILENT
) -> PublishedGraph:
    """Number everybody anew and write down ties and rows."""
    place = new_numbers(people.graph, project.seed)
    order = np.argsort(place, kind="stable")
    groups = _numbered_anew(classes[order])[place] if made.groups is not None else classes
    alike, lm, notes = generalise_rows(people, project, classes, progress)
    shown = {**alike, **{name: people.cells[name] for role in (Role.SA, Role.OTHER) for name in project.columns(role)}}
    names = [f"{groups[node] + 1}" if made.groups is not None else f"{place[node] + 1}" for node in order.tolist()]
    nodes = tuple(
        (name, *(column[node] for column in shown.values())) for name, node in zip(names, order.tolist(), strict=True)
    )
    head = ("group" if made.groups is not None else "node", *shown)
    if made.groups is None:
        edges = _edges_of(made.graph.renumbered(place, map(str, range(len(place)))))
        return PublishedGraph(False, made.graph.is_directed, edges, head, nodes, (), place, lm, notes)
    counts = group_counts(made.graph, groups)
    drawn = _drawn(counts, np.bincount(groups), made.graph.is_directed, project.seed) if project.sample else ()
    told = tuple((str(one + 1), str(other + 1), str(count)) for (one, other), count in sorted(counts.items()))
    return PublishedGraph(True, made.graph.is_directed, told, head, nodes, drawn, place, lm, notes)


def new_numbers(graph: Graph, seed: int) -> Ints:
    """Give every node a new number: the order depends on the whole graph, so nobody who lacks it can compute it."""
    digest = hashlib.sha256(graph.edges.tobytes() + "\x1f".join(graph.names).encode("utf-8", "backslashreplace"))
    random = np.random.default_rng([seed, int.from_bytes(digest.digest(), "big")])
    return random.permutation(graph.n_nodes).astype(np.int64)


def _numbered_anew(groups: Ints) -> Ints:
    """Number groups in the order they are met."""
    numbers: dict[int, int] = {}
    return np.array([numbers.setdefault(group, len(numbers)) for group in groups.tolist()], dtype=np.int64)


def _edges_of(graph: Graph) -> Rows:
    return tuple((str(one + 1), str(other + 1)) for one, other in graph.edges.tolist())


def group_counts(graph: Graph, groups: Ints) -> dict[tuple[int, int], int]:
    """Count the edges inside and between groups."""
    ends = groups[graph.edges].reshape(-1, 2)
    ends = ends if graph.is_directed else np.sort(ends, axis=1)
    pairs, counts = np.unique(ends, axis=0, return_counts=True)
    return {(one, other): count for (one, other), count in zip(pairs.tolist(), counts.tolist(), strict=True)}


def _drawn(counts: dict[tuple[int, int], int], sizes: Ints, is_directed: bool, seed: int) -> Rows:
    """Draw a graph that fits the counts; a person is called by group and number in it."""
    random, edges = np.random.default_rng([seed, len(sizes)]), []
    for (one, other), count in sorted(counts.items()):
        possible = _possible(int(sizes[one]), int(sizes[other]), one == other, is_directed)
        for at in sorted(random.choice(len(possible), size=count, replace=False).tolist()):
            first, second = possible[at]
            edges.append((f"{one + 1}.{first + 1}", f"{other + 1}.{second + 1}"))
    return tuple(edges)


def sample_graph(graph: Graph, groups: Ints, seed: int) -> Graph:
    """Draw a graph of which whoever sees the groups must think it as likely as the true one."""
    sizes = np.bincount(groups)
    names = {f"{group + 1}.{at + 1}": None for group, size in enumerate(sizes.tolist()) for at in range(size)}
    numbers = {name: number for number, name in enumerate(names)}
    rows = _drawn(group_counts(graph, groups), sizes, graph.is_directed, seed)
    edges = np.array([[numbers[one], numbers[other]] for one, other in rows], dtype=np.int64)
    return Graph.of(tuple(names), edges, is_directed=graph.is_directed)


def _possible(size: int, other: int, is_same: bool, is_directed: bool) -> list[tuple[int, int]]:
    pairs = [(first, second) for first in range(size) for second in range(other)]
    if not is_same:
        return pairs
    return [(a, b) for a, b in pairs if (a != b if is_directed else a < b)]


GRAPHML, CSV = ".graphml", ".csv"

_EDGES, _COUNTS = ("source", "target"), ("group_a", "group_b", "edges")


def require_suffix(path: Path, *, is_grouped: bool) -> None:
    """Raise UnwritableFile when a graph cannot leave in a file of that name."""
    suffix = path.suffix.lower()
    if suffix not in (CSV, GRAPHML):
        raise UnwritableFile("A graph leaves as CSV or GraphML.", "Let the name end in .csv or .graphml.")
    if is_grouped and suffix == GRAPHML:
        raise UnwritableFile("Groups leave as CSV.", "Let the name end in .csv.")


def output_files(path: Path, published: PublishedGraph) -> list[tuple[Path, str]]:
    """Give every file that is written when the first is called so, and its content."""
    if path.suffix.lower() == GRAPHML:
        return [(path, graphml_text(published))]
    files = [
        (path, csv_text(_COUNTS if published.is_grouped else _EDGES, published.edges)),
        (companion_path(path, "nodes"), csv_text(published.head, published.nodes)),
    ]
    drawn = [(companion_path(path, "sample"), csv_text(_EDGES, published.sample))] if published.sample else []
    return files + drawn


def companion_path(path: Path, part: str) -> Path:
    """Name a file that belongs to another.

    >>> companion_path(Path("ties.csv"), "nodes").name
    'ties.nodes.csv'
    """
    return path.with_name(f"{path.stem}.{part}{path.suffix}")


def csv_text(head: Sequence[str], rows: Rows) -> str:
    """Write rows as CSV; a missing cell is empty, what a spreadsheet would run begins with an apostrophe."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([escape_formula(name) for name in head])
    writer.writerows([["" if cell == MISSING else escape_formula(cell) for cell in row] for row in rows])
    return text.getvalue()


def graphml_text(published: PublishedGraph) -> str:
    """Write nodes with their cells, and edges, as GraphML."""
    columns = published.head[1:]
    keys = [
        f'  <key id="d{at}" for="node" attr.name={quoteattr(name)} attr.type="string"/>'
        for at, name in enumerate(columns)
    ]
    nodes = [line for row in published.nodes for line in _node(row)]
    edges = [f'    <edge source="n{one}" target="n{other}"/>' for one, other in published.edges]
    way = "directed" if published.is_directed else "undirected"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *keys,
        f'  <graph edgedefault="{way}">',
        *nodes,
        *edges,
        "  </graph>",
        "</graphml>",
    ]
    return "\n".join(lines) + "\n"


def _node(row: Sequence[str]) -> list[str]:
    cells = [f'      <data key="d{at}">{escape(cell)}</data>' for at, cell in enumerate(row[1:]) if cell != MISSING]
    return [f'    <node id="n{row[0]}">', *cells, "    </node>"] if cells else [f'    <node id="n{row[0]}"/>']


def as_written(text: str, path: Path) -> str:
    """Give a name or cell as it is in a file: nothing for a missing one; CSV disarms what a spreadsheet would run."""
    if text == MISSING:
        return ""
    return text if path.suffix.lower() == GRAPHML else escape_formula(text)


def part_of(name: str) -> str:
    """Give which part of a release a file is, by its name.

    >>> part_of("ties.nodes.csv")
    'nodes'
    """
    return Path(name).stem.rpartition(".")[2]
