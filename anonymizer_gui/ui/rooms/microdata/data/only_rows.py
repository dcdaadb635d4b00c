"""The line above the table that says that only some rows are shown, and brings back the others."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from anonymizer_gui.ui.i18n import tr, whole
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.note import Note


class OnlyRows(QWidget):
    """Hidden while all rows are shown."""

    all_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.note = Note()
        self.button = named(QPushButton(tr("Show All Rows")), "all_rows")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.note, 1)
        row.addWidget(self.button)
        self.button.clicked.connect(lambda: self.all_wanted.emit())
        self.show_count(0)

    def show_count(self, rows: int) -> None:
        """Say how many rows a check has found; none hides the line."""
        words = tr("Only the {rows:row|rows} a check has found {rows:~is|are} shown.", rows=whole(rows))
        self.note.show_note("info", words if rows else "")
        self.setVisible(bool(rows))
