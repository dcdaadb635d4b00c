"""Progress of jobs without a page of their own; desktop notification."""

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QProgressBar, QPushButton, QSystemTrayIcon, QWidget

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.workspace.jobs import Job, JobRunner, JobState

APPEARS_AFTER_MS = 500


class JobProgressBar(QWidget):
    """Shows the oldest job that has not ended; appears only when it takes a while."""

    def __init__(self, jobs: JobRunner) -> None:
        super().__init__(visible=False)
        self.setObjectName("job_strip")
        self._jobs = jobs
        self.title = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.bar = name_widget(QProgressBar(maximum=1000, textVisible=False), spoken=tr("Progress"))
        self.elapsed = QLabel()
        self.settle = name_widget(QPushButton(tr("Stop and Keep the Best So Far")), "job_settle")
        self.cancel = name_widget(QPushButton(tr("Cancel")), "job_cancel")
        self._appear = QTimer(self, singleShot=True, interval=APPEARS_AFTER_MS)
        self._tick = QTimer(self, interval=250)
        self._build()
        self._connect()

    def _build(self) -> None:
        row = QHBoxLayout(self)
        height = self.fontMetrics().height()
        row.setContentsMargins(height // 2, height // 4, height // 2, height // 4)
        row.addWidget(self.title, 2)
        row.addWidget(self.bar, 1)
        row.addWidget(self.elapsed)
        row.addWidget(self.settle)
        row.addWidget(self.cancel)
        self.settle.hide()
        self.settle.setToolTip(tr("What was found so far is taken; it says after how many checks"))
        self.cancel.setToolTip(tr("Stop this and leave everything as it was"))
        self.elapsed.setMinimumWidth(self.elapsed.fontMetrics().horizontalAdvance("000:00 "))

    def _connect(self) -> None:
        self._jobs.started.connect(self._on_started)
        self._jobs.progressed.connect(self._show)
        self._jobs.finished.connect(self._on_finished)
        self._appear.timeout.connect(self._on_due)
        self._tick.timeout.connect(self._show)
        self.cancel.clicked.connect(self._on_cancel)
        self.settle.clicked.connect(self._on_settle)

    def _shown(self) -> list[Job]:
        return [job for job in self._jobs.active if job.title]

    def _job(self) -> Job | None:
        return next(iter(self._shown()), None)

    def _on_started(self) -> None:
        if not self.isVisible() and not self._appear.isActive():
            self._appear.start()

    def _on_due(self) -> None:
        if self._job() is not None:
            self._show()
            self.show()
            self._tick.start()

    def _on_finished(self) -> None:
        if self._job() is None:
            self._appear.stop()
            self._tick.stop()
            self.hide()
            self.cancel.setEnabled(True)
        else:
            self._show()

    def _on_cancel(self) -> None:
        if (job := self._job()) is not None:
            job.cancel()
            self._show()

    def _on_settle(self) -> None:
        if (job := self._job()) is not None:
            job.settle()
            self._show()

    def _show(self, _job: object = None) -> None:
        job = self._job()
        if job is None:
            return
        waiting = len(self._shown()) - 1
        what = tr("{title}: {text}", title=tr(job.title), text=tr(job.text)) if job.text else tr(job.title)
        more = tr("(and {count} more)", count=waiting) if waiting else ""
        is_ending = job.is_cancelled or job.is_enough
        self.title.setText(tr("Stopping…") if is_ending else f"{what} {more}".strip())
        self.settle.setVisible(job.has_result)
        self.settle.setEnabled(not is_ending)
        self.bar.setMaximum(1000 if job.fraction > 0 else 0)
        self.bar.setValue(round(job.fraction * 1000))
        minutes, seconds = divmod(int(job.elapsed), 60)
        self.elapsed.setText(f"{minutes}:{seconds:02}")
        self.cancel.setEnabled(not job.is_cancelled)


LONG_S = 10.0


class DesktopNotifier(QObject):
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
