"""Graphs in the room of statistics: a tie or a whole person is hidden, with bounds where nothing else helps."""

import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.projects.opening import new_project, open_project
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.statistics.benches.local_sensitivity import local_sensitivity
from anonymizer_gui.engine.rooms.statistics.cost_preview import preview_questions
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.question import PublicKnowledge
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question, question_text
from anonymizer_gui.engine.rooms.statistics.questions import graphs as degree_questions
from anonymizer_gui.engine.rooms.statistics.questions.graph_projection import (
    count_triangles,
    project_by_edge_addition,
    project_by_first_edges,
)
from anonymizer_gui.engine.rooms.statistics.run import run
from anonymizer_gui.engine.storage.sources import Source
from tests.engine.dp.recording import faults

ROW, CHANGE = PrivacyUnit.parse("row"), PrivacyUnit.parse("change")
Pairs = Sequence[tuple[int, int]]
OF_PEOPLE = (
    "edges with degree=2",
    "edges with degree=3 noise=gaussian",
    "count degree>=1 with degree=2",
    "count degree>=3 with degree=3",
    "degrees 2",
    "degrees 3 with noise=gaussian",
)
OF_TIES = (
    "edges",
    "count degree>=2",
    "degrees 2",
    "degrees 4 with noise=gaussian",
    "triangles 2",
    "triangles 3",
)
SOME = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
NODES = 7
EVERY = list(itertools.combinations(range(NODES), 2))
TIES = st.sets(st.sampled_from(EVERY))
NAMES = st.permutations([f"person {number}" for number in range(NODES)])
"""In other orders of names other ties come first."""


def made(names: Sequence[str], ties: Pairs) -> Graph:
    return Graph.of(names, np.array(list(ties)).reshape(-1, 2))


def plan(ask: str, unit: PrivacyUnit, shape: str) -> Project:
    limits = {"epsilon": Fraction(1), "total": Fraction(100), "delta": Fraction(1, 10**9)}
    return Project(shape=shape, questions=(parse_question(ask, shape),), unit=unit, **limits)  # type: ignore[arg-type]


def told_apart(ask: str, unit: PrivacyUnit, shape: str, pair: tuple[Graph, Graph]) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        return faults(lambda data: run(plan(ask, unit, shape), {"table": data}), *pair, patch)


@pytest.mark.parametrize("unit", [ROW, CHANGE], ids=str)
@pytest.mark.parametrize("ask", OF_PEOPLE)
@SOME
@given(NAMES, TIES, st.integers(0, NODES - 1), st.data())
def test_a_person_with_all_ties_moves_nothing_further_than_declared(
    ask: str, unit: PrivacyUnit, names: list[str], ties: set[tuple[int, int]], person: int, data: st.DataObject
) -> None:
    theirs = [tie for tie in EVERY if person in tie]
    others = [tie for tie in ties if person not in tie]
    one = made(names, [*others, *data.draw(st.sets(st.sampled_from(theirs)))])
    other = made(names, [*others, *(data.draw(st.sets(st.sampled_from(theirs))) if unit == CHANGE else [])])
    assert told_apart(ask, unit, "graph", (one, other)) == []


@pytest.mark.parametrize("unit", [ROW, CHANGE], ids=str)
@pytest.mark.parametrize("ask", OF_TIES)
@SOME
@given(NAMES, TIES, st.sampled_from(EVERY), st.sampled_from(EVERY))
def test_a_single_tie_moves_nothing_further_than_declared(
    ask: str,
    unit: PrivacyUnit,
    names: list[str],
    ties: set[tuple[int, int]],
    old: tuple[int, int],
    new: tuple[int, int],
) -> None:
    others = ties - {old, new}
    pair = ([*others, old], [*others, new] if unit == CHANGE else [*others])
    assert told_apart(ask, unit, "graph-edges", (made(names, pair[0]), made(names, pair[1]))) == []


