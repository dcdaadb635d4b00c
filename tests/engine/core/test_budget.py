"""Budgets are exact: what is read is what is kept, sums have no rounding, and nothing can be overdrawn."""

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget, BudgetExceeded, ExactAmount, amount_text, exact_amount
from anonymizer_gui.engine.core.errors import BadParameter

amounts = st.fractions(min_value=0, max_value=100, max_denominator=10**12)
shares = st.fractions(min_value=0, max_value=Fraction(1, 4), max_denominator=10**12)
budgets = st.builds(Budget, amounts, shares, amounts)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", Fraction(1)), ("0.1", Fraction(1, 10)), ("1e-9", Fraction(1, 10**9)), (".5", Fraction(1, 2)),
        (" 2. ", Fraction(2)), ("1/3", Fraction(1, 3)), ("1E3", Fraction(1000)), ("+0.3", Fraction(3, 10)),
        (0.1, Fraction(1, 10)), (np.float64(0.1), Fraction(1, 10)), (3, Fraction(3)), (Fraction(2, 7), Fraction(2, 7)),
    ],
)  # fmt: skip
def test_an_amount_is_read_exactly(text: str | float, number: Fraction) -> None:
    assert exact_amount(text) == number


@pytest.mark.parametrize(
    "wrong",
    [
        "", "nan", "inf", "-1", "-1/3", "1e9999", "1/0", "1_000", "0x1", "1,5", "one", "9" * 5000, True, float("nan"),
        float("inf"), -0.5, Fraction(-1, 2),
    ],
)  # fmt: skip
def test_what_is_no_amount_is_refused_in_one_sentence(wrong: str | float) -> None:
    with pytest.raises(BadParameter) as refused:
        exact_amount(wrong)
    assert refused.value.message.endswith(".")
    assert refused.value.hint


@given(st.fractions(min_value=0, max_denominator=10**30, max_value=10**30))
def test_what_is_written_reads_back_the_same(number: Fraction) -> None:
    assert exact_amount(amount_text(number)) == number


def test_a_third_of_a_tenth_three_times_is_a_tenth() -> None:
    third = Budget(epsilon="0.1") * Fraction(1, 3)
    assert third + third + third == Budget(epsilon="0.1")
    assert sum([Budget(epsilon="0.1")] * 10, NO_BUDGET) == Budget(epsilon=1)


@given(budgets, budgets)
def test_what_is_added_can_be_taken_away(one: Budget, other: Budget) -> None:
    assert one + other - other == one
    assert one <= one + other
    assert (one + other <= one) is (other == NO_BUDGET)


@given(budgets)
def test_a_budget_survives_json(budget: Budget) -> None:
    assert Budget.from_json(budget.to_json()) == budget
    assert all(isinstance(entry, str) for entry in budget.to_json().values())


@pytest.mark.parametrize(
    "entries",
    [{"epsilon": "x"}, {"epsilon": None}, {"epsilon": [1]}, {"eps": "1"}, [], "1", {"delta": "2"}, {"rho": -1}],
)
def test_wrong_entries_are_refused(entries: object) -> None:
    with pytest.raises(BadParameter):
        Budget.from_json(entries)  # type: ignore[arg-type]


def test_more_than_is_left_cannot_be_taken() -> None:
    with pytest.raises(BudgetExceeded, match=r"^This spends epsilon 0.2, but only epsilon 0.1 is left\. "):
        Budget(epsilon="0.1") - Budget(epsilon="0.2")


def test_budgets_of_different_kinds_cannot_be_compared() -> None:
    pure, gaussian = Budget(epsilon=1), Budget(rho=1)
    assert not pure <= gaussian
    assert not gaussian <= pure
    assert pure < pure + gaussian
    assert not NO_BUDGET
    assert pure


def test_a_budget_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Budget(epsilon=1).epsilon = Fraction(2)  # type: ignore[misc]
    assert len({Budget(epsilon="0.5"), Budget(epsilon=Fraction(1, 2))}) == 1


def test_a_parameter_keeps_the_exact_text() -> None:
    kind = ExactAmount()
    assert kind.parse("0,10") == "0.1"
    assert kind.check(0.3) == "0.3"
    for wrong in ("0", "-1", "x", None, True):
        with pytest.raises(ValueError, match=r"^a number above 0$"):
            kind.check(wrong)


def test_budgets_are_cheap_to_import() -> None:
    program = "import sys, anonymizer_gui.engine.core.budget; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "pandas", "opendp"} & set(loaded)
