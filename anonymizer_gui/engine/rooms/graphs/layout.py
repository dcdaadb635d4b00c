"""Places for the nodes of a drawing, as far apart as they are in the graph: stress majorisation.

(Gansner, Koren and North, Graph drawing by stress majorization, 2004.)
"""

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.graphs.graph import Graph, Ints

MOST_DRAWN = 500
_ROUNDS = 60
_NEAR = 1e-9
Places = npt.NDArray[np.float64]


def places(graph: Graph, progress: Progress = SILENT) -> Places:
    """Give every node a place in the unit square; the same graph always looks the same."""
    n = graph.n_nodes
    if n < 2:
        return np.full((n, 2), 0.5)
    steps = steps_between(graph)
    weights = np.divide(1.0, steps**2, out=np.zeros_like(steps), where=steps > 0)
    pulls = np.diag(weights.sum(axis=1)) - weights
    solved = np.linalg.inv(pulls + 1.0 / n) - 1.0 / n
    wanted, at = weights * steps, _spread_out(steps)
    for turn in range(_ROUNDS):
        progress(turn / _ROUNDS, "Placing the nodes")
        squares = (at**2).sum(axis=1)
        far = np.sqrt(np.maximum(squares[:, None] + squares - 2 * at @ at.T, _NEAR))
        push = wanted / far
        at = solved @ (push.sum(axis=1)[:, None] * at - push @ at)
    low, high = at.min(axis=0), at.max(axis=0)
    return np.asarray((at - low) / np.maximum(high - low, _NEAR))


def steps_between(graph: Graph) -> Places:
    """Count the steps from each node to each other; separate parts are a little farther apart than any of them is wide.

    >>> steps_between(Graph.of("abcd", [[0, 1], [1, 2]])).tolist()[0]
    [0.0, 1.0, 2.0, 4.0]
    """
    n = graph.n_nodes
    tied = np.zeros((n, n), dtype=np.float32)
    tied[graph.edges[:, 0], graph.edges[:, 1]] = tied[graph.edges[:, 1], graph.edges[:, 0]] = 1
    found = reached = np.eye(n, dtype=np.bool_)
    steps, turn = np.full((n, n), np.inf), 0
    np.fill_diagonal(steps, 0.0)
    while found.any():
        turn += 1
        found = (found.astype(np.float32) @ tied > 0) & ~reached
        reached = reached | found
        steps[found] = turn
    return np.where(np.isinf(steps), steps[reached].max() + 2, steps)


def _spread_out(steps: Places) -> Places:
    """Begin with the two directions in which the graph is widest (classical scaling), a little shaken."""
    n = len(steps)
    squares = steps**2
    centred = -(squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()) / 2
    values, vectors = np.linalg.eigh(centred)
    wide = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], _NEAR))
    return np.asarray(wide + np.random.default_rng(n).normal(scale=0.05, size=(n, 2)))


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
