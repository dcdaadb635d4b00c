"""Additions and deletions: degrees go to the middle of their group; fewer changes in dense graphs."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.graphs.algorithms.add import unreachable
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS, Algorithm, Made, Wanted
from anonymizer_gui.engine.rooms.graphs.degree_sequence import Targets, nearest
from anonymizer_gui.engine.rooms.graphs.moving import Moving
from anonymizer_gui.engine.shapes.graphs.graph import Graph, Ints


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class AddDelete(Algorithm):
    """Exact anonymisation of the degree sequence around medians, realised by adding, deleting and moving edges."""

    name: ClassVar[str] = "add-delete"
    title: ClassVar[str] = "Add and delete edges"
    summary: ClassVar[str] = "Adds and removes ties until everybody shares their number of ties with k - 1 others."
    takes_directed: ClassVar[bool] = False
    protects: ClassVar[str] = "h1"

    def run(self, graph: Graph, wanted: Wanted, progress: Progress) -> Made:
        """Choose degrees and change the edges; raises Infeasible when no way is found."""
        half = progress.sub(0.0, 0.4)
        targets = nearest(graph.degrees, wanted.k, wanted.labels, wanted.l, may_fall=True, progress=half)
        made = Moving(graph, _even(targets, graph.n_nodes))
        if not made.change_all(progress.sub(0.4, 1.0)):
            raise unreachable(graph, wanted)
        return Made(Graph.of(graph.names, made.edges()), None, -(-targets.change // 2))


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
