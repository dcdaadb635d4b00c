"""Graphs are read from every form people have them in, and what is left out is counted."""

from pathlib import Path

import pytest

from anonymizer_gui.engine.errors import UnreadableFile
from anonymizer_gui.engine.shapes.graphs.reading import read_graph

TRIANGLE = [[0, 1], [0, 2], [1, 2]]
FORMS = {
    "edges.csv": "source,target\na,b\nb,c\na,c\n",
    "edges.tsv": "a\tb\nb\tc\na\tc\n",
    "snap.txt": "# from to\na b\nb c\na c\n",
    "semicolon.csv": "from;to\na;b\nb;c\na;c\n",
    "matrix.csv": "0,1,1\n1,0,1\n1,1,0\n",
    "named.csv": ",a,b,c\na,0,1,1\nb,1,0,1\nc,1,1,0\n",
    "graph.gml": "graph [ "
    + "".join(f'node [ id {at} label "{name}" ] ' for at, name in enumerate("abc"))
    + "".join(f"edge [ source {one} target {other} ] " for one, other in TRIANGLE)
    + "]",
    "graph.graphml": '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
    + "".join(f'<node id="{name}"/>' for name in "abc")
    + "".join(f'<edge source="{one}" target="{other}"/>' for one, other in ("ab", "bc", "ac"))
    + "</graph></graphml>",
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_a_triangle_is_the_same_graph(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FORMS[name], encoding="utf-8")
    graph = read_graph(tmp_path / name).graph
    assert graph.edges.tolist() == TRIANGLE
    assert not graph.is_directed


def test_loops_and_doubled_edges_are_counted_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\nb,a\na,a\nb,c\nalone,\n", encoding="utf-8")
    read = read_graph(tmp_path / "x.csv")
    assert (read.loops, read.doubles, read.graph.n_nodes, read.graph.n_edges) == (1, 1, 4, 2)
    assert len(read.notes()) == 2


def test_a_direction_is_taken_from_the_file_or_from_the_user(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("0,1,0\n0,0,1\n0,0,0\n", encoding="utf-8")
    assert read_graph(tmp_path / "m.csv").graph.is_directed
    assert not read_graph(tmp_path / "m.csv", {"direction": "undirected"}).graph.is_directed
    (tmp_path / "e.csv").write_text("a,b\nb,a\n", encoding="utf-8")
    assert read_graph(tmp_path / "e.csv", {"direction": "directed"}).graph.n_edges == 2


BAD = {
    "empty.csv": "",
    "words.gml": "this is no graph",
    "bomb.graphml": '<!DOCTYPE x [<!ENTITY a "aaaa">]><graphml>&a;</graphml>',
    "cut.graphml": "<graphml><graph",
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_graph_is_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(BAD[name], encoding="utf-8")
    with pytest.raises(UnreadableFile) as caught:
        read_graph(tmp_path / name)
    assert caught.value.message
    assert caught.value.hint
