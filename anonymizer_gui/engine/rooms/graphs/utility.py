"""What is left of a graph: degrees, distances, triangles, components, spectrum and communities, before and after."""

from collections import deque
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.data.graphs.reading import as_networkx

_STARTS = 32
_ROUNDS = 100
_MOST_FOR_COMMUNITIES = 20_000
MEASURES = {
    "mean_degree": "Ties per person",
    "largest_degree": "Most ties of one person",
    "components": "Separate parts",
    "largest_component": "Share of people in the largest part",
    "path_length": "Steps from one person to another",
    "clustering": "Friends of friends who are friends",
    "eigenvalue": "Largest eigenvalue",
    "communities": "Communities",
}


@dataclass(frozen=True, slots=True)
class GraphMeasures:
    """The measures of one graph, by name; one that would take too long is missing."""

    values: dict[str, float]


def measure_graph(graph: Graph, progress: Progress = SILENT) -> GraphMeasures:
    """Measure a graph as if its ties had no direction."""
    near = graph.neighbours()
    progress(0.1, "Measuring the graph")
    parts = _components(near)
    values = {
        "mean_degree": float(graph.degrees.mean()) if graph.n_nodes else 0.0,
        "largest_degree": float(graph.degrees.max(initial=0)),
        "components": float(len(parts)),
        "largest_component": max(map(len, parts), default=0) / max(graph.n_nodes, 1),
    }
    progress(0.3, "Measuring distances")
    values["path_length"] = _path_length(near, max(parts, key=len) if parts else [])
    progress(0.6, "Counting triangles")
    values["clustering"] = _transitivity(graph, near)
    progress(0.8, "Measuring the graph")
    values["eigenvalue"] = _eigenvalue(graph)
    if graph.n_edges > 0 and graph.n_nodes <= _MOST_FOR_COMMUNITIES:
        values["communities"] = float(_communities(graph))
    return GraphMeasures(values)


def _components(near: list[set[int]]) -> list[list[int]]:
    seen, parts = set[int](), list[list[int]]()
    for start in range(len(near)):
        if start not in seen:
            reached = list(_distances(near, start))
            seen.update(reached)
            parts.append(reached)
    return parts


def _distances(near: list[set[int]], start: int) -> dict[int, int]:
    found, waiting = {start: 0}, deque([start])
    while waiting:
        node = waiting.popleft()
        for other in near[node]:
            if other not in found:
                found[other] = found[node] + 1
                waiting.append(other)
    return found


def _path_length(near: list[set[int]], people: list[int]) -> float:
    """Give the mean number of steps inside the largest part, from at most some of its people."""
    if len(people) < 2:
        return 0.0
    ordered = sorted(people)
    starts = ordered[:: max(len(ordered) // _STARTS, 1)][:_STARTS]
    return float(np.mean([sum(_distances(near, start).values()) / (len(people) - 1) for start in starts]))


def _transitivity(graph: Graph, near: list[set[int]]) -> float:
    closed = sum(len(near[one] & near[other]) for one, other in graph.edges.tolist())
    degrees = np.array([len(each) for each in near], dtype=np.int64)
    triples = int((degrees * (degrees - 1) // 2).sum())
    return closed / triples if triples else 0.0


def _eigenvalue(graph: Graph) -> float:
    """Give the largest eigenvalue of the adjacency matrix, by powers of it (shifted, so that they settle)."""
    if not graph.n_edges:
        return 0.0
    vector, one, other = np.ones(graph.n_nodes), graph.edges[:, 0], graph.edges[:, 1]
    size = 1.0
    for _ in range(_ROUNDS):
        product = (
            vector + np.bincount(one, vector[other], graph.n_nodes) + np.bincount(other, vector[one], graph.n_nodes)
        )
        size = float(np.linalg.norm(product))
        vector = product / size
    return size - 1.0


def _communities(graph: Graph) -> int:
    import networkx

    plain = as_networkx(Graph(graph.names, graph.edges))
    return len(networkx.community.louvain_communities(plain, seed=1))
