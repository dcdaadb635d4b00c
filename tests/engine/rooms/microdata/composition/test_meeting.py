"""What several releases tell together: found where it is told, and not where it is not."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import Cancelled
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.composition.attack import (
    CompositionResult,
    EarlierRelease,
    HarmedPeople,
    attack_composition,
)
from anonymizer_gui.engine.rooms.microdata.composition.published_view import (
    LinkedRows,
    PublishedView,
    ValueOrder,
    published_view,
)
from tests.engine.rooms.microdata.composition.made_up import goal, release

K4, L2 = goal("k", k=4), goal("l", l=2, column="", several="each")
FIRST = [
    ("Jane", "<30", "AIDS"),
    *(("a1", "<30", "Heart"), ("a2", "<30", "Viral"), ("a3", "<30", "Viral")),
    *(("b1", ">=40", "Cancer"), ("b2", ">=40", "Heart"), ("b3", ">=40", "Viral"), ("b4", ">=40", "Viral")),
    *((f"c{number}", "3*", "Cancer") for number in range(4)),
]
SECOND = [
    ("Jane", "<35", "AIDS"),
    *(("d1", "<35", "Tuberculosis"), ("d2", "<35", "Flu"), ("d3", "<35", "Tuberculosis")),
    *(("d4", "<35", "Cancer"), ("d5", "<35", "Cancer")),
    *(("e1", ">=35", "Cancer"), ("e2", ">=35", "Viral"), ("e3", ">=35", "Heart")),
    *(("e4", ">=35", "Viral"), ("e5", ">=35", "Heart"), ("e6", ">=35", "Cancer")),
]


def harms(meeting: CompositionResult) -> set[tuple[int, str, str]]:
    """Give people, release and goal of every harm."""
    return {(harm.people, harm.release, harm.goal) for harm in meeting.harms}


def of_class(name: str, people: str, values: str) -> list[tuple[str, str, str]]:
    """Put people, one letter each, into a class, with values of one letter."""
    return [(who, name, value) for who, value in zip(people, values, strict=True)]


def test_the_lecture_s_two_releases_disclose_one_person_whatever_the_second_promises() -> None:
    closeness = goal("t", t=0.3, distance="variational", column="", several="each")
    meeting = attack_composition(release("B", SECOND, closeness), [release("A", FIRST, goal("k", k=1))])
    assert harms(meeting) == {(1, "", "")}
    assert (meeting.people, meeting.fewest_values, meeting.column) == (1, 1, "illness")
    assert "For 1 person only one value of “illness” is left." in meeting.sentence()
    assert not meeting.is_harmless


def test_once_one_person_is_known_the_others_of_the_class_have_a_row_less() -> None:
    meeting = attack_composition(release("B", SECOND, goal("k", k=6)), [release("A", FIRST, K4)])
    assert harms(meeting) == {(1, "", ""), (6, "B", "k-anonymity"), (4, "A", "k-anonymity")}


def test_the_same_release_again_is_no_alarm_and_the_fewest_values_are_said() -> None:
    again = release("A again", FIRST, K4)
    meeting = attack_composition(again, [release("A", FIRST, K4)])
    assert meeting.is_harmless
    assert (meeting.people, meeting.fewest_values) == (12, 1)
    assert "has one value of “illness” left, as was known before" in meeting.sentence()


def test_what_earlier_releases_have_told_is_not_charged_to_a_later_one() -> None:
    first, second = release("A", FIRST, K4), release("B", SECOND)
    strangers = release("C", of_class("x", "qrst", "uvwx"))
    assert attack_composition(strangers, [first, second]).is_harmless
    assert attack_composition(replace(second, name="B again"), [first, second]).is_harmless


def test_who_is_known_already_is_not_harmed_by_a_release_that_tells_of_others() -> None:
    first, second = release("A", of_class("x", "pqr", "abc")), release("B", of_class("x", "pst", "ade"))
    assert harms(attack_composition(second, [first])) == {(1, "", "")}
    third = release("C", of_class("x", "puqv", "afbf") + of_class("y", "rw", "cf"))
    meeting = attack_composition(third, [first, second])
    assert harms(meeting) == {(5, "", "")}
    assert meeting.fewest_values == 1


@pytest.mark.parametrize(
    ("before", "after", "who"),
    [
        (of_class("x", "pqrs", "abca"), of_class("x", "qrs", "bca"), "leaves"),
        (of_class("x", "qrs", "bca"), of_class("x", "pqrs", "abca"), "joins"),
        (
            of_class("x", "pqrs", "abca") + of_class("y", "tuv", "abc"),
            of_class("x", "qrs", "bca") + of_class("y", "ptuv", "aabc"),
            "moves to another class",
        ),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_whoever_joins_leaves_or_moves_takes_a_value_along(
    before: Sequence[tuple[str, str, str]], after: Sequence[tuple[str, str, str]], who: str
) -> None:
    meeting = attack_composition(release("after", after), [release("before", before)])
    assert harms(meeting) == {(1, "", "")}, who
    assert meeting.changes == 0


def test_two_who_leave_at_once_hide_each_other() -> None:
    before, after = of_class("x", "pqrstu", "abcabc"), of_class("x", "rstu", "cabc")
    assert attack_composition(release("after", after), [release("before", before)]).is_harmless


def test_two_who_leave_with_the_same_value_do_not() -> None:
    before, after = of_class("x", "pqrst", "aabca"), of_class("x", "rst", "bca")
    assert harms(attack_composition(release("after", after), [release("before", before)])) == {(2, "", "")}


def test_classes_cut_anew_tell_by_their_totals_who_left() -> None:
    before = of_class("x", "p12", "aab") + of_class("y", "345", "abb")
    after = of_class("u", "13", "aa") + of_class("v", "245", "bbb")
    mixed = of_class("u", "134", "aab") + of_class("v", "25", "bb")
    for rows in (after, mixed):
        meeting = attack_composition(release("after", rows), [release("before", before)])
        assert ("", "") in {harm[1:] for harm in harms(meeting)}


def test_counting_finds_more_than_sets_of_values() -> None:
    """Of the two who have a in the first class, one at most is in the second: so whoever is not has it."""
    first, second = of_class("x", "pqr", "aba"), of_class("u", "pqst", "abbb")
    assert harms(attack_composition(release("B", second), [release("A", first)])) == {(3, "", "")}


def test_somebody_in_one_release_only_is_known_when_the_others_are() -> None:
    meeting = attack_composition(release("B", of_class("y", "pst", "acc")), [release("A", of_class("x", "pqr", "abb"))])
    assert harms(meeting) == {(5, "", "")}
    assert meeting.people == 1


def test_three_releases_disclose_together_what_no_two_of_them_do() -> None:
    one, two = release("one", of_class("x", "pst", "abc")), release("two", of_class("x", "puv", "acd"))
    new = release("new", of_class("x", "rqp", "dba"))
    assert not any(attack_composition(new, [earlier]).harms for earlier in (one, two))
    assert harms(attack_composition(new, [one, two])) == {(1, "", "")}


def test_the_goals_of_an_earlier_release_count_for_its_people() -> None:
    earlier = release("A", of_class("x", "pqrs", "abcd"), goal("l", l=3, column="", several="each"))
    new = release("B", of_class("y", "pqtu", "abef") + of_class("z", "rsvw", "cdef"))
    meeting = attack_composition(new, [earlier])
    assert harms(meeting) == {(4, "A", "distinct l-diversity")}
    assert meeting.fewest_values == 2
    assert "holds no longer in “illness”" in meeting.sentence()


def test_a_goal_about_values_and_rows_misses_rows_that_are_ruled_out() -> None:
    promised = goal("alpha-k", alpha=1.0, k=4, column="", several="each")
    earlier = release("A", of_class("x", "pqrs", "aabc"), promised)
    new = release("B", of_class("y", "ptuv", "abdd"))
    assert (1, "A", "(alpha,k)-anonymity") in harms(attack_composition(new, [earlier]))
    assert (
        attack_composition(
            new, [replace(earlier, goals=(goal("alpha-k", alpha=1.0, k=3, column="", several="each"),))]
        ).harms
        == ()
    )


def test_goals_count_only_for_the_columns_they_are_about() -> None:
    def two_columns(name: str, column: str) -> PublishedView:
        rows = [["x", value, other] for value, other in zip("aabb", "cccc", strict=True)]
        keys = np.array([b"p", b"q", b"r", b"s"], dtype="S16")
        shown = published_view(
            name, Table.from_rows(["class", "illness", "town"], rows), ["class"], ["illness", "town"], keys
        )
        return replace(shown, goals=(goal("l", l=2, column=column, several="each"),))

    assert attack_composition(two_columns("A.xlsx", "illness"), [two_columns("A.csv", "illness")]).is_harmless


def test_combinations_of_columns_tell_more_than_each_of_them() -> None:
    def of(name: str, rows: list[tuple[str, str, str]]) -> PublishedView:
        table = Table.from_rows(["class", "illness", "town"], [["x", *row[1:]] for row in rows])
        keys = np.array([row[0].encode() for row in rows], dtype="S16")
        return published_view(name, table, ["class"], ["illness", "town"], keys)

    first = of("A", [("p", "a", "c"), ("q", "b", "d")])
    second = of("B", [("p", "a", "c"), ("r", "b", "e"), ("s", "f", "d")])
    assert ("illness", 2) in {(harm.column, harm.people) for harm in attack_composition(second, [first]).harms}
    alone = [
        published_view("A", Table.from_rows(["c", "illness"], [["x", "a"], ["x", "b"]]), ["c"], ["illness"], first.keys)
    ]
    assert attack_composition(second, alone).harms == ()


def linked(shown: PublishedView, marks: str) -> PublishedView:
    """Let the rows carry pseudonyms that other releases have, too."""
    assert shown.known is not None
    keys = np.array([mark.encode() for mark in marks], dtype="S16")
    return replace(shown, links={"name": LinkedRows(keys, shown.classes, shown.known)})


def test_pseudonyms_that_link_rows_show_the_classes_of_both_releases_row_by_row() -> None:
    first = release("A", of_class("x", "pqrs", "abab") + of_class("y", "tuvw", "abab"), K4)
    second = release("B", of_class("x", "pqtu", "abab") + of_class("y", "rsvw", "abab"), K4)
    assert attack_composition(second, [first]).is_harmless
    meeting = attack_composition(linked(second, "PQRSTUVW"), [linked(first, "PQRSTUVW")])
    assert harms(meeting) == {(8, "A", "k-anonymity"), (8, "B", "k-anonymity")}
    assert attack_composition(linked(second, "abcdefgh"), [linked(first, "PQRSTUVW")]).is_harmless


def test_joined_rows_show_values_of_the_joined_classes() -> None:
    first = release("A", of_class("x", "pqrs", "aabb") + of_class("y", "tuvw", "aabb"))
    second = release("B", of_class("x", "pqtv", "aaab") + of_class("y", "rsuw", "bbab"))
    assert attack_composition(second, [first]).is_harmless
    meeting = attack_composition(linked(second, "PQRSTUVW"), [linked(first, "PQRSTUVW")])
    assert (4, "", "") in harms(meeting)


def test_a_value_corrected_between_releases_can_be_read_off() -> None:
    before, after = of_class("x", "pqrs", "aabb"), of_class("x", "pqrs", "abbb")
    meeting = attack_composition(release("after", after), [release("before", before)])
    assert (meeting.changes, meeting.is_harmless) == (1, False)
    assert "1 value was changed between the releases" in meeting.sentence()


def test_several_different_corrections_hide_each_other() -> None:
    before, after = of_class("x", "pqrstu", "aabbcc"), of_class("x", "pqrstu", "abbdce")
    assert attack_composition(release("after", after), [release("before", before)]).changes == 0


def test_one_correction_does_not_hide_what_others_are_told() -> None:
    before = of_class("x", "pqrs", "abca") + of_class("y", "tuvw", "aabb")
    after = of_class("x", "qrs", "bca") + of_class("y", "tuvw", "abbb")
    meeting = attack_composition(release("after", after), [release("before", before)])
    assert (harms(meeting), meeting.changes) == ({(1, "", "")}, 1)


def test_five_visits_of_one_person_are_five_facts() -> None:
    before = [("p", "x", value) for value in "aab"] + of_class("x", "qr", "bc")
    after = [("p", "x", value) for value in "aabd"] + of_class("x", "qr", "bc")
    assert harms(attack_composition(release("after", after), [release("before", before)])) == {(1, "", "")}


def test_rows_of_one_person_in_several_classes_count_for_themselves_and_that_is_said() -> None:
    before = [("p", "x", "a"), ("p", "y", "b"), ("q", "x", "b"), ("r", "y", "a")]
    after = [("p", "z", "a"), ("q", "z", "b"), ("s", "z", "c")]
    meeting = attack_composition(release("after", after), [release("before", before)])
    assert meeting.scattered == 1
    assert "each row counts for itself" in meeting.sentence()


def test_people_without_an_identifier_are_part_of_the_counts() -> None:
    before = [*of_class("x", "pq", "ab"), ("", "x", "c")]
    after = [*of_class("x", "q", "b"), ("", "x", "c"), ("", "x", "a")]
    assert attack_composition(release("after", after), [release("before", before)]).is_harmless
    named = [*of_class("x", "pqr", "abc")], [*of_class("x", "qr", "bc"), ("", "x", "a")]
    assert attack_composition(release("after", named[1]), [release("before", named[0])]).is_harmless


def test_releases_of_other_people_do_not_meet() -> None:
    meeting = attack_composition(release("C", of_class("x", "zy", "ab")), [release("A", FIRST)])
    assert (meeting.is_harmless, meeting.people) == (True, 0)
    assert "Nobody" in meeting.sentence()
    assert attack_composition(release("C", of_class("x", "zy", "ab")), []).is_harmless


def test_releases_that_share_no_sensitive_column_say_so() -> None:
    keys = np.array([b"p", b"q"], dtype="S16")
    other = published_view("A", Table.from_rows(["c", "income"], [["x", "1"], ["x", "2"]]), ["c"], ["income"], keys)
    meeting = attack_composition(release("B", of_class("x", "pq", "ab")), [other])
    assert (meeting.is_harmless, meeting.fewest_values, meeting.people) == (True, None, 2)
    assert "They share no sensitive column." in meeting.sentence()


def test_without_any_sensitive_column_only_people_are_counted() -> None:
    keys = np.array([b"p", b"q"], dtype="S16")
    bare = published_view("A", Table.from_rows(["c"], [["x"], ["x"]]), ["c"], [], keys)
    assert attack_composition(bare, [bare]).people == 2


def test_people_of_another_key_cannot_be_compared_and_that_blocks() -> None:
    other = replace(release("A", FIRST), key_check="other")
    meeting = attack_composition(release("B", SECOND), [other])
    assert (meeting.is_harmless, meeting.keeps_promises) == (False, True)
    assert meeting.beside == (EarlierRelease("A", 1, is_comparable=False),)
    assert "another key" in meeting.beside[0].sentence()


def test_of_an_earlier_version_s_release_the_values_are_compared_and_that_is_said() -> None:
    first = release("A", FIRST, K4)
    bare = replace(first, values=tuple(replace(values, counts=None) for values in first.values))
    meeting = attack_composition(release("B", SECOND), [bare])
    assert harms(meeting) == {(1, "", "")}
    assert "kept no counts" in meeting.sentence()
    assert meeting.unjudged == 1


def test_goals_about_a_population_and_unknown_ones_are_not_judged_and_that_is_said() -> None:
    promised = [goal("k-map", k=3), {"model": "of tomorrow", "parameters": {}}, {"nonsense": 1}]
    meeting = attack_composition(release("B", SECOND), [release("A", FIRST, *promised)])
    assert meeting.unjudged == 3
    assert "not judged" in meeting.sentence()


@pytest.mark.parametrize(("distance", "is_harmless"), [("emd-ordered", True), ("emd-equal", False)])
def test_distances_are_those_of_the_goal(distance: str, is_harmless: bool) -> None:
    """Somebody of 1 to 4 keeps 1 and 2: near the whole by order, far by equal steps."""
    promised = goal("t", t=0.35, distance=distance, column="", several="each")
    earlier = release("A", of_class("x", "pqrs", "1234"), promised)
    new = release("B", of_class("y", "pqtu", "1256") + of_class("z", "rsvw", "3456"))
    meeting = attack_composition(new, [replace(earlier, orders={"illness": ValueOrder((0, 1, 2, 3))})])
    assert {harm.release for harm in meeting.harms} == (set() if is_harmless else {"A"})


def test_a_check_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        attack_composition(release("B", SECOND), [release("A", FIRST)], Progress(is_cancelled=lambda: True))


def test_the_sentences_of_every_finding() -> None:
    many = tuple(HarmedPeople(number, "c", "R", "k-anonymity") for number in range(1, 9))
    said: list[Any] = [
        CompositionResult((EarlierRelease("A", 2),), 2, 3, "c", 0.25).sentence(),
        CompositionResult((EarlierRelease("A", 2),), 2, 3, "c", 0.25, many, undecided=4, changes=2).sentence(),
    ]
    assert said[0] == (
        "2 people are also in “A”. Taken together the releases still keep what they promise. Whoever is worst off has "
        "3 values of “c” left. Of people in the same classes at most 25% certainly have the same value."
    )
    assert "3 further promises hold no longer for everybody." in said[1]
    assert "For 4 people it is too much to work out" in said[1]
