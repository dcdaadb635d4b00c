"""Table and project to a measured release; rows recoded per group for other rooms."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

import anonymizer_gui
from anonymizer_gui.engine.core.errors import BadParameter, Infeasible, PromiseBroken
from anonymizer_gui.engine.core.messages import message, quote
from anonymizer_gui.engine.core.params import check_params
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, classes_of
from anonymizer_gui.engine.data.tables.normalisation import merge_homographs_in
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.recode_for_other_rooms import RecodingRequest, RecodingResult
from anonymizer_gui.engine.rooms.microdata.algorithms.class_merging import is_about_population, merge_equal_classes
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.encoding import (
    ORDERED_TYPES,
    canonical_order,
    encode_table,
    goal_set_for,
    in_original_order,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.feasibility import run_with_table_goals
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import (
    RANGE_NODE,
    PublishedTable,
    publish_table,
    recoding_of_groups,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.set_valued_recoding import (
    protect_sets,
    refuse_repeated_persons,
    refuse_unprotected_sets,
)
from anonymizer_gui.engine.rooms.microdata.masking.steps import cell_count_text, decimal_of, steps_of
from anonymizer_gui.engine.rooms.microdata.measurement import MeasurementContext, TableMeasurement, measure_table
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS, GoalSet, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.reference_distribution import refuse_unordered_distance
from anonymizer_gui.engine.rooms.microdata.new_project import DEFAULT_ALGORITHM
from anonymizer_gui.engine.rooms.microdata.people import person_column
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.resource_estimate import check_duration, check_memory
from anonymizer_gui.engine.rooms.microdata.risk.survey_risk import refuse_no_weights
from anonymizer_gui.engine.rooms.microdata.utility.information_loss import refuse_too_many_emptied

STARS_LEFT_OUT = "The suppressed rows are left out: published as * they would not satisfy the goals."


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """What one run is about."""

    table: Table
    project: Project
    population: Table | None
    encoded: EncodedTable
    goals: GoalSet
    limits: SearchLimits
    order: npt.NDArray[np.int64]
    """The row of the table that each row of the encoded table is."""


def run(
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
    refuse_unprotected_sets(project)
    if project.sampling_weight in table.names:
        refuse_no_weights(table.column(project.sampling_weight))
    if not try_anyway:
        check_memory(table, project, population)
    limits = SearchLimits(project.suppression, project.seed)
    started = time.perf_counter()
    merged = merge_homographs_in(table, project.schema.names(Role.SA))
    order = canonical_order(merged, project) if algorithm.takes_rows_in_turn else np.arange(table.n_told)
    merged = merged.take(order) if algorithm.takes_rows_in_turn else merged
    encoded = encode_table(merged, project, population, progress.sub(0.0, 0.1))
    refuse_repeated_persons(project, is_about_people=encoded.persons is not None)
    for goal in project.goals:
        goal.refuse_people(table.n_rows if encoded.persons is None else encoded.persons.n_people)
    if not try_anyway:
        check_duration(merged, project, len(encoded.tuples))
    goals = goal_set_for(encoded, project, merged)
    recoding = in_original_order(
        run_with_table_goals(algorithm, encoded, goals, limits, progress.sub(0.1, 0.85)), order
    )
    made = time.perf_counter()
    recoding = with_range_note(project, encoded, recoding)
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


def with_range_note(project: Project, encoded: EncodedTable, recoding: Recoding) -> Recoding:
    """Tell of ranges without a hierarchy: nothing but values of the table can stand at their ends."""
    bare = [
        qi.name
        for j, qi in enumerate(encoded.qis)
        if qi.name not in project.hierarchies and (recoding.node[:, j] == RANGE_NODE).any()
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
    refuse_unordered_distance(project.goals, [n for n in names if project.schema.column(n).type not in ORDERED_TYPES])
    return check_params(method)


def _published(run: _Run, recoding: Recoding, progress: Progress) -> tuple[Recoding, PublishedTable, TableMeasurement]:
    """Publish and measure; rows as `*` only if they satisfy the goals, for they are a class like any other."""
    if run.project.publishing.suppressed_as_stars and (recoding.class_of_row < 0).any():
        starred, published = _with_sets(run, recoding, progress, stars=True)
        measured = _measure(run, published, progress)
        if measured.holds:
            return starred, published, measured
        recoding = replace(recoding, notes=(*recoding.notes, STARS_LEFT_OUT))
    told, published = _with_sets(run, recoding, progress)
    measured = _measure(run, published, progress)
    if measured.holds or run.goals.hold_in_union or is_about_population(run.goals):
        return told, published, measured
    recoding, published = _with_sets(run, _together(run, recoding, published, progress), progress)
    return recoding, published, _measure(run, published, progress)


def _with_sets(
    run: _Run, recoding: Recoding, progress: Progress, *, stars: bool = False
) -> tuple[Recoding, PublishedTable]:
    """Publish what was found, with the sets protected in the classes that the published table has."""
    made = publish_table(run.table, run.project, run.encoded, recoding, stars=stars)
    table, notes = protect_sets(made.table, run.project, progress.sub(0.0, 0.7))
    return (
        (replace(recoding, notes=(*recoding.notes, *notes)), replace(made, table=table)) if notes else (recoding, made)
    )


def _masked(
    run: _Run, recoding: Recoding, published: PublishedTable, measured: TableMeasurement
) -> tuple[Recoding, PublishedTable, TableMeasurement]:
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
        changed = cell_count_text(done.cells, done.kept)
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


def _together(run: _Run, recoding: Recoding, published: PublishedTable, progress: Progress) -> Recoding:
    """Merge classes further that the algorithm kept apart and that are published as one."""
    group = np.full(run.table.n_told, -1, dtype=np.int64)
    group[published.rows] = classes_of(published.table, run.project.schema.names(Role.QI)).ids
    found = in_original_order(
        merge_equal_classes(run.encoded, run.goals, run.limits, group[run.order], progress), run.order
    )
    told = message(
        "Classes that would have been published alike were merged, for people with several values count once."
    )
    known = {name: getattr(recoding, name) for name in ("tried", "made_by", "attacks", "told_tried", "method")}
    return replace(found, notes=(*recoding.notes, told), **known)


def _measure(run: _Run, published: PublishedTable, progress: Progress) -> TableMeasurement:
    table, project = run.table, run.project
    person = person_column(table, project)
    return measure_table(
        published.table,
        project.schema.names(Role.QI),
        project.schema.names(Role.SA),
        goals=project.goals,
        background=MeasurementContext(
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


def _refuse_nothing_left(measured: TableMeasurement, table: Table, project: Project) -> None:
    """Refuse a release without rows, for which every goal would hold, and one that tells nothing of too many."""
    if table.n_rows and not measured.rows:
        raise Infeasible(
            "Every row would have to be left out.",
            "Ask for less, choose another algorithm, or use fewer quasi-identifiers.",
        )
    if project.limit_covers_emptied:
        refuse_too_many_emptied(measured.emptied, measured.suppressed, table.n_rows, project.suppression)


def _refuse_broken_promise(measured: TableMeasurement, table: Table, published: PublishedTable) -> None:
    broken = [message(model.title) for model, found in measured.goals if not found.holds]
    if published.table.n_rows + measured.suppressed != table.n_rows:
        broken.append(message("the number of rows"))
    if broken:
        raise PromiseBroken(
            message("The result does not hold what it promised: {broken}.", broken=broken),
            "Nothing was released. Please report this with the project file.",
        )


Rows = npt.NDArray[np.int64]


def recode_rows(asked: RecodingRequest, progress: Progress) -> RecodingResult:
    """Make the rows of each set alike until k share them, with l values of the sensitive column; none is left out.

    Raises BadParameter and BadHierarchy when table and hierarchies do not fit together.
    """
    table = asked.table
    project = _project(asked)
    encoded = encode_table(table, project, progress=progress.sub(0.0, 0.1))
    goals = goal_set_for(encoded, project, table)
    order = canonical_order(table, project)
    sets = [order[asked.sets[order] == each] for each in np.unique(asked.sets).tolist()]
    found = []
    for at, rows in enumerate(sets):
        part = progress.sub(0.1 + 0.8 * at / len(sets), 0.1 + 0.8 * (at + 1) / len(sets))
        found.append(_inside(_part(encoded, rows), goals, asked, part))
    recoding = with_range_note(project, encoded, _joined(found, sets, len(order)))
    published = publish_table(table, project, encoded, recoding, stars=False).table
    qis = project.schema.names(Role.QI)
    background = MeasurementContext(project.hierarchies, project.schema, table, np.arange(len(order)))
    measured = measure_table(published, qis, (), background=background, progress=progress.sub(0.9, 1.0))
    return RecodingResult(published, measured.lm or 0.0, recoding.notes)


def _project(asked: RecodingRequest) -> Project:
    goals: list[PrivacyModel] = [KAnonymity(k=asked.k)]
    goals += [DistinctLDiversity(l=asked.l)] if asked.l > 1 else []
    used = {*asked.schema.names(Role.QI), *asked.schema.names(Role.SA)}
    trees = {name: tree for name, tree in asked.hierarchies.items() if name in used}
    return Project(schema=asked.schema, hierarchies=trees, goals=tuple(goals), uneven=asked.uneven, seed=asked.seed)


def _method(asked: RecodingRequest) -> Algorithm:
    return asked.method if asked.method is not None else ALGORITHMS.get(DEFAULT_ALGORITHM)()


def _inside(encoded: EncodedTable, goals: GoalSet, asked: RecodingRequest, progress: Progress) -> Recoding:
    """Make the rows of one set alike; where no two classes are possible, or not even one is, all of them."""
    together = np.zeros(len(encoded.tuples), dtype=np.int64)
    if encoded.n_rows < 2 * asked.k or not goals.satisfied(encoded.groups(together, 1)).all():
        return recoding_of_groups(encoded, together)
    found = _method(asked).run(encoded, goals, SearchLimits(0.0, asked.seed), progress)
    # Nobody may be left out: they are in the data that the table lies beside.
    return found if (found.class_of_row >= 0).all() else recoding_of_groups(encoded, together)


def _part(encoded: EncodedTable, rows: Rows) -> EncodedTable:
    """Give the table as algorithms see it for some of its rows only."""
    kept, of_row = np.unique(encoded.tuple_of_row[rows], return_inverse=True)
    of_row = of_row.astype(np.int64)
    values = {name: codes[rows] for name, codes in encoded.sensitive_of_row.items()}
    sensitive = {
        name: Histogram.count(of_row, len(kept), codes, encoded.sensitive[name].n_values, None)
        for name, codes in values.items()
    }
    counts = np.bincount(of_row, minlength=len(kept)).astype(np.int64)
    return replace(
        encoded, tuples=encoded.tuples[kept], counts=counts, tuple_of_row=of_row, sensitive=sensitive,
        sensitive_of_row=values,
    )  # fmt: skip


def _joined(found: Sequence[Recoding], sets: Sequence[Rows], n_rows: int) -> Recoding:
    """Put together what was found for each set."""
    classes, seen = np.zeros(n_rows, dtype=np.int64), 0
    for recoding, rows in zip(found, sets, strict=True):
        classes[rows] = recoding.class_of_row + seen
        seen += recoding.n_classes
    low, high, node = (np.concatenate([getattr(each, part) for each in found]) for part in ("low", "high", "node"))
    return Recoding(classes, low, high, node)
