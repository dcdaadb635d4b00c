"""Graphs: CPU seconds of a run, beside what merely reading the edges into sets costs in the same run."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.graphs.graph import Graph, stress_layout
from anonymizer_gui.engine.data.graphs.reading import read_graph
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS, GraphDemands

pytestmark = pytest.mark.bench


def cpu(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def power_law(nodes: int, each: int) -> Graph:
    """Let every new node join some that have many edges already."""
    random, ends, edges = np.random.default_rng(1), list(range(each)), list[tuple[int, int]]()
    for node in range(each, nodes):
        chosen = {ends[at] for at in random.integers(len(ends), size=each).tolist()}
        edges += [(node, other) for other in chosen]
        ends += [node] * len(chosen) + list(chosen)
    return Graph.of([str(node) for node in range(nodes)], edges)


def report(name: str, graph: Graph, k: int) -> None:
    plain = cpu(graph.neighbours)
    took = cpu(lambda: ALGORITHMS.get("add")().run(graph, GraphDemands(k), SILENT))
    sys.stdout.write(f"{name}, k = {k}: {took:.2f} s CPU, {took / max(plain, 1e-4):.0f} times reading the edges" + "\n")


def test_a_run_on_coauthors(shared_data: Path) -> None:
    report("ca-GrQc", read_graph(shared_data / "ca-grqc" / "CA-GrQc.txt").graph, 5)


def test_a_run_on_a_large_graph() -> None:
    report("36,000 nodes, 180,000 edges", power_law(36_000, 5), 10)


def test_five_hundred_nodes_are_placed() -> None:
    graph = power_law(500, 3)
    sys.stdout.write(f"500 nodes placed: {cpu(lambda: stress_layout(graph)):.2f} s CPU" + "\n")
