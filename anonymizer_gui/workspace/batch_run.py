"""Several runs one after the other, each appended to the releases as it ends."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from anonymizer_gui.engine.core.errors import AnonymizerError, ResourcesExceeded
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Job, JobState

if TYPE_CHECKING:
    from anonymizer_gui.engine.core.progress import Progress
    from anonymizer_gui.engine.room import Attempt, Files

BATCH_MESSAGE = "runs"
"""The key of the message that tells how several runs went."""


class BatchRun(QObject):
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
        self._made: list[Any] = []
        self._failed: list[tuple[str, AnonymizerError]] = []
        self._try_anyway = False
        document.jobs.finished.connect(self._on_job_finished)
        self._job: Job | None = None

    def start(self, attempts: "Sequence[Attempt]", *, try_anyway: bool = False) -> None:
        """Make these attempts; earlier ones that are not made yet are given up.

        With too little memory they are not started, unless it is to be tried anyway.
        """
        self._left, self._made, self._failed, self._try_anyway = list(attempts), [], [], try_anyway
        self._began = self._document.project
        self._next()

    def _next(self) -> None:
        files = self._document.files
        if not self._left or not files:
            self._end()
            return
        attempt = self._left[0]
        self._job = self._document.jobs.start(
            attempt.title or attempt.name,
            _attempt(attempt, try_anyway=self._try_anyway),
            files,
            on_done=self._on_done,
            on_error=self._on_error,
            replace_key="run",
        )

    def _on_done(self, release: Any) -> None:
        self._document.finished.add(release, tried_from=self._began)
        self._made.append(self._document.releases[-1])
        self._advance()

    def _on_error(self, error: BaseException) -> None:
        if isinstance(error, ResourcesExceeded):
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
        if job is self._job and job.state is JobState.CANCELLED and self._left:
            self._end()

    def _end(self) -> None:
        self._left = []
        self.ended.emit(tuple(self._made), tuple(self._failed))


def _attempt(attempt: "Attempt", *, try_anyway: bool) -> Callable[..., Any]:
    def work(files: "Files", progress: "Progress") -> Any:
        from anonymizer_gui.engine.room import room_of

        project = attempt.project
        release = room_of(project.room).run(project, files, progress, try_anyway=try_anyway)
        return replace(release, name=attempt.name)

    return work
