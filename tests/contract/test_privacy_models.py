"""One battery over every registered privacy model: words, JSON, closure under merging, agreement of answers."""

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    COMBINED,
    PRIVACY_MODELS,
    ClassGroups,
    GoalSet,
    PrivacyModel,
    SensitiveAttribute,
    WholeTable,
)
from anonymizer_gui.engine.rooms.microdata.models.distances import DISTANCES
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import distinct_values
from anonymizer_gui.engine.rooms.microdata.set_valued_attributes import ItemsetCounts

MODELS = list(PRIVACY_MODELS)
TREE = Hierarchy.from_nested({"*": {"a": ["0", "1"], "b": {"c": ["2"], "d": ["3"]}}})
# Settings on both sides of what small random tables reach, so that both answers occur.
SETTINGS: dict[str, list[dict[str, object]]] = {
    "k": [{"k": 3}],
    "l": [{"l": 2}, {"l": 2, "several": "harmonised"}, {"l": 2, "missing": True}],
    "entropy-l": [{"l": 1.8}, {"l": 2.0, "several": "harmonised"}],
    "recursive-l": [{"l": 2, "c": 2.0}, {"l": 3, "c": 3.0}, {"l": 1, "c": 0.7}],
    "t": [{"t": t, "distance": name} for t, name in zip((0.3, 0.3, 0.3, 0.3, 0.5, 0.3, 0.2), DISTANCES, strict=True)],
    "n-t": [{"t": 0.2, "n": 8}, {"t": 0.2, "n": 8, "group": "each"}],
    "alpha-k": [{"alpha": 0.6, "k": 2}],
    "beta": [{"beta": 0.8}],
    "enhanced-beta": [{"beta": 1.5}],
    "delta-disclosure": [{"delta": 1.2}],
    "delta-presence": [{"delta_max": 0.6, "delta_min": 0.2}],
    "k-map": [{"k": 6}],
    "subset-k": [{"k": 3}, {"k": 3, "m": 1}],
    "average-risk": [{"risk": 0.2}],
    "records-at-risk": [{"share": 0.3, "threshold": 0.12, "highest": 0.3}, {"share": 0.0, "threshold": 0.2}],
    "estimated-k-map": [{"k": 9, "fraction": 0.4}, {"k": 9, "fraction": 0.4, "estimator": "poisson"}],
    "population-uniqueness": [
        {"share": 0.02, "population": 200, "model": name} for name in ("dankar", "pitman", "zayatz", "snb")
    ],
    "k-km": [{"k": 2, "rows": 3}, {"k": 3, "rows": 1, "where": "table"}],
}
GOALS = [model(**setting) for model in MODELS for setting in SETTINGS.get(model.name, [])]


def name_of(goal: PrivacyModel) -> str:
    return "-".join([goal.name, *(str(value) for value in params.to_json(goal).values() if value)])


