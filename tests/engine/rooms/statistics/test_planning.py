"""Before anything is asked a plan shows what it costs and how far off it will be; nothing of it looks at data."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.rooms.statistics.benches.local_sensitivity import local_sensitivity
from anonymizer_gui.engine.rooms.statistics.benches.reconstruction_attack import (
    attack_by_differencing,
    attack_by_reconstruction,
)
from anonymizer_gui.engine.rooms.statistics.benches.simulated_releases import simulate_question
from anonymizer_gui.engine.rooms.statistics.budget_allocation import allocate_budget
from anonymizer_gui.engine.rooms.statistics.cost_preview import (
    budget_state,
    error_curve,
    ledger_account,
    plan_cost,
    preview_questions,
)
from anonymizer_gui.engine.rooms.statistics.project import POLICIES
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question, question_text
from anonymizer_gui.engine.rooms.statistics.run import run
from tests.engine.rooms.statistics.making import ASKS, CHANGE, PERSON, ROW, plan, visits

THREE = "count", "mean age 0 100", "histogram sex F,M"


def test_equal_shares_add_up_exactly() -> None:
    assert allocate_budget(plan(*THREE)) == (Fraction(1, 3),) * 3


def test_geometric_shares_halve_what_is_left() -> None:
    assert allocate_budget(plan(*THREE, policy="geometric")) == (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8))
    tenths = plan(*THREE, policy="geometric", ratio=Fraction(9, 10))
    assert allocate_budget(tenths) == (Fraction(1, 10), Fraction(9, 100), Fraction(81, 1000))


def test_weights_are_scaled_to_the_budget() -> None:
    asks = "count with weight=3", "mean age 0 100", "histogram sex F,M with weight=0.5"
    assert allocate_budget(plan(*asks, policy="weights")) == (Fraction(2, 3), Fraction(2, 9), Fraction(1, 9))


def test_a_lock_keeps_its_epsilon_and_the_others_share_the_rest() -> None:
    asks = "count with epsilon=0.5", "mean age 0 100", "histogram sex F,M"
    assert allocate_budget(plan(*asks)) == (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    with pytest.raises(Infeasible, match="cost epsilon 2, but the release may spend 1"):
        allocate_budget(plan("count with epsilon=2"))
    with pytest.raises(Infeasible):
        allocate_budget(plan("count with epsilon=1", "mean age 0 100"))


def test_the_error_wanted_gives_the_smallest_epsilon() -> None:
    asks = "count with error=6", "histogram sex F,M with error=30", "mean age 0 100 with error=2"
    project = plan(*asks, policy="error", epsilon=Fraction(5), rows=1000)
    found = allocate_budget(project)
    assert [float(epsilon) for epsilon in found[:2]] == pytest.approx([0.434, 0.0966], abs=0.05)
    for asked, epsilon, wanted in zip(project.questions, found, (6, 30, 2), strict=True):
        less, enough = error_curve(asked, project, [epsilon * Fraction(95, 100), epsilon])
        assert less is not None
        assert enough is not None
        assert enough <= wanted < less
    with pytest.raises(BadParameter, match="no error wanted"):
        allocate_budget(plan("count", policy="error"))
    with pytest.raises(BadParameter, match="No epsilon brings the error"):
        allocate_budget(plan("mean age 0 100 with error=0.1", policy="error"))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(ASKS), min_size=1, max_size=8),
    st.sampled_from(sorted(POLICIES)),
    st.sampled_from([ROW, CHANGE, PERSON]),
)
def test_no_policy_overspends(asks: list[str], policy: str, unit: object) -> None:
    project = plan(*asks, policy="equal" if policy == "error" else policy, unit=unit, rows=100)
    try:
        cost = plan_cost(project)
    except BadParameter:  # a share too small to learn with: a plan that is refused spends nothing
        assume(False)
    assert cost.epsilon <= project.epsilon


def test_parts_of_a_column_share_one_share() -> None:
    asks = "count", "count for sex=F", "count for sex=M"
    assert allocate_budget(plan(*asks)) == (Fraction(1, 2),) * 3
    assert allocate_budget(plan(*asks, unit=CHANGE))[1:] == (Fraction(1, 2),) * 2
    assert plan_cost(plan(*asks)).epsilon == 1


def test_the_outlook_tells_every_question_without_data() -> None:
    project = plan(*ASKS, epsilon=Fraction(len(ASKS) - 1), rows=1000)  # two are about parts of one column
    seen = preview_questions(project)
    assert [each.ask for each in seen] == list(ASKS)
    assert [each.ask for each in seen if each.problem] == []
    count = seen[0]
    assert (count.mechanism, count.sensitivity, count.scale, count.epsilon, count.error95) == ("laplace", 1, 1, 1, 3)
    assert count.is_signal is True
    assert count.mechanism_title == "Discrete Laplace noise"
    assert next(each for each in seen if each.ask.startswith("max")).is_signal is False
    histogram = seen[ASKS.index("histogram age 0 100 10")]
    assert histogram.cells == 10
    assert (histogram.error95 or 0) < (histogram.error95_all or 0)
    exact = preview_questions(plan("count", unit=CHANGE))[0]
    assert (exact.mechanism_title, exact.epsilon) == ("No noise: it is public", 0)


def test_one_question_that_cannot_be_asked_does_not_hide_the_others() -> None:
    seen = preview_questions(plan("count", "histogram sex"))
    assert seen[0].problem is None
    assert seen[0].epsilon == 1
    assert isinstance(seen[1].problem, BadParameter)
    assert all(each.problem for each in preview_questions(plan("count with epsilon=9")))


def test_the_error_falls_as_epsilon_grows() -> None:
    project = plan("histogram sex F,M", rows=100)
    curve = error_curve(project.questions[0], project, [Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(2)])
    assert curve == (30, 6, 3, 1)
    assert error_curve(parse_question("histogram sex"), project, [Fraction(1)]) == (None,)


@pytest.mark.parametrize("ask", ASKS)
def test_possible_releases_are_made_up_and_repeatable(ask: str) -> None:
    project = plan(ask, rows=500)
    seen = simulate_question(project.questions[0], project, Fraction(1, 50), seed=3, releases=20)
    again = simulate_question(project.questions[0], project, Fraction(1, 50), seed=3, releases=20)
    assert seen == again
    assert len(seen.draws) == 20
    assert seen.rows == 500
    numbers = {str(draw) for draw in seen.draws}
    assert len(numbers) > 1 or seen.truth in seen.draws
    other = simulate_question(project.questions[0], project, Fraction(1, 50), seed=4, releases=20)
    assert other != seen or ask == "bounds age"  # nothing stands out of so much noise


def test_the_state_of_a_budget_is_read_from_the_ledger(tmp_path: Path) -> None:
    files = {"table": visits(), "ledger": BudgetLedger(tmp_path / "x.budget")}
    project = plan("count", total=Fraction(3))
    before = budget_state(project, ledger_account(project, files))
    assert (before.spent.epsilon, before.left.epsilon, before.plan and before.plan.epsilon) == (0, 3, 1)
    run(project, files)
    after = budget_state(replace(project, questions=(parse_question("histogram sex"),)), ledger_account(project, files))
    assert (after.spent.epsilon, after.left.epsilon, after.plan) == (1, 2, None)
    assert after.group(4).epsilon == 4


def test_the_local_sensitivity_is_that_of_one_table() -> None:
    table = Table.from_rows(["age", "sex"], [["10", "F"], ["30", "F"], ["20", "M"]])
    project = plan("sum age 0 100", "max age 0 100", "histogram sex F,M", "count")
    found = [local_sensitivity(asked, project, table).sensitivity for asked in project.questions]
    assert found == [30, 10, 1, 1]
    changed = replace(project, unit=CHANGE)
    assert [local_sensitivity(asked, changed, table).sensitivity for asked in project.questions] == [20, 10, 2, 0]


@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
def test_the_local_sensitivity_is_never_the_larger_one(unit: PrivacyUnit) -> None:
    project = plan(*ASKS, unit=unit)
    for asked in project.questions:
        found = local_sensitivity(asked, project, visits(24))
        assert 0 <= found.sensitivity <= asked.question.sensitivity(project.public(asked, 24)), question_text(asked)
    assert local_sensitivity(project.questions[0], project, visits(1000)).rows == 200


def test_two_exact_sums_reveal_a_person_and_two_noisy_ones_do_not() -> None:
    salaries = np.array([2400, 3100, 2800, 5200, 2600], dtype=np.int64)
    found = attack_by_differencing(salaries, 3, (0, 10_000), Fraction(1), seed=1)
    assert found.from_exact == found.truth == 5200
    assert found.share_near(500) < 0.1
    assert attack_by_differencing(salaries, 3, (0, 10_000), Fraction(1000), seed=1).share_near(500) > 0.9
    with pytest.raises(BadParameter):
        attack_by_differencing(salaries, 9, (0, 10_000), Fraction(1), seed=1)


def test_many_accurate_counts_give_everybody_away_and_a_budget_does_not() -> None:
    assert attack_by_reconstruction(100, 400, None, seed=1).share == 1
    weak = attack_by_reconstruction(100, 400, Fraction(1), seed=1)
    assert weak.share < 0.75
    assert weak.error95 > 100
    assert attack_by_reconstruction(100, 400, Fraction(4000), seed=1).share > 0.95
    with pytest.raises(BadParameter):
        attack_by_reconstruction(1000, 10, None, seed=1)
