"""Client and run: reports counted or drawn, then estimated."""

import os
import time
import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.protocol import Ints, draw_below
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.survey.collection import Collection
from anonymizer_gui.engine.rooms.survey.estimates import estimate_questions
from anonymizer_gui.engine.rooms.survey.project import REPORTS, TABLE, Project
from anonymizer_gui.engine.rooms.survey.release import Release
from anonymizer_gui.engine.rooms.survey.reports import ID_DIGITS, Report, ReportFile, sift_reports


def perturb_answers(
    collection: Collection, places: Mapping[str, Ints], progress: Progress = SILENT
) -> Iterator[Report]:
    """Make the reports of many respondents, as the form would: this is the client, with secret randomness."""
    names = [question.name for question in collection.questions]
    n = len(next(iter(places.values())))
    texts = {}
    for at, name in enumerate(names):
        progress(at / len(names), "Drawing the reports")
        protocol = collection.protocols[name]
        texts[name] = protocol.encode(protocol.perturb(places[name]))
    ids = os.urandom(n * ID_DIGITS // 2).hex()
    lots = draw_below(len(names), n) if collection.sharing == "one" else None
    for row in range(n):
        answered = names if lots is None else [names[lots[row]]]
        name = ids[row * ID_DIGITS : (row + 1) * ID_DIGITS]
        yield Report(f"{row + 1}", collection.fingerprint, name, {name: texts[name][row] for name in answered})


def run(project: Project, files: Files, progress: Progress = SILENT) -> Release:
    """Count the reports of a survey, or draw them from a table first; raises BadParameter and Infeasible."""
    started = time.perf_counter()
    progress(0.0, "Looking at the survey")
    collection = project.collection()
    came = reports_among(files)
    collected = came if came is not None else _drawn(project, collection, files, progress.sub(0.0, 0.5))
    sifted = sift_reports(collection, collected, progress.sub(0.5, 0.9))
    progress(0.9, "Estimating")
    results = estimate_questions(collection, sifted)
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


def reports_among(files: Mapping[str, object]) -> ReportFile | None:
    """Give the reports among the files, which may be what the project is about."""
    return next((file for role in (REPORTS, TABLE) if isinstance(file := files.get(role), ReportFile)), None)


def _drawn(project: Project, collection: Collection, files: Files, progress: Progress) -> ReportFile:
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
    return ReportFile(collection, tuple(perturb_answers(collection, places, progress.sub(0.5, 1.0))))
