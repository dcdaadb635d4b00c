"""Two releases of the same people are attacked together."""

import numpy as np

from anonymizer_gui.engine.rooms.microdata.intersection import HeldValues, ReleasedClasses, meet


def released(name: str, classes: dict[str, list[str]], values: dict[str, set[str]]) -> ReleasedClasses:
    keys = [key.encode() for people in classes.values() for key in people]
    number = {label: i for i, label in enumerate(classes)}
    labels = tuple(sorted(set().union(*values.values())))
    held = [(number[label], labels.index(value)) for label in classes for value in sorted(values[label])]
    return ReleasedClasses(
        name,
        np.array(keys, dtype="S16"),
        np.array([number[label] for label, people in classes.items() for _ in people]),
        {"Condition": HeldValues(labels, np.array([c for c, _ in held]), np.array([v for _, v in held]))},
    )


A = released(
    "A",
    {"<30": ["p28", "a1", "a2", "a3"], ">=40": ["b1", "b2", "b3", "b4"], "3*": ["c1", "c2", "c3", "c4"]},
    {"<30": {"AIDS", "Heart", "Viral"}, ">=40": {"Cancer", "Heart", "Viral"}, "3*": {"Cancer"}},
)
B = released(
    "B",
    {"<35": ["p28", "x1", "x2", "x3", "x4", "x5"], ">=35": ["b1", "b2", "b3", "b4", "y1", "y2"]},
    {"<35": {"AIDS", "Tuberculosis", "Flu", "Cancer"}, ">=35": {"Cancer", "Heart", "Viral"}},
)


def test_the_man_of_28_is_disclosed_by_two_anonymous_releases() -> None:
    (meeting,) = meet(B, [A], k=4, least_values=2)
    assert meeting.people == 5
    assert (meeting.below_l, meeting.fewest_values) == (1, 1)
    assert (meeting.below_k, meeting.fewest_people) == (1, 1)
    assert not meeting.is_harmless
    assert "for 1 of them" in meeting.sentence()


def test_people_whose_classes_agree_are_not_counted() -> None:
    (meeting,) = meet(A, [A], k=4, least_values=1)
    assert meeting.is_harmless
    assert (meeting.people, meeting.fewest_people) == (12, 4)


def test_releases_of_different_people_do_not_meet() -> None:
    stranger = released("C", {"*": ["q1", "q2"]}, {"*": {"Flu"}})
    (meeting,) = meet(stranger, [A], k=2, least_values=2)
    assert meeting.is_harmless
    assert "Nobody" in meeting.sentence()


def test_three_releases_disclose_together_what_no_two_of_them_do() -> None:
    people = ["p", "q", "r", "s"]
    new = released("new", {"x": people}, {"x": {"Flu", "Cancer", "Asthma"}})
    one = released("one", {"x": people}, {"x": {"Flu", "Cancer", "Heart"}})
    two = released("two", {"x": people}, {"x": {"Flu", "Asthma", "Heart"}})
    with_one, with_two, together = meet(new, [one, two], k=2, least_values=2)
    assert with_one.is_harmless
    assert with_two.is_harmless
    assert (together.below_l, together.fewest_values, together.below_k) == (4, 1, 0)
    assert "in several of “one”, “two”" in together.sentence()


def test_classes_of_three_releases_cut_out_one_person() -> None:
    new = released("new", {"x": ["p", "q", "r", "s"]}, {"x": {"Flu", "Cancer"}})
    one = released("one", {"x": ["p", "q"], "y": ["r", "s"]}, {"x": {"Flu", "Cancer"}, "y": {"Flu", "Cancer"}})
    two = released("two", {"x": ["p", "r"], "y": ["q", "s"]}, {"x": {"Flu", "Cancer"}, "y": {"Flu", "Cancer"}})
    with_one, with_two, together = meet(new, [one, two], k=2, least_values=2)
    assert with_one.is_harmless
    assert with_two.is_harmless
    assert (together.people, together.below_k, together.fewest_people) == (4, 4, 1)


def test_who_is_in_one_earlier_release_only_is_not_cut_out_by_the_absence_from_the_other() -> None:
    new = released("new", {"x": ["p", "q", "r", "s"]}, {"x": {"Flu", "Cancer"}})
    one = released("one", {"x": ["p", "q", "r", "s"]}, {"x": {"Flu", "Cancer"}})
    two = released("two", {"x": ["q", "r", "s"]}, {"x": {"Flu", "Cancer"}})
    assert all(meeting.is_harmless for meeting in meet(new, [one, two], k=3, least_values=2))


def test_somebody_with_several_rows_is_one_person_in_each_of_their_classes() -> None:
    new = released("new", {"x": ["p", "q"], "y": ["p", "r"]}, {"x": {"Flu", "Cancer"}, "y": {"Flu", "Cancer"}})
    old = released("old", {"z": ["p", "p", "p", "q"]}, {"z": {"Flu", "Cancer"}})
    (meeting,) = meet(new, [old], k=2, least_values=2)
    assert (meeting.people, meeting.below_k) == (2, 1)


def test_releases_that_share_no_sensitive_column_meet_in_their_people_only() -> None:
    new = released("new", {"x": ["p", "q"]}, {"x": {"Flu"}})
    old = ReleasedClasses("old", new.keys, new.class_of_key, {})
    (meeting,) = meet(new, [old], k=3, least_values=2)
    assert (meeting.below_l, meeting.below_k, meeting.fewest_values) == (0, 2, None)
