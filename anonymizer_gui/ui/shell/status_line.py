"""The line at the bottom: what is selected, which file, how large, what must hold, what runs."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStatusBar

from anonymizer_gui.ui.room_view import view_for
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.plain_text import plain
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
        if not self._document.files:  # the engine is not loaded before there is something to show
            for label in (self.selection, self.file, self.size_label, self.goals):
                label.clear()
            return
        project, words = self._document.project, view_for(self._document).status(self._document)
        self.file.setText(project.name)
        self.file.setToolTip(plain("\n".join(source.path for source in project.sources().values())))
        self.size_label.setText(words.size)
        widest = self.fontMetrics().height() * _WIDEST_GOALS
        self.goals.setText(self.fontMetrics().elidedText(words.promises, Qt.TextElideMode.ElideRight, widest))
        self.goals.setToolTip(plain(words.more))
