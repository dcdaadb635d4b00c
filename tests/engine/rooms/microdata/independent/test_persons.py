"""People, not rows: who has several rows counts once."""

import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.rooms.microdata.independent import KnownFacts, RecountResult
from tests.engine.rooms.microdata.independent.counted_files import asked, counted

GOALS = [
    asked("k", k=2),
    asked("l", l=2),
    asked("entropy-l", l=2.0),
    asked("recursive-l", l=2, c=2.0),
    asked("alpha-k", alpha=0.5, k=2),
]


def of(visits: str, persons: list[str] | None) -> RecountResult:
    """Count one class with these values, a letter each."""
    return counted(("q", "s"), [["x", value] for value in visits], ["q"], ["s"], GOALS, KnownFacts(), persons=persons)


def test_five_visits_of_one_person_are_neither_anonymous_nor_diverse() -> None:
    rows, people = of("aabbc", None), of("aabbc", ["anna"] * 5)
    assert (rows.k, rows.l["s"]["distinct"], rows.people) == (5, 3, None)
    assert (people.k, people.l["s"]["distinct"], people.people) == (1, 1, 1)
    assert people.sizes == {1: 1}
    assert people.largest_share == {"s": 1.0}
    assert [verdict.holds for verdict in people.verdicts] == [False] * 5


def test_without_persons_it_is_said_that_rows_were_counted() -> None:
    assert "Rows were counted" in of("ab", None).notes[0]
    assert of("ab", ["p", "q"]).notes == ()


def test_a_value_that_everybody_has_is_no_diversity_however_much_else_they_have() -> None:
    found = of("abcaa", ["anna", "anna", "anna", "bert", "carl"])
    assert (found.k, found.l["s"]["distinct"]) == (3, 1)
    assert found.largest_share == {"s": 1.0}


def test_people_with_one_row_each_are_counted_like_rows() -> None:
    rows, people = of("aabbc", None), of("aabbc", ["p1", "p2", "p3", "p4", "p5"])
    assert (rows.k, rows.l, rows.t, rows.largest_share) == (people.k, people.l, people.t, people.largest_share)
    assert [(v.value, v.holds) for v in rows.verdicts] == [(v.value, v.holds) for v in people.verdicts]


def test_a_person_in_two_classes_counts_in_both() -> None:
    rows = [["x", "a"], ["x", "b"], ["y", "a"], ["y", "b"]]
    found = counted(("q", "s"), rows, ["q"], ["s"], persons=["p", "q", "p", "r"])
    assert (found.k, found.people, found.classes) == (2, 3, 2)


def test_distances_stay_those_of_the_rows() -> None:
    assert of("aabbc", ["anna"] * 5).t == of("aabbc", None).t


def test_harmonised_pieces_count_people_too() -> None:
    rows = [["x", "a", "1"], ["x", "b", "1"], ["x", "a", "2"], ["x", "b", "2"]]
    goal = asked("l", l=2, several="harmonised")
    found = counted(("q", "s", "t"), rows, ["q"], ["s", "t"], [goal], persons=["p", "p", "q", "r"])
    assert found.verdicts[0].value == 1
    assert counted(("q", "s", "t"), rows, ["q"], ["s", "t"], [goal]).verdicts[0].value == 2


@pytest.mark.parametrize("persons", [["p"], ["p"] * 9])
def test_there_must_be_one_person_for_each_row(persons: list[str]) -> None:
    with pytest.raises(BadParameter, match="2 rows"):
        of("ab", persons)
