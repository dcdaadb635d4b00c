"""Several runs one after the other, each appended to the releases as it ends: all algorithms, or a range of k."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.rooms.microdata.memory import NotEnoughMemory
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Job, State

if TYPE_CHECKING:
    from anonymizer_gui.engine.progress import Progress
    from anonymizer_gui.engine.rooms.microdata.project import Project
    from anonymizer_gui.engine.rooms.microdata.release import Release
    from anonymizer_gui.engine.shapes.tables.table import Table

SWEEP = (2, 3, 5, 10, 20, 50)
SAMPLE_ROWS = 10_000
RUNS_MESSAGE = "runs"
"""The key of the message that tells how several runs went."""


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """One run to be made: the name its release gets, the settings, and what the job is called if not so."""

    name: str
    project: "Project"
    title: str = ""


def every_algorithm(project: "Project") -> list[Attempt]:
    """Try every algorithm with its usual settings; the chosen one keeps its own."""
    from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS

    attempts = []
    for declared in ALGORITHMS:
        if declared.reach is None:
            continue
        algorithm = project.algorithm if isinstance(project.algorithm, declared) else declared()
        attempts.append(Attempt(algorithm.title, replace(project, algorithm=algorithm)))
    return attempts


def every_value(project: "Project", goal: int, parameter: str, values: Sequence[Any]) -> list[Attempt]:
    """Run the project with other values of one parameter of one goal."""
    attempts = []
    for value in values:
        model: Any = replace(project.goals[goal], **{parameter: value})  # type: ignore[type-var]
        goals = (*project.goals[:goal], model, *project.goals[goal + 1 :])
        title = project.algorithm.title if project.algorithm else ""
        attempts.append(Attempt(f"{title}, {parameter} = {value}", replace(project, goals=goals)))
    return attempts


def best_of(releases: "Sequence[Release]") -> "Release | None":
    """Give the release that keeps its goals and loses least; of equals the one with the fewest rows suppressed."""
    candidates = [release for release in releases if release.measured.holds and release.measured.lm is not None]
    return min(candidates, key=lambda release: (release.measured.lm, release.suppressed), default=None)


def preview(table: "Table", project: "Project", population: "Table | None", progress: "Progress") -> "Release":
    """Run the project on a sample of the rows, drawn by its seed: a glance, never a release."""
    import numpy as np

    from anonymizer_gui.engine.rooms.microdata.anonymize import anonymize

    rows = np.random.default_rng(project.seed).choice(table.n_rows, min(SAMPLE_ROWS, table.n_rows), replace=False)
    return anonymize(table.take(np.sort(rows)), project, progress, population)


class Runs(QObject):
    """Makes attempts one by one, so that other work comes in between and each result shows at once."""

    ended = Signal(object, object)
    """Carries the releases that were made, and for each that could not be its name and the error."""
    refused = Signal(object, object)
    """Carries why the memory will not suffice, and the attempts that were not started for that."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._left: list[Attempt] = []
        self._began = document.project
        self._made: list[Release] = []
        self._failed: list[tuple[str, AnonymizerError]] = []
        self._try_anyway = False
        document.jobs.finished.connect(self._on_job_finished)
        self._job: Job | None = None

    def start(self, attempts: Sequence[Attempt], *, try_anyway: bool = False) -> None:
        """Make these attempts; earlier ones that are not made yet are given up.

        With too little memory they are not started, unless it is to be tried anyway.
        """
        self._left, self._made, self._failed, self._try_anyway = list(attempts), [], [], try_anyway
        self._began = self._document.project
        self._next()

    def _next(self) -> None:
        table = self._document.table
        if not self._left or table is None:
            self._end()
            return
        attempt = self._left[0]
        self._job = self._document.jobs.start(
            attempt.title or attempt.name,
            _attempt(attempt, try_anyway=self._try_anyway),
            table,
            self._document.population,
            on_done=self._on_done,
            on_error=self._on_error,
            replace_key="run",
        )

    def _on_done(self, release: "Release") -> None:
        self._document.finished.add(release, tried_from=self._began)
        self._made.append(self._document.releases[-1])
        self._advance()

    def _on_error(self, error: BaseException) -> None:
        if isinstance(error, NotEnoughMemory):
            left = tuple(self._left)
            self._end()
            self.refused.emit(error, left)
        elif isinstance(error, AnonymizerError):
            self._failed.append((self._left[0].name, error))
            self._advance()
        else:
            self._document.jobs.tell(error)
            self._end()

    def _advance(self) -> None:
        self._left = self._left[1:]
        self._next()

    def _on_job_finished(self, job: Job) -> None:
        if job is self._job and job.state is State.CANCELLED and self._left:
            self._end()

    def _end(self) -> None:
        self._left = []
        self.ended.emit(tuple(self._made), tuple(self._failed))


def _attempt(attempt: Attempt, *, try_anyway: bool) -> "Callable[..., Release]":
    def work(table: "Table", population: "Table | None", progress: "Progress") -> "Release":
        from anonymizer_gui.engine.rooms.microdata.anonymize import anonymize

        release = anonymize(table, attempt.project, progress, population, try_anyway=try_anyway)
        return replace(release, name=attempt.name)

    return work
