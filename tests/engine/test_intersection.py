"""Two releases of the same people are attacked together."""

import numpy as np

from anonymizer_gui.engine.intersection import ReleasedClasses, meet


def released(name: str, classes: dict[str, list[str]], values: dict[str, set[str]]) -> ReleasedClasses:
    keys = [key for people in classes.values() for key in people]
    number = {label: i for i, label in enumerate(classes)}
    return ReleasedClasses(
        name,
        np.array(keys),
        np.array([number[label] for label, people in classes.items() for _ in people]),
        {"Condition": tuple(frozenset(values[label]) for label in classes)},
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
    meeting = meet(B, A, k=4, least_values=2)
    assert meeting.people == 5
    assert (meeting.below_l, meeting.fewest_values) == (1, 1)
    assert (meeting.below_k, meeting.fewest_people) == (1, 1)
    assert not meeting.is_harmless
    assert "for 1 of them" in meeting.sentence()


def test_people_whose_classes_agree_are_not_counted() -> None:
    meeting = meet(A, A, k=4, least_values=1)
    assert meeting.is_harmless
    assert (meeting.people, meeting.fewest_people) == (12, 4)


def test_releases_of_different_people_do_not_meet() -> None:
    stranger = released("C", {"*": ["q1", "q2"]}, {"*": {"Flu"}})
    meeting = meet(stranger, A, k=2, least_values=2)
    assert meeting.is_harmless
    assert "Nobody" in meeting.sentence()
