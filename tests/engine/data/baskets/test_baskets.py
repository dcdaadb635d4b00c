"""Baskets in all their layouts: what is read, what is counted, and what is written comes back."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.data.baskets import reading
from anonymizer_gui.engine.data.baskets.baskets import LAYOUTS, BasketOptions, Baskets
from anonymizer_gui.engine.data.baskets.reading import likelihood, read_baskets, sniff_options, table_columns
from anonymizer_gui.engine.data.baskets.writing import write_baskets
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.baskets.independent.recount import read_release

FILES = {
    "lines": ("a.csv", "milk,bread\nbutter\n\nbeer,diapers,beer\nmilk, bread ,,butter\n"),
    "long": ("b.csv", "id,item,town\n1,milk,A\n1,bread,A\n2,milk,B\n3,,A\n"),
    "matrix": ("c.csv", "milk,bread,name\n1,0,a\n0,0,b\n2,1,c\n"),
    "column": ("d.csv", 'id,items,sex\n1,milk;bread,m\n2,"beer;""a;b""",f\n3,,f\n4,beer;bread,m\n'),
    "json": ("e.json", '[["milk", "bread"], [], ["milk", "milk"]]'),
}
SETS = {
    "lines": [("bread", "milk"), ("butter",), (), ("beer", "diapers"), ("bread", "butter", "milk")],
    "long": [("bread", "milk"), ("milk",), ()],
    "matrix": [("milk",), (), ("bread", "milk")],
    "column": [("bread", "milk"), ("a;b", "beer"), (), ("beer", "bread")],
    "json": [("bread", "milk"), (), ("milk",)],
}


@pytest.mark.parametrize("layout", list(LAYOUTS))
def test_a_layout_is_found_and_read(layout: str, tmp_path: Path) -> None:
    name, text = FILES[layout]
    (tmp_path / name).write_text(text, encoding="utf-8")
    options = sniff_options(tmp_path / name)
    assert options.layout == layout
    baskets, found = read_baskets(tmp_path / name, options)
    assert baskets.sets() == SETS[layout]
    assert found.empty == 1
    first, _ = read_baskets(tmp_path / name, options, limit=2)
    assert first.sets() == SETS[layout][: 1 if layout == "long" else 2]


def test_what_is_odd_is_counted_and_told(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("milk,milk,bread\n a ,,b;c\n\n", encoding="utf-8")
    _, found = read_baskets(path, BasketOptions())
    assert (found.duplicates, found.empty, found.blanks, found.odd, found.changed) == (1, 1, 1, 1, 1)
    assert len(found.problems) == 5
    assert "1 item was twice in a basket and counts once." in found.problems


def test_what_is_odd_about_rows_of_items_is_counted_and_told(tmp_path: Path) -> None:
    path = tmp_path / "b.csv"
    path.write_text("id,item\n1,milk\n1,milk\n2,\n,beer\n,wine\n3,milk;bread\n", encoding="utf-8")
    baskets, found = read_baskets(path, BasketOptions(layout="long"))
    assert (found.duplicates, found.empty, found.blanks, found.odd, found.nameless) == (1, 1, 1, 1, 2)
    assert "2 items have no name of a basket; they are taken for one basket." in found.problems
    assert ("beer", "wine") in baskets.sets()


@pytest.mark.parametrize(
    "text", ['id;items\n1;"milk, bread"\n2;beer\n3;wine\n', "id,Items\n1,milk|bread\n2,beer\n3,x\n",
             "age,items\n31,milk|bread\n44,beer\n52,wine|tea|salt|fig\n28,a|b|c|d|e\n"]
)  # fmt: skip
def test_a_column_that_is_called_items_holds_the_items(text: str, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text(text, encoding="utf-8")
    options = sniff_options(tmp_path / "d.csv")
    assert (options.layout, options.item_column.casefold()) == ("column", "items")
    assert read_baskets(tmp_path / "d.csv", options)[0].sets()[:2] == [("bread", "milk"), ("beer",)]


def test_numbers_that_count_nothing_are_no_items(tmp_path: Path) -> None:
    """An id and an age are not 0 either; taken for items, they would leave."""
    rows = "".join(f"{at},{20 + at % 50},{at % 2},{at % 3}\n" for at in range(60))
    (tmp_path / "m.csv").write_text("id,age,milk,bread\n" + rows, encoding="utf-8")
    baskets, _ = read_baskets(tmp_path / "m.csv", BasketOptions(layout="matrix"))
    assert baskets.items == ("bread", "milk")
    assert baskets.beside.names == ("id", "age")


def test_columns_beside_the_baskets_stay(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text(FILES["long"][1], encoding="utf-8")
    baskets, _ = read_baskets(tmp_path / "b.csv", BasketOptions(layout="long"))
    assert baskets.beside.names == ("id", "town")
    assert list(baskets.beside.column("town").texts()) == ["A", "B", "A"]
    assert table_columns(tmp_path / "b.csv") == ("id", "item", "town")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (BasketOptions(layout="json"), '{"a": 1}'),
        (BasketOptions(layout="json"), '[["a", true]]'),
        (BasketOptions(layout="json"), "[[" * 100_000),
        (BasketOptions(layout="json"), '["a", "b"]'),
    ],
    ids=["an object", "a truth", "too deep", "no lists"],
)
def test_what_is_no_baskets_is_refused_in_a_sentence(options: BasketOptions, text: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile, match="does not hold JSON arrays"):
        read_baskets(tmp_path / "a.json", options)


def test_a_matrix_without_marks_and_a_table_of_one_column_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name,town\nJo,Rome\n", encoding="utf-8")
    with pytest.raises(BadParameter, match="0 and 1"):
        read_baskets(tmp_path / "a.csv", BasketOptions(layout="matrix"))
    (tmp_path / "b.csv").write_text("name\nx\n", encoding="utf-8")
    with pytest.raises(BadParameter, match="only one column"):
        read_baskets(tmp_path / "b.csv", BasketOptions(layout="long"))


def test_ragged_lines_are_likelier_baskets_than_tables() -> None:
    assert likelihood(Path("a.csv"), b"a,b\nc\nd,e,f\n") > 0.5
    assert likelihood(Path("a.json"), b'[["a", "b"], []]') > 0.5
    for name, head in (
        ("a.csv", b"a,b\nc,d\ne,f\n"),
        ("a.xlsx", b"PK\x03\x04\0\na,b\nc\n"),
        ("a.txt", b"a,b"),
        ("a", b""),
    ):
        assert likelihood(Path(name), head) < 0.4


ITEM = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=6)
CLEAN = ITEM.map(str.strip).filter(lambda text: text.isprintable() and text and text[0].isalnum() and text.isascii())


