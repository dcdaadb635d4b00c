"""What is public of every column, for Qt's views: its categories, and which questions speak of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from anonymizer_gui.engine.rooms.statistics.cost_preview import QuestionPreview
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.question_syntax import question_text
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips

ASKED, LACKS = 2, 3
_NOWHERE = QModelIndex()
_ROLE = Qt.ItemDataRole


@dataclass(frozen=True, slots=True)
class PublicColumn:
    """A column: what is public of it, the questions about it, and what they still lack."""

    name: str
    public: str
    asked: str
    lacks: str


def public_columns(project: Project, columns: Sequence[str], outlooks: Sequence[QuestionPreview]) -> list[PublicColumn]:
    """Tell what is public of each column; nothing is read off the data."""
    problems = [(seen.asked, seen.problem) for seen in outlooks if seen.problem is not None]
    rows = []
    for name in columns:
        about = [asked for asked in project.questions if name in asked.question.columns()]
        lacks = [error_text(problem) for asked, problem in problems if asked in about]
        words = "; ".join(question_text(asked) for asked in about)
        rows.append(PublicColumn(name, _public(project.hierarchies, name), words, " ".join(dict.fromkeys(lacks))))
    return rows


def _public(hierarchies: Mapping[str, Any], name: str) -> str:
    if name not in hierarchies:
        return ""
    return tr("{leaves:category|categories} of its hierarchy", leaves=len(hierarchies[name].leaves))


@plain_tooltips
class PublicModel(QAbstractTableModel):
    """A row per column of the table."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: list[PublicColumn] = []

    def show_columns(self, columns: list[PublicColumn]) -> None:
        """Show other columns."""
        if columns != self.columns:
            self.beginResetModel()
            self.columns = columns
            self.endResetModel()

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the columns of the table."""
        return 0 if parent.isValid() else len(self.columns)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Name, what is public, what is asked, what is lacking."""
        return 0 if parent.isValid() else 4

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical or role != _ROLE.DisplayRole:
            return None
        return (tr("Column"), tr("Public"), tr("Asked about it"), tr("Lacking"))[section]

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the words; what is lacking stands out."""
        row = self.columns[index.row()]
        text = (row.name, row.public or "–", row.asked, row.lacks)[index.column()]
        if role in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return text
        if role == _ROLE.ForegroundRole and index.column() == LACKS:
            return theme.color("bad")
        return None