def counted(joint: np.ndarray, extra: np.ndarray) -> tuple[ClassGroups, WholeTable]:
    """Make groups from counts[group, value of a, value of b] and people beside the rows of each group."""
    n_groups, n_a, n_b = joint.shape
    parts = {"a": np.arange(n_a * n_b) // n_b, "b": np.arange(n_a * n_b) % n_b}
    tables = {"a": joint.sum(axis=2), "b": joint.sum(axis=1), COMBINED: joint.reshape(n_groups, n_a * n_b)}
    sensitive = {
        name: SensitiveAttribute(name, tuple(map(str, range(t.shape[1]))), t.sum(axis=0), np.arange(t.shape[1]))
        for name, t in tables.items()
    }
    for name in ("a", "b"):
        leaf = np.arange(len(sensitive[name].labels))
        sensitive[name] = dataclasses.replace(sensitive[name], hierarchy=TREE, leaf=leaf)
    sensitive[COMBINED] = dataclasses.replace(sensitive[COMBINED], parts=parts)
    sizes = joint.sum(axis=(1, 2))
    people = sizes + extra
    whole = WholeTable(int(sizes.sum()), sensitive)
    return ClassGroups(sizes, {name: sparse(t) for name, t in tables.items()}, people), whole


def sparse(table: np.ndarray) -> Histogram:
    groups, values = np.nonzero(table)
    return Histogram(table.shape[0], table.shape[1], groups, values, table[groups, values])


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    n_groups = draw(st.integers(1, 5))
    cells = st.lists(st.integers(0, 3), min_size=n_groups * 8, max_size=n_groups * 8)
    joint = np.array(draw(cells)).reshape(n_groups, 4, 2)
    joint[joint.sum(axis=(1, 2)) == 0, 0, 0] = 1
    extra = np.array(draw(st.lists(st.integers(0, 6), min_size=n_groups, max_size=n_groups)))
    return joint, extra


def test_every_model_is_tried_with_settings() -> None:
    assert {model.name for model in MODELS} == set(SETTINGS)


def test_every_model_is_a_frozen_value_with_words_for_people() -> None:
    words = ("title", "summary", "stops", "leaves_open", "formula", "source")
    assert [(model.name, word) for model in MODELS for word in words if not getattr(model, word)] == []
    assert [model.name for model in MODELS if not model().sentence()] == []
    assert [model.name for model in MODELS if model() != model()] == []


def test_every_model_says_of_each_attack_whether_it_is_stopped_or_left_open() -> None:
    attacks = ("homogeneity", "background knowledge", "skewness", "similar", "probabilistic inference")
    told = {model.name: f"{model.stops} {model.leaves_open}".lower() for model in MODELS}
    assert [(name, attack) for name, text in told.items() for attack in attacks if attack not in text] == []


@pytest.mark.parametrize("goal", GOALS, ids=name_of)
def test_every_goal_survives_json(goal: PrivacyModel) -> None:
    assert params.from_json(type(goal), params.to_json(goal)) == goal


@pytest.mark.parametrize("goal", GOALS, ids=name_of)
@given(tables())
def test_two_classes_that_satisfy_still_do_when_merged(
    goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]
) -> None:
    joint, extra = table
    groups, whole = counted(joint, extra)
    fine = goal.satisfied(groups, whole)
    for one, other in itertools.combinations(np.flatnonzero(fine).tolist(), 2):
        merged, _ = counted(joint[[one]] + joint[[other]], extra[[one]] + extra[[other]])
        assert goal.satisfied(merged, whole)[0]


@pytest.mark.parametrize("goal", GOALS, ids=name_of)
@given(tables())
def test_a_goal_holds_when_every_class_satisfies_it(goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]) -> None:
    groups, whole = counted(*table)
    holds, every = goal.measure(groups, whole).holds, goal.satisfied(groups, whole).all()
    found_together = getattr(goal, "group", "") == "one"  # classes may share a reference that none is decided by
    if goal.of_table:
        assert every or not holds
    else:
        assert holds >= every if found_together else holds == every


@pytest.mark.parametrize("goal", [goal for goal in GOALS if goal.of_table], ids=name_of)
@given(tables())
def test_a_table_keeps_a_goal_about_all_classes_when_each_has_rows_enough(
    goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]
) -> None:
    joint, extra = table
    joint[:, 0, 0] += np.maximum(goal.enough_rows() - joint.sum(axis=(1, 2)), 0)
    assert goal.measure(*counted(joint, extra)).holds


@pytest.mark.parametrize("goal", [goal for goal in GOALS if goal.stays_when_merged], ids=name_of)
@given(tables())
def test_a_table_that_keeps_a_goal_does_so_when_classes_are_merged(
    goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]
) -> None:
    joint, extra = table
    merged = np.concatenate([joint[:2].sum(axis=0, keepdims=True), joint[2:]])
    people = np.concatenate([extra[:2].sum(keepdims=True), extra[2:]])
    if goal.measure(*counted(joint, extra)).holds and getattr(goal, "group", "") != "one":
        assert goal.measure(*counted(merged, people)).holds


def test_only_models_of_people_nobody_has_counted_are_estimates() -> None:
    assert {model.name for model in MODELS if model.is_estimate} == {"estimated-k-map", "population-uniqueness"}
    assert all("estimate" in model().sentence() for model in MODELS if model.is_estimate)


