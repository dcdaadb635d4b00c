"""Files in which a label stands twice are refused with their lines, and repaired with one call."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType, Schema, Table
from anonymizer_gui.engine.hierarchy.files import read_hierarchies, read_text, repair_hierarchy, repair_text
from anonymizer_gui.engine.hierarchy.fit import check_fit
from anonymizer_gui.engine.hierarchy.formats.delimited import LevelTable
from anonymizer_gui.engine.hierarchy.formats.tab_tree import TabTree
from anonymizer_gui.engine.hierarchy.parsed_tree import DuplicateLabels, LabelPlace
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval

OTHER = "a;x;*\nOther;x;*\nb;y;*\nOther;y;*\n"


def lines(tree: Hierarchy) -> list[str]:
    return LevelTable.write(tree).splitlines()


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        pytest.param(OTHER, ["a;x;*", "Other;x;*", "b;y;*"], id="a value in two groups"),
        pytest.param("a;x;*\nb;y;*\na;y;*\nb;x;*\n", ["a;x;*", "b;y;*"], id="the first place in the file"),
        pytest.param("a;x;*\nb;x;*\na;y;*\n", ["a;x;*", "b;x;*"], id="a group left empty"),
        pytest.param(
            "Other;Europe;*\na;Other;*\nb;Other;*\n",
            ["Other;Europe;*", "a;Other (group);*", "b;Other (group);*"],
            id="a value and a group elsewhere",
        ),
        pytest.param(
            "Other;Other;*\nb;Other;*\nc;x;*\n",
            ["Other;Other (group);*", "b;Other (group);*", "c;x;*"],
            id="a value in a wider group of its name",
        ),
        pytest.param(
            "a;Other;x;*\nb;u;x;*\nc;Other;y;*\nd;v;y;*\ne;Other;z;*\n",
            ["a;Other;x;*", "b;u;x;*", "c;Other (2);y;*", "d;v;y;*", "e;Other (3);z;*"],
            id="groups",
        ),
        pytest.param(
            "a;Other;x;*\nb;Other (2);x;*\nc;Other;y;*\n",
            ["a;Other;x;*", "b;Other (2);x;*", "c;Other (3);y;*"],
            id="a number that is taken",
        ),
        pytest.param("a;*;*\nb;x;*\nc;x;*\n", ["a;*", "b;x;*", "c;x;*"], id="rows filled up with the root"),
        pytest.param("*;*;*\nb;x;*\nc;x;*\n", ["b;x;*", "c;x;*"], id="a row for suppressed cells"),
        pytest.param("a;x;*\nb;*;y;*\n", ["a;x;*", "b;* (2);y;*"], id="a group named like the root"),
        pytest.param("*\n\tx\n\t\ta\n\ty\n\t\ta\n\t\tb\n", ["a;x;*", "b;y;*"], id="a tab tree"),
        pytest.param("*\n\tx\n\t\ta\n\ty\n\t\tb\n\tx\n\t\tc\n", ["a;x;*", "c;x;*", "b;y;*"], id="a group in two parts"),
        pytest.param('{"*": {"x": ["a"], "y": ["a", "b"]}}', ["a;x;*", "b;y;*"], id="nested JSON"),
        pytest.param('{"*": {"x": ["a"], "y": ["b"], "x": ["c"]}}', ["a;x;*", "c;x;*", "b;y;*"], id="a name twice"),
        pytest.param(
            '{"label": "*", "children": [{"label": "x", "children": ["a", "a"]}, "x", "b"]}',
            ["a;x;*", "b;*"],
            id="JSON of nodes",
        ),
        pytest.param("a,x\nx,*\na,y\ny,*\nb,y\n", ["a;x;*", "b;y;*"], id="an edge list"),
        pytest.param("a,x\nx,*\nx,y\ny,*\nb,y\n", ["a;x;*", "b;y;*"], id="a group with two parents"),
        pytest.param(
            "distinct\nname n\ntype string\nheight 3\n\nx has a b\ny has a c\n\n* has x y\n",
            ["a;x;*", "b;x;*", "c;y;*"],
            id="Amnesia",
        ),
    ],
)
def test_one_call_repairs_a_file_in_which_labels_stand_twice(text: str, repaired: list[str]) -> None:
    with pytest.raises(DuplicateLabels):
        read_text(text, "f")
    assert lines(repair_text(text, "f").hierarchy) == repaired


@pytest.mark.parametrize(
    "text",
    [
        "a,b\nb,c\nc,a\n",
        "a,x\nx,*\nb,y\n",
        "a,x\nx,*\na,y\n",
        "*\n\ta\n\t\t\tb\n",
        "*\n\ta\n*\n\ta\n",
        "a;x;*\na;y;*\nb;;*\n",
        "a;x;*\na;y;*\nb;y;all\n",
        '{"*": ["a"], "+": ["a"]}',
    ],
)
def test_what_is_no_tree_for_another_reason_is_not_repaired(text: str) -> None:
    with pytest.raises(BadHierarchy):
        repair_text(text, "f")


def test_the_error_names_every_place_of_a_label() -> None:
    with pytest.raises(DuplicateLabels) as caught:
        read_text(OTHER, "f")
    (found,) = caught.value.duplicates
    assert (found.label, found.places) == ("Other", (LabelPlace(2, ("*", "x")), LabelPlace(4, ("*", "y"))))


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ('{"*": {\n"x": ["a"],\n"y": ["b",\n"a"]}}', [2, 4]),
        ('{"label": "*", "children": [\n"a",\n"\\u0061"]}', [2, 3]),
        ("a,x\nx,*\na,y\ny,*\n", [1, 3]),
        ("*\n\tx\n\t\ta\n\ty\n\t\ta\n\t\ta\n", [3, 5, 6]),
    ],
)
def test_places_come_with_their_lines_in_every_format(text: str, at: list[int]) -> None:
    (found,) = repair_text(text, "f").duplicates
    assert [place.line for place in found.places] == at


def test_a_good_file_has_nothing_to_repair() -> None:
    found = repair_text("a;x;*\nb;y;*\n", "f")
    assert (lines(found.hierarchy), found.duplicates) == (["a;x;*", "b;y;*"], ())


def test_a_row_that_stands_twice_is_read_once() -> None:
    assert lines(read_text("a;x;*\nb;x;*\na;x;*\n", "f")) == ["a;x;*", "b;x;*"]


def test_a_label_all_along_a_chain_of_only_children_is_one_set_of_values() -> None:
    assert lines(read_text("a;b;a;*\nc;d;e;*\n", "f")) == ["a;b;a;*", "c;d;e;*"]


def test_a_duplicate_counts_the_rows_of_its_values_and_of_those_below() -> None:
    found = repair_text("Other;x;*\na;Other;y;*\nb;Other;y;*\nc;y;*\n", "f")
    column = Column.from_texts("f", ["Other", "a", "a", "b", "c", "c", "d"])
    (repeated,) = check_fit(column, found.hierarchy, None, found.duplicates).duplicates
    assert (repeated.label, repeated.rows) == ("Other", 4)
    assert repeated.sentence() == "“Other” stands in lines 1, 2 (4 rows)."


def test_numbers_in_an_interval_that_stands_twice_are_counted() -> None:
    found = repair_text("[0-10);low;*\n[10-20);low;*\n[10-20);high;*\n[20-30);high;*\n", "f")
    column = Column.from_texts("f", ["3", "12", "13", "13", "25"])
    (repeated,) = check_fit(column, found.hierarchy, None, found.duplicates).duplicates
    assert repeated.rows == 3


def test_json_keeps_its_intervals_through_a_repair() -> None:
    node = '{"label": "low", "interval": {"low": 0, "high": 5}}'
    text = f'{{"label": "*", "children": [{{"label": "x", "children": ["a", {node}]}}, "a", "b"]}}'
    tree = repair_text(text, "f").hierarchy
    assert tree.intervals == {tree.node_of_label["low"]: Interval(0, 5)}


def test_a_file_that_stood_twice_does_not_fit_as_it_is() -> None:
    found = repair_text(OTHER, "f")
    fit = check_fit(Column.from_texts("f", ["a", "b", "Other"]), found.hierarchy, None, found.duplicates)
    assert not fit.is_good
    assert fit.summary() == "1 label stands twice."


def test_a_folder_offers_the_repair_of_a_file_it_refuses(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(OTHER)
    found = read_hierarchies(tmp_path, ["v"], Table.from_rows(["v"], [["a"], ["Other"], ["Other"]]))
    assert found.matches[0].state == "refused"
    assert "“Other” stands in lines 2, 4 (2 rows)." in found.matches[0].notes
    assert found.hierarchies == {}
    assert found.matches[0].hierarchy == repair_hierarchy(tmp_path / "v.csv").hierarchy


def test_a_folder_reads_columns_as_their_schema_says(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("[0-10);*\n[10-20);*\n")
    table = Table.from_rows(["n"], [["1,5"], ["12,5"]])
    schema = Schema((ColumnSchema("n", ColumnType.DECIMAL, ","),))
    states = [read_hierarchies(tmp_path, ["n"], table, read_as).matches[0].state for read_as in (None, schema)]
    assert states == ["does not fit", "matched"]


names = st.sampled_from(["a", "b", "c", "Other", "Other (2)", "Other (group)", "*"])


@given(st.lists(st.lists(names, min_size=1, max_size=4), min_size=2, max_size=12))
def test_a_repair_always_gives_a_tree_with_every_value(paths: list[list[str]]) -> None:
    text = "".join(";".join([*path, "*"]) + "\n" for path in paths)
    try:
        tree = LevelTable.read(text, "f")
    except DuplicateLabels as error:
        tree = error.repaired()
    groups = {label for path in paths for label in path[1:]}
    assert {path[0] for path in paths} - groups - {"*"} <= set(tree.leaf_labels)
    assert TabTree.read(TabTree.write(tree), "f").labels == tree.labels
