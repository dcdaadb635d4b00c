"""Two implementations that share nothing give the same values and verdicts, on tables that hypothesis makes up.

A formula that is broken on either side is found here, whichever side it is.
"""

import dataclasses
import math
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.io.read_write import write_table
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.independent import (
    ColumnRoles,
    FileFormat,
    KnownFacts,
    Population,
    RecountResult,
    Tree,
    recount,
)
from anonymizer_gui.engine.rooms.microdata.measurement import MeasurementContext, measure_table, published_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.distances import DISTANCES
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import NTCloseness, nearest_reference_group
from anonymizer_gui.engine.rooms.microdata.release.independent_inputs import plain_goal
from tests.engine.rooms.microdata.independent.counted_files import told

Row = tuple[str, str, str, str]
COLUMNS = ("q1", "q2", "a", "b")
TREE = Hierarchy.from_nested({"*": {"few": ["1", "2"], "many": {"more": ["10"], "most": ["30"]}}})
LETTERS = Hierarchy.from_nested({"*": {"x": [], "yz": {"y": ["u"], "z": ["v", "w"]}}})
PLACES = Hierarchy.from_nested({"*": {"north": ["x", "y"], "south": ["z"]}})
SETTINGS: dict[str, list[dict[str, object]]] = {
    "k": [{"k": 2}],
    "l": [{"l": 2}, {"l": 2, "column": "b"}, {"l": 2, "missing": True}],
    "entropy-l": [{"l": 1.8}, {"l": 1.8, "missing": True}],
    "recursive-l": [{"l": 2, "c": 2.0}, {"l": 2, "c": 2.0, "missing": True}, {"l": 3, "c": 1.1}, {"l": 1, "c": 0.7}],
    "t": [{"t": t, "distance": name} for t, name in zip((0.3, 0.2, 0.3, 0.4, 0.5, 0.3, 0.2), DISTANCES, strict=True)],
    "n-t": [{"t": 0.3, "n": 4, "distance": name} for name in DISTANCES] + [{"t": 0.2, "n": 4, "group": "each"}],
    "alpha-k": [{"alpha": 0.5, "k": 2}],
    "beta": [{"beta": 0.8}],
    "enhanced-beta": [{"beta": 1.5}],
    "delta-disclosure": [{"delta": 1.2}],
    "delta-presence": [{"delta_max": 0.6}, {"delta_max": 0.9, "delta_min": 0.2}],
    "k-map": [{"k": 3}],
    "k-km": [{"k": 2, "rows": 2}],
    "average-risk": [{"risk": 0.3}],
    "records-at-risk": [{"share": 0.3, "threshold": 0.4, "highest": 0.6}],
    "estimated-k-map": [{"k": 4, "fraction": 0.4}],
    "population-uniqueness": [{"share": 0.1, "population": 100}],
    "subset-k": [{"k": 2, "m": 1}],
}
GOALS = [model(**setting) for model in PRIVACY_MODELS for setting in SETTINGS[model.name]]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["x", "y", "north", "*", MISSING]),
        st.sampled_from(["1", "2"]),
        st.sampled_from(["1", "2", "10", "30", MISSING]),
        st.sampled_from(["u", "v", "w", MISSING]),
    ),
    max_size=14,  # so few that all groups of (n,t)-closeness are tried where none is shown
)
PEOPLE = st.lists(
    st.tuples(st.sampled_from(["x", "y", "z", MISSING]), st.sampled_from(["1", "2", "3"])), min_size=1, max_size=20
)


def name_of(goal: PrivacyModel) -> str:
    return "-".join([goal.name, *(str(value) for value in dataclasses.astuple(goal) if value)])  # type: ignore[call-overload]


def plain(tree: Hierarchy) -> Tree:
    return Tree(tree.labels, tuple(tree.parents.tolist()))


def group_shown(goal: PrivacyModel, table: Table, trees: dict[str, Hierarchy]) -> dict[str, dict[str, int]]:
    """Give the group of (n,t)-closeness that the engine finds, in the texts of the file."""
    _, groups, whole = published_groups(table, COLUMNS[:2], COLUMNS[2:], trees)
    if not isinstance(goal, NTCloseness) or goal.n > table.n_rows or goal.several == "harmonised":
        return {}
    found = {}
    for name in COLUMNS[2:]:
        sensitive = whole.sensitive[name]
        group = nearest_reference_group(goal.distance, groups.sensitive[name], sensitive, goal.n).tolist()
        texts = ["" if label == MISSING else label for label in sensitive.labels]
        found[name] = dict(zip(texts, group, strict=True))
    return found


