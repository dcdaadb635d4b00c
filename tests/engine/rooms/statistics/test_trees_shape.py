"""Nested records in the room of statistics: a record or a single entry of a list is hidden; the enrolment questions."""

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.trees.reading import read_trees, vertex_from_json
from anonymizer_gui.engine.data.trees.trees import FileForm, Trees
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.projects.opening import new_project, open_project
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.statistics.benches.local_sensitivity import local_sensitivity
from anonymizer_gui.engine.rooms.statistics.cost_preview import preview_questions
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.independent import sensitivities as audited
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question, question_text
from anonymizer_gui.engine.rooms.statistics.questions import trees as value_questions
from anonymizer_gui.engine.rooms.statistics.questions.trees import count_lists
from anonymizer_gui.engine.rooms.statistics.run import run
from anonymizer_gui.engine.storage.sources import Source
from tests.engine.dp.recording import faults

ROW, CHANGE = PrivacyUnit.parse("row"), PrivacyUnit.parse("change")
OF_RECORDS = (
    "having courses[].course A",
    "having courses[].course",
    "entries courses[].course 2",
    "entries courses[].course 3 with noise=gaussian",
    "values courses[].course 2 A,B,C",
    "values courses[].course 3 A,B,C with noise=gaussian",
)
OF_ENTRIES = (
    "having courses[].course A",
    "entries courses[].course",
    "values courses[].course A,B,C",
    "values courses[].course A,B,C with noise=gaussian",
)
SOME = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
ENTRY = st.fixed_dictionaries({}, optional={"course": st.sampled_from("ABCD"), "books": st.lists(
    st.fixed_dictionaries({"price": st.sampled_from("12")}), max_size=2)})  # fmt: skip
RECORD = st.lists(ENTRY, max_size=5).map(lambda entries: {"name": "x", "courses": entries})


