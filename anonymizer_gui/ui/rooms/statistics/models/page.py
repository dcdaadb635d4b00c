"""Models: which way of protection serves a task, how like a synthetic table is, and where clusters would be found."""

from PySide6.QtWidgets import QTabWidget, QVBoxLayout

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.statistics.models.clusters_tab import ClustersTab
from anonymizer_gui.ui.rooms.statistics.models.likeness_tab import LikenessTab
from anonymizer_gui.ui.rooms.statistics.models.versus_tab import VersusTab
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_ROOM = "statistics"


class ModelsPage(Page):
    """Anonymise first or noise inside?, the synthetic table beside its original, and clusters seen ahead."""

    name = "models"
    title = "Models"
    order = 35
    icon = "compare"
    help = "statistics/models"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say what can be looked at."""
        if document.room != _ROOM or document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open a table first."))
        return StepStatus(StepState.READY, tr("Anonymise first or noise inside?"))

    def _build(self) -> None:
        self.versus = VersusTab(self.document)
        self.likeness = LikenessTab(self.document, lambda: self.go.emit("plan"))
        self.clusters = ClustersTab(self.document, lambda: self.go.emit("plan"))
        self.tabs = name_widget(QTabWidget(documentMode=True), "models_tabs")
        self.tabs.addTab(self.versus, tr("Anonymise first or noise inside?"))
        self.tabs.addTab(self.likeness, tr("Synthetic table"))
        self.tabs.addTab(self.clusters, tr("Clusters"))
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs, 1)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(lambda _at: self._ask())

    def _show(self, changed: frozenset[str]) -> None:
        if is_affected(changed, "table", "questions", Change.RELEASES, Change.RESULTS, "epsilon", "rows"):
            self._ask()

    def _ask(self) -> None:
        """Bring the tab that is shown up to date."""
        if self.document.room != _ROOM:
            return
        tab = self.tabs.currentWidget()
        if isinstance(tab, VersusTab | LikenessTab | ClustersTab):
            tab.ask()
