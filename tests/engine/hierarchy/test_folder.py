"""A folder of hierarchies is matched to columns by name."""

from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.hierarchy.files import read_hierarchies, write_hierarchies
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

TREE = Hierarchy.from_nested({"*": ["m", "f"]})


def states(folder: Path, names: list[str], table: Table | None = None) -> dict[str, tuple[str, str]]:
    return {match.column: (match.file, match.state) for match in read_hierarchies(folder, names, table).matches}


@pytest.mark.parametrize("file", ["sex.csv", "sex.txt", "data_hierarchy_sex.csv", "SEX.csv", "Data_Hierarchy_Sex.CSV"])
def test_a_file_belongs_to_the_column_it_is_named_after(file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text("m;*\nf;*\n")
    assert states(tmp_path, ["sex"]) == {"sex": (file, "matched")}


def test_the_same_case_wins_over_another(tmp_path: Path) -> None:
    for name in ("sex.csv", "Sex.csv"):
        (tmp_path / name).write_text("m;*\nf;*\n")
    assert states(tmp_path, ["Sex", "sex"]) == {"Sex": ("Sex.csv", "matched"), "sex": ("sex.csv", "matched")}


def test_columns_and_files_without_each_other_are_listed(tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_text("1;*\n2;*\n")
    found = read_hierarchies(tmp_path, ["sex"])
    assert (found.matches[0].state, found.unused) == ("missing", ("age.csv",))


def test_a_file_that_is_no_tree_is_a_row_of_the_table(tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("m;x;*\nm;y;*\n")
    match = read_hierarchies(tmp_path, ["sex"]).matches[0]
    assert match.state == "refused"
    assert "line 2" in match.note


def test_a_hierarchy_that_lacks_values_does_not_fit(tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("m;*\nf;*\n")
    table = Table.from_rows(["sex"], [["m"], ["x"], ["x"]])
    match = read_hierarchies(tmp_path, ["sex"], table).matches[0]
    assert (match.state, match.note) == ("does not fit", "1 value (2 rows) has no place. 1 place has no value.")


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="nowhere"):
        read_hierarchies(tmp_path / "nowhere", ["sex"])


@pytest.mark.parametrize("name", HIERARCHY_FORMATS.names())
def test_what_is_written_for_all_columns_is_matched_again(name: str, tmp_path: Path) -> None:
    write_hierarchies(tmp_path / "new", {"sex": TREE, "a/b": TREE}, name)
    assert set(read_hierarchies(tmp_path / "new", ["sex", "a/b"]).hierarchies) == {"sex", "a/b"}


def test_two_columns_never_write_the_same_file(tmp_path: Path) -> None:
    paths = write_hierarchies(tmp_path, {"a/b": TREE, "a:b": TREE})
    assert len(set(paths)) == 2
