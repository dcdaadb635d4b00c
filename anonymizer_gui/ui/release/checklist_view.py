"""The checklist before a release leaves: a line per check, with icon and sentence."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from anonymizer_gui.engine.room import Check
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.layout_pieces import emptied
from anonymizer_gui.ui.widgets.named import named


class ChecklistView(QWidget):
    """Shows checks; what holds and what does not is told by icon, word and colour."""

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
        emptied(self._grid)
        self.lines = []
        side = round(self.fontMetrics().height() * 1.2)
        for row, check in enumerate(checks):
            icon = QLabel(alignment=Qt.AlignmentFlag.AlignTop)
            icon.setPixmap(theme.icon(*_mark(check)).pixmap(side, side))
            state = tr("in order") if check.holds else tr("not in order") if check.blocks else tr("look again")
            line = named(QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText), f"check_{check.name}")
            line.setText(f"<b>{_escaped(tr(check.title))}</b>: {state}<br>{_escaped(tr(check.sentence))}")
            line.setAccessibleName(f"{tr(check.title)}: {state}. {tr(check.sentence)}")
            self._grid.addWidget(icon, row, 0)
            self._grid.addWidget(line, row, 1)
            self.lines.append(line)
            self._grid.setRowStretch(row, 0)
        self._grid.setRowStretch(len(checks), 1)


def _mark(check: Check) -> tuple[str, str]:
    if check.holds:
        return "check", "good"
    return ("error", "bad") if check.blocks else ("warning", "warn")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
