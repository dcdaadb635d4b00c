"""Several runs of one project: algorithms, values, alternatives for sets, a glance."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import replace_params
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.room import Attempt
from anonymizer_gui.engine.rooms.microdata.algorithms.auto import suitable_algorithms
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.algorithms.objectives import CLASSIFICATION
from anonymizer_gui.engine.rooms.microdata.models.km_anonymity import APART, CLASSES, TABLE, KKm
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recoding import LEAST_LOSS
from anonymizer_gui.engine.rooms.microdata.release.release import Release, compare_release
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.engine.rooms.microdata.set_valued_attributes import ExposedRows
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS
from anonymizer_gui.engine.rooms.microdata.utility.information_loss import scaled_weights

SAMPLE_ROWS = 10_000

AT_A_GLANCE = 50_000
"""Up to so many rows the quickest algorithm answers while one waits; of larger tables a sample is looked at."""

MOST_COLUMNS_AT_A_GLANCE = 50

_DIGITS = 9  # rounding alone must not choose a release


@dataclass(frozen=True, slots=True)
class Glance:
    """What the quickest algorithm makes of the settings: the loss, its classes, the rows it looked at, its title."""

    lm: float | None
    classes: int
    rows: int
    method: str


def sweep_algorithms(project: Project) -> list[Attempt]:
    """Try every algorithm with its usual settings and the objective that is asked for; the chosen one keeps its own."""
    attempts = []
    for declared in ALGORITHMS:
        if declared.reach is None:
            continue
        algorithm = declared().following(*ranking_objective(project))
        if isinstance(project.algorithm, declared):
            algorithm = project.algorithm
        attempts.append(Attempt(message(algorithm.title), replace(project, algorithm=algorithm)))
    return attempts


def ranking_objective(project: Project) -> tuple[str, str]:
    """Tell by what results are ranked, and the column that is to stay predictable by it."""
    return (LEAST_LOSS, "") if project.algorithm is None else project.algorithm.objective_asked()


def sweep_parameter(project: Project, goal: int, parameter: str, values: Sequence[Any]) -> list[Attempt]:
    """Run the project with other values of one parameter of one goal."""
    attempts = []
    for value in values:
        model = replace_params(project.goals[goal], **{parameter: value})
        goals = (*project.goals[:goal], model, *project.goals[goal + 1 :])
        title = message(project.algorithm.title if project.algorithm else "")
        name = message("{title}, {parameter} = {value}", title=title, parameter=parameter, value=value)
        attempts.append(Attempt(name, replace(project, goals=goals)))
    return attempts


def least_loss_release(releases: Sequence[Release]) -> Release | None:
    """Give the release that keeps its goals and loses least; of equals the one of least MD, then of fewest rows."""
    candidates = [release for release in releases if release.measured.holds and release.measured.lm is not None]
    return min(candidates, key=_by_loss, default=None)


def best_release(
    objective: str, target: str, releases: Sequence[Release], table: Table, progress: Progress
) -> Release | None:
    """Give the release that keeps its goals and is best by an objective, measured from what is published."""
    candidates = [release for release in releases if release.measured.holds]
    costs: dict[str, float] = {}
    for done, release in enumerate(candidates):
        part = progress.sub(done / len(candidates), (done + 1) / len(candidates))
        costs[release.id] = _cost(objective, target, release, table, part)
    return min(candidates, key=lambda release: (round(costs[release.id], _DIGITS), *_by_loss(release)), default=None)


def _by_loss(release: Release) -> tuple[float, float, int]:
    lm, md = release.measured.lm, release.measured.md
    return math.inf if lm is None else round(lm, _DIGITS), math.inf if md is None else md, release.suppressed


def _cost(objective: str, target: str, release: Release, table: Table, progress: Progress) -> float:
    """Measure a release by an objective, columns by their weights; less is better."""
    metric = METRICS.get(objective)()
    asked = replace_params(metric, target=target) if objective == CLASSIFICATION else metric
    found = asked.measure(compare_release(release, table), progress)
    columns, value = found.details.get("columns"), found.value
    if columns:
        weights = scaled_weights(tuple(columns), release.project.weights)
        value = sum(weights[name] * columns[name] for name in columns)
    return -value if metric.direction == "higher" else value


def preview(table: Table, project: Project, population: Table | None, progress: Progress) -> Release:
    """Run the project on a sample of the rows, drawn by its seed: a glance, never a release."""
    rows = np.random.default_rng(project.seed).choice(table.n_rows, min(SAMPLE_ROWS, table.n_rows), replace=False)
    return run(table.take(np.sort(rows)), project, progress, population)


def is_glance_quick(project: Project) -> bool:
    """Tell whether a glance is quick: with hundreds of quasi-identifiers even the quickest algorithm is not."""
    return len(project.schema.names(Role.QI)) <= MOST_COLUMNS_AT_A_GLANCE


def glance(table: Table, project: Project, population: Table | None, progress: Progress) -> Glance:
    """Tell what to expect of the settings, by the quickest algorithm; raises Infeasible when they cannot be met."""
    quickest = suitable_algorithms(table.n_rows, project.goals)[0]
    asked = replace(project, algorithm=quickest)
    look = preview if table.n_rows > AT_A_GLANCE else _on_all_rows
    measured = look(table, asked, population, progress).measured
    rows = min(SAMPLE_ROWS, table.n_rows) if look is preview else table.n_rows
    return Glance(measured.lm, measured.classes, rows, quickest.title)


def _on_all_rows(table: Table, project: Project, population: Table | None, progress: Progress) -> Release:
    return run(table, project, progress, population)


_LARGER = (2, 4)


@dataclass(frozen=True, slots=True, eq=False)
class SetAlternative:
    """One way, and what a run with it gives: exposed rows, the loss of the classes and that of the sets."""

    title: str
    project: Project
    exposed: ExposedRows | None = None
    of_classes: float | None = None
    of_sets: float | None = None
    problem: AnonymizerError | None = None


def set_alternatives(project: Project) -> list[Attempt]:
    """List what may be tried for the sets of a project: as it is, then the ways out, then each part alone."""
    goal = next((goal for goal in project.goals if isinstance(goal, KKm)), None) or KKm()
    return [Attempt(title, with_set_goal(project, other)) for title, other in _ways(goal)]


def with_set_goal(project: Project, goal: KKm) -> Project:
    """Give the project with this goal about sets, in the place of the one it has."""
    others = [each for each in project.goals if each.about_sets() is None]
    return replace(project, goals=(*others, goal))


def _ways(goal: KKm) -> Iterator[tuple[str, KKm]]:
    inside = replace(goal, where=CLASSES)
    yield message("Inside classes of {rows:row|rows}", rows=inside.least_rows()), inside
    for times in _LARGER:
        larger = replace(inside, rows=times * inside.least_rows())
        yield message("Larger classes: {rows:row|rows}", rows=larger.rows), larger
    if goal.m > 1:
        yield message("Only one item known (m = 1)"), replace(inside, m=1)
    yield message("Two unlinked files"), replace(goal, where=APART)
    yield message("Each part alone: items in the whole table"), replace(goal, where=TABLE)


def run_set_alternatives(
    table: Table, project: Project, population: Table | None, progress: Progress
) -> tuple[SetAlternative, ...]:
    """Run every way; one that cannot be gone says why."""
    attempts = set_alternatives(project)
    found = []
    for at, attempt in enumerate(attempts):
        part = progress.sub(at / len(attempts), (at + 1) / len(attempts))
        found.append(_tried(SetAlternative(attempt.name, attempt.project), table, population, part))
    return tuple(found)


def _tried(way: SetAlternative, table: Table, population: Table | None, progress: Progress) -> SetAlternative:
    try:
        measured = run(table, way.project, progress, population).measured
    except AnonymizerError as error:
        progress.check()
        return replace(way, problem=error)
    sets, losses = way.project.schema.sets, measured.loss.lm_columns
    return replace(
        way,
        exposed=measured.exposed,
        of_classes=_mean([loss for name, loss in losses.items() if name not in sets]),
        of_sets=_mean([losses[name] for name in sets if name in losses]),
    )


def _mean(losses: list[float | None]) -> float | None:
    known = [loss for loss in losses if loss is not None]
    return sum(known) / len(known) if known else None