def both(
    rows: Sequence[Row], goals: Sequence[PrivacyModel], people: Sequence[tuple[str, str]] | None = None
) -> tuple[RecountResult, dict[str, object]]:
    """Count a written table, and measure it."""
    table = Table.from_rows(COLUMNS, rows)
    population = None if people is None else Table.from_rows(COLUMNS[:2], people)
    trees = {"q1": PLACES, "a": TREE, "b": LETTERS}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "release.csv"
        write_table(table, path)
        crowd = None
        if population is not None:
            write_table(population, Path(folder) / "people.csv")
            crowd = Population(Path(folder) / "people.csv")
        shown = {place: group_shown(goal, table, trees) for place, goal in enumerate(goals)}
        known = KnownFacts(trees={name: plain(tree) for name, tree in trees.items()}, groups=shown)
        found = recount(
            path,
            FileFormat(),
            ColumnRoles(COLUMNS[:2], COLUMNS[2:]),
            [told(goal) for goal in goals],
            known,
            population=crowd,
        )
    measured = measure_table(
        table,
        COLUMNS[:2],
        COLUMNS[2:],
        goals=goals,
        background=MeasurementContext(hierarchies=trees, population=population),
    ).to_json()
    return found, measured


def same(a: float | None, b: object) -> bool:
    if a is None or b is None:
        return a is b or (a is not None and math.isinf(a))
    assert isinstance(b, int | float)
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def test_every_registered_model_is_tried() -> None:
    assert {model.name for model in PRIVACY_MODELS} == set(SETTINGS)


@pytest.mark.parametrize("several", ["each", "harmonised"])
@pytest.mark.parametrize("goal", [goal for goal in GOALS if not goal.needs_population], ids=name_of)
@settings(max_examples=25)
@given(rows=ROWS)
def test_value_and_verdict_of_a_goal_agree(goal: PrivacyModel, several: str, rows: list[Row]) -> None:
    if goal.needs_sensitive:
        goal = dataclasses.replace(goal, several=several)  # type: ignore[type-var]
    found, measured = both(rows, [goal])
    (verdict,), (expected,) = found.verdicts, measured["goals"]  # type: ignore[misc]
    assert same(verdict.value, expected["value"])
    assert verdict.holds == expected["holds"]


@pytest.mark.parametrize("goal", [goal for goal in GOALS if goal.needs_population], ids=name_of)
@settings(max_examples=50)
@given(rows=ROWS, people=PEOPLE)
def test_goals_about_a_population_agree(goal: PrivacyModel, rows: list[Row], people: list[tuple[str, str]]) -> None:
    found, measured = both(rows, [goal], people)
    (verdict,), (expected,) = found.verdicts, measured["goals"]  # type: ignore[misc]
    assert same(verdict.value, expected["value"])
    assert verdict.holds == expected["holds"]


def spelled(goal: PrivacyModel) -> dict[str, object]:
    return plain_goal(goal.name, params.to_json(goal), WriteOptions())


OWN = (("1", 5.0), ("2", 0.5), ("30", 0.0), ("10", 2.0), (MISSING, 1.0))
COMPARING = [
    *({"model": "t", "t": 0.3, "distance": name} for name in DISTANCES),
    {"model": "beta", "beta": 0.8},
    {"model": "enhanced-beta", "beta": 1.5},
    {"model": "delta-disclosure", "delta": 1.2},
]


@pytest.mark.parametrize("several", ["each", "harmonised"])
@pytest.mark.parametrize("reference", ["input", "own"])
@pytest.mark.parametrize("setting", COMPARING, ids=lambda setting: "-".join(map(str, setting.values())))
@settings(max_examples=20)
@given(rows=ROWS, more=ROWS)
def test_goals_that_compare_with_something_else_agree(
    setting: dict[str, object], reference: str, several: str, rows: list[Row], more: list[Row]
) -> None:
    model = PRIVACY_MODELS.get(str(setting["model"]))
    shares = OWN if reference == "own" else ()
    parameters = {name: value for name, value in setting.items() if name != "model"}
    goal = model(**parameters, column="a", several=several, reference=reference, distribution=shares)
    table, original = Table.from_rows(COLUMNS, rows), Table.from_rows(COLUMNS, [*rows, *more])
    trees = {"a": TREE, "b": LETTERS}
    before = Counter("" if row[2] == MISSING else row[2] for row in [*rows, *more])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "release.csv"
        write_table(table, path)
        known = KnownFacts(
            trees={name: plain(tree) for name, tree in trees.items()}, references={"input": {"a": before}}
        )
        found = recount(path, FileFormat(), ColumnRoles(COLUMNS[:2], COLUMNS[2:]), [spelled(goal)], known)
    measured = measure_table(
        table,
        COLUMNS[:2],
        COLUMNS[2:],
        goals=[goal],
        background=MeasurementContext(hierarchies=trees, original=original),
    )
    (verdict,), (expected,) = found.verdicts, measured.to_json()["goals"]
    assert same(verdict.value, expected["value"])
    assert verdict.holds == expected["holds"]


@settings(max_examples=60)
@given(ROWS)
def test_the_numbers_that_are_always_told_agree(rows: list[Row]) -> None:
    found, measured = both(rows, [])
    assert [found.rows, found.classes, found.k] == [measured[name] for name in ("rows", "classes", "k")]
    for name in COLUMNS[2:]:
        of_column = measured["per_sensitive"][name]  # type: ignore[index]
        assert all(same(value, of_column["l"][kind]) for kind, value in found.l[name].items())
        assert all(same(value, of_column["t"][kind.replace("-", "_")]) for kind, value in found.t[name].items())
        assert len(found.t[name]) == len(of_column["t"])
    assert all(same(value, measured["risk"][name]) for name, value in found.risk().items())  # type: ignore[index]