def test_values_that_somebody_prescribes_are_allowed_and_name_their_source() -> None:
    presets = [(model.name, p, *preset) for model in MODELS for p in params.params_of(model) for preset in p.presets]
    assert presets
    assert [(name, p.name, value) for name, p, value, _ in presets if p.kind.check(value) != value] == []
    assert [(name, p.name, value) for name, p, value, source in presets if not source] == []


@pytest.mark.parametrize("goal", [goal for goal in GOALS if not goal.of_table], ids=name_of)
@given(tables())
def test_the_worst_class_has_the_value_of_the_table(goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]) -> None:
    found = goal.measure(*counted(*table))
    assert found.per_class[found.worst[0]] == found.value


@pytest.mark.parametrize("goal", GOALS, ids=name_of)
@given(tables())
def test_a_class_is_judged_the_same_alone_and_among_others(
    goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]
) -> None:
    joint, extra = table
    groups, whole = counted(joint, extra)
    alone = [goal.satisfied(counted(joint[[g]], extra[[g]])[0], whole)[0] for g in range(len(joint))]
    assert goal.satisfied(groups, whole).tolist() == alone


@pytest.mark.parametrize("goal", GOALS, ids=name_of)
@given(tables())
def test_no_class_below_the_fewest_rows_satisfies(goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]) -> None:
    groups, whole = counted(*table)
    assert not goal.satisfied(groups, whole)[groups.sizes < goal.least_rows()].any()


@pytest.mark.parametrize("goal", [g for g in GOALS if not g.needs_population], ids=name_of)
def test_a_group_without_rows_is_never_in_the_way(goal: PrivacyModel) -> None:
    joint = np.full((2, 4, 2), 3)
    joint[1] = 0
    groups, whole = counted(joint, np.zeros(2, dtype=np.int64))
    assert GoalSet((goal,), whole).satisfied(groups)[1]


def test_people_whose_cell_holds_no_row_break_a_lower_bound_of_presence() -> None:
    goal = PRIVACY_MODELS.get("delta-presence")(delta_max=1.0, delta_min=0.1)
    joint = np.full((2, 4, 2), 3)
    joint[1] = 0
    groups, whole = counted(joint, np.array([0, 5]))
    assert GoalSet((goal,), whole).satisfied(groups).tolist() == [True, False]


@pytest.mark.parametrize("goal", GOALS, ids=name_of)
def test_every_goal_takes_a_table_without_classes(goal: PrivacyModel) -> None:
    groups, whole = counted(np.zeros((0, 4, 2), dtype=np.int64), np.zeros(0, dtype=np.int64))
    assert goal.measure(groups, whole).holds


@pytest.mark.parametrize("goal", [goal for goal in GOALS if goal.needs_sensitive], ids=name_of)
@given(tables())
def test_a_column_that_is_not_looked_at_changes_nothing(
    goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]
) -> None:
    of_a = dataclasses.replace(goal, column="a", several="each")  # type: ignore[type-var]
    assert goal.looks_at("a")
    assert goal.looks_at("b")
    assert of_a.looks_at("a")
    assert not of_a.looks_at("b")
    joint, extra = table
    without_b = joint.copy()
    without_b[:, :, 0], without_b[:, :, 1] = joint.sum(axis=2), 0
    assert of_a.satisfied(*counted(joint, extra)).tolist() == of_a.satisfied(*counted(without_b, extra)).tolist()


@pytest.mark.parametrize("goal", [goal for goal in GOALS if not goal.needs_sensitive], ids=name_of)
def test_a_goal_about_no_sensitive_column_needs_none(goal: PrivacyModel) -> None:
    groups, whole = counted(np.full((2, 4, 2), 3), np.zeros(2, dtype=np.int64))
    assert not goal.looks_at("a")
    bare = dataclasses.replace(groups, sensitive={}), dataclasses.replace(whole, sensitive={})
    assert goal.satisfied(*bare).tolist() == goal.satisfied(groups, whole).tolist()


