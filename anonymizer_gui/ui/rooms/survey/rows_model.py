"""Rows of texts for Qt's views: heads, cells, and one row that stands out."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHeaderView, QTableView

from anonymizer_gui.ui.widgets.indexes import Index
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.plain_text import plain_tips

_NOWHERE = QModelIndex()
_ROLE = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@plain_tips
class RowsModel(QAbstractTableModel):
    """Shows rows; columns from `numbers` on hold numbers."""

    def __init__(self, numbers: int) -> None:
        super().__init__()
        self._numbers = numbers
        self.heads: list[str] = []
        self.rows: list[list[str]] = []
        self.bold = -1

    def show_rows(self, heads: Sequence[str], rows: Sequence[Sequence[str]], bold: int = -1) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.heads, self.rows, self.bold = list(heads), [list(row) for row in rows], bold
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Count the rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Count the heads."""
        return 0 if parent.isValid() else len(self.heads)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the heads."""
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == _ROLE.TextAlignmentRole and section >= self._numbers:
            return _RIGHT
        return self.heads[section] if role == _ROLE.DisplayRole else None

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> Any:
        """Give the cells; the row that stands out is bold."""
        if role in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return self.rows[index.row()][index.column()]
        if role == _ROLE.FontRole and index.row() == self.bold:
            font = QFont()
            font.setBold(True)
            return font
        return _RIGHT if role == _ROLE.TextAlignmentRole and index.column() >= self._numbers else None


def rows_view(model: RowsModel, name: str, spoken: str, stretched: int = 0) -> QTableView:
    """Make a view of rows, one column of which takes what is left."""
    view = named(QTableView(), name, spoken=spoken)
    view.setModel(model)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(view.fontMetrics().lineSpacing() + 8)
    view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QTableView.SelectionMode.SingleSelection)
    view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    model.modelReset.connect(lambda: _stretch(view, stretched))
    return view


def _stretch(view: QTableView, column: int) -> None:
    """Let a column take what is left; while there are no columns, none can."""
    if column < view.horizontalHeader().count():
        view.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
