"""A table of a million rows for Qt's views: codes and labels per column, one array for the order of rows."""

from collections.abc import Collection
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QBrush

from anonymizer_gui.engine.data.tables.sort_and_filter import Order, natural_order
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnType, Schema, Table
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr, whole
from anonymizer_gui.ui.roles import role_icon, role_name
from anonymizer_gui.ui.widgets.indexes import Index
from anonymizer_gui.ui.widgets.plain_text import plain

# A page of cells asks some 3,000 times: comparing whole numbers is twice as fast as comparing enums.
DISPLAY = int(Qt.ItemDataRole.DisplayRole)
ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_NUMERIC = (ColumnType.INTEGER, ColumnType.DECIMAL)
_NOWHERE = QModelIndex()


class TableModel(QAbstractTableModel):
    """Shows a table in some order of its rows; the schema says how columns look."""

    def __init__(self, table: Table | None = None, schema: Schema | None = None) -> None:
        super().__init__()
        self.table = Table(())
        self.schema = Schema()
        self.order: Order = np.empty(0, dtype=np.int64)
        self._columns: list[Column] = []
        self._alignments: list[int] = []
        self._faint = QBrush()
        self._missing = tr(MISSING)
        self.set_table(table or Table(()), schema)

    def set_table(self, table: Table, schema: Schema | None = None, untruthful: Collection[str] = ()) -> None:
        """Show another table, all rows as they came; heads of columns that are not truthful say so."""
        self.beginResetModel()
        self.table, self._untruthful = table, frozenset(untruthful)
        self.order = natural_order(table)
        self._columns = list(table.columns)
        self._take_schema(schema or Schema())
        self.endResetModel()

    def set_schema(self, schema: Schema) -> None:
        """Show other types and roles; the cells stay."""
        self._take_schema(schema)
        if self._columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)

    def set_order(self, order: Order) -> None:
        """Show these rows in this order.

        This is a reset: moving the persistent indexes of a selected column of a million rows takes twenty seconds.
        `TableView.show_rows` keeps what was selected.
        """
        self.beginResetModel()
        self.order = order
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Count the rows shown."""
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Count the columns."""
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        """Give the text of a cell, and how it looks."""
        if role == DISPLAY:
            column = self._columns[index.column()]
            label = column.labels[column.codes[self.order[index.row()]]]
            return self._missing if label == MISSING else label
        if role == ALIGNMENT:
            return self._alignments[index.column()]
        if role == FOREGROUND:
            column = self._columns[index.column()]
            if column.labels[column.codes[self.order[index.row()]]] == MISSING:
                return self._faint
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        """Give the name and role of a column, or the number the row has in the file."""
        if orientation == Qt.Orientation.Vertical:
            return whole(self.order[section] + 1) if role == DISPLAY and section < len(self.order) else None
        if not 0 <= section < len(self._columns):
            return None
        name = self._columns[section].name
        if role == DISPLAY:
            return tr("{column} (not truthful)", column=name) if name in self._untruthful else name
        if role == Qt.ItemDataRole.DecorationRole and self.schema.columns:
            return role_icon(self.schema.columns[section].role)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole) and self.schema.columns:
            entry = self.schema.columns[section]
            words = tr("{column}: {type}, {role}", column=name, type=tr(entry.type.value), role=role_name(entry.role))
            return plain(words) if role == Qt.ItemDataRole.ToolTipRole else words
        return None

    def recolour(self) -> None:
        """Take on the colours of another theme."""
        self._faint = QBrush(theme.color("muted"))
        if self._columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)

    def _take_schema(self, schema: Schema) -> None:
        known = {entry.name: entry for entry in schema.columns}
        self.schema = Schema(tuple(known[c.name] for c in self._columns)) if known else schema
        numeric = [known[c.name].type in _NUMERIC if c.name in known else False for c in self._columns]
        self._alignments = [RIGHT if is_number else LEFT for is_number in numeric]
        self._faint = QBrush(theme.color("muted"))
