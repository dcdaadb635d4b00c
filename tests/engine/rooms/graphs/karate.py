"""Zachary's karate club, which networkx brings along, read from a file as people have it."""

from pathlib import Path

import networkx as nx

from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.data.graphs.reading import read_graph


def karate_club(folder: Path) -> Graph:
    """Write the club as GML and read it."""
    club = nx.Graph(nx.karate_club_graph().edges())
    nx.write_gml(club, folder / "karate.gml", stringizer=str)
    graph = read_graph(folder / "karate.gml").graph
    assert (graph.n_nodes, len(graph.pairs())) == (34, 78)
    return graph
