"""Graphs are read from every form people have them in, and what is left out is counted."""

from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.data.graphs.reading import read_graph

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


def test_heads_that_nobody_knows_are_no_people(tmp_path: Path) -> None:
    """A made-up edge between two heads would be published as a tie of two people."""
    (tmp_path / "numbers.csv").write_text("follower,followee\n1,2\n2,3\n1,3\n", encoding="utf-8")
    read = read_graph(tmp_path / "numbers.csv")
    assert (read.graph.names, read.graph.edges.tolist(), read.notes()) == (("1", "2", "3"), TRIANGLE, ())
    (tmp_path / "names.csv").write_text("follower,followee\na,b\nb,c\na,c\n", encoding="utf-8")
    read = read_graph(tmp_path / "names.csv")
    assert read.graph.n_nodes == 5
    assert "“follower” and “followee” stand in the first line only" in str(read.notes()[0])
    (tmp_path / "edges.csv").write_text("a,b\nb,c\n", encoding="utf-8")
    assert not read_graph(tmp_path / "edges.csv").notes()


def test_letters_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text("Zoë,Ünal\nÜnal,李\n", encoding="utf-16")
    assert read_graph(tmp_path / "wide.csv").graph.names == ("Zoë", "Ünal", "李")
    (tmp_path / "bytes.csv").write_bytes(bytes(range(256)) * 9)
    with pytest.raises(UnreadableFile):
        read_graph(tmp_path / "bytes.csv")


def test_a_direction_is_taken_from_the_file_or_from_the_user(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("0,1,0\n0,0,1\n0,0,0\n", encoding="utf-8")
    assert read_graph(tmp_path / "m.csv").graph.is_directed
    assert not read_graph(tmp_path / "m.csv", {"direction": "undirected"}).graph.is_directed
    (tmp_path / "e.csv").write_text("a,b\nb,a\n", encoding="utf-8")
    assert read_graph(tmp_path / "e.csv", {"direction": "directed"}).graph.n_edges == 2


def test_what_a_file_tells_of_nodes_is_a_table(tmp_path: Path) -> None:
    gml = 'node [ id 1 label "a" age 33 graphics [ x 1 ] ] node [ id 2 label "b" town "Ulm" ] '
    (tmp_path / "x.gml").write_text(f"graph [ {gml}edge [ source 1 target 2 ] ]", encoding="utf-8")
    declared = (("d0", "age", "int"), ("d1", "town", "string"))
    keys = "".join(
        f'<key id="{key}" for="node" attr.name="{name}" attr.type="{kind}"/>' for key, name, kind in declared
    )
    nodes = '<node id="a"><data key="d0">33</data></node><node id="b"><data key="d1"> Ulm</data></node>'
    graph = f'<graph edgedefault="directed">{nodes}<edge source="a" target="b"/></graph>'
    (tmp_path / "x.graphml").write_text(
        f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{keys}{graph}</graphml>', encoding="utf-8"
    )
    for name in ("x.gml", "x.graphml"):
        people = read_graph(tmp_path / name).graph.people
        assert people is not None
        assert people.names == ("node", "age", "town")
        rows = [list(column.texts()) for column in people.columns]
        assert rows == [["a", "b"], ["33", "(missing)"], ["(missing)", "Ulm"]]


def test_edges_that_stand_twice_are_counted_in_every_form(tmp_path: Path) -> None:
    ends = "edge [ source 0 target 1 ] edge [ source 1 target 0 ] edge [ source 1 target 1 ] "
    (tmp_path / "x.gml").write_text(f"graph [ node [ id 0 ] node [ id 1 ] {ends}]", encoding="utf-8")
    (tmp_path / "x.csv").write_text(",a,b,c,d\na,0,2,0,1\nb,2,0,0,0\nc,0,0,1,0\nd,1,0,0,0\n", encoding="utf-8")
    for name, edges in (("x.gml", 1), ("x.csv", 2)):
        read = read_graph(tmp_path / name)
        assert (read.loops, read.doubles, read.graph.n_edges) == (1, 1, edges)


def test_three_edges_with_weights_are_no_matrix(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("1 2 5\n2 3 1\n3 1 1\n", encoding="utf-8")
    assert read_graph(tmp_path / "w.txt").graph.n_edges == 3


def test_names_that_look_alike_are_one_node(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("Zu\u0308rich,b\nZürich,c\n", encoding="utf-8")
    assert read_graph(tmp_path / "x.csv").graph.names == ("Zürich", "b", "c")


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
