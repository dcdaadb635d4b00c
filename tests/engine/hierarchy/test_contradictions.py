"""Labels that speak of other values than those below them."""

from pathlib import Path

import pytest

from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.hierarchy.files import read_hierarchy
from anonymizer_gui.engine.hierarchy.fit import check_fit, contradictions, repair_contradictions
from anonymizer_gui.engine.hierarchy.intervals import parse_interval
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from tests.made_adult import make_adult

WRONG = Hierarchy.from_nested(
    {"*": {"10-19": {"10-14": ["14", "15"], "15-19": ["19", "20"]}, "20-29": {"20-24": ["21", "30"]}}}
)


def test_every_value_below_a_label_of_others_is_found_once() -> None:
    found = [(each.value, each.label) for each in contradictions(WRONG)]
    assert found == [("15", "10-14"), ("20", "15-19"), ("30", "20-24")]


def test_mending_moves_what_has_a_group_and_leaves_the_rest() -> None:
    tree = repair_contradictions(WRONG)
    assert [each.value for each in contradictions(tree)] == ["30"]
    assert tree.labels[tree.parents[tree.node_of_label["20"]]] == "20-24"
    assert sorted(tree.leaf_labels) == sorted(WRONG.leaf_labels)


@pytest.mark.parametrize("label", ["a", "red-blue", "(missing)", "*", "2020"])
def test_labels_that_spell_no_interval_contradict_nothing(label: str) -> None:
    assert contradictions(Hierarchy.from_nested({"all": {label: ["1", "99"]}})) == ()


def test_ranges_that_touch_do_not_contradict_either_neighbour() -> None:
    assert contradictions(Hierarchy.from_nested({"*": {"30-35": ["30", "35"], "35-40": ["36"]}})) == ()


def test_a_decade_is_an_interval() -> None:
    assert parse_interval("1950s") == Interval(1950.0, 1959.0, closed=True)
    assert parse_interval("195s") is None


def test_a_hierarchy_that_contradicts_does_not_fit() -> None:
    fit = check_fit(Column.from_texts("age", ["14", "20"]), WRONG)
    assert not fit.is_good
    assert "“15” below “10-14”" in fit.summary()


def test_the_slips_in_the_ages_of_a_well_known_file_are_found_and_mended(tmp_path: Path) -> None:
    tree = read_hierarchy(make_adult(tmp_path, rows=1) / "adult_hierarchy_age.csv")
    assert ("20", "15-19") in [(each.value, each.label) for each in contradictions(tree)]
    better = repair_contradictions(tree)
    assert len(contradictions(better)) < len(contradictions(tree))
    assert better.n_leaves == tree.n_leaves
