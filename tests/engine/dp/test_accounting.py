"""Composition is exact where it can be and otherwise from above, by published numbers and by dp-accounting."""

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import dp_accounting
import pytest
from dp_accounting import pld, rdp
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.dp.accountant import (
    compose,
    compose_parallel,
    compose_parts,
    epsilon_of_rho,
    exp_above,
    group_privacy,
    log_above,
    posterior_odds,
    rho_of_epsilon,
)
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit

MILLIONTH = Fraction(1, 10**6)
amounts = st.fractions(Fraction(1, 1000), 3, max_denominator=1000)
spends = st.one_of(
    st.builds(lambda amount: Budget(epsilon=amount), amounts), st.builds(lambda amount: Budget(rho=amount), amounts)
)


def pure(amount: str, times: int = 1) -> list[Budget]:
    return [Budget(epsilon=Fraction(amount))] * times


# Epsilon -> rho at delta 1e-5, 1e-6 and 1e-9, published.
RHOS = {
    5: (".000433", ".0085055", ".0305566", ".1082564", ".373144", "1.7826956"),
    6: (".000321", ".0066415", ".024356", ".0881527", ".311065", "1.5392788"),
    9: (".0001771", ".0039532", ".0149731", ".0561305", ".2063129", "1.0907857"),
}


@pytest.mark.parametrize("places", sorted(RHOS))
def test_rho_for_an_epsilon_is_the_published_one(places: int) -> None:
    delta = Fraction(1, 10**places)
    for epsilon, published in zip((".1", ".5", "1", "2", "4", "10"), RHOS[places], strict=True):
        found = rho_of_epsilon(Fraction(epsilon), delta)
        assert float(found) == pytest.approx(float(published), abs=6e-7)
        assert epsilon_of_rho(found, delta) <= Fraction(epsilon)
        assert epsilon_of_rho(found + Fraction(1, 10**9), delta) > Fraction(epsilon)


def test_a_hundred_small_laplace_questions_cost_less_as_zcdp() -> None:
    total = compose(pure("0.1", 100), MILLIONTH)
    assert total.way == "zcdp"
    assert float(total.epsilon) == pytest.approx(5.2215, abs=1e-4)
    assert total.delta == MILLIONTH
    assert compose(pure("0.1", 100)).epsilon == 10
    assert compose(pure("0.1", 100)).delta == 0


def accountants(event: dp_accounting.DpEvent, delta: float) -> tuple[float, float]:
    """Give epsilon by Renyi orders and by the privacy loss distribution, whose discretisation is from above too."""
    found = []
    for accountant in (rdp.RdpAccountant(), pld.PLDAccountant()):
        accountant.compose(event)
        found.append(float(accountant.get_epsilon(delta)))
    return found[0], found[1]


@pytest.mark.parametrize(("sigma", "times"), [(10, 50), (2, 1), (5, 8)])
def test_gaussian_questions_cost_no_less_than_dp_accounting_says(sigma: int, times: int) -> None:
    event = dp_accounting.SelfComposedDpEvent(dp_accounting.GaussianDpEvent(sigma), times)
    by_orders, by_loss = accountants(event, 1e-6)
    ours = compose([Budget(rho=Fraction(1, 2 * sigma**2))] * times, MILLIONTH)
    assert by_loss <= ours.epsilon <= by_orders + 1e-3
    assert float(ours.epsilon) == pytest.approx(by_orders, rel=0.02)


@pytest.mark.parametrize(("epsilon", "times"), [("0.1", 100), ("0.5", 4), ("0.01", 400)])
def test_laplace_questions_cost_no_less_than_dp_accounting_says(epsilon: str, times: int) -> None:
    event = dp_accounting.SelfComposedDpEvent(dp_accounting.LaplaceDpEvent(1 / float(Fraction(epsilon))), times)
    by_orders, by_loss = accountants(event, 1e-6)
    ours = compose(pure(epsilon, times), MILLIONTH)
    assert by_loss - 1e-3 <= ours.epsilon  # basic composition may be met exactly, and theirs is rounded up
    assert by_orders <= ours.epsilon or ours.way == "basic"
    assert ours.epsilon <= Fraction(epsilon) * times


def test_mixed_questions_cost_no_less_than_dp_accounting_says() -> None:
    events = [dp_accounting.LaplaceDpEvent(10.0)] * 20 + [dp_accounting.GaussianDpEvent(10.0)] * 20
    by_orders, by_loss = accountants(dp_accounting.ComposedDpEvent(events), 1e-6)
    ours = compose([*pure("0.1", 20), *[Budget(rho=Fraction(1, 200))] * 20], MILLIONTH)
    assert ours.way == "zcdp"
    assert by_loss <= by_orders <= ours.epsilon <= by_orders * 1.1


@settings(max_examples=60, deadline=None)
@given(st.lists(spends, max_size=5), st.randoms())
def test_the_order_of_spends_does_not_matter_and_more_never_costs_less(made: list[Budget], random: object) -> None:
    total = compose(made, MILLIONTH)
    assert compose(made[::-1], MILLIONTH) == total
    assert compose([*made, *pure("0.5")], MILLIONTH).epsilon > total.epsilon
    assert total.epsilon <= sum((s.epsilon for s in made), Fraction(0)) + epsilon_of_rho(
        sum((s.rho for s in made), Fraction(0)), MILLIONTH
    )


