"""The line at the bottom: what is selected, which file, how large, what must hold, what runs."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStatusBar

from anonymizer_gui.ui.i18n import tr, whole
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.workspace.document import Document

_WIDEST_GOALS = 30


class StatusLine(QStatusBar):
    """Reads the document; the page says what is selected."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("status")
        self._document = document
        self.selection = named(QLabel(), "status_selection")
        self.file = named(QLabel(), "status_file")
        self.size_label = named(QLabel(), "status_size")
        self.goals = named(QLabel(), "status_goals")
        self.addWidget(self.selection, 1)
        for label in (self.file, self.size_label, self.goals):
            self.addPermanentWidget(label)
        document.changed.connect(self._show)
        self._show()

    def _show(self, _changed: object = None) -> None:
        table = self._document.table
        if table is None:
            for label in (self.selection, self.file, self.size_label, self.goals):
                label.clear()
            return
        # The engine is not loaded before there is a table.
        from anonymizer_gui.engine.rooms.microdata.views.trade_off import goals_in_short

        project = self._document.project
        self.file.setText(project.name)
        self.file.setToolTip(project.source.path if project.source else "")
        self.size_label.setText(
            tr("{rows:row|rows} × {columns:column|columns}", rows=whole(table.n_rows), columns=len(table.names))
        )
        goals = goals_in_short(project.goals) or tr("no goal yet")
        widest = self.fontMetrics().height() * _WIDEST_GOALS
        self.goals.setText(self.fontMetrics().elidedText(goals, Qt.TextElideMode.ElideRight, widest))
        self.goals.setToolTip("\n".join(tr(goal.sentence()) for goal in project.goals))
