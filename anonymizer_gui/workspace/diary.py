"""Writes into the log what was done: every job with its time, every step and its undoing; never a cell of a table."""

from PySide6.QtCore import QObject

from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Job
from anonymizer_gui.workspace.messages import LOGGER, redacted


class Diary(QObject):
    """Listens to a document; jobs that nobody is told about are left out."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps = document.undo_stack
        self._at = self._steps.index()
        document.jobs.started.connect(self._on_started)
        document.jobs.finished.connect(self._on_finished)
        self._steps.indexChanged.connect(self._on_step)

    def _on_started(self, job: Job) -> None:
        if job.title:
            LOGGER.info("Job: %s", redacted(job.title))

    def _on_finished(self, job: Job) -> None:
        if job.title:
            LOGGER.info("Job %s after %.2f s: %s", job.state.value, job.elapsed, redacted(job.title))

    def _on_step(self, index: int) -> None:
        before, self._at = self._at, index
        if not self._steps.count():
            return
        if index < before:
            LOGGER.info("Undone: %s", redacted(self._steps.redoText()))
        else:
            LOGGER.info("Step: %s", redacted(self._steps.undoText()))
