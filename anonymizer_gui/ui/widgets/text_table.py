"""Rows of texts as model and view, one row marked."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHeaderView, QTableView

from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_tooltips

_NOWHERE = QModelIndex()

_ROLE = Qt.ItemDataRole

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

_SPARE = 8

_MEASURED = 50

TextRow = Sequence[str]


@plain_tooltips
class TextTableModel(QAbstractTableModel):
    """A table whose rows are given by a function, so that a million of them cost nothing."""

    def __init__(self, head: Sequence[str], numbers: Sequence[int] = ()) -> None:
        """Show these titles; the columns in `numbers` stand at the right."""
        super().__init__()
        self._head, self._numbers = tuple(head), frozenset(numbers)
        self._count = 0
        self._row: Callable[[int], TextRow] = lambda _at: ()

    def show_rows(self, rows: Sequence[TextRow]) -> None:
        """Show rows that are there."""
        kept = list(rows)
        self.show_many(len(kept), lambda at: kept[at])

    def show_many(self, count: int, row: Callable[[int], TextRow]) -> None:
        """Show so many rows, each made when it is looked at."""
        self.beginResetModel()
        self._count, self._row = count, row
        self.endResetModel()

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the rows."""
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the columns."""
        return 0 if parent.isValid() else len(self._head)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == _ROLE.TextAlignmentRole and section in self._numbers:
            return _RIGHT
        return self._head[section] if role == _ROLE.DisplayRole else None

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give a text."""
        if role in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return self._row(index.row())[index.column()]
        return _RIGHT if role == _ROLE.TextAlignmentRole and index.column() in self._numbers else None


def text_table_view(model: QAbstractTableModel, name: str, spoken: str, wide: int) -> QTableView:
    """Make a table of whole rows; one column takes the room that is left."""
    view = name_widget(QTableView(), name, spoken=spoken)
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


@plain_tooltips
class MarkedTableModel(QAbstractTableModel):
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

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the heads."""
        return 0 if parent.isValid() else len(self.heads)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the heads."""
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == _ROLE.TextAlignmentRole and section >= self._numbers:
            return _RIGHT
        return self.heads[section] if role == _ROLE.DisplayRole else None

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the cells; the row that stands out is bold."""
        if role in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return self.rows[index.row()][index.column()]
        if role == _ROLE.FontRole and index.row() == self.bold:
            font = QFont()
            font.setBold(True)
            return font
        return _RIGHT if role == _ROLE.TextAlignmentRole and index.column() >= self._numbers else None


def marked_table_view(model: MarkedTableModel, name: str, spoken: str, stretched: int = 0) -> QTableView:
    """Make a view of rows, one column of which takes what is left."""
    view = name_widget(QTableView(), name, spoken=spoken)
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
