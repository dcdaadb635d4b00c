"""Sensitivities are those of the worked examples, and no pair of small neighbouring tables moves further."""

import itertools

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.dp.sensitivity import (
    Neighbours,
    PrivacyUnit,
    Sensitivity,
    along_hierarchy,
    bounded_sum,
    count,
    farthest_value,
    histogram,
    ranks,
)

ROW, CHANGE, PERSON = PrivacyUnit.parse("row"), PrivacyUnit.parse("change"), PrivacyUnit.parse("person=p:2")
VALUES = (-2, 0, 3)
Rows = tuple[int, ...]


def neighbours(unit: PrivacyUnit) -> list[tuple[Rows, Rows]]:
    """All pairs of neighbouring tables of up to three rows."""
    tables = [rows for size in range(3) for rows in itertools.product(VALUES, repeat=size)]
    if unit.kind is Neighbours.CHANGE:
        return [((*rows, one), (*rows, two)) for rows in tables for one, two in itertools.product(VALUES, repeat=2)]
    added = [extra for size in range(1, unit.rows + 1) for extra in itertools.product(VALUES, repeat=size)]
    return [(rows, rows + extra) for rows in tables for extra in added]


QUESTIONS = {
    "count": (lambda unit: count(unit), lambda rows: [len(rows)]),
    "count where": (lambda unit: count(unit, has_condition=True), lambda rows: [sum(row > 0 for row in rows)]),
    "histogram": (histogram, lambda rows: [rows.count(value) for value in VALUES]),
    "hierarchy": (
        lambda unit: along_hierarchy(unit, 2),
        lambda rows: [rows.count(-2), rows.count(0), rows.count(3), rows.count(-2) + rows.count(0), rows.count(3)],
    ),
    "sum": (lambda unit: bounded_sum(unit, -2, 3), lambda rows: [sum(rows)]),
    "sum mostly below 0": (lambda unit: bounded_sum(unit, -3, 2), lambda rows: [-sum(rows)]),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(QUESTIONS))
@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
def test_no_neighbour_moves_further_and_some_move_as_far(name: str, unit: PrivacyUnit) -> None:
    declare, ask = QUESTIONS[name]
    declared = declare(unit)
    moved = np.array([np.array(ask(one)) - np.array(ask(two)) for one, two in neighbours(unit)])
    assert np.abs(moved).sum(axis=1).max() == declared.l1
    assert (moved**2).sum(axis=1).max() == declared.l2_squared
    assert np.abs(moved).max() == declared.linf
    both_ways = ((moved > 0).any(axis=1) & (moved < 0).any(axis=1)).any()
    assert declared.is_monotone is not bool(both_ways)


def test_the_worked_examples() -> None:
    assert (histogram(ROW).l1, histogram(CHANGE).l1) == (1, 2)
    assert count(PrivacyUnit.parse("person=visitor:100")).l1 == 100
    assert bounded_sum(CHANGE, 0, 100).l1 == 100


@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
def test_every_sensitivity_says_why(unit: PrivacyUnit) -> None:
    for declare, _ in QUESTIONS.values():
        assert declare(unit).why.endswith(".")
    assert unit.sentence().startswith("Nobody can tell ")


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(BadParameter):
        bounded_sum(ROW, 3, 2)
    with pytest.raises(BadParameter):
        along_hierarchy(ROW, 0)
    for wrong in ((1, 1, 2), (2, 5, 2), (3, 2, 1), (-1, 1, -1)):
        with pytest.raises(ValueError, match="move like that"):
            Sensitivity(*wrong, True, "")


@pytest.mark.parametrize("text", ["row", "change", "person=patient:3", "person=a:b:2"])
def test_a_unit_is_written_as_it_is_read(text: str) -> None:
    assert str(PrivacyUnit.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "rows", "person", "person=:3", "person=p:0", "person=p:-1", "person=p", "person=p:x"]
)
def test_what_is_no_unit_is_refused(text: str) -> None:
    with pytest.raises(BadParameter, match=r"person=COLUMN:ROWS"):
        PrivacyUnit.parse(text)


def test_a_unit_of_rows_has_no_column() -> None:
    for wrong in ((Neighbours.ROW, "p", 1), (Neighbours.CHANGE, "", 2), (Neighbours.PERSON, "", 2)):
        with pytest.raises(BadParameter):
            PrivacyUnit(*wrong)


@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
@pytest.mark.parametrize(("below", "above"), [(1, 1), (1, 9), (3, 1)])
def test_no_neighbour_moves_a_place_in_the_order_further(unit: PrivacyUnit, below: int, above: int) -> None:
    def scores(rows: Rows) -> list[int]:
        return [-abs(below * sum(r < c for r in rows) - above * sum(r > c for r in rows)) for c in (-2, -1, 0, 1, 3)]

    moved = [np.abs(np.array(scores(one)) - np.array(scores(two))).max() for one, two in neighbours(unit)]
    declared = ranks(unit, below, above, 5)
    assert max(moved) == declared.linf
    assert not declared.is_monotone


def test_the_largest_value_may_go_from_bound_to_bound() -> None:
    assert farthest_value(100).l1 == 100