@given(st.lists(st.lists(CLEAN, max_size=4, unique=True), min_size=1, max_size=8), st.sampled_from(sorted(LAYOUTS)))
def test_what_is_written_is_read_again_by_other_code(tmp_path: Path, sets: list[list[str]], layout: str) -> None:
    beside = Table.from_rows(["paid"], [["cash" if at % 2 else "card"] for at in range(len(sets))])
    baskets = Baskets.from_sets(sets, beside)
    path = tmp_path / ("out.json" if layout == "json" else "out.csv")
    column = "" if layout == "lines" else "paid"
    write_baskets(baskets, path, layout, column)
    again = read_release(path, layout, ",", column)
    assert [tuple(sorted(held)) for held in again.baskets] == [tuple(sorted(held)) for held in baskets.sets()]
    assert column == "" or list(again.values or ()) == list(beside.column("paid").texts())


def test_formulas_are_disarmed_but_not_in_json(tmp_path: Path) -> None:
    baskets = Baskets.from_sets([["=cmd()", "milk"]])
    write_baskets(baskets, tmp_path / "a.csv", "lines")
    write_baskets(baskets, tmp_path / "a.json", "lines")
    assert (tmp_path / "a.csv").read_text("utf-8") == "'=cmd(),milk\n"
    assert json.loads((tmp_path / "a.json").read_text("utf-8")) == [["=cmd()", "milk"]]


def test_a_file_nobody_can_write_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="cannot be written"):
        write_baskets(Baskets.from_sets([["a"]]), tmp_path / "a.pdf", "lines")
    with pytest.raises(BadParameter, match="no place for a column"):
        write_baskets(Baskets.from_sets([["a"]], Table.from_rows(["c"], [["x"]])), tmp_path / "a.csv", "lines", "c")


def test_baskets_are_a_column_to_the_tree_editor() -> None:
    baskets = Baskets.from_sets([["a", "b"], ["a"]])
    assert baskets.names == ("items",)
    assert baskets.column("items").counts().tolist() == [2, 1]
    assert baskets.column("items") is baskets.column("items"), "or pages would compute the same again and again"
    with pytest.raises(BadParameter):
        baskets.column("other")


def test_a_file_that_is_too_large_is_refused_and_never_read_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "shop.basket"
    path.write_text("milk,bread\n" * 10, encoding="utf-8")
    monkeypatch.setattr(reading, "_LARGEST_TEXT", 100)
    for layout in ("lines", "json"):
        with pytest.raises(UnreadableFile, match="larger than"):
            read_baskets(path, BasketOptions(layout=layout))