def test_leaving_out_people_with_many_ties_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Why a projection must be stable: a plain cut lets one person push everybody over the bound."""

    def plain_cut(graph: Graph, most: int) -> Graph:
        few = graph.degrees <= most
        return Graph(graph.names, graph.edges[few[graph.edges].all(axis=1)])

    names = [f"p{number}" for number in range(13)]
    rings = [(at, (at + 1) % 12) for at in range(12)]
    pair = made(names, rings), made(names, [*rings, *((12, at) for at in range(12))])
    assert told_apart("degrees 2", ROW, "graph", pair) == []
    monkeypatch.setattr(degree_questions, "project_by_edge_addition", plain_cut)
    assert told_apart("degrees 2", ROW, "graph", pair) != []


@pytest.mark.parametrize("most", [1, 2, 3])
@given(NAMES, TIES)
def test_projections_keep_at_most_so_many_ties_and_what_has_fewer(
    most: int, names: list[str], ties: set[tuple[int, int]]
) -> None:
    graph = made(names, list(ties))
    for project in (project_by_edge_addition, project_by_first_edges):
        kept = project(graph, most)
        assert kept.degrees.max(initial=0) <= most
        assert kept.pairs() <= graph.pairs()
        assert project(graph, NODES).pairs() == graph.pairs()


@given(NAMES, TIES)
def test_triangles_are_counted_as_by_hand(names: list[str], ties: set[tuple[int, int]]) -> None:
    three = itertools.combinations(range(NODES), 3)
    assert count_triangles(made(names, list(ties))) == sum(
        set(itertools.combinations(each, 2)) <= ties for each in three
    )


def test_the_order_of_ties_does_not_depend_on_the_file() -> None:
    names = [f"p{number}" for number in range(6)]
    every = list(itertools.combinations(range(6), 2))
    turned = [(5 - one, 5 - other) for one, other in every]
    for project in (project_by_edge_addition, project_by_first_edges):
        one, other = project(made(names, every), 2), project(made(names[::-1], turned), 2)
        told = [{frozenset(each.names[end] for end in edge) for edge in each.pairs()} for each in (one, other)]
        assert told[0] == told[1]


def test_the_sensitivities_of_the_lectures() -> None:
    """34 people: the ties 1 and |V|, people with at least so many ties 2 and |V| + 1."""
    asked = {
        ("graph-edges", "edges"): 1,
        ("graph", "edges with degree=34"): 34,
        ("graph-edges", "count degree>=3"): 2,
        ("graph", "count degree>=3 with degree=34"): 35,
        ("graph-edges", "degrees 10"): 4,
        ("graph", "degrees 10"): 21,
        ("graph-edges", "triangles 10"): 18,
    }
    assert {key: preview_questions(plan(key[1], ROW, key[0]))[0].sensitivity for key in asked} == asked


@pytest.mark.parametrize(
    ("shape", "ask", "why"),
    [
        ("graph", "edges", "as many ties as there are people"),
        ("graph", "count degree>=3", "as many ties as there are people"),
        ("graph", "count degree>=3 with degree=2", "nobody has 3 of them"),
        ("graph", "triangles 10", "nothing bounds"),
        ("graph-edges", "triangles", "as many triangles as there are people"),
        ("graph-edges", "triangles 1", "as many triangles as there are people"),
    ],
)
def test_what_nothing_bounds_is_refused_with_the_reason(shape: str, ask: str, why: str) -> None:
    with pytest.raises(BadParameter, match=why) as refused:
        run(plan(ask, ROW, shape), {"table": made(["a", "b"], [(0, 1)])})
    assert refused.value.hint


@pytest.mark.parametrize("shape", ["graph", "graph-edges"])
def test_there_are_no_people_with_several_rows(shape: str) -> None:
    with pytest.raises(BadParameter, match="has no column"):
        run(plan("degrees 3", PrivacyUnit.parse("person=who:2"), shape), {"table": made(["a", "b"], [(0, 1)])})


@pytest.mark.parametrize("ask", [*OF_PEOPLE, "triangles 10"])
def test_questions_are_written_as_they_are_read(ask: str) -> None:
    assert question_text(parse_question(ask, "graph")) == ask


def test_words_that_do_not_fit_are_not_understood() -> None:
    for ask in ("edges 3", "count", "count degree>=0", "degrees", "degrees 1.5", "triangles 2 3", "histogram sex F,M"):
        with pytest.raises(BadParameter, match="not understood"):
            parse_question(ask, "graph")


def test_the_numbers_are_those_of_the_graph() -> None:
    star = made("abcde", [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2)])
    counts = {
        ("graph", "edges with degree=5"): [5],
        ("graph", "degrees 4"): [2, 2, 0, 1],
        ("graph-edges", "degrees 2"): [2, 3],
        ("graph-edges", "count degree>=2"): [3],
        ("graph-edges", "triangles 4"): [1],
    }
    found = {
        key: parse_question(key[1], key[0]).question.counted(star, PublicKnowledge())[0].tolist() for key in counts
    }
    assert found == counts


def test_local_sensitivity_is_that_of_the_graph_at_hand() -> None:
    ring = made("abcdef", [(at, (at + 1) % 6) for at in range(6)])
    near = plan("count degree>=3", ROW, "graph-edges")
    assert local_sensitivity(near.questions[0], near, ring).sensitivity == 2
    whole = plan("edges with degree=6", ROW, "graph")
    assert local_sensitivity(whole.questions[0], whole, ring).sensitivity == 6
    for unit, shape in itertools.product([ROW, CHANGE], ["graph", "graph-edges"]):
        project = plan("degrees 6", unit, shape)
        found = local_sensitivity(project.questions[0], project, ring).sensitivity
        assert 0 < found <= preview_questions(project)[0].sensitivity


def test_the_sample_goes_the_whole_way_and_a_better_looking_certificate_is_refused(tmp_path: Path) -> None:
    opened = open_project(resource_path("samples", "helpers.anon"))
    assert opened.obstacle is None
    room = room_of("statistics")
    files = {**opened.files, "ledger": BudgetLedger(tmp_path / "x.budget")}
    release = room.run(opened.project, files, SILENT)
    assert [answer.in_unit for answer in release.answers] == ["ties", "people", "people", "triangles"]
    exported = export(room.leaving(release, files, Safeguards(), SILENT), tmp_path / "out.csv")
    assert verify_release(exported.path).holds
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    assert told["unit"]["sentence"] == "Nobody can tell whether two people are tied."
    told["answers"][3]["parameters"]["degree"] = 2
    told["sha256"] = certificate_digest(told)
    exported.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert not verify_release(exported.path).holds


@pytest.mark.parametrize(
    ("ask", "changes"),
    [
        ("edges with degree=3", {"degree": 0}),
        ("count degree>=2 with degree=3", {"least": 9}),
        ("degrees 3", {"most": 2}),
    ],
)
def test_a_certificate_about_whole_people_is_audited(tmp_path: Path, ask: str, changes: dict[str, int]) -> None:
    files = {"table": made("abcd", [(0, 1), (1, 2)])}
    leaving = room_of("statistics").leaving(run(plan(ask, ROW, "graph"), files), files, Safeguards(), SILENT)
    exported = export(leaving, tmp_path / "out.csv")
    assert verify_release(exported.path).holds
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    told["answers"][0]["parameters"].update(changes)
    told["sha256"] = certificate_digest(told)
    exported.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert not verify_release(exported.path).holds


def test_a_list_of_ties_is_known_by_its_head(tmp_path: Path) -> None:
    path = tmp_path / "ties.csv"
    path.write_text("source,target\na,b\nb,c\nb,a\nc,c\n", encoding="utf-8")
    opened = new_project(room_of("statistics"), Source(str(path)))
    assert opened.project.shape == "graph"
    assert opened.files["table"].n_edges == 2
    assert len(opened.notes) == 2
    again = room_of("statistics").read("table", replace(opened.project.source), SILENT)  # type: ignore[type-var]
    assert again.data.pairs() == opened.files["table"].pairs()


def test_a_directed_tie_counts_once_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "ties.graphml"
    path.write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed"><node id="a"/>'
        '<node id="b"/><edge source="a" target="b"/><edge source="b" target="a"/></graph></graphml>',
        encoding="utf-8",
    )
    opened = new_project(room_of("statistics"), Source(str(path)))
    assert opened.files["table"].n_edges == 1
    assert "whichever way" in opened.notes[0]


def test_the_same_graph_has_one_budget_whatever_is_protected(tmp_path: Path) -> None:
    shapes = [data_kind(name) for name in ("graph", "graph-edges")]
    one, other = made("abc", [(0, 1), (1, 2)]), made("cba", [(0, 1), (1, 2)])
    assert len({shape.fingerprint(graph, b"key") for shape in shapes for graph in (one, other)}) == 1
    assert shapes[0].fingerprint(made("abc", [(0, 1), (0, 2)]), b"key") != shapes[0].fingerprint(one, b"key")
    assert shapes[0].fingerprint(one, b"other") != shapes[0].fingerprint(one, b"key")
    files = {"table": one, "ledger": BudgetLedger(tmp_path / "x.budget")}
    run(plan("degrees 2", ROW, "graph"), files)
    with pytest.raises(BadParameter, match="another kind of data: Graph"):
        run(plan("degrees 2", ROW, "graph-edges"), files)


def test_it_is_asked_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ties, out = str(resource_path("samples", "village.csv")), str(tmp_path / "out.json")
    asks = ["--ask", "edges", "--ask", "degrees 5", "--ask", "triangles 20"]
    words = ["statistics", ties, "--shape", "graph-edges", *asks, "--epsilon", "500", "-o", out, "--json"]
    assert main(words) == 0
    answers = json.loads(capsys.readouterr().out)["answers"]
    assert answers[0]["value"] == 64
    assert sum(answers[1]["values"].values()) == 32
    assert main(["statistics", ties, "--shape", "graph", "--ask", "triangles 5", "-o", out]) == 2
    assert "nothing bounds" in capsys.readouterr().err
