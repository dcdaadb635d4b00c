"""Tells through the system that a long job has ended while the window was in the background."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.jobs import Job, JobRunner, JobState

LONG_S = 10.0


class Notifier(QObject):
    """Asks for attention in the task bar, and by a notice where the system has a place for one."""

    def __init__(self, window: QWidget, jobs: JobRunner) -> None:
        super().__init__(window)
        self._window = window
        self._tray: QSystemTrayIcon | None = None
        self.told: list[str] = []
        jobs.finished.connect(self._on_finished)

    def _on_finished(self, job: Job) -> None:
        if not job.title or job.elapsed < LONG_S or job.state is JobState.CANCELLED or self._window.isActiveWindow():
            return
        words = tr("“{job}” is done.", job=tr(job.title))
        if job.state is JobState.FAILED:
            words = tr("“{job}” did not work.", job=tr(job.title))
        self.told.append(words)
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            self._tray = self._tray or QSystemTrayIcon(self._window.windowIcon(), self)
            self._tray.show()
            self._tray.showMessage("Anonymizer", words)
