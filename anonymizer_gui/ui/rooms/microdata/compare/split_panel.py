"""The splits of a top-down or partitioning run as a tree."""

from PySide6.QtWidgets import QHeaderView, QTreeView, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.search_trace import SplitSteps, split_steps
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.compare.split_model import SplitModel
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import name_widget


class SplitPanel(QWidget):
    """The tree of splits; the first steps are open."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self.setObjectName("split_panel")
        self.document = document
        self.model = SplitModel(round(self.fontMetrics().height() * 1.5))
        self.view = name_widget(QTreeView(), "split_tree")
        self.view.setModel(self.model)
        self.view.setUniformRowHeights(True)
        self.view.setAlternatingRowColors(True)
        self.view.setAccessibleName(tr("Tree of splits"))
        head = self.view.header()
        head.setStretchLastSection(True)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        unit = self.fontMetrics().height()
        head.resizeSection(0, unit * 26)
        head.resizeSection(1, unit * 6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)

    def show_release(self, release: Release) -> None:
        """Show the splits of another release."""
        if self.document.table is not None:
            self.document.ask(
                "splits",
                split_steps,
                release,
                self.document.table,
                then=self._on_steps,
                title=tr("Read the splits"),
            )

    def _on_steps(self, steps: SplitSteps) -> None:
        if steps is self.model.steps:
            return
        self.model.set_steps(steps)
        self.view.expandToDepth(1)
        self.view.setCurrentIndex(self.model.index(0, 0))
