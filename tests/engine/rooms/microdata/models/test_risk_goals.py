"""Goals about risk: numbers by hand, every algorithm keeps them, the lattice finds the best, both sides agree."""

import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp, ChosenLevels
from anonymizer_gui.engine.rooms.microdata.independent.formulas import estimated_k, unique_share
from anonymizer_gui.engine.rooms.microdata.measurement import measure_table
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups, PrivacyModel, WholeTable
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.presence import EstimatedKMap
from anonymizer_gui.engine.rooms.microdata.models.risk_goals import (
    MODELS,
    AverageRisk,
    PopulationUniquenessGoal,
    RecordsAtRisk,
)
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.making import hospital_project, hospital_rows, hospital_table

SIZES = st.lists(st.integers(1, 12), min_size=1, max_size=30)
GOALS = [
    AverageRisk(risk=0.3),
    RecordsAtRisk(share=0.2, threshold=0.26, highest=0.5),
    PopulationUniquenessGoal(share=0.05, population=500, model="zayatz"),
    EstimatedKMap(k=8, fraction=0.2),
]
TREES = {
    "a": Hierarchy.from_nested({"*": {"x": ["0", "1"], "y": ["2", "3"]}}),
    "b": Hierarchy.from_nested({"*": {"u": ["0", "1"], "v": ["2"]}}),
}


def groups(*sizes: int) -> ClassGroups:
    return ClassGroups(np.array(sizes, dtype=np.int64))


def measured(goal: PrivacyModel, *sizes: int) -> tuple[float, bool]:
    found = goal.measure(groups(*sizes), WholeTable(sum(sizes)))
    return found.value, found.holds


def project_of(goal: PrivacyModel, suppression: float = 0.0) -> Project:
    schema = Schema((ColumnSchema("a", role=Role.QI), ColumnSchema("b", role=Role.QI)))
    return Project(schema=schema, hierarchies=TREES, goals=(goal,), algorithm=BottomUp(), suppression=suppression)


def table_of(cells: list[tuple[int, int]]) -> Table:
    return Table.from_rows(["a", "b"], [[str(a), str(b)] for a, b in cells])


CELLS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=4, max_size=24)


def test_average_risk_is_classes_over_rows() -> None:
    assert measured(AverageRisk(risk=0.3), 1, 4, 5) == (0.3, True)
    assert not measured(AverageRisk(risk=0.29), 1, 4, 5)[1]


def test_records_at_risk_count_rows_above_the_threshold_and_none_may_be_above_the_highest() -> None:
    goal = RecordsAtRisk(share=0.4, threshold=0.2, highest=0.5)
    assert measured(goal, 4, 5, 1 + 5) == (4 / 15, True)  # one in five is not above 0.2
    assert not measured(goal, 4, 4, 6)[1]
    assert not measured(goal, 1, 9, 9)[1]


@pytest.mark.parametrize(("risk", "rows"), [(0.09, 12), (1 / 11, 11), (0.2, 5), (0.33, 4), (1 / 3, 3), (1.0, 1)])
def test_a_highest_risk_asks_for_classes_of_so_many(risk: float, rows: int) -> None:
    goal = RecordsAtRisk(highest=risk)
    assert goal.least_rows() == rows
    assert 1 / rows <= risk + 1e-9
    assert rows == 1 or 1 / (rows - 1) > risk


@pytest.mark.parametrize("estimator", ["poisson", "zero-truncated"])
@pytest.mark.parametrize("fraction", [0.02, 0.1, 0.5])
def test_estimated_k_map_asks_for_rows_that_are_rare_among_k_people(estimator: str, fraction: float) -> None:
    """The least number f of rows with P(X ≥ f) ≤ α, added up from the distribution itself; never more than k."""
    goal = EstimatedKMap(k=20, fraction=fraction, significance=0.05, estimator=estimator)
    mean = 20 * fraction
    chances = [math.exp(-mean) * mean**i / math.factorial(i) for i in range(80)]
    if estimator == "zero-truncated":
        chances = [0.0, *(chance / (1 - chances[0]) for chance in chances[1:])]
    by_hand = next(f for f in range(1, 80) if sum(chances[f:]) <= 0.05)
    assert goal.least_rows() == min(20, by_hand)


def test_k_rows_are_enough_for_k_people_and_more_rows_stand_for_more() -> None:
    goal = EstimatedKMap(k=5, fraction=0.1)
    values = [measured(goal, size)[0] for size in range(1, 12)]
    assert values == sorted(values)
    assert all(value >= size for size, value in enumerate(values, start=1))
    assert measured(EstimatedKMap(k=5, fraction=1.0), 5)[1]
    assert not measured(EstimatedKMap(k=5, fraction=1.0), 4)[1]


@given(st.integers(1, 60), st.sampled_from([0.003, 0.05, 0.3, 1.0]), st.sampled_from([0.01, 0.05, 0.3]), st.booleans())
def test_both_sides_say_the_same_of_estimated_k_map(rows: int, fraction: float, level: float, truncated: bool) -> None:
    name = "zero-truncated" if truncated else "poisson"
    goal = EstimatedKMap(fraction=fraction, significance=level, estimator=name)
    assert measured(goal, rows)[0] == estimated_k(rows, fraction, level, truncated=truncated)


