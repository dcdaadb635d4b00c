"""What does not fit is found with its rows, and one call repairs it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Cancelled
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Column
from anonymizer_gui.engine.hierarchy.fit import (
    CaseVariant,
    Misfit,
    add_missing_values,
    check_fit,
    place_suggested,
    rename_group_for_value,
    suggest_places,
)
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from tests.engine.hierarchy.trees import hierarchies, plain_labels

LANDS = Hierarchy.from_nested({"*": {"Europe": ["Italy", "Spain"], "Asia": ["Japan"]}})
VISITS = Column.from_texts("land", ["Italy", "italy", "Europe", "Europe", "Mars", MISSING])


def test_values_without_a_place_come_with_their_rows() -> None:
    found = check_fit(VISITS, LANDS).without_place
    assert set(found) == {Misfit("italy", 1), Misfit("Europe", 2), Misfit("Mars", 1)}


def test_missing_cells_always_fit() -> None:
    assert check_fit(Column.from_texts("land", ["Italy", MISSING]), LANDS).is_good


def test_places_without_values_are_listed() -> None:
    assert check_fit(VISITS, LANDS).without_values == ("Spain", "Japan")


def test_a_value_named_like_a_group_is_reported_as_such() -> None:
    assert check_fit(VISITS, LANDS).named_like_groups == (Misfit("Europe", 2),)


def test_a_value_in_another_case_is_a_twin() -> None:
    assert check_fit(VISITS, LANDS).case_twins == (CaseVariant("italy", "Italy", 1),)


def test_leaves_that_differ_in_case_are_twins() -> None:
    tree = Hierarchy.from_nested({"*": ["Rome", "rome"]})
    assert check_fit(Column.from_texts("c", ["rome", "rome"]), tree).case_twins == (CaseVariant("rome", "Rome", 2),)


def test_numbers_outside_all_intervals_are_told_from_words() -> None:
    tree = Hierarchy(["*", "[0-10)"], [-1, 0], {1: Interval(0, 10)})
    fit = check_fit(Column.from_texts("n", ["5", "12", "12", "many"]), tree)
    assert fit.outside_intervals == (Misfit("12", 2),)


def test_the_summary_counts_values_and_rows() -> None:
    assert check_fit(VISITS, LANDS).summary() == "3 values (4 rows) have no place. 2 places have no value."


@pytest.mark.parametrize(("under", "parent"), [("root", "*"), ("Other", "Other"), (1, "Europe")])
def test_missing_values_are_added_where_asked(under: "int | str", parent: str) -> None:
    tree = add_missing_values(LANDS, ["Mars"], under)  # type: ignore[arg-type]
    assert tree.labels[tree.parents[tree.node_of_label["Mars"]]] == parent


def test_values_are_added_to_a_group_other_that_is_there() -> None:
    once = add_missing_values(LANDS, ["Mars"], "Other")
    assert add_missing_values(once, ["Moon"], "Other").leaf_labels[-2:] == ("Mars", "Moon")


def test_a_value_called_other_keeps_its_place_beside_the_new_group() -> None:
    tree = Hierarchy.from_nested({"*": ["a", "Other"]})
    assert set(add_missing_values(tree, ["b"], "Other").leaf_labels) == {"a", "b", "Other"}


def test_a_value_named_like_a_group_gets_a_leaf_in_it() -> None:
    tree = rename_group_for_value(LANDS, ["Europe"])
    assert tree.labels[tree.parents[tree.node_of_label["Europe"]]] == "Europe (group)"


def test_a_misspelt_value_is_suggested_beside_its_neighbour() -> None:
    assert suggest_places(["Itly", "SPAIN", "Jappan", "Xyz"], LANDS) == {"Itly": 1, "SPAIN": 1, "Jappan": 4, "Xyz": 0}


def test_comparing_names_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        suggest_places(["Itly"], LANDS, Progress(is_cancelled=lambda: True))


def test_among_many_names_those_with_the_same_first_letter_are_compared() -> None:
    tree = Hierarchy.from_nested({"*": {"low": [f"a{n}" for n in range(600)], "high": [f"bb{n}" for n in range(600)]}})
    places = suggest_places([f"bbb{n}" for n in range(300)], tree)
    assert set(places.values()) == {tree.node_of_label["high"]}


@given(hierarchies(), st.lists(plain_labels, min_size=1, max_size=8), st.sampled_from(["root", "Other", "suggested"]))
def test_after_a_repair_everything_fits(tree: Hierarchy, texts: list[str], way: str) -> None:
    column = Column.from_texts("c", texts)
    values = [misfit.value for misfit in check_fit(column, tree).without_place]
    if way == "suggested":
        repaired = place_suggested(tree, suggest_places(values, tree))
    else:
        repaired = add_missing_values(tree, values, way)  # type: ignore[arg-type]
    assert check_fit(column, repaired).is_good
    assert set(tree.leaf_labels) <= set(repaired.leaf_labels)
