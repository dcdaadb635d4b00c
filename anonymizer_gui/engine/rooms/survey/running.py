"""A run: reports are counted as they came, or drawn from a table as a form would draw them, and estimates follow."""

import time
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.survey.client import perturbed
from anonymizer_gui.engine.rooms.survey.collection import Collection
from anonymizer_gui.engine.rooms.survey.project import REPORTS, TABLE, Project
from anonymizer_gui.engine.rooms.survey.release import Release
from anonymizer_gui.engine.rooms.survey.reports import Collected
from anonymizer_gui.engine.rooms.survey.results import results_of
from anonymizer_gui.engine.rooms.survey.sifting import sift


def run(project: Project, files: Files, progress: Progress = SILENT) -> Release:
    """Count the reports of a survey, or draw them from a table first; raises BadParameter and Infeasible."""
    started = time.perf_counter()
    progress(0.0, "Looking at the survey")
    collection = project.collection()
    came = collected_in(files)
    collected = came if came is not None else _drawn(project, collection, files, progress.sub(0.0, 0.5))
    sifted = sift(collection, collected, progress.sub(0.5, 0.9))
    progress(0.9, "Estimating")
    results = results_of(collection, sifted)
    return Release(
        id=uuid.uuid4().hex,
        name=project.name,
        project=project,
        collection=collection,
        n=sifted.n,
        results=results,
        records=sifted.records,
        problems=sifted.problems,
        is_perturbed_here=came is None,
        seconds={"estimate": time.perf_counter() - started},
        version=__version__,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def collected_in(files: Mapping[str, object]) -> Collected | None:
    """Give the reports among the files, which may be what the project is about."""
    return next((file for role in (REPORTS, TABLE) if isinstance(file := files.get(role), Collected)), None)


def _drawn(project: Project, collection: Collection, files: Files, progress: Progress) -> Collected:
    table = files.get(TABLE)
    if not isinstance(table, Table):
        raise BadParameter(
            "There are no reports yet, and no table to draw them from.", "Collect reports and import them first."
        )
    decimal = str(project.source.options.get("decimal", ".")) if project.source else "."
    places = {}
    for at, question in enumerate(collection.questions):
        progress(at / len(collection.questions) / 2, "Reading the answers")
        if question.name not in table.names:
            raise BadParameter(
                message("The table has no column “{name}”, which is asked for.", name=question.name),
                "Call the question as the column is called, or import reports.",
            )
        places[question.name] = question.places([str(cell) for cell in table.column(question.name).texts()], decimal)
    if not table.n_rows:
        raise BadParameter("The table has no rows.", "Choose one with answers, or import reports.")
    return Collected(collection, tuple(perturbed(collection, places, progress.sub(0.5, 1.0))))
