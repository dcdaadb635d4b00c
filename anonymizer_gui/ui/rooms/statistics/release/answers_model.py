"""The answers of a release for Qt's views: every number as it was drawn, with the ends of its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.ui.i18n import format_significant, tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips

ASK, LABEL, VALUE, LOW, HIGH, COST = range(6)
_NOWHERE = QModelIndex()
_ROLE = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Line:
    """One number of an answer in words, and the place of its answer."""

    place: int
    texts: tuple[str, str, str, str, str, str]


def lines_of(answers: Sequence[Answer]) -> list[Line]:
    """Give a line for every number; only the first of an answer names the question and what it cost."""
    lines = []
    for place, answer in enumerate(answers):
        for at, (label, value) in enumerate(answer.cells()):
            ends = ("", "") if isinstance(value, str) else _ends(answer, value)
            shown = value if isinstance(value, str) else format_significant(value, 6)
            cost = tr("known already") if answer.is_cached else format_significant(float(answer.epsilon), 4)
            first = (answer.ask, cost) if at == 0 else ("", "")
            lines.append(Line(place, (first[0], label, shown, *ends, first[1])))
    return lines


def _ends(answer: Answer, value: int | float) -> tuple[str, str]:
    ends = answer.interval(value)
    return ("", "") if ends is None else (format_significant(ends[0], 6), format_significant(ends[1], 6))


@plain_tooltips
class AnswersModel(QAbstractTableModel):
    """A row per number."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Line] = []

    def show_answers(self, answers: Sequence[Answer]) -> None:
        """Show the answers of another release."""
        lines = lines_of(answers)
        if lines != self.lines:
            self.beginResetModel()
            self.lines = lines
            self.endResetModel()

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the numbers."""
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Question, label, answer, ends of the interval, cost."""
        return 0 if parent.isValid() else COST + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == _ROLE.TextAlignmentRole and section >= VALUE:
            return _RIGHT
        titles = tr("Question"), tr("Cell"), tr("Answer"), tr("From"), tr("To"), "ε"
        return titles[section] if role == _ROLE.DisplayRole else None

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the words and numbers."""
        if role in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return self.lines[index.row()].texts[index.column()]
        return _RIGHT if role == _ROLE.TextAlignmentRole and index.column() >= VALUE else None
