"""The line above the table that says that only some rows are shown, and brings back the others."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.message_strip import InlineMessage


class OnlyRows(QWidget):
    """Hidden while all rows are shown."""

    all_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.note = InlineMessage()
        self.button = name_widget(QPushButton(tr("Show All Rows")), "all_rows")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.note, 1)
        row.addWidget(self.button)
        self.button.clicked.connect(lambda: self.all_wanted.emit())
        self.show_count(0)

    def show_count(self, rows: int) -> None:
        """Say how many rows a check has found; none hides the line."""
        words = tr("Only the {rows:row|rows} a check has found {rows:~is|are} shown.", rows=format_integer(rows))
        self.note.show_note("info", words if rows else "")
        self.setVisible(bool(rows))
