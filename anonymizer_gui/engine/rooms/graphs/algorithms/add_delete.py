"""Additions and deletions: degrees go to the middle of their group; fewer changes in dense graphs."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.rooms.graphs.algorithms.add import bound_of_arrows
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS, Algorithm, Made, Wanted
from anonymizer_gui.engine.rooms.graphs.degree_sequence import Targets, nearest
from anonymizer_gui.engine.rooms.graphs.directed import Balance, nearest_pairs
from anonymizer_gui.engine.rooms.graphs.moving import Moving
from anonymizer_gui.engine.rooms.graphs.moving_arrows import MovingArrows

_TRIES = 20


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class AddDelete(Algorithm):
    """Exact anonymisation of the degree sequence around medians, realised by adding, deleting and moving edges."""

    name: ClassVar[str] = "add-delete"
    title: ClassVar[str] = "Add and delete edges"
    summary: ClassVar[str] = "Adds and removes ties until everybody shares their number of ties with k - 1 others."
    protects: ClassVar[str] = "h1"

    def run(self, graph: Graph, wanted: Wanted, progress: Progress) -> Made:
        """Choose degrees and change the edges; raises Infeasible when no way is found."""
        if graph.is_directed:
            return _with_directions(graph, wanted, progress)
        half = progress.sub(0.0, 0.4)
        targets = nearest(graph.degrees, wanted.k, wanted.labels, wanted.l, may_fall=True, progress=half)
        made = Moving(graph, _even(targets, graph.n_nodes))
        if not made.change_all(progress.sub(0.4, 1.0)):
            raise _unreachable(graph, wanted)
        return Made(Graph.of(graph.names, made.edges()), None, -(-targets.change // 2))


def _with_directions(graph: Graph, wanted: Wanted, progress: Progress) -> Made:
    """Let k people share how many ties leave them and how many reach them."""
    targets = nearest_pairs(graph, wanted, may_fall=True, progress=progress.sub(0.0, 0.4))
    balance = Balance(graph, targets, wanted)
    for _attempt in range(_TRIES):
        made = MovingArrows(graph, balance.targets(targets.groups)) if balance.settle() else None
        if made is not None and made.change_all(progress.sub(0.4, 1.0)):
            edges = np.array(made.edges(), dtype=np.int64).reshape(-1, 2)
            bound = bound_of_arrows(graph, wanted.k, may_fall=True)
            return Made(Graph.of(graph.names, edges, is_directed=True), None, bound)
        balance.raise_lowest()
    raise _unreachable(graph, wanted)


def _unreachable(graph: Graph, wanted: Wanted) -> Infeasible:
    return Infeasible(
        message("No way was found to change edges until k = {k} holds among {nodes:node|nodes}.", k=wanted.k,
            nodes=graph.n_nodes),
        "Publish groups, or choose a smaller k.",
    )  # fmt: skip


def _even(targets: Targets, n_nodes: int) -> Ints:
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
