"""The walk from records and a project to a release that was counted again and holds what it promises."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import check_params
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.trees.trees import ROOT, Ints, Trees, Vertex
from anonymizer_gui.engine.data.trees.writing import records_to_bytes
from anonymizer_gui.engine.room import Files, Promise
from anonymizer_gui.engine.rooms.trees.algorithms.contract import (
    Algorithm,
    KnowledgeBounded,
    Outcome,
    loss_by_path,
    withheld_shares,
)
from anonymizer_gui.engine.rooms.trees.attack import as_made, exposure
from anonymizer_gui.engine.rooms.trees.certificate import format_entries
from anonymizer_gui.engine.rooms.trees.encoding import EncodedRecords, codes_by_vertex, encode_records
from anonymizer_gui.engine.rooms.trees.independent_check import (
    IndependentCount,
    count_independently,
    promise_parameters,
)
from anonymizer_gui.engine.rooms.trees.project import TABLE, Project
from anonymizer_gui.engine.rooms.trees.published_records import RecordPublisher
from anonymizer_gui.engine.rooms.trees.release import Measurement, Release

_HINT = "Nothing was released. Please report this with the project file."
_COUNTED = 2


def run(project: Project, files: Files, progress: Progress = SILENT) -> Release:
    """Run the project's algorithm, then have what would be written counted anew, by code that shares nothing with it.

    Raises Infeasible, BadParameter, NoPlace, and PromiseBroken when the recount finds that a promise does not hold.
    """
    started, algorithm = time.perf_counter(), check_params(project.algorithm)
    trees: Trees = files[TABLE]
    progress(0.0, "Placing the labels")
    held = encode_for_project(project, trees)
    outcome = algorithm.run(held, progress.sub(0.05, 0.7))
    made = time.perf_counter()
    progress(0.7, "Building the records")
    publishing = RecordPublisher(held, outcome)
    published = publishing.records()
    detached = publishing.detached_name if outcome.relations else ""
    promised = algorithm.promised(has_sensitive=bool(held.sensitive))
    counted = _counted(promised, held, published, detached, progress.sub(0.75, 1.0))
    promises = tuple(
        replace(promise, value=counted.promises[promise.name][0], holds=counted.promises[promise.name][1])
        for promise in promised
    )
    _refuse_broken(promises)
    if not _is_counted_so(algorithm, held, outcome, int(promises[0].value)):
        raise PromiseBroken("The result contradicts itself.", _HINT)
    return Release(
        uuid.uuid4().hex, algorithm.title, project, held, outcome, tuple(published), _source_of(held, outcome),
        detached, trees.form, _measured(held, outcome, counted, promises), promises,
        {"protect": made - started, "recount": time.perf_counter() - made},
        __version__, datetime.now(UTC).isoformat(timespec="seconds"),
    )  # fmt: skip


def encode_for_project(project: Project, trees: Trees) -> EncodedRecords:
    """Apply the roles of a project; raises BadParameter, NoPlace."""
    return encode_records(
        trees,
        {path: project.role(path) for path in trees.names},
        project.removed,
        dict(project.hierarchies),
        {each.path: each.column() for each in project.paths},
        intervals=project.algorithm.intervals,
    )


def _counted(
    promised: tuple[Promise, ...], held: EncodedRecords, published: Sequence[Vertex], detached: str, progress: Progress
) -> IndependentCount:
    form = held.trees.form
    content = records_to_bytes(published, form)
    counted = count_independently(
        content, format_entries(held, form, form.format, detached), promise_parameters(promised), progress
    )
    if counted is None:
        raise PromiseBroken(
            "The records could not be read again as they would leave.",
            _HINT,
        )
    return counted


def _refuse_broken(promises: tuple[Promise, ...]) -> None:
    broken = [message(promise.title) for promise in promises if not promise.holds]
    if broken:
        raise PromiseBroken(
            message("The result does not hold what it promised: {broken}.", broken=broken),
            _HINT,
        )


def _is_counted_so(algorithm: Algorithm, held: EncodedRecords, outcome: Outcome, counted: int) -> bool:
    """Tell whether the recount found what is measured on what was made.

    Classes that were made and look the same are one class to who reads the file. Of patterns, those of up to two
    labels are counted here, all at once; more labels fit no more records.
    """
    if not isinstance(algorithm, KnowledgeBounded):
        return counted >= _fewest(np.bincount(outcome.classes[outcome.classes >= 0]))
    few = min(algorithm.m, _COUNTED)
    smallest = _fewest(exposure(as_made(held, outcome), few, algorithm.n, algorithm.k).fewest)
    return counted == smallest if few == algorithm.m else counted <= smallest


def _fewest(counts: Ints) -> int:
    """Give the smallest count above 0; 0 when there is none."""
    return int(min(counts[counts > 0].tolist(), default=0))


def _source_of(held: EncodedRecords, outcome: Outcome) -> tuple[int, ...]:
    trees = held.trees
    roots = np.flatnonzero((trees.parent_of == ROOT) & outcome.kept)
    return tuple(trees.record_of[roots].tolist())


def _measured(
    held: EncodedRecords, outcome: Outcome, counted: IndependentCount, promises: tuple[Promise, ...]
) -> Measurement:
    by_path = loss_by_path(held, outcome)
    counts = held.counted
    return Measurement(
        records=len(held.trees),
        vertices=int(counts.sum()),
        suppressed=int((counts & ~outcome.kept).sum()),
        smallest_class=int(promises[0].value),
        lm=sum(by_path.values()) / len(by_path),
        disassociated=counted.numbers["disassociated"],
        by_path=by_path,
        changed=_changed(held, outcome),
        released=counted.numbers["records"],
        released_vertices=counted.numbers["vertices"],
        gone=withheld_shares(held, outcome),
    )


def _changed(held: EncodedRecords, outcome: Outcome) -> int:
    """Count the records of which a vertex or a label is not as it was."""
    changed = held.counted & ~outcome.kept
    for before, after in zip(codes_by_vertex(held), outcome.codes, strict=True):
        changed |= held.counted & (before != after)
    apart = [*outcome.detached, *(vertex for vertex, _ in outcome.split)]
    changed[[*apart, *(vertex for some in outcome.withheld for vertex in some)]] = True
    return len(np.unique(held.trees.record_of[changed]))
