"""Estimates of people unique in a population: each model against populations of its own kind, and Dankar's rule."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.risk.contract import AttackView
from anonymizer_gui.engine.rooms.microdata.risk.population_estimates import (
    SampleFrequencies,
    choose_model,
    estimate_all,
    pitman,
    slide_negative_binomial,
)
from anonymizer_gui.engine.rooms.microdata.risk.reidentification import PopulationUniquenessRisk

Ints = npt.NDArray[np.int64]


def restaurant(people: int, theta: float, alpha: float, rng: np.random.Generator) -> Ints:
    """Seat people one after the other as Pitman's model does; give the table of each."""
    tables: list[int] = []
    seat = np.zeros(people, dtype=np.int64)
    for n in range(people):
        if rng.random() < (theta + alpha * len(tables)) / (theta + n):
            seat[n] = len(tables)
            tables.append(1)
        else:
            # Somebody who sits already is followed, unless the table is one short of α.
            while True:
                follow = seat[rng.integers(n)]
                if rng.random() < (tables[follow] - alpha) / tables[follow]:
                    break
            seat[n] = follow
            tables[follow] += 1
    return seat


def sampled(cell_of_person: Ints, fraction: float, rng: np.random.Generator) -> tuple[SampleFrequencies, int]:
    """Draw some people; give their classes, and how many of them are unique in the population."""
    n = len(cell_of_person)
    drawn = rng.choice(n, size=int(n * fraction), replace=False)
    people = np.bincount(cell_of_person)
    rows = np.bincount(cell_of_person[drawn])
    return SampleFrequencies.of(rows[rows > 0], n), int((people[cell_of_person[drawn]] == 1).sum())


@pytest.mark.parametrize(("theta", "alpha"), [(50.0, 0.5), (300.0, 0.3), (10.0, 0.7)])
def test_pitman_finds_its_own_population(theta: float, alpha: float) -> None:
    rng = np.random.default_rng(3)
    seats = restaurant(20_000, theta, alpha, rng)
    uniques = int((np.bincount(seats) == 1).sum())
    sample, _ = sampled(seats, 0.1, rng)
    assert pitman(sample) == pytest.approx(uniques, rel=0.3)
    expected = math.exp(math.lgamma(theta + 1) - math.lgamma(theta + alpha)) * 20_000**alpha
    assert uniques == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.1), (2.0, 0.3)])
def test_snb_finds_its_own_population(alpha: float, beta: float) -> None:
    rng = np.random.default_rng(5)
    sizes = 1 + rng.negative_binomial(alpha, beta, size=8000)
    sample, _ = sampled(np.repeat(np.arange(8000), sizes), 0.3, rng)
    assert slide_negative_binomial(sample) == pytest.approx((sizes == 1).sum(), rel=0.2)


def test_the_rule_takes_pitman_for_small_shares_and_else_the_lower_of_the_others() -> None:
    told = {"zayatz": 50.0, "pitman": 10.0, "snb": 30.0, "benedetti-franconi": 5.0}
    assert choose_model(0.05, told) == "pitman"
    assert choose_model(0.05, {**told, "pitman": None}) == "zayatz"
    assert choose_model(0.3, told) == "snb"
    assert choose_model(0.3, {**told, "snb": 60.0}) == "zayatz"
    assert choose_model(0.3, {**told, "snb": None}) == "zayatz"


def test_zayatz_alone_is_far_too_high_where_few_were_drawn() -> None:
    rng = np.random.default_rng(1)
    weights = rng.gamma(0.3, size=30_000)
    cells = rng.choice(30_000, size=50_000, p=weights / weights.sum())
    sample, true = sampled(cells, 0.05, rng)
    told = estimate_all(sample)
    assert told["zayatz"] is not None
    assert told["pitman"] is not None
    assert told["zayatz"] > 5 * true
    assert true / 2 < told["pitman"] < 2 * true


def test_a_population_smaller_than_the_table_is_refused() -> None:
    table = Table.from_rows(["q"], [[str(i)] for i in range(100)])
    with pytest.raises(BadParameter, match="fewer people than the table"):
        PopulationUniquenessRisk().measure(AttackView(table, ("q",), population_size=99), SILENT)
    assert PopulationUniquenessRisk().measure(AttackView(table, ("q",), population_size=100), SILENT).value == 1


def test_the_attack_names_all_models_and_says_that_it_is_an_estimate() -> None:
    table = Table.from_rows(["q"], [[str(i // 2 if i < 40 else i)] for i in range(100)])
    found = PopulationUniquenessRisk().measure(AttackView(table, ("q",), population_size=2000), SILENT)
    assert found.is_estimate
    assert set(found.details["estimates"]) == {"zayatz", "pitman", "snb", "benedetti-franconi"}
    assert found.details["taken"] == "pitman"
    assert found.details["estimates"]["benedetti-franconi"] == pytest.approx(60 * 0.05)
    assert found.value * 100 == pytest.approx(found.details["estimates"]["pitman"])


def test_a_whole_population_needs_no_model() -> None:
    assert estimate_all(SampleFrequencies.of(np.array([1, 1, 3]), 5))["pitman"] == 2
