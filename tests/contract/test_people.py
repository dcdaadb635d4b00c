"""People, not rows: every algorithm keeps every goal for people who have several rows."""

import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Role, Table
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import AlphaKAnonymity, KAnonymity, SubsetK
from anonymizer_gui.engine.rooms.microdata.models.km_anonymity import KKm
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import (
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveLDiversity,
)
from anonymizer_gui.engine.rooms.microdata.models.presence import DeltaPresence, EstimatedKMap
from anonymizer_gui.engine.rooms.microdata.models.risk_goals import AverageRisk, PopulationUniquenessGoal, RecordsAtRisk
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.contract.release_cases import Case, cases, cases_in_a_population
from tests.contract.test_algorithms import variants

few = settings(max_examples=max(settings().max_examples // 4, 1))
every_algorithm = pytest.mark.parametrize("name", ALGORITHMS.names())
GOALS: list[PrivacyModel] = [
    DistinctLDiversity(2),
    DistinctLDiversity(2, several="harmonised"),
    DistinctLDiversity(2, missing=True),
    EntropyLDiversity(1.5),
    RecursiveLDiversity(2, c=2.0),
    AlphaKAnonymity(alpha=0.6, k=2),
    TCloseness(0.4),
    KKm(2, rows=3),
    AverageRisk(0.5),
    RecordsAtRisk(0.5, threshold=0.4, highest=1.0),
    EstimatedKMap(3, fraction=0.5),
    PopulationUniquenessGoal(0.1, population=100, model="zayatz"),
    SubsetK(2),
]


def test_every_model_that_counts_people_is_tried() -> None:
    tried = {type(goal) for goal in GOALS} | {KAnonymity, DeltaPresence}
    assert {model for model in PRIVACY_MODELS if model.counts_people} <= tried


@st.composite
def crowds(draw: st.DrawFn) -> Case:
    """Draw a table whose people have several rows, each by chance with other values, some rows without an id."""
    case = draw(cases(max_rows=40))
    case = replace(case, project=replace(case.project, bounds={}))
    k = KAnonymity(draw(st.sampled_from([2, 2, 3, 4])))
    has_values = bool(case.project.schema.names(Role.SA))
    others = draw(st.lists(st.sampled_from(GOALS), max_size=2, unique=True)) if has_values else []
    return of_people(case, draw(ids(case.table.n_rows)), (k, *others))


@st.composite
def ids(draw: st.DrawFn, n_rows: int, *, everybody: bool = False) -> list[str]:
    known = [f"P{number}" for number in range(draw(st.integers(2, 12)))]
    some = known if everybody or draw(st.booleans()) else [*known, MISSING]
    return draw(st.lists(st.sampled_from(some), min_size=n_rows, max_size=n_rows))


def of_people(case: Case, names: list[str], goals: tuple[PrivacyModel, ...]) -> Case:
    columns = [Column.from_texts("name", names) if c.name == "name" else c for c in case.table.columns]
    return Case(Table(tuple(columns), case.table.n_rows), replace(case.project, goals=goals, person="name"))


def people_of(case: Case, release: Release) -> dict[tuple[str, ...], set[str]]:
    """Find the people of every published class by comparing texts; rows without an id add nobody to others."""
    names = case.table.column("name").texts().tolist()
    columns = [release.table.column(name).texts().tolist() for name in case.project.schema.names(Role.QI)]
    found: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for row, cells in zip(release.rows.tolist(), zip(*columns, strict=True), strict=True):
        found[cells].add(names[row])
    return {cells: people - {MISSING} or people for cells, people in found.items()}


def leaves(case: Case, release: Release, population: Table | None = None) -> None:
    """Write the release, which counts it from its bytes by other code."""
    plain = replace(case.project, acknowledged=("note",), publishing=Publishing())
    ready = prepare_candidate(
        replace(release, project=plain), case.table, Safeguards(reason="notes"), population=population
    )
    with tempfile.TemporaryDirectory() as folder:
        export(ready, Path(folder) / "out.csv")


@every_algorithm
@few
@given(case=crowds())
def test_goals_hold_for_people(name: str, case: Case) -> None:
    try:
        release = run(case.table, replace(case.project, algorithm=ALGORITHMS.get(name)()))
    except Infeasible:
        reject()
    assert release.measured.holds
    k = case.project.goals[0].k  # type: ignore[attr-defined]
    assert all(len(people) >= k for people in people_of(case, release).values())
    leaves(case, release)


@pytest.mark.parametrize("algorithm", variants(), ids=repr)
@settings(max_examples=max(settings().max_examples // 8, 1))
@given(case=crowds())
def test_goals_hold_for_people_with_every_option(algorithm: Algorithm, case: Case) -> None:
    if algorithm.target_columns() and not case.project.schema.names(Role.SA):
        reject()  # there is nothing to predict
    try:
        release = run(case.table, replace(case.project, algorithm=algorithm))
    except Infeasible:
        reject()
    leaves(case, release)


@every_algorithm
@settings(max_examples=max(settings().max_examples // 4, 1))
@given(st.data())
def test_goals_about_a_population_hold_for_people(name: str, data: st.DataObject) -> None:
    case, town = data.draw(cases_in_a_population())
    goals = (*case.project.goals[:1], KAnonymity(2))
    case = of_people(case, data.draw(ids(case.table.n_rows, everybody=True)), goals)
    try:
        release = run(case.table, replace(case.project, algorithm=ALGORITHMS.get(name)()), population=town)
    except Infeasible:
        reject()
    leaves(case, release, town)


@every_algorithm
@few
@given(case=crowds())
def test_k_for_people_is_reached_whenever_the_whole_table_has_so_many(name: str, case: Case) -> None:
    names = set(case.table.column("name").texts().tolist()) - {MISSING}
    project = replace(case.project, goals=(KAnonymity(2),), suppression=0.0, algorithm=ALGORITHMS.get(name)())
    if not case.table.n_rows or len(names) < 2:
        reject()
    assert run(case.table, project).measured.k >= 2


@few
@given(case=crowds())
def test_people_with_one_row_each_are_rows(case: Case) -> None:
    """Naming a person column that never repeats changes nothing, in no algorithm."""
    alone = of_people(case, [f"P{number}" for number in range(case.table.n_rows)], case.project.goals)
    project = replace(alone.project, algorithm=ALGORITHMS.get("mondrian")())
    try:
        named = run(alone.table, project)
    except Infeasible:
        reject()
    rows = run(alone.table, replace(project, person=""))
    assert named.measured.people is None
    assert named.class_of_row.tolist() == rows.class_of_row.tolist()