@pytest.fixture
def in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let lots fall in the order of the values: they are drawn anew in every run."""
    monkeypatch.setattr(value_questions, "draw_lots", lambda count: np.arange(count, dtype=np.uint64))


def made(records: Sequence[Any]) -> Trees:
    return Trees.of([vertex_from_json(record, "test") for record in records], FileForm())


def plan(ask: str, unit: PrivacyUnit, shape: str = "trees") -> Project:
    limits = {"epsilon": Fraction(1), "total": Fraction(100), "delta": Fraction(1, 10**9)}
    return Project(shape=shape, questions=(parse_question(ask, shape),), unit=unit, **limits)  # type: ignore[arg-type]


def told_apart(ask: str, unit: PrivacyUnit, shape: str, pair: tuple[Trees, Trees]) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        return faults(lambda data: run(plan(ask, unit, shape), {"table": data}), *pair, patch)


@pytest.mark.parametrize("unit", [ROW, CHANGE], ids=str)
@pytest.mark.parametrize("ask", OF_RECORDS)
@SOME
@given(st.lists(RECORD, max_size=4), RECORD, RECORD)
def test_a_record_moves_nothing_further_than_declared(
    in_order: None, ask: str, unit: PrivacyUnit, held: list[Any], one: Any, other: Any
) -> None:
    pair = made([*held, one]), made([*held, other] if unit == CHANGE else held)
    assert told_apart(ask, unit, "trees", pair) == []


@pytest.mark.parametrize("unit", [ROW, CHANGE], ids=str)
@pytest.mark.parametrize("ask", OF_ENTRIES)
@SOME
@given(st.lists(RECORD, max_size=3), RECORD, ENTRY, ENTRY)
def test_an_entry_moves_nothing_further_than_declared(
    in_order: None, ask: str, unit: PrivacyUnit, held: list[Any], record: Any, one: Any, other: Any
) -> None:
    with_one = {**record, "courses": [*record["courses"], one]}
    without = {**record, "courses": [*record["courses"], *([other] if unit == CHANGE else [])]}
    assert told_apart(ask, unit, "tree-entries", (made([*held, with_one]), made([*held, without]))) == []


def test_a_bound_that_is_not_kept_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from anonymizer_gui.engine.rooms.statistics.questions import trees

    monkeypatch.setattr(trees, "_counted", lambda data, path, most: len(data.leaf_of[path].holders))
    many = {"courses": [{"course": "A"}] * 5}
    few = made([{"courses": [{"course": "A"}]}])
    pair = made([{"courses": [{"course": "A"}]}, many]), few
    assert told_apart("entries courses[].course 2", ROW, "trees", pair) != []


def test_the_three_enrolment_questions_and_their_sensitivities() -> None:
    records = ("having courses[].course Algebra", "entries courses[].course 5", "values courses[].course 5 Algebra,Art")
    entries = ("having courses[].course Algebra", "entries courses[].course", "values courses[].course Algebra,Art")
    found = {
        "record": [preview_questions(plan(ask, ROW))[0].sensitivity for ask in records],
        "changed record": [preview_questions(plan(ask, CHANGE))[0].sensitivity for ask in records],
        "entry": [preview_questions(plan(ask, ROW, "tree-entries"))[0].sensitivity for ask in entries],
        "changed entry": [preview_questions(plan(ask, CHANGE, "tree-entries"))[0].sensitivity for ask in entries],
    }
    assert found == {
        "record": [1, 5, 5],
        "changed record": [1, 5, 10],
        "entry": [1, 1, 1],
        "changed entry": [1, 1, 2],
    }


@pytest.mark.parametrize(
    ("path", "lists"),
    [
        ("name", 0),
        ("courses[].course", 1),
        ("student.courses[].evaluation.score", 1),
        ("courses[].books[].price", 2),
        ('["a[]"].b', 0),
        ('["a[]"].b[]', 1),
        ("student/@sex", 0),
        ("student/course/@name", 1),
        ("student/course/title/text()", 2),
    ],
)
def test_lists_are_counted_by_the_words_of_a_path(path: str, lists: int) -> None:
    assert count_lists(path) == lists
    told = audited.TREE_BOUNDS["single-entries"]({"path": path}, 1, False)[0]
    assert (told.summed == 1) is (lists == 1)


@pytest.mark.parametrize("path", ["name", "courses[].books[].price"])
def test_an_entry_that_may_hold_many_cannot_be_hidden_alone(path: str) -> None:
    with pytest.raises(BadParameter, match="exactly one list") as caught:
        run(plan(f"entries {path}", ROW, "tree-entries"), {"table": made([{"name": "x"}])})
    assert "records" in caught.value.hint


@pytest.mark.parametrize("ask", ['having ""', 'entries "" 2', 'values "" 2 A,B'])
def test_a_question_without_a_path_is_refused(ask: str) -> None:
    with pytest.raises(BadParameter, match="names no column"):
        run(plan(ask, ROW), {"table": made([{"name": "x"}])})


def test_a_path_that_no_record_has_counts_nothing_and_is_not_refused(in_order: None) -> None:
    data = made([{"name": "x"}])
    for ask in ("having courses[].course", "entries courses[].course 2", "values courses[].course 2 A,B"):
        project = plan(ask, ROW)
        asked = project.questions[0]
        assert asked.question.counted(data, project.public(asked))[0].sum() == 0


def test_what_is_counted(in_order: None) -> None:
    data = made(
        [
            {"courses": [{"course": "A"}, {"course": "A"}, {"course": "B"}, {"course": "C"}]},
            {"courses": [{"course": "C"}]},
            {},
        ]
    )
    counted = {}
    for ask in (
        "having courses[].course A",
        "having courses[].course",
        *OF_RECORDS[2:3],
        "values courses[].course 2 A,B,C",
    ):
        project = plan(ask, ROW)
        counted[ask] = project.questions[0].question.counted(data, project.public(project.questions[0]))[0].tolist()
    assert list(counted.values()) == [[1], [2], [3], [1, 1, 1]]


@pytest.mark.parametrize("shape", ["trees", "tree-entries"])
def test_what_is_asked_comes_back_as_it_was_typed(shape: str) -> None:
    for ask in OF_RECORDS if shape == "trees" else OF_ENTRIES:
        assert question_text(parse_question(ask, shape)) == ask


def test_the_name_of_an_element_depends_on_its_record_alone(tmp_path: Path) -> None:
    one = "<r><t>x</t></r>"
    for name, other in (
        ("a.xml", ""),
        ("b.xml", "<r><t>y</t><t>z</t></r>"),
        ("c.xml", '<r xmlns:q="u"><q:t>y</q:t></r>'),
    ):
        (tmp_path / name).write_text(f"<l>{one}{other}</l>", encoding="utf-8")
        trees = read_trees(Source(str(tmp_path / name)), alone=True).trees
        assert trees.names == ("r/t/text()",)


def test_records_in_another_order_are_the_same_data_for_both_units() -> None:
    values: list[Any] = [{"a": 1, "t": ["x", "y"]}, {"a": 2}]
    again: list[Any] = [{"a": 2}, {"t": ["y", "x"], "a": 1}]
    marks = {
        data_kind(name).fingerprint(made(data), b"k" * 32)
        for name in ("trees", "tree-entries")
        for data in (values, again)
    }
    assert len(marks) == 1
    assert data_kind("trees").fingerprint(made(values[:1]), b"k" * 32) not in marks


@pytest.mark.parametrize("unit", [ROW, CHANGE], ids=str)
def test_neighbours_of_a_small_data_set_reach_the_sensitivity(unit: PrivacyUnit) -> None:
    data = made([{"courses": [{"course": "A"}, {"course": "B"}]}, {"courses": [{"course": "C"}]}])
    assert len(list(data_kind("trees").neighbours(data, unit))) == 4
    near = list(data_kind("tree-entries").neighbours(data, unit))
    assert [len(each) for each in near] == [2] * len(near)
    asked = plan("entries courses[].course", unit, "tree-entries")
    assert local_sensitivity(asked.questions[0], asked, data).sensitivity <= 1


def test_the_enrolment_sample_goes_the_whole_way(tmp_path: Path) -> None:
    opened = open_project(resource_path("samples", "enrolment.anon"))
    assert opened.obstacle is None
    room = room_of("statistics")
    files = {**opened.files, "ledger": BudgetLedger(tmp_path / "x.budget")}
    release = room.run(opened.project, files, SILENT)
    assert [answer.sensitivity for answer in release.answers] == [1, 4, 4]
    export(room.leaving(release, files, Safeguards(), SILENT), tmp_path / "out.csv")
    assert verify_release(tmp_path / "out.csv").holds


def test_json_is_taken_for_nested_records(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"a": 1}]), encoding="utf-8")
    opened = new_project(room_of("statistics"), Source(str(path)))
    assert opened.project.shape == "trees"
    assert opened.project.source is not None
    assert opened.project.source.options == {"shape": "trees"}
