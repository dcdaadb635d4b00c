"""Risk in surveys: the published example, the series of the hypergeometric function, households, scores per row."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS as ANALYSES
from anonymizer_gui.engine.rooms.microdata.risk.contract import AttackView, Risk
from anonymizer_gui.engine.rooms.microdata.risk.population_estimates import (
    individual_risk,
    individual_risk_approximation,
)
from anonymizer_gui.engine.rooms.microdata.risk.suda import SpecialUniques
from anonymizer_gui.engine.rooms.microdata.risk.survey_risk import HouseholdRisk, IndividualRisk

# Classes and weights of the example of Capobianchi, Polettini and Lucarelli (`francdat` of sdcMicro); other labels.
KEYS = ["1251", "1211", "1211", "3315", "4314", "4311", "6215", "1251"]
WEIGHTS = ["18.0", "45.5", "39.0", "17.0", "541.0", "8.0", "5.0", "92.0"]
RISKS = [0.01714, 0.02204, 0.02204, 0.17708, 0.01165, 0.29706, 0.40236, 0.01714]


def example(homes: list[str] | None = None) -> AttackView:
    rows = [[*key, weight, home] for key, weight, home in zip(KEYS, WEIGHTS, homes or [""] * 8, strict=True)]
    table = Table.from_rows(["a", "b", "c", "d", "w", "home"], rows)
    home = table.column("home") if homes else None
    return AttackView(table, ("a", "b", "c", "d"), weight=table.column("w"), household=home)


def test_the_published_example_comes_out() -> None:
    found = IndividualRisk().measure(example(), SILENT)
    per_row = found.per_class[example().classes.ids]
    assert per_row == pytest.approx(RISKS, abs=5e-5)
    assert found.is_estimate
    assert found.value == pytest.approx(0.40236, abs=5e-6)
    assert found.hit == 2  # above one in five
    assert found.details["expected"] == pytest.approx(sum(RISKS), abs=1e-4)


def risks_by(kind: type[Risk], exposure: AttackView) -> list[float]:
    """Give the number of every class; none where the analysis needs more than a survey has."""
    try:
        return kind().measure(exposure, SILENT).per_class.tolist()
    except BadParameter:
        return []


@pytest.mark.parametrize("kind", list(ANALYSES), ids=lambda kind: kind.name)
def test_only_analyses_that_say_so_go_by_sampling_weights(kind: type[Risk]) -> None:
    survey = example(["one"] * 4 + ["two"] * 4)
    heavy = Table.from_rows(["w"], [["900.5"]] * 8).column("w")
    assert (risks_by(kind, survey) != risks_by(kind, replace(survey, weight=heavy))) == kind.by_weight


@given(st.integers(1, 30), st.floats(1.0, 500.0))
def test_the_risk_is_that_of_the_hypergeometric_function(rows: int, weight: float) -> None:
    """(p / f) ₂F₁(1, 1; f + 1; 1 - p), added up term by term."""
    p = 1 / weight
    term, total = 1.0, 0.0
    for n in range(200_000):
        total += term
        term *= (n + 1) * (1 - p) / (rows + 1 + n)
        if term < 1e-14 * total:
            break
    found = float(individual_risk(np.array([rows]), np.array([rows * weight]))[0])
    assert found == pytest.approx(p / rows * total, rel=1e-6)


@given(st.integers(3, 200), st.floats(1.01, 1000.0))
def test_the_approximation_is_close_and_never_below_the_risk_of_everybody(rows: int, weight: float) -> None:
    sizes, people = np.array([rows]), np.array([rows * weight])
    exact, near = float(individual_risk(sizes, people)[0]), float(individual_risk_approximation(sizes, people)[0])
    assert near == pytest.approx(exact, rel=0.25)
    assert 1 / people[0] <= exact <= 1 / rows


def test_a_household_is_found_with_any_of_its_members() -> None:
    homes = ["A", "A", "B", "C", "C", "D", "D", ""]
    found = HouseholdRisk().measure(example(homes), SILENT)
    for home in "ABCD":
        members = [risk for risk, where in zip(RISKS, homes, strict=True) if where == home]
        expected = 1 - math.prod(1 - risk for risk in members)
        rows = [at for at, where in enumerate(homes) if where == home]
        assert max(found.per_class[example().classes.ids[rows]]) >= expected - 1e-4
    assert found.value == pytest.approx(1 - (1 - RISKS[5]) * (1 - RISKS[6]), abs=1e-4)
    assert (found.details["households"], found.details["households_above"], found.hit) == (5, 1, 2)


def test_a_household_without_weights_takes_the_risk_of_the_class() -> None:
    table = Table.from_rows(["q", "home"], [["x", "A"], ["x", "A"], ["y", "B"], ["y", "C"]])
    found = HouseholdRisk(threshold=0.6).measure(AttackView(table, ("q",), household=table.column("home")), SILENT)
    assert not found.is_estimate
    assert found.value == pytest.approx(0.75)
    assert found.hit == 2


@pytest.mark.parametrize("weight", ["", "0", "-1", "many"])
def test_a_weight_that_is_no_positive_number_is_refused(weight: str) -> None:
    table = Table.from_rows(["q", "w"], [["x", "2"], ["y", weight]])
    with pytest.raises(BadParameter, match="is no sampling weight: 1 value is no positive number"):
        IndividualRisk().measure(AttackView(table, ("q",), weight=table.column("w")), SILENT)


def test_without_columns_of_a_survey_the_way_out_is_told() -> None:
    table = Table.from_rows(["q"], [["x"]])
    for risk in (IndividualRisk(), HouseholdRisk()):
        with pytest.raises(BadParameter, match="needs") as told:
            risk.measure(AttackView(table, ("q",)), SILENT)
        assert "page Data" in told.value.hint


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=12))
def test_every_row_has_the_score_and_the_parts_of_its_minimal_unique_sets(rows: list[tuple[int, ...]]) -> None:
    """SUDA2 by enumeration: all sets of columns, smallest first."""
    table = Table.from_rows(["a", "b", "c"], [list(map(str, row)) for row in rows])
    found = SpecialUniques().measure(AttackView(table, ("a", "b", "c")), SILENT).details["scores"]
    for at, row in enumerate(rows):
        minimal: list[tuple[int, ...]] = []
        for size in (1, 2, 3):
            for key in itertools.combinations(range(3), size):
                alone = sum(all(other[i] == row[i] for i in key) for other in rows) == 1
                if alone and not any(set(part) <= set(key) for part in minimal):
                    minimal.append(key)
        worth = {key: math.prod(3 - size for size in range(len(key), 3)) for key in minimal}
        if not worth:
            assert str(at) not in found
            continue
        score = sum(worth.values())
        assert found[str(at)]["score"] == score
        parts = [sum(value for key, value in worth.items() if i in key) / score for i in range(3)]
        assert list(found[str(at)]["columns"].values()) == pytest.approx(parts)