def test_one_pure_question_costs_its_epsilon_exactly() -> None:
    total = compose(pure("0.1"), MILLIONTH)
    assert (total.epsilon, total.delta, total.way) == (Fraction(1, 10), 0, "basic")
    assert compose([], MILLIONTH).budget() == NO_BUDGET


def test_gaussian_noise_without_a_delta_is_refused() -> None:
    with pytest.raises(BadParameter, match="needs a delta above 0"):
        compose([Budget(rho=Fraction(1, 8))])


def test_deltas_of_spends_are_part_of_the_whole() -> None:
    made = [Budget(epsilon=Fraction(1), delta=MILLIONTH / 2), Budget(rho=Fraction(1, 100))]
    total = compose(made, MILLIONTH)
    assert total.epsilon == 1 + epsilon_of_rho(Fraction(1, 100), MILLIONTH / 2)
    assert total.delta == MILLIONTH
    with pytest.raises(BadParameter):
        compose([*made, *made], MILLIONTH)


@pytest.mark.parametrize(("unit", "factor"), [("row", 1), ("change", 2), ("person=p:5", 3)])
def test_disjoint_parts_cost_the_largest(unit: str, factor: int) -> None:
    parts = [Budget(epsilon=Fraction(1, 2)), Budget(epsilon=Fraction(1, 4)), Budget(rho=Fraction(1, 8))]
    squared = factor**2 if unit == "change" else factor  # a changed row may be twice in one part
    whole = Budget(epsilon=Fraction(1, 2) * factor, rho=Fraction(1, 8) * squared)
    assert all(compose_parallel(order, PrivacyUnit.parse(unit)) == whole for order in itertools.permutations(parts))


def test_a_changed_row_costs_twice_even_within_one_part() -> None:
    assert compose_parallel(pure("1"), PrivacyUnit.parse("change")) == Budget(epsilon=Fraction(2))
    assert compose_parallel(pure("1"), PrivacyUnit.parse("person=p:5")) == Budget(epsilon=Fraction(1))
    assert compose_parallel([Budget(rho=Fraction(1))], PrivacyUnit.parse("change")) == Budget(rho=Fraction(4))
    assert compose_parallel([], PrivacyUnit.parse("change")) == NO_BUDGET
    assert PrivacyUnit.parse("change").within_part == PrivacyUnit.parse("row")
    assert PrivacyUnit.parse("person=p:5").within_part == PrivacyUnit.parse("person=p:5")


def test_a_group_pays_for_all_its_members() -> None:
    assert group_privacy(Budget(epsilon=Fraction(1, 10)), 4) == Budget(epsilon=Fraction(4, 10))
    assert group_privacy(Budget(rho=Fraction(1, 8)), 4) == Budget(rho=Fraction(2))
    grown = group_privacy(Budget(epsilon=Fraction(1), delta=Fraction(1, 10**9)), 3)
    with localcontext(prec=50):
        exactly = Fraction((Decimal(3).exp() - 1) / (Decimal(1).exp() - 1)) / 10**9
    assert exactly < grown.delta < exactly * (1 + Fraction(1, 10**30))
    assert group_privacy(Budget(epsilon=Fraction(500), delta=Fraction(1, 10**9)), 3).delta == 1
    with pytest.raises(BadParameter):
        group_privacy(NO_BUDGET, 0)


@settings(max_examples=40, deadline=None)
@given(st.fractions(Fraction(1, 10**6), 50, max_denominator=10**6), st.integers(1, 300))
def test_a_conversion_is_from_above_but_not_far(rho: Fraction, places: int) -> None:
    delta = Fraction(1, 10**places)
    simple = float(rho) + 2 * math.sqrt(float(rho) * places * math.log(10))
    found = epsilon_of_rho(rho, delta)
    assert 0 <= found <= simple + 1e-9
    assert epsilon_of_rho(rho * 2, delta) >= found
    assert epsilon_of_rho(rho, delta / 2) >= found


@settings(max_examples=40, deadline=None)
@given(st.fractions(Fraction(1, 100), 100, max_denominator=1000))
def test_logarithm_and_power_are_from_above(number: Fraction) -> None:
    assert exp_above(log_above(number)) > number
    assert float(log_above(number)) == pytest.approx(math.log(number), abs=1e-12)
    assert float(exp_above(number)) == pytest.approx(math.exp(number), rel=1e-12)


@pytest.mark.parametrize(("epsilon", "guess"), [(".1", 0.52), ("1", 0.73), ("2", 0.88), ("4", 0.982), ("10", 0.99995)])
def test_the_odds_of_a_guess_are_the_published_ones(epsilon: str, guess: float) -> None:
    assert posterior_odds(Fraction(epsilon)) == pytest.approx(guess, abs=6e-3 if guess < 0.95 else 6e-5)


def test_spends_on_parts_of_one_column_become_one() -> None:
    half, third = Budget(epsilon=Fraction(1, 2)), Budget(epsilon=Fraction(1, 3))
    asked = [(half, None), (half, ("ward", "N")), (third, ("ward", "S")), (third, ("ward", "S")), (third, ("sex", "F"))]
    assert compose_parts(asked, PrivacyUnit.parse("row")) == [half, Budget(epsilon=Fraction(2, 3)), third]
    assert compose_parts(asked, PrivacyUnit.parse("change")) == [half, Budget(epsilon=Fraction(4, 3)), third * 2]
    assert compose_parts([], PrivacyUnit.parse("row")) == []
