"""Global recodes of μ-ARGUS are read as hierarchies, with the lines and lists of the files it comes with."""

from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.hierarchy.files import (
    match_file,
    read_hierarchies,
    read_hierarchy,
    read_text,
    write_hierarchy,
)
from anonymizer_gui.engine.hierarchy.formats.delimited import LevelTable
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

AGES = "1: -20\r\n2: 21-30\r\n3: 31-40\r\n4: 61-\r\n\r\n<MISSING> 8 9\r\n<CODELIST>    Age.cdl\r\n"
AGE = Column.from_texts("age", ["8", "2", "21", "30", "35", "61", "90"])


def shape(tree: Hierarchy) -> list[str]:
    return LevelTable.write(tree).splitlines()


def recode(folder: Path, text: str = AGES, name: str = "age.grc") -> Path:
    (folder / name).write_bytes(text.encode())
    return folder / name


def test_ranges_with_open_ends_become_groups_named_by_what_they_hold(tmp_path: Path) -> None:
    assert shape(read_hierarchy(recode(tmp_path))) == ["<=20;*", "21-30;*", "31-40;*", ">=61;*"]


def test_every_value_finds_the_range_that_holds_it_and_codes_of_the_result_mean_nothing(tmp_path: Path) -> None:
    """An age of 2 is no group 2, and the missing codes 8 and 9 are codes of what μ-ARGUS writes."""
    tree = read_hierarchy(recode(tmp_path))
    placed = encode_column(AGE, tree)
    assert [tree.leaf_labels[leaf] for leaf in placed.codes] == [
        "<=20", "<=20", "21-30", "21-30", "31-40", ">=61", ">=61",
    ]  # fmt: skip


def test_groups_are_called_as_the_code_list_beside_the_file_says(tmp_path: Path) -> None:
    (tmp_path / "AGE.CDL").write_text('1, age under 20\n2, "from 21, to 30"\n\n')
    assert shape(read_hierarchy(recode(tmp_path))) == [
        "<=20;age under 20;*", '21-30;from 21, to 30;*', "31-40;*", ">=61;*",
    ]  # fmt: skip


def test_a_code_list_is_looked_for_in_the_folder_of_the_file_only(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "Age.cdl").write_text("1, age under 20\n")
    for named in (r"C:\data\..\Age.cdl", "../Age.cdl"):
        path = recode(tmp_path / "below", AGES.replace("Age.cdl", named))
        assert shape(read_hierarchy(path))[0] == "<=20;*"


def test_with_the_data_the_values_stand_below_their_groups(tmp_path: Path) -> None:
    (tmp_path / "Age.cdl").write_text("1, young\n4, old\n")
    found = match_file(recode(tmp_path), "age", AGE)
    assert found.state == "matched"
    assert found.hierarchy is not None
    assert shape(found.hierarchy) == [
        "2;young;*", "8;young;*", "21;21-30;*", "30;21-30;*", "35;31-40;*", "61;old;*", "90;old;*",
    ]  # fmt: skip


def test_codes_that_are_listed_go_to_one_group_and_several_lines_to_the_same() -> None:
    text = '1:1,2\n3:3, 4\n1:7\nother: "x y"\n'
    assert shape(read_text(text, "f")) == [
        "1;{1, 2, 7};*", "2;{1, 2, 7};*", "7;{1, 2, 7};*", "3;{3, 4};*", "4;{3, 4};*", "x y;other;*",
    ]  # fmt: skip


def test_a_bound_that_two_ranges_share_belongs_to_the_later_line() -> None:
    """The example of μ-ARGUS itself: `0: -90`, `1: 90-500`, `2: 500-`."""
    tree = read_text("0 : - 90\n1 : 90 - 500\n2 : 500 -\n", "f")
    placed = encode_column(Column.from_texts("x", ["90", "89.5", "500", "499"]), tree)
    assert [tree.leaf_labels[leaf] for leaf in placed.codes] == ["[90-500)", "<90", ">=500", "[90-500)"]
    turned = read_text("2 : 500 -\n1 : 90 - 500\n", "f")
    assert turned.leaf_labels == (">500", "90-500")


def test_a_file_of_the_folder_belongs_to_its_column(tmp_path: Path) -> None:
    recode(tmp_path)
    assert read_hierarchies(tmp_path, ["age"], Table((AGE,))).matches[0].state == "matched"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("1: 1-5\n2 6-9\n", 2, "the form"),
        ("1: 1-5\n2:\n", 2, "the form"),
        ("1: 1--5\n", 1, "the form"),
        ('1: 1-5\n\n2: "6\n', 3, "the form"),
        ("1: 1 2\n", 1, "the form"),
        ("1: 9-5\n", 1, "ends before it begins"),
        ("1: A1-A9\n", 1, "“A1” is no number"),
        ("1: 1-5\n2: 4-9\n", 2, "“4-9” is also in line 1"),
        ("1: 1-5\n2: 4\n", 2, "“4” is also in line 1"),
        ("1: 4\n2: 1-5\n", 2, "“4” is also in line 1"),
        ("1: a, b\n2: b\n", 2, "“b” is also in line 1"),
        ("1: -5\n2: -9\n", 2, "also in line 1"),
        ("<MISSING> 9\n", 1, "no line"),
        ("just words\n", 1, "the form"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(BadHierarchy, match=reason) as error:
        read_text(text, "age.grc")
    assert f"line {line}: " in error.value.message
    assert error.value.hint


@pytest.mark.parametrize(
    "text",
    ["08:00,morning,*\n09:00,morning,*\n", "08:00,morning\n09:00,morning\nmorning,*\n", "08:00;am;*\n13:00;pm;*\n"],
)
def test_times_of_a_level_table_are_no_recode(text: str) -> None:
    assert "08:00" in read_text(text, "time.csv").leaf_labels


def test_a_recode_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(BadHierarchy, match="read, not written"):
        write_hierarchy(Hierarchy.from_nested({"*": ["a"]}), tmp_path / "x.grc")
