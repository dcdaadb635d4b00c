"""K-degree anonymity by additions, or additions and deletions."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import (
    ALGORITHMS,
    Algorithm,
    AnonymisedGraph,
    DegreeClasses,
    GraphDemands,
)
from anonymizer_gui.engine.rooms.graphs.algorithms.degree_sequence import (
    DegreeBalance,
    DegreeRealisation,
    DegreeTargets,
    DirectedRealisation,
    nearest_directed_sequence,
    nearest_sequence,
)
from anonymizer_gui.engine.rooms.graphs.algorithms.edge_switching import DirectedEdgeSwitching, EdgeSwitching

_TRIES = 20


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class EdgeAddition(Algorithm):
    """Exact anonymisation of the degree sequence, realised by additions alone (after Liu and Terzi, SIGMOD 2008)."""

    name: ClassVar[str] = "add"
    title: ClassVar[str] = "Add edges"
    summary: ClassVar[str] = "Adds ties until everybody shares their number of ties with k - 1 others; none is removed."
    protects: ClassVar[str] = "h1"

    def run(self, graph: Graph, wanted: GraphDemands, progress: Progress) -> AnonymisedGraph:
        """Raise degrees and add the edges; raises Infeasible when no way is found."""
        if graph.is_directed:
            return _with_directions(graph, wanted, progress)
        targets = nearest_sequence(graph.degrees, wanted.k, wanted.labels, wanted.l, progress=progress.sub(0.0, 0.4))
        bound, degrees, notes = -(-targets.change // 2), targets.degrees, tuple[str, ...]()
        if int(degrees.max(initial=0)) >= graph.n_nodes:
            raise infeasible_by_additions(graph, wanted)
        for attempt in range(_TRIES):
            progress(0.4 + 0.6 * attempt / _TRIES, "Adding edges")
            made = DegreeRealisation(graph, degrees, wanted)
            if made.add_all(progress.sub(0.4, 1.0)):
                added = np.array(list(made.added), dtype=np.int64).reshape(-1, 2)
                return AnonymisedGraph(Graph.of(graph.names, np.concatenate([graph.edges, added])), None, bound, notes)
            degrees = _raised(degrees, wanted)
            notes = (_why_raised(targets.degrees),)
        raise infeasible_by_additions(graph, wanted)


def _why_raised(nearest_degrees: Ints) -> Message:
    """Explain why the nearest degrees are none of a graph that keeps every edge."""
    if int(nearest_degrees.sum()) % 2:
        return message(
            "The nearest degrees add up to an odd number, which no graph has, for every edge has two ends: some were "
            "raised further."
        )
    return message("The graph is so small or dense that degrees had to be raised further than necessary.")


def _with_directions(graph: Graph, wanted: GraphDemands, progress: Progress) -> AnonymisedGraph:
    """Let k people share how many ties leave them and how many reach them."""
    targets = nearest_directed_sequence(graph, wanted, progress=progress.sub(0.0, 0.4))
    balance = DegreeBalance(graph, targets, wanted)
    for _attempt in range(_TRIES):
        made = DirectedRealisation(graph, balance.targets(targets.groups)) if balance.settle() else None
        if made is not None and made.add_all(progress.sub(0.4, 1.0)):
            added = np.array(list(made.added), dtype=np.int64).reshape(-1, 2)
            edges = np.concatenate([graph.edges, added])
            return AnonymisedGraph(
                Graph.of(graph.names, edges, is_directed=True), None, directed_lower_bound(graph, wanted.k)
            )
        balance.raise_lowest()
    raise infeasible_by_additions(graph, wanted)


def directed_lower_bound(graph: Graph, k: int, *, may_fall: bool = False) -> int:
    """Give how many ties change at least: each one changes what leaves one person, and what reaches one."""
    sides = (graph.out_degrees, graph.in_degrees)
    return max(nearest_sequence(degrees, k, may_fall=may_fall).change for degrees in sides)


def infeasible_by_additions(graph: Graph, wanted: GraphDemands) -> Infeasible:
    """Say that additions alone do not lead there, and what does."""
    return Infeasible(
        message(
            "Adding edges alone does not lead to k = {k} in a graph of {nodes:node|nodes}: "
            "some would need more neighbours than there are.",
            k=wanted.k,
            nodes=graph.n_nodes,
        ),
        "Allow deletions, publish groups, or choose a smaller k.",
    )


def _raised(degrees: Ints, wanted: GraphDemands) -> Ints:
    """Raise k nodes of the lowest degree that has twice as many, or all of the lowest, by one."""
    higher, classes = degrees.copy(), DegreeClasses.of(degrees.tolist(), wanted)
    for degree in sorted(classes.members) if not wanted.labels else ():
        if classes.size(degree) >= 2 * wanted.k:
            higher[np.flatnonzero(degrees == degree)[: wanted.k]] += 1
            return higher
    higher[degrees == degrees.min()] += 1
    return higher


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class EdgeAdditionDeletion(Algorithm):
    """Exact anonymisation of the degree sequence around medians, realised by adding, deleting and moving edges."""

    name: ClassVar[str] = "add-delete"
    title: ClassVar[str] = "Add and delete edges"
    summary: ClassVar[str] = "Adds and removes ties until everybody shares their number of ties with k - 1 others."
    protects: ClassVar[str] = "h1"

    def run(self, graph: Graph, wanted: GraphDemands, progress: Progress) -> AnonymisedGraph:
        """Choose degrees and change the edges; raises Infeasible when no way is found."""
        if graph.is_directed:
            return _add_delete_with_directions(graph, wanted, progress)
        half = progress.sub(0.0, 0.4)
        targets = nearest_sequence(graph.degrees, wanted.k, wanted.labels, wanted.l, may_fall=True, progress=half)
        made = EdgeSwitching(graph, _even(targets, graph.n_nodes))
        if not made.change_all(progress.sub(0.4, 1.0)):
            raise _unreachable(graph, wanted)
        return AnonymisedGraph(Graph.of(graph.names, made.edges()), None, -(-targets.change // 2))


def _add_delete_with_directions(graph: Graph, wanted: GraphDemands, progress: Progress) -> AnonymisedGraph:
    """Let k people share how many ties leave them and how many reach them."""
    targets = nearest_directed_sequence(graph, wanted, may_fall=True, progress=progress.sub(0.0, 0.4))
    balance = DegreeBalance(graph, targets, wanted)
    for _attempt in range(_TRIES):
        made = DirectedEdgeSwitching(graph, balance.targets(targets.groups)) if balance.settle() else None
        if made is not None and made.change_all(progress.sub(0.4, 1.0)):
            edges = np.array(made.edges(), dtype=np.int64).reshape(-1, 2)
            bound = directed_lower_bound(graph, wanted.k, may_fall=True)
            return AnonymisedGraph(Graph.of(graph.names, edges, is_directed=True), None, bound)
        balance.raise_lowest()
    raise _unreachable(graph, wanted)


def _unreachable(graph: Graph, wanted: GraphDemands) -> Infeasible:
    return Infeasible(
        message("No way was found to change edges until k = {k} holds among {nodes:node|nodes}.", k=wanted.k,
            nodes=graph.n_nodes),
        "Publish groups, or choose a smaller k.",
    )  # fmt: skip


def _even(targets: DegreeTargets, n_nodes: int) -> Ints:
    """Give degrees whose sum is even, as every graph's is: where it is odd, one group of odd size goes up or down.

    A group that moves as a whole stays large and various enough.
    """
    degrees = targets.degrees
    if int(degrees.sum()) % 2 == 0:
        return degrees
    sizes = np.bincount(targets.groups)
    odd = np.flatnonzero(sizes % 2)
    group = int(odd[np.argmin(sizes[odd])])
    members = targets.groups == group
    step = 1 if int(degrees[members][0]) + 1 < n_nodes else -1
    return np.asarray(degrees + members * step, dtype=np.int64)
