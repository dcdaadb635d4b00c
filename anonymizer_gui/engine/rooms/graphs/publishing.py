"""What may leave of a result: people under new numbers in an order that tells nothing, their ties, and their rows."""

import hashlib
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import Made
from anonymizer_gui.engine.rooms.graphs.people import People, rows_of
from anonymizer_gui.engine.rooms.graphs.project import Project

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Published:
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


def publish(people: People, made: Made, project: Project, classes: Ints, progress: Progress = SILENT) -> Published:
    """Number everybody anew and write down ties and rows."""
    place = numbering(people.graph, project.seed)
    order = np.argsort(place, kind="stable")
    groups = _numbered_anew(classes[order])[place] if made.groups is not None else classes
    alike, lm, notes = rows_of(people, project, classes, progress)
    shown = {**alike, **{name: people.cells[name] for role in (Role.SA, Role.OTHER) for name in project.columns(role)}}
    names = [f"{groups[node] + 1}" if made.groups is not None else f"{place[node] + 1}" for node in order.tolist()]
    nodes = tuple(
        (name, *(column[node] for column in shown.values())) for name, node in zip(names, order.tolist(), strict=True)
    )
    head = ("group" if made.groups is not None else "node", *shown)
    if made.groups is None:
        edges = _edges_of(made.graph.renumbered(place, map(str, range(len(place)))))
        return Published(False, made.graph.is_directed, edges, head, nodes, (), place, lm, notes)
    counts = group_counts(made.graph, groups)
    drawn = _drawn(counts, np.bincount(groups), made.graph.is_directed, project.seed) if project.sample else ()
    told = tuple((str(one + 1), str(other + 1), str(count)) for (one, other), count in sorted(counts.items()))
    return Published(True, made.graph.is_directed, told, head, nodes, drawn, place, lm, notes)


def numbering(graph: Graph, seed: int) -> Ints:
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


def plausible(graph: Graph, groups: Ints, seed: int) -> Graph:
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
