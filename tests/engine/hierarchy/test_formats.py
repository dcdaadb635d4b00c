"""Hierarchy files as they occur are read; what is no tree is refused with line and reason."""

from pathlib import Path

import pytest
from hypothesis import example, given

from anonymizer_gui.engine.core.errors import BadHierarchy, UnreadableFile
from anonymizer_gui.engine.hierarchy.files import format_of, read_hierarchy, read_text, write_hierarchy
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS
from anonymizer_gui.engine.hierarchy.formats.delimited import LevelTable
from anonymizer_gui.engine.hierarchy.formats.json_tree import from_json, to_json
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from tests.engine.hierarchy.trees import hierarchies, wild_labels, words
from tests.made_adult import make_adult

LANDS = Hierarchy.from_nested({"*": {"Europe": ["Italy", "Spain"], "Asia": ["Japan"], "Mars": []}})


def shape(tree: Hierarchy) -> list[str]:
    return LevelTable.write(tree).splitlines()


@pytest.mark.parametrize("name", HIERARCHY_FORMATS.names())
@given(tree=hierarchies(words))
def test_what_a_format_writes_is_read_as_the_same_tree(name: str, tree: Hierarchy) -> None:
    assert HIERARCHY_FORMATS.get(name).read(HIERARCHY_FORMATS.get(name).write(tree), "f") == tree


@pytest.mark.parametrize("name", ["json", "level-table", "tab-tree", "edge-list"])
@given(tree=hierarchies(wild_labels))
@example(tree=Hierarchy(["1", "00", "|", "0"], [-1, 0, 0, 2]))
def test_labels_with_any_character_survive(name: str, tree: Hierarchy) -> None:
    assert HIERARCHY_FORMATS.get(name).read(HIERARCHY_FORMATS.get(name).write(tree), "f") == tree


@pytest.mark.parametrize("name", ["json", "level-table", "tab-tree", "edge-list"])
@given(tree=hierarchies(wild_labels))
def test_a_file_is_never_taken_for_another_tree(name: str, tree: Hierarchy) -> None:
    try:
        found = read_text(HIERARCHY_FORMATS.get(name).write(tree), "f")
    except BadHierarchy:
        return
    assert sorted(shape(found)) == sorted(shape(tree))


@pytest.mark.parametrize("name", HIERARCHY_FORMATS.names())
def test_the_format_of_a_written_file_is_found_by_looking(name: str, tmp_path: Path) -> None:
    path = tmp_path / "land.unknown"
    write_hierarchy(LANDS, path, name)
    assert sorted(shape(read_hierarchy(path))) == sorted(shape(LANDS))


@pytest.mark.parametrize(
    ("suffix", "name"), [(".csv", "level-table"), (".txt", "tab-tree"), (".JSON", "json"), (".x", "level-table")]
)
def test_a_suffix_stands_for_a_format(suffix: str, name: str) -> None:
    assert format_of(Path("land" + suffix)) == name


@pytest.mark.parametrize(
    "text",
    [
        "Italy;Europe;*\nSpain;Europe;*\nJapan;Asia;*\nMars;*\n",
        "Italy,Europe,*\r\nSpain,Europe,*\r\nJapan,Asia,*\r\nMars,*",
        "value;group;all\nItaly;Europe;*\nSpain;Europe;*\nJapan;Asia;*\nMars;*\n",
        " Italy|Europe |*\n Spain|Europe|*\n\n Japan|Asia|*\n Mars|*||\n",
        "Italy\tEurope\t*\nSpain\tEurope\t*\nJapan\tAsia\t*\nMars\t*\n",
        "*;Europe;Italy\n*;Europe;Spain\n*;Asia;Japan\n*;Mars\n",
        '"Italy","Europe","*"\n"Spain","Europe","*"\n"Japan","Asia","*"\n"Mars","*"\n',
        "*\n\tEurope\n\t\tItaly\n\t\tSpain\n\tAsia\n\t\tJapan\n\tMars\n",
        "*\r\n\tEurope \t\r\n\t\tItaly\t\r\n\r\n\t\tSpain  \r\n\tAsia\r\n\t\tJapan\r\n\tMars",
        "Europe,*\nAsia,*\nMars,*\nItaly,Europe\nSpain,Europe\nJapan,Asia\n",
        "child;parent\nItaly;Europe\nSpain;Europe\nJapan;Asia\nEurope;*\nAsia;*\nMars;*\n*;\n",
        "parent,child\n*,Europe\n*,Asia\n*,Mars\nEurope,Italy\nEurope,Spain\nAsia,Japan\n",
        '{"*": {"Europe": ["Italy", "Spain"], "Asia": ["Japan"], "Mars": []}}',
        "*\n    Europe\n        Italy\n        Spain\n    Asia\n        Japan\n    Mars\n",
        "*\n\tEurope\n\t\t Italy\n\t\tSpain\n\tAsia\n\t\tJapan\n\tMars\n",
        "*,Europe\n*,Asia\n*,Mars\nEurope,Italy\nEurope,Spain\nAsia,Japan\n",
        ",*\n*,Europe\n*,Asia\n*,Mars\nEurope,Italy\nEurope,Spain\nAsia,Japan\n",
        "sep=;\nItaly;Europe;*\nSpain;Europe;*\nJapan;Asia;*\nMars;*\n",
        "distinct\nname land\ntype string\nheight 3\n\nEurope has Italy Spain \nAsia has Japan \n"
        "\n* has Europe Asia Mars \n",
    ],
)
def test_files_as_they_occur_give_the_same_tree(text: str) -> None:
    assert sorted(shape(read_text(text, "land"))) == sorted(shape(LANDS))


