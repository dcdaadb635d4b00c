"""Rows of texts and numbers for Qt's views: made whole, or one by one when they are looked at."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtWidgets import QHeaderView, QTableView

from anonymizer_gui.ui.widgets.indexes import Index
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.plain_text import plain_tips

_NOWHERE = QModelIndex()
_ROLE = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_SPARE = 8
_MEASURED = 50
Row = Sequence[str]


@plain_tips
class RowsModel(QAbstractTableModel):
    """A table whose rows are given by a function, so that a million of them cost nothing."""

    def __init__(self, head: Sequence[str], numbers: Sequence[int] = ()) -> None:
        """Show these titles; the columns in `numbers` stand at the right."""
        super().__init__()
        self._head, self._numbers = tuple(head), frozenset(numbers)
        self._count = 0
        self._row: Callable[[int], Row] = lambda _at: ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show rows that are there."""
        kept = list(rows)
        self.show_many(len(kept), lambda at: kept[at])

    def show_many(self, count: int, row: Callable[[int], Row]) -> None:
        """Show so many rows, each made when it is looked at."""
        self.beginResetModel()
        self._count, self._row = count, row
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Count the rows."""
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Count the columns."""
        return 0 if parent.isValid() else len(self._head)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == _ROLE.TextAlignmentRole and section in self._numbers:
            return _RIGHT
        return self._head[section] if role == _ROLE.DisplayRole else None

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> Any:
        """Give a text."""
        if role in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return self._row(index.row())[index.column()]
        return _RIGHT if role == _ROLE.TextAlignmentRole and index.column() in self._numbers else None


def rows_view(model: QAbstractTableModel, name: str, spoken: str, wide: int) -> QTableView:
    """Make a table of whole rows; one column takes the room that is left."""
    view = named(QTableView(), name, spoken=spoken)
    view.setModel(model)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(view.fontMetrics().lineSpacing() + _SPARE)
    view.setShowGrid(False)
    view.setAlternatingRowColors(True)
    view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QTableView.SelectionMode.SingleSelection)
    view.setTabKeyNavigation(False)
    view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    # A few rows tell how wide a column must be. 0 would mean those that are seen, and all of them while none is.
    view.horizontalHeader().setResizeContentsPrecision(_MEASURED)
    view.horizontalHeader().setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
    view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return view
