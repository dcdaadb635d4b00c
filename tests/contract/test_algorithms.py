"""One battery over every registered algorithm."""

from dataclasses import replace

import pytest
from hypothesis import given, reject, settings

from anonymizer_gui.engine.core.errors import Cancelled, Infeasible
from anonymizer_gui.engine.core.params import Choice, params_of
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.hierarchy.coverage import domain_of, place_cells
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.encoding import encode_table, goal_set_for
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import most_general_groups, recoding_loss
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_suppressions, suppress_groups
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.run import run as anonymize
from tests.contract.release_cases import Case, cases, cases_in_a_population
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

# Many algorithms share the examples.
few = settings(max_examples=max(settings().max_examples // 4, 1))
every_algorithm = pytest.mark.parametrize("name", ALGORITHMS.names())


def run(name: str, case: Case, population: Table | None = None) -> Release:
    """Run an algorithm with its defaults; it may give up only where the most general table fails as well."""
    try:
        return anonymize(case.table, replace(case.project, algorithm=ALGORITHMS.get(name)()), population=population)
    except Infeasible:
        assert not is_reachable(case, population), f"{name} gave up"
        reject()


def is_reachable(case: Case, population: Table | None) -> bool:
    """Tell whether the most general table keeps the goals, with as many rows suppressed as are allowed, but not all."""
    encoded = encode_table(case.table, case.project, population)
    first = most_general_groups(encoded)
    groups = encoded.groups(first, int(first.max(initial=-1)) + 1)
    goals = goal_set_for(encoded, case.project, case.table)
    settled = suppress_groups(groups, goals, allowed_suppressions(case.table.n_rows, case.project.suppression))
    return settled is not None and (settled.suppressed < case.table.n_rows or not case.table.n_rows)


def variants() -> list[object]:
    """Every algorithm with each of its options in turn."""
    return [
        declared(**{parameter.name: option})
        for declared in ALGORITHMS
        for parameter in params_of(declared)
        if isinstance(parameter.kind, Choice)
        for option in parameter.kind.options
    ]


def texts(table: Table) -> dict[str, list[str]]:
    return {column.name: column.texts().tolist() for column in table.columns}


@every_algorithm
@few
@given(case=cases())
def test_what_is_published_holds_the_promise_when_counted_by_hand(name: str, case: Case) -> None:
    release = run(name, case)
    k = max(goal.k for goal in case.project.goals if isinstance(goal, KAnonymity))
    assert all(size >= k for size in case.published_classes(release.table).values())
    assert release.measured.holds


@every_algorithm
@few
@given(case=cases())
def test_every_row_is_published_or_counted_as_suppressed_within_the_limit(name: str, case: Case) -> None:
    release = run(name, case)
    assert release.suppressed <= allowed_suppressions(case.table.n_rows, case.project.suppression)
    published_as_stars = int((release.class_of_row < 0).sum())
    assert release.table.n_rows - published_as_stars + release.suppressed == case.table.n_rows
    assert release.rows.tolist() == sorted(set(release.rows.tolist()))


@every_algorithm
@few
@given(case=cases())
def test_other_columns_are_untouched_and_identifiers_gone(name: str, case: Case) -> None:
    release = run(name, case)
    source, published = texts(case.table), texts(release.table)
    assert "name" not in published
    for column in (*case.project.schema.names(Role.SA), *case.project.schema.names(Role.OTHER)):
        assert published[column] == [source[column][row] for row in release.rows]


@every_algorithm
@few
@given(case=cases())
def test_every_published_cell_covers_the_value_behind_it_within_the_level_bounds(name: str, case: Case) -> None:
    release = run(name, case)
    encoded = encode_table(case.table, case.project)
    for j, qi in enumerate(encoded.qis):
        column, raw = release.table.column(qi.name), case.table.column(qi.name)
        domain = domain_of(column, raw, case.project.hierarchies.get(qi.name), case.project.schema.column(qi.name))
        assert domain is not None
        cells = place_cells(column, domain)
        leaf = encoded.tuples[encoded.tuple_of_row[release.rows], j]
        assert (cells.low[column.codes] <= leaf).all()
        assert (leaf <= cells.high[column.codes]).all()
        kept = release.class_of_row >= 0
        levels = qi.levels()[:, leaf[kept]]
        width = (release.recoding.high - release.recoding.low)[release.class_of_row[kept], j] + 1
        assert (qi.hierarchy.leaf_counts[levels[0]] <= width).all()
        assert (width <= qi.hierarchy.leaf_counts[levels[-1]]).all()


@every_algorithm
@few
@given(case=cases())
def test_the_loss_the_algorithm_saw_is_the_loss_measured(name: str, case: Case) -> None:
    release = run(name, case)
    encoded = encode_table(case.table, case.project)
    assert release.measured.lm == pytest.approx(recoding_loss(encoded, release.recoding), abs=1e-9)


@every_algorithm
@few
@given(case=cases())
def test_the_same_input_gives_the_same_release_and_is_left_as_it_was(name: str, case: Case) -> None:
    before = texts(case.table)
    for column in case.table.columns:
        column.codes.setflags(write=False)
    first, second = run(name, case), run(name, case)
    assert texts(case.table) == before
    assert texts(first.table) == texts(second.table)


@every_algorithm
@few
@given(case_in_population=cases_in_a_population())
def test_goals_about_a_population_hold(name: str, case_in_population: tuple[Case, Table]) -> None:
    assert run(name, *case_in_population).measured.holds


@pytest.mark.parametrize("algorithm", variants(), ids=str)
def test_every_option_of_every_algorithm_gives_a_release_that_holds(algorithm: object) -> None:
    release = anonymize(hospital_table(), hospital_project(algorithm=algorithm, suppression=0.2))
    assert release.measured.holds


def run_alone(name: str, progress: Progress) -> None:
    """Run an algorithm on the hospital with a progress of its own."""
    table, project = hospital_table(), hospital_project()
    encoded = encode_table(table, project)
    ALGORITHMS.get(name)().run(encoded, goal_set_for(encoded, project, table), SearchLimits(), progress)


@every_algorithm
def test_an_algorithm_stops_when_asked_to(name: str) -> None:
    with pytest.raises(Cancelled):
        run_alone(name, Progress(is_cancelled=lambda: True))


@every_algorithm
def test_progress_is_told_and_stays_between_nothing_and_all(name: str) -> None:
    seen: list[float] = []
    run_alone(name, Progress(report=lambda fraction, text: seen.append(fraction)))
    assert seen
    assert 0 <= min(seen) <= max(seen) <= 1


@every_algorithm
def test_an_algorithm_says_what_it_is_and_how_it_can_be_attacked(name: str) -> None:
    declared = ALGORITHMS.get(name)
    assert all(getattr(declared, text) for text in ("title", "summary", "reference", "attacks"))
    assert all(parameter.help for parameter in params_of(declared))
