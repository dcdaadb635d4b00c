"""Cells and names like the program's own words or formulas are taken as they stand; look-alikes are one value."""

import pytest

from tests.engine.rooms.microdata.independent.counted_files import asked, counted

OWN_WORDS = ["(missing)", "*", "(all sensitive columns)", "Other", "", "None", "nan", "NA"]


def test_every_word_of_the_program_is_a_value_of_its_own() -> None:
    found = counted(("q", "s"), [["x", word] for word in OWN_WORDS], ["q"], ["s"], [asked("l", l=8)])
    assert found.l["s"]["distinct"] == 7  # but for the empty cell, which has none
    assert found.verdicts[0].holds  # a goal that does not say so counts missing, too


def test_a_literal_missing_and_an_empty_cell_are_different_classes() -> None:
    assert counted(("q", "s"), [["", "a"], ["(missing)", "a"]], ["q"], ["s"]).k == 1


@pytest.mark.parametrize("name", ["(all sensitive columns)", "(missing)", "*", "k", "rows"])
def test_a_column_named_like_a_word_of_the_program_is_looked_at(name: str) -> None:
    rows = [["x", "1", "same"], ["x", "2", "same"], ["x", "3", "same"]]
    found = counted(("q", "s", name), rows, ["q"], ["s", name], [asked("l", l=3)])
    assert found.l[name]["distinct"] == 1
    assert found.verdicts[0].holds is False


def test_the_apostrophe_before_a_formula_is_part_of_the_cell() -> None:
    rows = [["a", "1 day"], ["a", "'=ill"], ["a", "'=ill"], ["b", "1 day"], ["b", "Flu"], ["b", "Flu"]]
    (verdict,) = counted(("q", "s"), rows, ["q"], ["s"], [asked("t", t=0.17, distance="emd-ordered")]).verdicts
    assert verdict.value == pytest.approx(1 / 3)
    assert verdict.holds is False
    undone = [[q, s.lstrip("'")] for q, s in rows]
    (other,) = counted(("q", "s"), undone, ["q"], ["s"], [asked("t", t=0.17, distance="emd-ordered")]).verdicts
    assert other.value == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    "look_alikes",
    [
        ("Hepatitis B", "Hepatitis\u00a0B", "Hepatitis  B", "Hepatitis B "),
        ("HIV", "hiv", "Hiv"),
        ("1", "1.0", "01"),
        ("Zürich", "Zu\u0308rich"),
        ("a", "\uff41"),
    ],
    ids=["spaces", "case", "numbers", "composed", "width"],
)
def test_look_alikes_are_one_sensitive_value_and_classes_as_the_bytes_say(look_alikes: tuple[str, ...]) -> None:
    found = counted(("q", "s"), [["x", text] for text in look_alikes], ["q"], ["s"])
    assert found.l["s"]["distinct"] == 1
    assert found.largest_share["s"] == 1
    assert counted(("q", "s"), [[text, "x"] for text in look_alikes], ["q"], ["s"]).classes == len(look_alikes)


def test_line_ends_quotes_and_delimiters_stay_inside_their_cells() -> None:
    odd = ['a,"b"', "a\nb", "a\r\nb", "a\rb", ";", "\t", "a\u2028b", "a\x85b", "=1+1", "\x00"]
    found = counted(("q", "s"), [[text, text] for text in odd for _ in range(2)], ["q"], ["s"])
    assert (found.rows, found.classes, found.k) == (20, 10, 2)


def test_a_cell_longer_than_the_csv_module_likes_is_read() -> None:
    long = "x" * 200_000
    assert counted(("q", "s"), [[long, "a"], [long, "b"]], ["q"], ["s"]).k == 2


def test_numbers_in_disguise_are_ordered_as_texts() -> None:
    goal = asked("t", t=1, distance="emd-ordered")
    rows = [["x", "1_0"], ["x", "9"], ["y", "nan"], ["y", "0x9"]]
    assert counted(("q", "s"), rows, ["q"], ["s"], [goal]).t["s"]["emd"] == pytest.approx(0.5)
