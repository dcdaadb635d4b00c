"""What a reader cannot see is made equal at reading, and what looks alike and remains is told."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.io import read_table
from anonymizer_gui.engine.data.tables.normalisation import (
    find_homographs,
    homograph_key,
    merge_homographs,
    normalise_text,
)
from anonymizer_gui.engine.data.tables.table import MISSING, Column
from anonymizer_gui.engine.hierarchy.tree import normalise_label
from anonymizer_gui.engine.rooms.microdata.independent.counting import appearance
from anonymizer_gui.engine.rooms.microdata.independent.reading import visible_text

UNSEEN = {
    "no-break space": "Hepatitis\u00a0B",
    "thin space": "Hepatitis\u2009B",
    "two spaces": "Hepatitis  B",
    "tab": "Hepatitis\tB",
    "variation selector": "Hepatitis B\ufe0e",
    "further variation selector": "Hepatitis B\U000e0101",
    "filler": "Hepatitis\u3164 B",
    "tag": "Hepatitis B\U000e0041",
    "grapheme joiner": "Hepatitis\u034f B",
    "braille blank": "Hepatitis\u2800B",
}
SIGNS = "aÄİßﬁ1.0+-'= \t\n\r\u00a0\u2009\u200b\u3164\ufe0f\U000e0041\u0308ＨＩ\u2028\x1c\x07"
TEXTS = st.text(st.sampled_from(SIGNS), max_size=6)


@pytest.mark.parametrize("text", UNSEEN.values(), ids=UNSEEN.keys())
def test_what_nobody_sees_makes_no_other_value(text: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f'a,b\nHepatitis B,1\n"{text}",2\n', encoding="utf-8")
    table, report = read_table(tmp_path / "t.csv")
    assert table.column("a").labels == ("Hepatitis B",)
    assert report.spaced + report.invisible == 1
    assert any("1 cell" in sentence for sentence in report.problems)
    assert normalise_label(text) == visible_text(text) == "Hepatitis B"


def test_lines_of_a_cell_stay_lines() -> None:
    assert normalise_text("a\r\nb") == normalise_text("a \n b") == "a\nb"


@given(TEXTS)
def test_both_ways_of_reading_agree_and_are_done_after_one_step(text: str) -> None:
    assert normalise_text(text) == visible_text(text) == normalise_text(normalise_text(text))


@given(TEXTS, TEXTS)
def test_both_opinions_on_what_looks_alike_agree(one: str, two: str) -> None:
    one, two = normalise_text(one), normalise_text(two)
    assert (homograph_key(one) == homograph_key(two)) == (appearance(one) == appearance(two))


def test_what_remains_is_told_at_reading(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b,c\nHIV,1,x\nhiv,1.0,y\nＨＩＶ,01,z\n", encoding="utf-8")
    _, report = read_table(tmp_path / "t.csv")
    assert report.look_alikes == (("a", ("HIV", "hiv", "ＨＩＶ")), ("b", ("01", "1", "1.0")))
    assert any("“HIV”, “hiv”, “ＨＩＶ”" in sentence for sentence in report.problems)


def test_a_missing_cell_looks_like_nothing_else() -> None:
    assert find_homographs([MISSING, "(Missing)", "x"]) == []
    column = merge_homographs(Column.from_texts("a", ["(Missing)", MISSING, "X", "x"]))
    assert [column.labels[code] for code in column.codes.tolist()] == ["(Missing)", MISSING, "X", "X"]
