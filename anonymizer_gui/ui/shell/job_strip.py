"""The strip under the page: what runs, how far it is, for how long, and Cancel."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.workspace.jobs import Job, JobRunner

APPEARS_AFTER_MS = 500


class JobStrip(QWidget):
    """Shows the oldest job that has not ended; appears only when it takes a while."""

    def __init__(self, jobs: JobRunner) -> None:
        super().__init__(visible=False)
        self.setObjectName("job_strip")
        self._jobs = jobs
        self.title = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.bar = named(QProgressBar(maximum=1000, textVisible=False), spoken=tr("Progress"))
        self.elapsed = QLabel()
        self.settle = named(QPushButton(tr("Stop and Keep the Best So Far")), "job_settle")
        self.cancel = named(QPushButton(tr("Cancel")), "job_cancel")
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
