"""Graphs whose people have at most so many ties: stable projections, which a neighbour changes little.

Leaving out people with many ties would not do: one person more could push any number of others over the bound. Both
ways here look at ties in an order that depends on the names of their two ends alone, so that neighbouring graphs have
the ties they share in the same order.
"""

import hashlib

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.marking import mixed

Mask = npt.NDArray[np.bool_]


def in_order(graph: Graph) -> Ints:
    """Give the places of the edges in an order made of names alone; alike marks are told apart by the names."""
    names = np.array(graph.names, dtype=object)
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.argsort(names, kind="stable")] = np.arange(len(names))
    marks = np.array([_mark(name) for name in graph.names], dtype=np.uint64)
    ends = rank[graph.edges]
    key = mixed(marks[graph.edges[:, 0]] + marks[graph.edges[:, 1]]) if len(ends) else np.empty(0, dtype=np.uint64)
    return np.asarray(np.lexsort((ends.max(axis=1), ends.min(axis=1), key)), dtype=np.int64)


def _mark(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def added_one_by_one(graph: Graph, most: int) -> Graph:
    """Add edges in turn while both ends have room (Day, Li and Lyu, SIGMOD 2016).

    A person more gets at most `most` edges. Each of them fills a place at its other end, which may shut out a later
    edge there, whose other end has then room for one that was shut out before, and so on: along such a chain the
    number of ties changes only for the one at its end. So everybody else's ties change by no more than `most` in all,
    and the number of edges by no more than `most`.
    """
    degrees = [0] * graph.n_nodes
    order = in_order(graph)
    kept = np.zeros(graph.n_edges, dtype=np.bool_)
    for at, (one, other) in zip(order.tolist(), graph.edges[order].tolist(), strict=True):
        if degrees[one] < most and degrees[other] < most:
            degrees[one] += 1
            degrees[other] += 1
            kept[at] = True
    return Graph(graph.names, graph.edges[kept])


def first_of_each(graph: Graph, most: int) -> Graph:
    """Keep the edges that are among the first `most` at both ends (Blocki, Blum, Datta and Sheffet, ITCS 2013).

    One edge more pushes out at most one edge at each end, so at most three edges differ.
    """
    order = in_order(graph)
    ends = graph.edges[order]
    kept = np.ones(graph.n_edges, dtype=np.bool_)
    both = np.concatenate([ends[:, 0], ends[:, 1]])
    turn = np.tile(np.arange(len(ends)), 2)
    by_person = np.lexsort((turn, both))
    places = np.arange(len(both))
    begins = np.diff(both[by_person], prepend=-1) != 0
    place = places - np.maximum.accumulate(np.where(begins, places, 0)) if len(both) else places
    kept[order[turn[by_person[place >= most]]]] = False
    return Graph(graph.names, graph.edges[kept])


def triangles(graph: Graph) -> int:
    """Count three people who are all tied to each other.

    >>> triangles(Graph.of("abcd", [[0, 1], [1, 2], [0, 2], [2, 3]]))
    1
    """
    later: list[set[int]] = [set() for _ in range(graph.n_nodes)]
    for one, other in graph.edges.tolist():
        later[one].add(other)
    return sum(len(later[one] & later[other]) for one, other in graph.edges.tolist())
