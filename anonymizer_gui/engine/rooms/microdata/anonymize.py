"""The walk from a table and a project to a release that was measured to hold what it promises."""

import time
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

import anonymizer_gui
from anonymizer_gui.engine.core.errors import BadParameter, Infeasible, PromiseBroken
from anonymizer_gui.engine.core.messages import message, quote
from anonymizer_gui.engine.core.params import check_params
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.normalisation import merge_homographs_in
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.of_table import run_keeping
from anonymizer_gui.engine.rooms.microdata.algorithms.people_repair import about_people
from anonymizer_gui.engine.rooms.microdata.algorithms.sets_in_classes import (
    refuse_bare_sets,
    refuse_several_rows,
    with_protected_sets,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.united import united
from anonymizer_gui.engine.rooms.microdata.background import Background
from anonymizer_gui.engine.rooms.microdata.encoding import (
    ORDERED_TYPES,
    as_they_came,
    encode_table,
    goals_for,
    own_order,
)
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.measures import Measured, measure_table
from anonymizer_gui.engine.rooms.microdata.needs import check_duration, check_memory
from anonymizer_gui.engine.rooms.microdata.person_column import person_of
from anonymizer_gui.engine.rooms.microdata.preparing.steps import cells_sentence, decimal_of, steps_of
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.published import Published, publish
from anonymizer_gui.engine.rooms.microdata.recoding import RANGE
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.risk.survey import refuse_no_weights
from anonymizer_gui.engine.rooms.microdata.sensitive_values import refuse_unordered
from anonymizer_gui.engine.rooms.microdata.utility.loss import refuse_too_many

STARS_LEFT_OUT = "The suppressed rows are left out: published as * they would not satisfy the goals."


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """What one run is about."""

    table: Table
    project: Project
    population: Table | None
    encoded: Encoded
    goals: Goals
    limits: Limits
    order: npt.NDArray[np.int64]
    """The row of the table that each row of the encoded table is."""


def anonymize(
    table: Table,
    project: Project,
    progress: Progress = SILENT,
    population: Table | None = None,
    *,
    try_anyway: bool = False,
) -> Release:
    """Run the project's algorithm on a table and measure what came out.

    Raises Infeasible when the goals cannot be reached, BadParameter and BadHierarchy when project and table do not
    fit together, PromiseBroken when the published table does not hold the goals, and before anything is searched
    NotEnoughMemory or TakesTooLong, unless it is to be tried anyway.
    """
    algorithm = _algorithm_of(project)
    refuse_bare_sets(project)
    if project.sampling_weight in table.names:
        refuse_no_weights(table.column(project.sampling_weight))
    if not try_anyway:
        check_memory(table, project, population)
    limits = Limits(project.suppression, project.seed)
    started = time.perf_counter()
    merged = merge_homographs_in(table, project.schema.names(Role.SA))
    order = own_order(merged, project) if algorithm.takes_rows_in_turn else np.arange(table.n_told)
    merged = merged.take(order) if algorithm.takes_rows_in_turn else merged
    encoded = encode_table(merged, project, population, progress.sub(0.0, 0.1))
    refuse_several_rows(project, is_about_people=encoded.persons is not None)
    for goal in project.goals:
        goal.refuse_people(table.n_rows if encoded.persons is None else encoded.persons.n_people)
    if not try_anyway:
        check_duration(merged, project, len(encoded.tuples))
    goals = goals_for(encoded, project, merged)
    recoding = as_they_came(run_keeping(algorithm, encoded, goals, limits, progress.sub(0.1, 0.85)), order)
    made = time.perf_counter()
    recoding = told_of_ranges(project, encoded, recoding)
    run = _Run(table, project, population, encoded, goals, limits, order)
    recoding, published, measured = _masked(run, *_published(run, recoding, progress.sub(0.85, 1.0)))
    _refuse_broken_promise(measured, table, published)
    _refuse_nothing_left(measured, table, project)
    seconds = {"anonymize": made - started, "verify": time.perf_counter() - made}
    rows = published.rows
    return Release(
        id=uuid.uuid4().hex,
        name=algorithm.title,
        project=project if recoding.method is None else replace(project, algorithm=recoding.method),
        table=published.table,
        rows=rows,
        class_of_row=recoding.class_of_row[rows],
        recoding=recoding,
        measured=measured,
        suppressed=_rows_of(table, recoding.class_of_row < 0),
        seconds=seconds,
        seed=project.seed,
        version=anonymizer_gui.__version__,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _rows_of(table: Table, told: npt.NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(told) if table.times is None else table.times[told].sum())


def told_of_ranges(project: Project, encoded: Encoded, recoding: Recoding) -> Recoding:
    """Tell of ranges without a hierarchy: nothing but values of the table can stand at their ends."""
    bare = [
        qi.name
        for j, qi in enumerate(encoded.qis)
        if qi.name not in project.hierarchies and (recoding.node[:, j] == RANGE).any()
    ]
    if not bare:
        return recoding
    note = message(
        "The ranges of {columns} end at values that somebody in the table has: "
        "a hierarchy with round bounds avoids it.",
        columns=quote(bare),
    )
    return replace(recoding, notes=(*recoding.notes, note))


def _algorithm_of(project: Project) -> Algorithm:
    method = project.algorithm
    kind = next((each for each in ALGORITHMS if isinstance(method, each)), None)
    if kind is None or not isinstance(method, kind):
        raise BadParameter("No algorithm is chosen.", "Choose one, such as bottom-up.")
    models = tuple(PRIVACY_MODELS)
    if not isinstance(project.goals, tuple | list) or not all(isinstance(goal, models) for goal in project.goals):
        raise BadParameter(
            "The goals are no list of goals.", "Give goals such as (KAnonymity(5), DistinctLDiversity(2))."
        )
    if not 0 <= project.suppression <= 1:
        raise BadParameter("The suppression limit must be between 0 and 1.", "5 % is written 0.05.")
    if project.seed < 0:
        raise BadParameter("The seed must not be negative.", "Any whole number from 0 on will do.")
    for model in project.goals:
        check_params(model)
    names = [name for name in project.schema.names(Role.SA) if name not in project.hierarchies]
    refuse_unordered(project.goals, [n for n in names if project.schema.column(n).type not in ORDERED_TYPES])
    return check_params(method)


def _published(run: _Run, recoding: Recoding, progress: Progress) -> tuple[Recoding, Published, Measured]:
    """Publish and measure; rows as `*` only if they satisfy the goals, for they are a class like any other."""
    if run.project.publishing.suppressed_as_stars and (recoding.class_of_row < 0).any():
        starred, published = _with_sets(run, recoding, progress, stars=True)
        measured = _measure(run, published, progress)
        if measured.holds:
            return starred, published, measured
        recoding = replace(recoding, notes=(*recoding.notes, STARS_LEFT_OUT))
    told, published = _with_sets(run, recoding, progress)
    measured = _measure(run, published, progress)
    if measured.holds or run.goals.hold_in_union or about_people(run.goals):
        return told, published, measured
    recoding, published = _with_sets(run, _together(run, recoding, published, progress), progress)
    return recoding, published, _measure(run, published, progress)


def _with_sets(run: _Run, recoding: Recoding, progress: Progress, *, stars: bool = False) -> tuple[Recoding, Published]:
    """Publish what was found, with the sets protected in the classes that the published table has."""
    made = publish(run.table, run.project, run.encoded, recoding, stars=stars)
    table, notes = with_protected_sets(made.table, run.project, progress.sub(0.0, 0.7))
    return (
        (replace(recoding, notes=(*recoding.notes, *notes)), replace(made, table=table)) if notes else (recoding, made)
    )


def _masked(
    run: _Run, recoding: Recoding, published: Published, measured: Measured
) -> tuple[Recoding, Published, Measured]:
    """Do the steps that wait for classes, and measure again: goals must hold for what leaves."""
    steps = [step for step in steps_of(run.project.source) if step.waits()]
    if not steps:
        return recoding, published, measured
    table, notes = published.table, list(recoding.notes)
    qis = run.project.schema.names(Role.QI)
    for step in steps:
        others = [name for name in step.touched() or () if name not in table.names or name in qis]
        if others:
            raise BadParameter(
                message("“{name}” cannot be changed within the classes.", name=others[0]),
                "Only sensitive columns and columns of no role can.",
            )
        done = step.apply_within(table, decimal_of(run.project.source), classes_of(table, qis).ids.astype(np.int64))
        table = done.table
        changed = cells_sentence(done.cells, done.kept)
        notes.append(message("{step}: {changed}.", step=step.without_values(), changed=changed))
    published = replace(published, table=table)
    measured = _measure(run, published, SILENT)
    failed = [message(model.title) for model, found in measured.goals if not found.holds]
    if failed:
        raise Infeasible(
            message("Values made alike within the classes break the goals: {goals}.", goals=failed),
            "Take the step out of the preparation, or ask for less.",
        )
    return replace(recoding, notes=tuple(notes)), published, measured


def _together(run: _Run, recoding: Recoding, published: Published, progress: Progress) -> Recoding:
    """Merge classes further that the algorithm kept apart and that are published as one."""
    group = np.full(run.table.n_told, -1, dtype=np.int64)
    group[published.rows] = classes_of(published.table, run.project.schema.names(Role.QI)).ids
    found = as_they_came(united(run.encoded, run.goals, run.limits, group[run.order], progress), run.order)
    told = message(
        "Classes that would have been published alike were merged, for people with several values count once."
    )
    known = {name: getattr(recoding, name) for name in ("tried", "made_by", "attacks", "told_tried", "method")}
    return replace(found, notes=(*recoding.notes, told), **known)


def _measure(run: _Run, published: Published, progress: Progress) -> Measured:
    table, project = run.table, run.project
    person = person_of(table, project)
    return measure_table(
        published.table,
        project.schema.names(Role.QI),
        project.schema.names(Role.SA),
        goals=project.goals,
        background=Background(
            hierarchies=project.hierarchies,
            schema=project.schema,
            original=table,
            rows=published.rows,
            population=run.population,
            weights=project.weights,
            suppressed=table.n_rows - published.table.n_rows,
            person=None if person is None else person.take(published.rows),
        ),
        progress=progress,
    )


def _refuse_nothing_left(measured: Measured, table: Table, project: Project) -> None:
    """Refuse a release without rows, for which every goal would hold, and one that tells nothing of too many."""
    if table.n_rows and not measured.rows:
        raise Infeasible(
            "Every row would have to be left out.",
            "Ask for less, choose another algorithm, or use fewer quasi-identifiers.",
        )
    if project.limit_covers_emptied:
        refuse_too_many(measured.emptied, measured.suppressed, table.n_rows, project.suppression)


def _refuse_broken_promise(measured: Measured, table: Table, published: Published) -> None:
    broken = [message(model.title) for model, found in measured.goals if not found.holds]
    if published.table.n_rows + measured.suppressed != table.n_rows:
        broken.append(message("the number of rows"))
    if broken:
        raise PromiseBroken(
            message("The result does not hold what it promised: {broken}.", broken=broken),
            "Nothing was released. Please report this with the project file.",
        )
