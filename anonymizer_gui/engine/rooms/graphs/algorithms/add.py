"""Edge additions: degrees are raised to those that k people share, and every edge there was is kept."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS, Algorithm, Classes, Made, Wanted
from anonymizer_gui.engine.rooms.graphs.degree_sequence import nearest
from anonymizer_gui.engine.rooms.graphs.directed import Arrows, Balance, nearest_pairs
from anonymizer_gui.engine.rooms.graphs.realising import Realising

_TRIES = 20


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Add(Algorithm):
    """Exact anonymisation of the degree sequence, realised by additions alone (after Liu and Terzi, SIGMOD 2008)."""

    name: ClassVar[str] = "add"
    title: ClassVar[str] = "Add edges"
    summary: ClassVar[str] = "Adds ties until everybody shares their number of ties with k - 1 others; none is removed."
    protects: ClassVar[str] = "h1"

    def run(self, graph: Graph, wanted: Wanted, progress: Progress) -> Made:
        """Raise degrees and add the edges; raises Infeasible when no way is found."""
        if graph.is_directed:
            return _with_directions(graph, wanted, progress)
        targets = nearest(graph.degrees, wanted.k, wanted.labels, wanted.l, progress=progress.sub(0.0, 0.4))
        bound, degrees, notes = -(-targets.change // 2), targets.degrees, tuple[str, ...]()
        if int(degrees.max(initial=0)) >= graph.n_nodes:
            raise unreachable(graph, wanted)
        for attempt in range(_TRIES):
            progress(0.4 + 0.6 * attempt / _TRIES, "Adding edges")
            made = Realising(graph, degrees, wanted)
            if made.add_all(progress.sub(0.4, 1.0)):
                added = np.array(list(made.added), dtype=np.int64).reshape(-1, 2)
                return Made(Graph.of(graph.names, np.concatenate([graph.edges, added])), None, bound, notes)
            degrees = _raised(degrees, wanted)
            notes = (_why_raised(targets.degrees),)
        raise unreachable(graph, wanted)


def _why_raised(nearest_degrees: Ints) -> Message:
    """Explain why the nearest degrees are none of a graph that keeps every edge."""
    if int(nearest_degrees.sum()) % 2:
        return message(
            "The nearest degrees add up to an odd number, which no graph has, for every edge has two ends: some were "
            "raised further."
        )
    return message("The graph is so small or dense that degrees had to be raised further than necessary.")


def _with_directions(graph: Graph, wanted: Wanted, progress: Progress) -> Made:
    """Let k people share how many ties leave them and how many reach them."""
    targets = nearest_pairs(graph, wanted, progress=progress.sub(0.0, 0.4))
    balance = Balance(graph, targets, wanted)
    for _attempt in range(_TRIES):
        made = Arrows(graph, balance.targets(targets.groups)) if balance.settle() else None
        if made is not None and made.add_all(progress.sub(0.4, 1.0)):
            added = np.array(list(made.added), dtype=np.int64).reshape(-1, 2)
            edges = np.concatenate([graph.edges, added])
            return Made(Graph.of(graph.names, edges, is_directed=True), None, bound_of_arrows(graph, wanted.k))
        balance.raise_lowest()
    raise unreachable(graph, wanted)


def bound_of_arrows(graph: Graph, k: int, *, may_fall: bool = False) -> int:
    """Give how many ties change at least: each one changes what leaves one person, and what reaches one."""
    sides = (graph.out_degrees, graph.in_degrees)
    return max(nearest(degrees, k, may_fall=may_fall).change for degrees in sides)


def unreachable(graph: Graph, wanted: Wanted) -> Infeasible:
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


def _raised(degrees: Ints, wanted: Wanted) -> Ints:
    """Raise k nodes of the lowest degree that has twice as many, or all of the lowest, by one."""
    higher, classes = degrees.copy(), Classes.of(degrees.tolist(), wanted)
    for degree in sorted(classes.members) if not wanted.labels else ():
        if classes.size(degree) >= 2 * wanted.k:
            higher[np.flatnonzero(degrees == degree)[: wanted.k]] += 1
            return higher
    higher[degrees == degrees.min()] += 1
    return higher
