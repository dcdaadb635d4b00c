"""What the charts of the Utility page are drawn from."""

import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.rooms.microdata.release.release import compare_release
from anonymizer_gui.engine.rooms.microdata.utility.distributions import column_distribution, joint_change
from anonymizer_gui.engine.rooms.microdata.utility.query_error import ask_texts
from tests.engine.rooms.microdata.making import hospital_release

RELEASE, ORIGINAL = hospital_release()
COMPARISON = compare_release(RELEASE, ORIGINAL)


def test_a_distribution_adds_up_to_one_on_both_sides() -> None:
    found = column_distribution(COMPARISON, "age")
    assert found.labels == ("20", "21", "22", "23", "24", "25", "26", "27")
    assert sum(found.before) == pytest.approx(1)
    assert sum(found.after) == pytest.approx(1)


def test_a_large_domain_is_cut_into_runs_that_say_from_where_to_where() -> None:
    found = column_distribution(COMPARISON, "age", most=3)
    assert found.labels == ("20 … 22", "23 … 25", "26 … 27")
    assert found.before == pytest.approx((0.375, 0.375, 0.25))


def test_the_change_of_two_columns_adds_up_to_nothing() -> None:
    found = joint_change(COMPARISON, "age", "disease")
    assert (len(found.rows), len(found.columns)) == (8, 4)
    assert sum(sum(row) for row in found.change) == pytest.approx(0, abs=0.1)


def test_queries_are_typed_as_values_or_ranges() -> None:
    answer, query = ask_texts(COMPARISON, {"age": "20..23", "zip": "", "disease": "Flu, Cancer"})
    assert query.conditions == {"age": (20.0, 23.0), "disease": frozenset({"Flu", "Cancer"})}
    assert answer.truth == 10
    with pytest.raises(BadParameter, match="does not have"):
        ask_texts(COMPARISON, {"disease": "Plague"})
