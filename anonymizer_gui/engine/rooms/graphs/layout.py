"""Places for the nodes of a drawing: springs along edges, repulsion between all (Fruchterman and Reingold 1991)."""

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.graphs.graph import Graph, Ints

MOST_DRAWN = 500
_ROUNDS, _FEW, _SMALL = 120, 60, 100
"""Rounds for a small graph, and for one that is larger than small."""


def places(graph: Graph, progress: Progress = SILENT) -> npt.NDArray[np.float64]:
    """Give every node a place in the unit square; the same graph always looks the same."""
    n = graph.n_nodes
    at = np.random.default_rng(n).random((n, 2))
    if n < 2:
        return at
    rest, ends = (1.0 / n) ** 0.5, graph.edges
    rounds = _ROUNDS if n <= _SMALL else _FEW
    for turn in range(rounds):
        progress(turn / rounds, "Placing the nodes")
        apart = at[:, None, :] - at[None, :, :]
        far = np.maximum((apart**2).sum(axis=2), 1e-6)
        push = (apart * (rest**2 / far)[:, :, None]).sum(axis=1) - 0.05 * rest * (at - 0.5)
        pull = at[ends[:, 0]] - at[ends[:, 1]]
        pull *= np.sqrt((pull**2).sum(axis=1))[:, None] / rest
        np.add.at(push, ends[:, 0], -pull)
        np.add.at(push, ends[:, 1], pull)
        length = np.maximum(np.sqrt((push**2).sum(axis=1)), 1e-9)
        at = at + push / length[:, None] * np.minimum(length, 0.1 * (1 - turn / rounds))[:, None]
    low, high = at.min(axis=0), at.max(axis=0)
    return np.asarray((at - low) / np.maximum(high - low, 1e-9))


def around(graph: Graph, node: int, most: int = 60) -> Ints:
    """Give a node and its neighbours, the best connected ones first where there are many."""
    near = np.array(sorted(graph.neighbours()[node]), dtype=np.int64)
    best = near[np.argsort(-graph.degrees[near], kind="stable")][: most - 1]
    return np.concatenate([[node], best]).astype(np.int64)


def part(graph: Graph, nodes: Ints) -> Graph:
    """Give the graph of some nodes only."""
    place = np.full(graph.n_nodes, -1, dtype=np.int64)
    place[nodes] = np.arange(len(nodes))
    ends = place[graph.edges]
    inside = (ends >= 0).all(axis=1)
    return Graph.of([graph.names[node] for node in nodes.tolist()], ends[inside], is_directed=graph.is_directed)
