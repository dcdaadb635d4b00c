"""What stands against a run, how large the search is, what to expect."""

from PySide6.QtCore import QObject, QTimer, Signal

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.resource_estimate import (
    MIN_SECONDS_SHOWN,
    duration_text,
    estimated_seconds,
    lattice_size,
)
from anonymizer_gui.engine.rooms.microdata.sweep import Glance, glance, is_glance_quick
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.protect.batch_runs import unprotected_sets
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument
from anonymizer_gui.workspace.jobs import Job

_MOST_NAMED = 3


def data_obstacle(document: MicrodataDocument) -> str:
    """Say what is missing before anything can be decided here; nothing when all is there."""
    if document.table is None:
        return tr("Open a table first.")
    if not document.project.schema.names(Role.QI):
        return tr("Mark the quasi-identifiers first.")
    return ""


def unprotected_columns_text(document: MicrodataDocument) -> str:
    """Name the sensitive columns that no goal is about; nothing when there is none."""
    project = document.project
    bare = [name for name in project.schema.names(Role.SA) if not project.protects(name)]
    if not bare:
        return ""
    shown = ", ".join(tr("“{name}”", name=name) for name in bare[:_MOST_NAMED])
    if len(bare) > _MOST_NAMED:
        shown = tr("{names} and {more:further one|further ones}", names=shown, more=len(bare) - _MOST_NAMED)
    return tr("No goal looks at {columns}: they leave as they are.", columns=shown)


def run_obstacle(document: MicrodataDocument) -> str:
    """Say what is missing before a run; nothing when all is there."""
    project = document.project
    if data_obstacle(document):
        return data_obstacle(document)
    if not project.goals:
        return tr("Add a goal.")
    if project.algorithm is None:
        return tr("Choose an algorithm.")
    if any(goal.needs_sensitive for goal in project.goals) and not project.schema.names(Role.SA):
        return tr("A goal is about sensitive columns, and none is marked.")
    if why := unprotected_sets(document):
        return why
    if any(goal.needs_population for goal in project.goals) and document.population is None:
        return tr("A goal needs a population table; choose one under Protect, Population Table.")
    return ""


def is_out_of_core(document: MicrodataDocument) -> bool:
    """Tell whether an engine holds the table, and only some of its rows are here."""
    return document.table is not None and document.table.is_sample


def run_state(document: MicrodataDocument, why: str) -> tuple[str, str]:
    """Say in which tone and words a run is possible or not; `why` is what stands in its way."""
    if why:
        return "warn", tr("Run is not possible yet: {why}", why=why)
    if bare := unprotected_columns_text(document):
        return "warn", bare
    if is_out_of_core(document):
        return "info", tr("An engine holds the table and runs it there; a preview looks at the rows that are here.")
    return "warn", ""


_MANY_NODES = 1_000_000


def search_size_text(table: Table, project: Project) -> str:
    """Say how many rows, columns and combinations of levels there are, and what that means for a search."""
    size = lattice_size(table, project)
    parts = [
        tr(
            "{rows:row|rows}, {columns:quasi-identifier|quasi-identifiers}, "
            "{nodes:combination|combinations} of levels.",
            rows=format_integer(size.rows),
            columns=size.columns,
            nodes=format_integer(size.nodes),
        )
    ]
    if project.algorithm is not None and project.algorithm.walks_levels:
        if size.nodes > _MANY_NODES:
            parts.append(tr("That is too many to prove the best one; bottom-up then searches as well as it can."))
        if size.compares_while_suppressing:
            parts.append(tr("These goals with suppression cannot be pruned: the search takes longer."))
    # How many rows of a table that an engine holds are different is known only when it has counted them.
    seconds = 0.0 if table.is_sample else estimated_seconds(table, project)
    if seconds > MIN_SECONDS_SHOWN:
        parts.append(tr("The search takes at most about {time}.", time=tr(duration_text(seconds))))
    return " ".join(parts)


_SETTLE_MS = 500


class QuickEstimate(QObject):
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