def test_quoted_values_with_commas_are_read() -> None:
    tree = read_text('"(0, 12.5K]",low,*\n"(12.5K, 25K]",low,*\n"(25K, 50K]",high,*\n', "income.csv")
    assert tree.leaf_labels == ("(0, 12.5K]", "(12.5K, 25K]", "(25K, 50K]")


def test_an_empty_value_is_the_place_of_missing_cells() -> None:
    assert read_text("a;x;*\n;x;*\nb;y;*\n", "f").leaf_labels == ("a", "(missing)", "b")


def test_an_empty_child_of_an_edge_list_is_the_place_of_missing_cells() -> None:
    assert read_text("a,x\n,x\nx,*\nb,*\n", "f").leaf_labels == ("a", "(missing)", "b")


def test_numbers_are_labels_in_nested_json() -> None:
    assert read_text('{"*": {"low": [1, 2.5], "high": ["9"]}}', "f").leaf_labels == ("1", "2.5", "9")


def test_values_and_groups_stand_together_in_a_list_of_nested_json() -> None:
    assert shape(read_text('{"*": ["a", {"x": ["b", "c"], "y": ["d"]}]}', "f")) == ["a;*", "b;x;*", "c;x;*", "d;y;*"]


def test_a_list_in_json_is_refused_as_json() -> None:
    with pytest.raises(BadHierarchy, match="no label"):
        read_text('["a", "b"]', "f")


def test_a_value_that_stays_the_same_at_a_level_keeps_that_level() -> None:
    tree = read_text("a;a;x;*\nb;y;x;*\n", "f")
    assert [[tree.labels[node] for node in row] for row in tree.level_table()][1] == ["a", "y"]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a;x;*\nb;y;*\na;y;*\n", 3, "two parents"),
        ("a;x;*\nb;x;all\nc;x;*\n", 2, "second root"),
        ("a;x;*\nb;;*\nc;x;*\n", 2, "empty"),
        ("Other;Other;*\nb;Other;*\nc;x;*\n", 1, "also the group"),
        ("a;x;*\nb;*;x;*\n", 2, "is the root"),
        ('a;x;*\n"b;x;*\nc;x;*\n', 2, "quote"),
        ("*\n\ta\n\t\t\tb\n", 3, "indented by 3 levels"),
        ("*\n\ta\n\t    b\n", 3, "mixes tabs and blanks"),
        ("*\n\ta\n        b\n", 3, "mixes tabs and blanks"),
        ("*\n  a\n     b\n", 3, "no whole number of levels"),
        ("*\n\ta\n*\n\tb\n", 3, "second root"),
        ("a;x;all\nb;x;*\nc;y;*\n", 2, "second root"),
        ("\t*\n\t\ta\n", 1, "indented"),
        ("*\n\ta\n*2\n\tb\n", 3, "second root"),
        ("*\n\ta\n\t\tc\n\tb\n\t\tc\n", 5, "two parents"),
        ("*\n\ta\n\ta\n", 3, "twice"),
        ("a,b\nb,c\nc,a\n", 1, "circle"),
        ("a,x\nx,*\na,y\ny,*\n", 3, "two parents"),
        ("a,x\nb,y\nx,*\n", 2, "second root"),
        ("a,x\nx,*\nx,x\n", 3, "own parent"),
        ('{"label": "*",\n "children": [}', 2, "no JSON"),
        ("distinct\nname n\ntype string\nheight 2\n\n* holds a b\n", 6, "form"),
    ],
)
def test_a_file_that_is_no_tree_is_refused_with_line_and_reason(text: str, line: int, reason: str) -> None:
    with pytest.raises(BadHierarchy) as caught:
        read_text(text, "bad.csv")
    assert caught.value.message.startswith(f"bad.csv, line {line}: ")
    assert reason in caught.value.message


