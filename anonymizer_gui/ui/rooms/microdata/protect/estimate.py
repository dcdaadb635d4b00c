"""What to expect before anything is run: the quickest algorithm is asked while the settings change."""

from PySide6.QtCore import QObject, QTimer, Signal

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.rooms.microdata.sweep import Glance, glance, is_glance_quick
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.rooms.microdata.protect.obstacles import run_obstacle
from anonymizer_gui.workspace.jobs import Job

_SETTLE_MS = 500


class Estimate(QObject):
    """Asks when the settings have rested for a moment, unless a release of these very settings is there."""

    told = Signal(str)
    """Carries the sentence; nothing while there is none."""

    def __init__(self, document: MicrodataDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._asked_of: tuple[object, ...] = ()
        self._job: Job | None = None
        self._later = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._later.timeout.connect(self._ask)

    def settings_changed(self) -> None:
        """Take note of the settings as they are; asking again with the same ones costs nothing."""
        project = self._document.project
        of = project.schema, project.goals, project.hierarchies, project.weights, project.bounds, project.suppression
        if self._asked_of == of and not self._is_known():
            return
        self.stop()
        self.told.emit("")
        if not run_obstacle(self._document) and not self._is_known() and is_glance_quick(project):
            self._asked_of = of
            self._later.start()

    def stop(self) -> None:
        """Make way: somebody runs in earnest."""
        self._later.stop()
        self._asked_of = ()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _is_known(self) -> bool:
        selected = self._document.selected
        return selected is not None and not self._document.finished.is_stale(selected)

    def _ask(self) -> None:
        document = self._document
        self._job = document.jobs.start(
            "", glance, document.table, document.project, document.population,
            on_done=self._on_done, on_error=self._on_error, replace_key="estimate",
        )  # fmt: skip

    def _on_done(self, found: Glance) -> None:
        lm = "–" if found.lm is None else format_percent(found.lm)
        words = tr(
            "Quick estimate: {method} loses {lm} of the detail, in {classes:class|classes}; others may lose less.",
            method=tr(found.method),
            lm=lm,
            classes=found.classes,
        )
        table = self._document.table
        if table is not None and found.rows < table.n_whole:
            words = tr(
                "{estimate} (of {rows:row|rows} drawn at random)", estimate=words, rows=format_integer(found.rows)
            )
        self.told.emit(words)

    def _on_error(self, error: BaseException) -> None:
        # Whatever else stands in the way is told by the run itself.
        self.told.emit(tr("Quick estimate: these goals cannot be reached.") if isinstance(error, Infeasible) else "")