@given(SIZES, st.sampled_from([1.0, 1.4, 4.0, 30.0, 1000.0]), st.sampled_from(list(MODELS)))
def test_both_sides_say_the_same_of_population_uniqueness(sizes: list[int], times: float, model: str) -> None:
    population = int(sum(sizes) * times)
    value = measured(PopulationUniquenessGoal(population=population, model=model), *sizes)[0]
    assert value == pytest.approx(unique_share(model, Counter(sizes), population), abs=1e-7)
    assert 0 <= value <= sizes.count(1) / sum(sizes)


def test_nobody_is_unique_in_a_population_who_is_not_in_the_table() -> None:
    for model in MODELS:
        assert measured(PopulationUniquenessGoal(share=0.0, model=model), 2, 2, 5) == (0.0, True)


def test_where_a_model_has_no_answer_every_unique_row_counts() -> None:
    value, holds = measured(PopulationUniquenessGoal(share=0.5, model="pitman"), 1, 1, 1)
    assert (value, holds) == (1.0, False)


def test_pitmans_likelihood_is_highest_where_it_is_said_to_be() -> None:
    """The likelihood as Hoshino prints it, searched on a grid: none is higher than at the estimate."""
    sizes = Counter({1: 60, 2: 22, 3: 9, 5: 4, 9: 2})
    classes, rows, population = sum(sizes.values()), sum(s * n for s, n in sizes.items()), 5000
    share = unique_share("pitman", sizes, population)

    def likelihood(theta: float, alpha: float) -> float:
        found = sum(math.log(theta + i * alpha) for i in range(1, classes))
        found -= sum(math.log(theta + i) for i in range(1, rows))
        return found + sum(n * sum(math.log(i - alpha) for i in range(1, s)) for s, n in sizes.items())

    grid = itertools.product(np.linspace(5, 250, 50), np.linspace(0.02, 0.9, 45))
    theta, alpha = max(grid, key=lambda both: likelihood(*both))
    expected = math.exp(math.lgamma(theta + 1) - math.lgamma(theta + alpha)) * population**alpha
    assert share * rows == pytest.approx(expected * rows / population, rel=0.1)


@pytest.mark.parametrize("name", ALGORITHMS.names())
@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
@settings(max_examples=4)
@given(cells=CELLS, suppression=st.sampled_from([0.0, 0.3]))
def test_every_algorithm_keeps_goals_about_risk(
    name: str, goal: PrivacyModel, cells: list[tuple[int, int]], suppression: float
) -> None:
    project = replace(project_of(goal, suppression), algorithm=ALGORITHMS.get(name)())
    top = measure_table(table_of([(0, 0)] * len(cells)), ["a", "b"], [], goals=(goal,))
    try:
        assert run(table_of(cells), project).measured.holds
    except Infeasible:
        assert not top.holds


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
@settings(max_examples=8)
@given(cells=CELLS)
def test_the_lattice_finds_the_best_of_all_nodes_under_goals_about_risk(
    goal: PrivacyModel, cells: list[tuple[int, int]]
) -> None:
    """Every node is published by hand and measured: none that keeps the goal loses less."""
    table, project = table_of(cells), project_of(goal)
    losses = []
    for a, b in itertools.product(range(3), range(3)):
        try:
            made = run(table, replace(project, algorithm=ChosenLevels(levels=(("a", a), ("b", b)))))
        except Infeasible:
            continue
        losses.append(made.measured.lm)
    if losses:
        assert run(table, project).measured.lm == pytest.approx(min(losses))
    else:
        with pytest.raises(Infeasible):
            run(table, project)


def test_a_few_rows_are_left_out_where_that_is_enough() -> None:
    """Two people alone among twenty: leaving both out costs less than any generalisation."""
    cells = [(0, 0)] * 9 + [(3, 2)] * 9 + [(0, 2), (3, 0)]
    release = run(table_of(cells), project_of(AverageRisk(risk=0.12), suppression=0.1))
    assert (release.suppressed, release.measured.classes, release.measured.md) == (2, 2, 8)


def test_a_goal_that_the_most_general_table_misses_is_named() -> None:
    with pytest.raises(Infeasible, match="Average risk cannot be reached: even the most general table reaches"):
        run(table_of([(0, 0)] * 4), project_of(AverageRisk(risk=0.2)))


def test_a_goal_about_a_population_smaller_than_the_table_is_refused() -> None:
    small, enough = (
        hospital_project(goals=(KAnonymity(k=2), PopulationUniquenessGoal(share=0.5, population=people)))
        for people in (39, 40)
    )
    with pytest.raises(BadParameter, match="fewer people than the table"):
        run(hospital_table(40), small)
    assert run(hospital_table(40), enough).measured.holds


def test_people_with_several_rows_are_counted_once_against_the_population() -> None:
    rows = [[f"P{i % 20}", *row[1:]] for i, row in enumerate(hospital_rows(40))]
    table = Table.from_rows(hospital_table().names, rows)
    goals = (KAnonymity(k=2), PopulationUniquenessGoal(share=0.5, population=20))
    assert run(table, hospital_project(goals=goals, person="name")).measured.holds