def test_all_labels_with_two_parents_are_told_at_once() -> None:
    with pytest.raises(BadHierarchy, match=r"line 3: “a” has two parents.*And 1 more label stands twice \(line 4\)"):
        read_text("a;x;*\nb;x;*\na;y;*\nb;y;*\n", "f")


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_empty_file_is_refused(text: str) -> None:
    with pytest.raises(BadHierarchy, match="empty"):
        read_text(text, "f")


@pytest.mark.parametrize(
    "value",
    [
        {"label": ""},
        {"label": "*", "children": "a"},
        {"label": "*", "children": [3]},
        {"label": "*", "children": [{"label": "a", "interval": {"low": "1", "high": 2}}]},
        {"label": "*", "children": ["a", "a"]},
    ],
)
def test_json_that_is_no_tree_is_refused(value: object) -> None:
    with pytest.raises(BadHierarchy):
        from_json(value)


def test_json_keeps_intervals_with_open_ends() -> None:
    tree = Hierarchy(
        ["*", "<3", "3+"],
        [-1, 0, 0],
        {1: Interval(float("-inf"), 3), 2: Interval(3, float("inf"), closed=True, open_low=True)},
    )
    assert from_json(to_json(tree)) == tree


def test_a_tab_tree_cannot_hold_a_label_with_a_line_break() -> None:
    with pytest.raises(BadHierarchy, match="line of its own"):
        HIERARCHY_FORMATS.get("tab-tree").write(Hierarchy(["*", "a\nb"], [-1, 0]))


@pytest.mark.parametrize("label", ["United States", "has", "NaN"])
def test_amnesia_cannot_hold_a_label_that_means_something_else_to_it(label: str) -> None:
    with pytest.raises(BadHierarchy, match=label):
        HIERARCHY_FORMATS.get("amnesia").write(Hierarchy(["*", label], [-1, 0]))


def test_amnesia_ranges_get_their_intervals() -> None:
    text = "range\nname age\ntype decimal\nheight 2\n\n0.0,20.0 has 0.0,10.0 10.0,20.0 \n"
    tree = read_text(text, "age.txt")
    assert tree.intervals == {0: Interval(0, 20, closed=True), 1: Interval(0, 10), 2: Interval(10, 20, closed=True)}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_files_with_a_byte_order_mark_are_read(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "land.csv"
    path.write_bytes("Österreich;Europa;*\n日本;Asien;*\n".encode(encoding))
    assert read_hierarchy(path).leaf_labels == ("Österreich", "日本")


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16-le"])
def test_a_file_without_a_mark_is_read_in_the_encoding_a_table_would_be(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "land.csv"
    path.write_bytes("a;*\nÖsterreich;*\n".encode(encoding))
    assert read_hierarchy(path).leaf_labels == ("a", "Österreich")


def test_a_file_cut_off_within_a_letter_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "land.csv"
    path.write_bytes("a;*\nÖsterreich;*\n".encode("utf-16")[:-1])
    with pytest.raises(UnreadableFile, match=r"line \d+: the text is not utf-16"):
        read_hierarchy(path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "land.csv"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(UnreadableFile, match="not a text file"):
        read_hierarchy(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="land"):
        read_hierarchy(tmp_path / "land.csv")


def test_the_nine_hierarchies_of_adult_are_read(tmp_path: Path) -> None:
    heights = {
        path.stem.rpartition("_")[2]: read_hierarchy(path).height
        for path in make_adult(tmp_path, rows=1).glob("adult_hierarchy_*.csv")
    }
    assert heights == {
        "age": 4,
        "education": 3,
        "marital-status": 2,
        "native-country": 2,
        "occupation": 2,
        "race": 1,
        "salary-class": 1,
        "sex": 1,
        "workclass": 2,
    }