@pytest.mark.parametrize("goal", GOALS, ids=name_of)
@given(tables())
def test_only_goals_that_say_so_need_combinations(goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]) -> None:
    groups, whole = counted(*table)
    single = dataclasses.replace(groups, sensitive={name: groups.sensitive[name] for name in ("a", "b")})
    if goal.reads_together:
        with pytest.raises(BadParameter):
            goal.satisfied(single, whole)
    else:
        assert goal.satisfied(single, whole).tolist() == goal.satisfied(groups, whole).tolist()


@pytest.mark.parametrize("goal", [goal for goal in GOALS if goal.by_size_alone], ids=name_of)
@given(tables())
def test_goals_by_size_alone_are_decided_by_the_fewest_rows(
    goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]
) -> None:
    groups, whole = counted(*table)
    assert goal.satisfied(groups, whole).tolist() == (groups.sizes >= goal.least_rows()).tolist()


@pytest.mark.parametrize("goal", [goal for goal in GOALS if goal.fails_in_parts], ids=name_of)
@given(tables())
@example((np.array([[[1, 1], [1, 1], [0, 0], [0, 0]], [[0, 0], [0, 0], [1, 0], [0, 0]]]), np.array([0, 0])))
def test_parts_of_a_class_that_fails_fail_too(goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]) -> None:
    joint, extra = table
    groups, whole = counted(joint, extra)
    merged, _ = counted(joint.sum(axis=0, keepdims=True), extra.sum(keepdims=True))
    if not goal.satisfied(merged, whole)[0]:
        assert not goal.satisfied(groups, whole).any()


@pytest.mark.parametrize("goal", GOALS, ids=name_of)
@given(tables())
def test_no_class_below_the_fewest_values_satisfies(goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]) -> None:
    groups, whole = counted(*table)
    fine = goal.satisfied(groups, whole)
    for name in ("a", "b"):
        if goal.looks_at(name):
            assert (distinct_values(groups.sensitive[name])[fine] >= goal.least_values()).all()


@pytest.mark.parametrize("goal", [goal for goal in GOALS if not goal.compares_with_whole], ids=name_of)
@given(tables())
def test_only_goals_that_say_so_compare_with_the_whole_table(
    goal: PrivacyModel, table: tuple[np.ndarray, np.ndarray]
) -> None:
    joint, extra = table
    first = counted(joint[:1], extra[:1])
    assert goal.satisfied(first[0], counted(joint, extra)[1])[0] == goal.satisfied(*first)[0]


@pytest.mark.parametrize("goal", GOALS, ids=name_of)
def test_only_goals_that_say_so_are_about_sets(goal: PrivacyModel) -> None:
    groups, whole = counted(np.full((2, 4, 2), 2), np.zeros(2, dtype=np.int64))
    held_once = ItemsetCounts(np.array([0]), np.array([0]), np.repeat([0, 1], groups.sizes), groups.sizes)
    known = dataclasses.replace(groups, sets=held_once)
    values = [goal.measure(each, whole).value for each in (groups, known)]
    assert np.array_equal(values[:1], values[1:], equal_nan=True) == (goal.about_sets() is None)


def test_each_figure_is_the_number_of_one_model() -> None:
    told = {model.figure: model.name for model in MODELS if model.is_the_figure}
    assert told == {"k": "k", "l": "l", "t": "t"}
    assert len(told) == sum(model.is_the_figure for model in MODELS)


def test_no_name_of_a_column_meets_the_name_of_all_of_them_together() -> None:
    assert str(COMBINED) != COMBINED
    assert COMBINED not in {str(COMBINED): 1}
    assert {COMBINED: 1}[COMBINED] == 1


def test_values_worth_trying_are_allowed_and_rise() -> None:
    declared = [(model.name, p) for model in MODELS for p in params.params_of(model)]
    tried = {
        (name, p.name): ([p.kind.check(value) for value in p.series], sorted(set(p.series))) for name, p in declared
    }
    assert {place: found for place, (found, rising) in tried.items() if found != rising} == {}
    assert [(n, p.name) for n, p in declared if p.among_columns != (p.name in ("column", "several"))] == []
