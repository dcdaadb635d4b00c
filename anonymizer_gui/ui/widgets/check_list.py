"""The checklist before a release leaves: a line per check, with icon and sentence, and what was found below it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from anonymizer_gui.engine.room import Check, Finding
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import clear_layout

_MOST_SHOWN = 8
"""So many findings of one check are listed; the first ones say what is wrong."""


class CheckList(QWidget):
    """Shows checks; what holds and what does not is told by icon, word and colour."""

    wanted = Signal(object)
    """Carries the finding somebody wants to see in the data."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("checklist")
        self.setAccessibleName(tr("Checklist"))
        self.lines: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)

    def show_checks(self, checks: Sequence[Check]) -> None:
        """Show these checks."""
        clear_layout(self._grid)
        self.lines = []
        row = 0
        for check in checks:
            self._add_check(check, row)
            row += 1
            for finding in check.findings[:_MOST_SHOWN]:
                self._add_finding(finding, row)
                row += 1
            if len(check.findings) > _MOST_SHOWN:
                more = len(check.findings) - _MOST_SHOWN
                self._grid.addWidget(QLabel(tr("… and {count} more", count=format_integer(more))), row, 1)
                row += 1
        for done in range(row):
            self._grid.setRowStretch(done, 0)
        self._grid.setRowStretch(row, 1)

    def _add_check(self, check: Check, row: int) -> None:
        side = round(self.fontMetrics().height() * 1.2)
        icon = QLabel(alignment=Qt.AlignmentFlag.AlignTop)
        icon.setPixmap(theme.icon(*_mark(check)).pixmap(side, side))
        state = tr("in order") if check.holds else tr("not in order") if check.blocks else tr("look again")
        line = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText), f"check_{check.name}")
        # Sentences that begin with the first thing found tell what stands below, each with its button.
        is_told_below = bool(check.findings) and check.sentence.startswith(check.findings[0].sentence)
        words = "" if is_told_below else f"<br>{_escaped(tr(check.sentence))}"
        line.setText(f"<b>{_escaped(tr(check.title))}</b>: {state}{words}")
        line.setAccessibleName(f"{tr(check.title)}: {state}. {tr(check.sentence)}")
        self._grid.addWidget(icon, row, 0)
        self._grid.addWidget(line, row, 1)
        self.lines.append(line)

    def _add_finding(self, finding: Finding, row: int) -> None:
        # In a row of its own: a line that spans two columns of the grid is not given the height its words need.
        whole_row = QWidget()
        layout = QHBoxLayout(whole_row)
        layout.setContentsMargins(self.fontMetrics().height() // 2, 0, 0, 0)
        layout.addWidget(QLabel(tr(finding.sentence), wordWrap=True, textFormat=Qt.TextFormat.PlainText), 1)
        if finding.rows or finding.place:
            words = tr("Show Rows") if finding.rows else tr("Show Column")
            button = name_widget(QPushButton(words), f"show_{finding.place}", spoken=f"{words}: {tr(finding.sentence)}")
            button.clicked.connect(lambda: self.wanted.emit(finding))
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(whole_row, row, 1)


def _mark(check: Check) -> tuple[str, str]:
    if check.holds:
        return "check", "good"
    return ("error", "bad") if check.blocks else ("warning", "warn")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
