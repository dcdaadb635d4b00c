"""Full k-anonymity and l-diversity: classes are alike, places are various, counted from the published records."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.data.trees.reading import vertex_to_json
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.trees.algorithms.clustree import FullKAnonymity, match_children
from anonymizer_gui.engine.rooms.trees.encoding import PathRole
from tests.engine.rooms.trees.making import (
    plain_records,
    project_for,
    released,
    roles_for,
    seen,
    smallest_class,
    students,
    trees_of,
)

VALUES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["a", "b", "", "5"]))
DOCUMENTS = st.recursive(
    st.dictionaries(st.sampled_from("xyz"), VALUES, max_size=3),
    lambda inner: st.dictionaries(
        st.sampled_from("xyzpq"), st.one_of(VALUES, inner, st.lists(st.one_of(VALUES, inner), max_size=4)), max_size=4
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_two_records_of_a_class_are_alike_in_all_that_can_be_known(k: int) -> None:
    release = released(students(60), FullKAnonymity(k=k, l=1))
    records = plain_records(release)
    assert smallest_class(records) >= k
    for number in set(release.outcome.classes.tolist()):
        members = [
            records[at] for at, source in enumerate(release.source_of) if release.outcome.classes[source] == number
        ]
        assert len({seen(record) for record in members}) == 1
        assert len(members) >= k


@pytest.mark.parametrize("least", [2, 3])
def test_every_kept_vertex_of_a_class_has_enough_sensitive_values(least: int) -> None:
    classes: dict[Any, dict[Any, set[Any]]] = {}
    for record in plain_records(released(students(60), FullKAnonymity(k=4, l=least))):
        places = classes.setdefault(seen(record), {})
        places.setdefault("root", set()).add(record["gpa"])
        for course in record.get("courses", ()):
            places.setdefault(seen(course), set()).add(course["grade"])
    assert min(len(values) for places in classes.values() for values in places.values()) >= least


def test_k_of_one_changes_nothing() -> None:
    values = students(20)
    release = released(values, FullKAnonymity(k=1, l=1))
    assert release.measured.lm == 0
    assert release.measured.suppressed == release.measured.changed == 0
    before = [seen(vertex_to_json(record)) for record in trees_of(values).records]
    assert [seen(record) for record in plain_records(release)] == before


def test_records_that_are_alike_already_are_never_parted() -> None:
    release = released([{"a": "xy"[at % 2]} for at in range(6)], FullKAnonymity(k=2, l=1))
    assert release.measured.lm == 0
    assert release.measured.smallest_class == 3


def test_a_shuffled_file_keeps_the_guarantee() -> None:
    values = students(40)
    release = released(values[::-1], FullKAnonymity(k=4, l=2))
    assert smallest_class(plain_records(release)) >= 4
    assert all(promise.holds for promise in release.promises)


@given(st.lists(DOCUMENTS, min_size=4, max_size=9))
def test_any_documents_become_alike(values: list[Any]) -> None:
    trees = trees_of(values)
    if not trees.names:
        with pytest.raises(BadParameter, match="quasi-identifier"):
            released(trees, FullKAnonymity(k=2, l=1))
        return
    release = released(trees, FullKAnonymity(k=2, l=1))
    assert smallest_class(plain_records(release)) >= 2
    assert release.measured.released == len(values)


def test_records_of_different_kinds_are_never_one_class() -> None:
    values: list[Any] = [{"a": 1}, {"a": 2}, {"a": 3}, "loose"]
    release = released(values, FullKAnonymity(k=3, l=1), roles={"a": PathRole.QUASI, "$": PathRole.QUASI})
    assert release.measured.released == 3
    assert "too rare" in release.notes[0]


def test_a_thousand_children_are_matched() -> None:
    values = [{"name": "ab"[at % 2], "tags": [f"t{(each * (at + 1)) % 50}" for each in range(1000)]} for at in range(2)]
    release = released(values, FullKAnonymity(k=2, l=1))
    first, second = plain_records(release)
    assert seen(first) == seen(second)
    assert len(first["tags"]) > 700


def test_more_than_k_children_of_one_record_do_not_betray_it() -> None:
    values = [{"a": "x", "tags": ["t"] * (1 + 3 * (at == 0))} for at in range(4)]
    assert [len(record["tags"]) for record in plain_records(released(values, FullKAnonymity(k=4, l=1)))] == [1, 1, 1, 1]


def test_an_optional_key_that_some_lack_is_left_out_for_all() -> None:
    values = [{"a": "x", "b": 1} if at % 2 else {"a": "x"} for at in range(4)]
    release = released(values, FullKAnonymity(k=4, l=1))
    assert plain_records(release) == [{"a": "x"}] * 4
    assert release.measured.by_path == {"a": 0.0, "b": 1.0}


def test_an_empty_list_cannot_be_told_from_none() -> None:
    values: list[Any] = [{"a": "x", "tags": []}, {"a": "x"}, {"a": "x", "tags": ["t"]}]
    release = released(values, FullKAnonymity(k=3, l=1))
    assert plain_records(release) == [{"a": "x"}] * 3


def test_a_hierarchy_gives_the_labels_of_its_groups() -> None:
    towns = Hierarchy.from_nested({"*": {"north": ["Kiel", "Husum"], "south": ["Ulm", "Passau"]}})
    values = [{"town": town} for town in ("Kiel", "Husum", "Ulm", "Passau")]
    release = released(values, FullKAnonymity(k=2, l=1), hierarchies={"town": towns})
    assert sorted(record["town"] for record in plain_records(release)) == ["north", "north", "south", "south"]
    assert release.measured.by_path["town"] == pytest.approx(1 / 3)


def test_numbers_become_intervals_and_words_become_sets() -> None:
    values = [{"born": 1990 + at, "job": "abcd"[at]} for at in range(4)]
    release = released(values, FullKAnonymity(k=4, l=1))
    assert plain_records(release) == [{"born": "[1990-1993]", "job": "*"}] * 4
    pair = released(values, FullKAnonymity(k=2, l=1))
    assert {record["job"] for record in plain_records(pair)} == {"{a, b}", "{c, d}"}


def test_the_same_text_of_different_types_cannot_be_told_apart() -> None:
    release = released([{"a": 5}, {"a": "5"}, {"a": "5"}], FullKAnonymity(k=3, l=1))
    assert {repr(record["a"]) for record in plain_records(release)} == {"'5'"}
    assert release.measured.lm == 0


def test_identifiers_and_removed_branches_never_leave() -> None:
    values = [{"id": f"Z{at}", "a": "x", "home": {"street": f"S{at}"}} for at in range(3)]
    roles = {"id": PathRole.IDENTIFIER, "a": PathRole.QUASI, "home.street": PathRole.REMOVE}
    assert plain_records(released(values, FullKAnonymity(k=3, l=1), roles=roles)) == [{"a": "x"}] * 3


def test_too_few_records_are_refused_with_a_way_out() -> None:
    with pytest.raises(Infeasible, match="only 3 records") as caught:
        released(students(3), FullKAnonymity(k=5, l=1))
    assert caught.value.hint


def test_records_that_all_share_what_is_sensitive_are_refused() -> None:
    with pytest.raises(Infeasible, match="fewer than l = 2"):
        released([{"a": "x", "secret": "same"}] * 6, FullKAnonymity(k=2, l=2))


def test_a_missing_sensitive_value_is_none() -> None:
    values = [{"a": "x", "b": {"secret": None if at % 2 else "known"}} for at in range(4)]
    assert plain_records(released(values, FullKAnonymity(k=4, l=2))) == [{"a": "x"}] * 4


def test_pairs_are_chosen_with_the_least_sum() -> None:
    assert match_children([[-1.0, -3.0], [-2.0, -3.5]]) == (-5.0, [(0, 1), (1, 0)])
    assert match_children([[1.0, 2.0], [3.0, 0.5]]) == (0.0, [])
    wide = [[-float((7 * row + 3 * column) % 5) for column in range(6)] for row in range(5)]
    value, pairs = match_children(wide)
    assert value == sum(wide[row][column] for row, column in pairs) == -20.0
    assert len({column for _, column in pairs}) == len(pairs)


def test_the_schema_of_a_project_is_one_value() -> None:
    trees = trees_of(students(2))
    project = project_for(trees, FullKAnonymity(), roles_for(trees))
    assert project.schema is project.schema
