"""What every algorithm for graphs must do: k people in each set, all edges kept where only additions are allowed."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.data.graphs.reading import read_graph
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS, GraphDemands
from anonymizer_gui.engine.rooms.graphs.algorithms.degree_sequence import nearest_sequence
from anonymizer_gui.engine.rooms.graphs.structural_knowledge import candidate_sets, fewest_labels, share_below
from tests.engine.rooms.graphs.karate import karate_club


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 12))
    pairs = [(one, other) for one in range(n) for other in range(one)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return Graph.of([str(node) for node in range(n)], np.array(edges, dtype=np.int64).reshape(-1, 2))


def least_change(degrees: list[int], k: int, *, may_fall: bool) -> int | None:
    """Try every way to cut a sequence into groups of at least k."""
    if not degrees:
        return 0
    costs = []
    for size in range(k, len(degrees) + 1):
        rest = least_change(degrees[size:], k, may_fall=may_fall)
        if rest is not None:
            one = degrees[size // 2] if may_fall else degrees[0]
            costs.append(rest + sum(abs(one - degree) for degree in degrees[:size]))
    return min(costs, default=None)


@given(st.lists(st.integers(0, 8), min_size=1, max_size=9), st.integers(1, 4), st.booleans())
def test_the_nearest_sequence_is_as_near_as_any(degrees: list[int], k: int, may_fall: bool) -> None:
    best = least_change(sorted(degrees, reverse=True), k, may_fall=may_fall)
    if best is None:
        with pytest.raises(Infeasible):
            nearest_sequence(np.array(degrees), k, may_fall=may_fall)
        return
    found = nearest_sequence(np.array(degrees), k, may_fall=may_fall)
    assert found.change == best == np.abs(found.degrees - np.array(degrees)).sum()
    assert min(Counter(found.degrees.tolist()).values()) >= k


@pytest.mark.parametrize("name", ALGORITHMS.names())
@settings(deadline=None)
@given(graph=graphs(), k=st.integers(1, 4))
def test_everybody_has_enough_company_or_a_sentence_says_why_not(name: str, graph: Graph, k: int) -> None:
    try:
        made = ALGORITHMS.get(name)().run(graph, GraphDemands(k), SILENT)
    except Infeasible:
        assert name != "group" or k > graph.n_nodes
        return
    sets = made.groups if made.groups is not None else candidate_sets(made.graph)["h1"]
    assert min(Counter(sets.tolist()).values()) >= k
    if name == "add":
        assert graph.pairs() <= made.graph.pairs()
        assert len(made.graph.pairs() - graph.pairs()) >= made.lower_bound


def test_an_unreachable_target_is_explained() -> None:
    """One alone beside a pair cannot get a neighbour without changing the pair: [0, 1, 1] does not become [1, 1, 1]."""
    with pytest.raises(Infeasible, match="3 nodes are not enough for k = 4"):
        ALGORITHMS.get("add")().run(Graph.of("abc", [[0, 1]]), GraphDemands(4), SILENT)
    made = ALGORITHMS.get("add")().run(Graph.of("abc", [[0, 1]]), GraphDemands(3), SILENT)
    assert made.graph.degrees.tolist() == [2, 2, 2]
    assert "add up to an odd number" in made.notes[0]


@pytest.mark.parametrize("name", ALGORITHMS.names())
def test_candidates_are_as_various_as_wanted(name: str) -> None:
    edges = [[0, 1], [0, 2], [0, 3], [4, 5], [5, 6], [6, 7], [7, 8], [8, 9], [2, 9]]
    graph = Graph.of([str(node) for node in range(10)], edges)
    labels = tuple("ill" if node < 5 else "" if node == 9 else "well" for node in range(10))
    made = ALGORITHMS.get(name)().run(graph, GraphDemands(2, 2, labels), SILENT)
    sets = made.groups if made.groups is not None else candidate_sets(made.graph)["h1"]
    assert fewest_labels(sets, labels) >= 2


def test_karate_stands_out_as_published(tmp_path: Path) -> None:
    sets = candidate_sets(karate_club(tmp_path))
    shares = [(round(share_below(sets[depth], 2), 2), round(share_below(sets[depth], 5), 2)) for depth in ("h1", "h2")]
    assert shares == [(0.18, 0.32), (0.68, 0.85)]


@pytest.mark.parametrize(("k", "bound", "most"), [(5, 44, 64), (10, 116, 181), (25, 379, 508)])
def test_ca_grqc_needs_no_more_edges_than_before(k: int, bound: int, most: int, shared_data: Path) -> None:
    graph = read_graph(shared_data / "ca-grqc" / "CA-GrQc.txt").graph
    made = ALGORITHMS.get("add")().run(graph, GraphDemands(k), SILENT)
    assert made.lower_bound == bound
    assert len(made.graph.pairs() - graph.pairs()) <= most
    assert graph.pairs() <= made.graph.pairs()


@st.composite
def directed_graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 12))
    pairs = [(one, other) for one in range(n) for other in range(n) if one != other]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    names = [str(node) for node in range(n)]
    return Graph.of(names, np.array(edges, dtype=np.int64).reshape(-1, 2), is_directed=True)


@pytest.mark.parametrize("name", ["add", "add-delete"])
@settings(deadline=None)
@given(graph=directed_graphs(), k=st.integers(1, 4), is_labelled=st.booleans())
def test_ties_with_a_direction_are_shared_both_ways(name: str, graph: Graph, k: int, is_labelled: bool) -> None:
    labels = tuple("ab"[node % 2] for node in range(graph.n_nodes)) if is_labelled else ()
    wanted = GraphDemands(k, 2 if is_labelled else 0, labels)
    try:
        made = ALGORITHMS.get(name)().run(graph, wanted, SILENT)
    except Infeasible:
        # Everybody alike is always possible where ties may go: k people of no ties.
        assert name == "add" or k > graph.n_nodes or is_labelled
        return
    pairs = list(zip(made.graph.out_degrees.tolist(), made.graph.in_degrees.tolist(), strict=True))
    assert min(Counter(pairs).values()) >= k
    assert name == "add-delete" or graph.pairs() <= made.graph.pairs()
    assert len(graph.pairs() ^ made.graph.pairs()) >= made.lower_bound
    if is_labelled:
        assert fewest_labels(candidate_sets(made.graph)["h1"], labels) >= 2


@pytest.mark.parametrize("name", ["add", "add-delete"])
def test_a_directed_graph_of_some_size_is_brought_there_near_the_bound(name: str) -> None:
    chance = np.random.default_rng(3)
    ends = (400 * chance.random((2000, 2)) ** 2).astype(np.int64)
    graph = Graph.of([str(node) for node in range(400)], ends, is_directed=True)
    made = ALGORITHMS.get(name)().run(graph, GraphDemands(5), SILENT)
    pairs = list(zip(made.graph.out_degrees.tolist(), made.graph.in_degrees.tolist(), strict=True))
    assert min(Counter(pairs).values()) >= 5
    assert len(graph.pairs() ^ made.graph.pairs()) <= 6 * made.lower_bound


def lot(nodes: int, edges: int, power: float) -> Graph:
    """Draw a graph by lot; the larger the power, the more unequal its degrees."""
    ends = (nodes * np.random.default_rng(1).random((edges, 2)) ** power).astype(np.int64)
    return Graph.of([str(node) for node in range(nodes)], ends)


@pytest.mark.parametrize("k", [10, 25])
def test_a_sparse_graph_needs_no_edge_beyond_the_bound(k: int) -> None:
    graph = lot(4941, 6594, 1.0)  # as many nodes and edges as a power grid
    made = ALGORITHMS.get("add")().run(graph, GraphDemands(k), SILENT)
    assert made.graph.n_lacking_in(graph) == made.lower_bound > 0


def test_a_graph_too_dense_for_additions_says_so_and_deletions_lead_there() -> None:
    graph = lot(200, 9000, 1.5)
    with pytest.raises(Infeasible, match="Adding edges alone") as told:
        ALGORITHMS.get("add")().run(graph, GraphDemands(25), SILENT)
    assert "deletions" in told.value.hint
    made = ALGORITHMS.get("add-delete")().run(graph, GraphDemands(25), SILENT)
    assert min(Counter(made.graph.degrees.tolist()).values()) >= 25


NAMED_GRAPHS = {
    "nothing": Graph.of([], []),
    "one node": Graph.of("a", []),
    "complete": Graph.of("abcdef", [[one, other] for one in range(6) for other in range(one)]),
    "star": Graph.of("abcdefgh", [[0, other] for other in range(1, 8)]),
    "two components": Graph.of("abcdefg", [[0, 1], [1, 2], [3, 4], [4, 5], [5, 6], [3, 6]]),
}


@pytest.mark.parametrize("graph", NAMED_GRAPHS.values(), ids=NAMED_GRAPHS)
@pytest.mark.parametrize("name", ALGORITHMS.names())
@pytest.mark.parametrize("k", [1, 2, 3])
def test_graphs_of_every_kind_end_well_or_in_a_sentence(graph: Graph, name: str, k: int) -> None:
    try:
        made = ALGORITHMS.get(name)().run(graph, GraphDemands(k), SILENT)
    except Infeasible:
        assert k > graph.n_nodes or name == "add" or not graph.n_nodes
        return
    sets = made.groups if made.groups is not None else candidate_sets(made.graph)["h1"]
    assert min(Counter(sets.tolist()).values(), default=k) >= k


def test_ca_grqc_stands_out_as_published_before_and_after(shared_data: Path) -> None:
    graph = read_graph(shared_data / "ca-grqc" / "CA-GrQc.txt").graph
    after = ALGORITHMS.get("add")().run(graph, GraphDemands(5), SILENT).graph
    shares = {
        (name, depth): tuple(round(100 * share_below(candidate_sets(each)[depth], below)) for below in (2, 5))
        for name, each in (("before", graph), ("after", after))
        for depth in ("h1", "h2")
    }
    assert shares[("before", "h1")] == (0, 1)
    assert shares[("before", "h2")] == (36, 52)
    assert shares[("after", "h1")] == (0, 0)
    assert shares[("after", "h2")] == (36, 53)
