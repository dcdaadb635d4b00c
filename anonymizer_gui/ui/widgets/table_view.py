"""Table of any size: model, view, header."""

from collections.abc import Collection
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QBrush, QFont, QGuiApplication, QIcon, QKeyEvent, QKeySequence, QPainter, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyleOptionHeader, QTableView, QWidget

from anonymizer_gui.engine.data.tables.sort_and_filter import Order, as_tsv, natural_order
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnType, Schema, Table
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_text, selected_ranges
from anonymizer_gui.ui.widgets.role_chip import role_icon, role_name
from anonymizer_gui.workspace.jobs import JobRunner

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

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the rows shown."""
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the columns."""
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: ModelIndex, role: int = DISPLAY) -> Any:
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
            return format_integer(self.order[section] + 1) if role == DISPLAY and section < len(self.order) else None
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
            return plain_text(words) if role == Qt.ItemDataRole.ToolTipRole else words
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


class RowHeader(QHeaderView):
    """Numbers of rows in a width that is given: Qt would measure hundreds of them whenever a table is laid out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setSectionsClickable(True)

    def sizeHint(self) -> QSize:
        """Give the width that was set."""
        return QSize(self.minimumWidth(), self.length())


class ColumnHeader(QHeaderView):
    """Paints a selected column's head in bold.

    Qt's own painting asks whether a column is selected row by row, which takes seconds for a million rows; the
    ranges of the selection tell at once. Qt also measures every head many times while a table is laid out; here each
    is measured once.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._sizes: dict[tuple[int, bool], QSize] = {}
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def is_selected(self, column: int) -> bool:
        """Tell whether a whole column is selected."""
        last = self.model().rowCount(QModelIndex()) - 1
        whole = (r for r in selected_ranges(self.selectionModel()) if last >= 0 and (r.top(), r.bottom()) == (0, last))
        return any(r.left() <= column <= r.right() for r in whole)

    def sectionSizeFromContents(self, logicalIndex: int) -> QSize:
        """Give the room a head needs for its name and icon."""
        key = logicalIndex, self.isSortIndicatorShown()
        if key not in self._sizes:
            self._sizes[key] = super().sectionSizeFromContents(logicalIndex)
        return self._sizes[key]

    def sizeHint(self) -> QSize:
        """Give the height of the first head, which all share: Qt would measure two hundred of them."""
        if not self.count():
            return super().sizeHint()
        return QSize(self.length(), self.sectionSizeFromContents(0).height())

    def setModel(self, model: QAbstractItemModel | None) -> None:
        """Take the heads of a model, and measure anew what gets another name or icon."""
        if self.model() is not None:
            self.model().headerDataChanged.disconnect(self._forget_sizes)
        super().setModel(model)
        self._forget_sizes()
        if model is not None:
            model.headerDataChanged.connect(self._forget_sizes)

    def reset(self) -> None:
        """Forget the heads of another table."""
        self._forget_sizes()
        super().reset()

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew with other letters."""
        self._forget_sizes()
        super().changeEvent(event)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Paint one head: frame, icon and name."""
        if not rect.isValid():
            return
        option = QStyleOptionHeader()
        self.initStyleOption(option)
        option.rect = rect
        option.section = logicalIndex
        option.text = str(self._of(logicalIndex, Qt.ItemDataRole.DisplayRole) or "")
        icon = self._of(logicalIndex, Qt.ItemDataRole.DecorationRole)
        option.icon = icon if isinstance(icon, QIcon) else QIcon()
        option.iconAlignment = Qt.AlignmentFlag.AlignVCenter
        option.textAlignment = self.defaultAlignment()
        option.state |= QStyle.StateFlag.State_Raised
        font = QFont(painter.font())
        font.setBold(self.is_selected(logicalIndex))
        painter.save()
        painter.setFont(font)
        option.fontMetrics = painter.fontMetrics()
        option.text = self._elided(option)
        self.style().drawControl(QStyle.ControlElement.CE_Header, option, painter, self)
        painter.restore()

    def _forget_sizes(self) -> None:
        self._sizes = {}

    def _elided(self, option: QStyleOptionHeader) -> str:
        """Shorten each line of the name to the room there is."""
        lines, right, room = option.text.split("\n"), Qt.TextElideMode.ElideRight, self._room(option)
        return "\n".join(option.fontMetrics.elidedText(line, right, room) for line in lines)

    def _room(self, option: QStyleOptionHeader) -> int:
        """Give the width that is left for the name."""
        margin = self.style().pixelMetric(QStyle.PixelMetric.PM_HeaderMargin, option, self)
        icon = self.style().pixelMetric(QStyle.PixelMetric.PM_SmallIconSize, option, self)
        return option.rect.width() - 2 * margin - (0 if option.icon.isNull() else icon + margin)

    def _of(self, column: int, role: Qt.ItemDataRole) -> object:
        return self.model().headerData(column, Qt.Orientation.Horizontal, int(role))


class ShiftScrollTable(QTableView):
    """A table that knows Shift and the wheel."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways with Shift; otherwise as ever."""
        turned = event.angleDelta().y()
        if event.modifiers() != Qt.KeyboardModifier.ShiftModifier or not turned:
            super().wheelEvent(event)
            return
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - round(turned / 120 * 3 * max(bar.singleStep(), self.fontMetrics().height())))
        event.accept()


_WIDEST = 24

_MEASURED_ROWS, _MEASURED_CELLS = 50, 1_000  # each asks Python several times: hundreds of columns get fewer rows


class TableView(ShiftScrollTable):
    """Shows a `TableModel`; selecting a head selects its column."""

    columns_selected = Signal(object)
    """Carries the names of the columns that have a selected cell."""

    def __init__(self, model: TableModel, jobs: JobRunner) -> None:
        super().__init__()
        self._jobs = jobs
        self.setModel(model)
        self._build()
        self.selectionModel().selectionChanged.connect(self._on_selection)
        model.modelReset.connect(self._on_selection)

    def table_model(self) -> TableModel:
        """Give the model."""
        model = self.model()
        assert isinstance(model, TableModel)
        return model

    def selected_columns(self) -> list[str]:
        """Name the columns that have a selected cell, in order."""
        # Ranges, never single cells: all of a million rows are one range.
        places = {c for r in selected_ranges(self.selectionModel()) for c in range(r.left(), r.right() + 1)}
        names = self.table_model().table.names
        return [names[place] for place in sorted(places) if place < len(names)]

    def select_column(self, name: str) -> None:
        """Select a whole column and bring it into view."""
        index = self.model().index(max(self.rowAt(0), 0), self.table_model().table.names.index(name))
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Columns
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.selectionModel().select(index, flags)
        self.scrollTo(index)

    def show_rows(self, order: Order) -> None:
        """Show these rows in this order; whole columns and the current cell stay selected."""
        model, here = self.table_model(), self.currentIndex()
        row = int(model.order[here.row()]) if here.isValid() else -1
        last = model.rowCount() - 1
        ranges = [r for r in selected_ranges(self.selectionModel()) if r.top() == 0 and r.bottom() == last]
        places = sorted({place for r in ranges for place in range(r.left(), r.right() + 1)})
        model.set_order(order)
        found = np.flatnonzero(order == row)
        if len(found):
            self.go_to(int(found[0]), here.column())
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Columns
        for place in places if len(order) else []:
            self.selectionModel().select(model.index(0, place), flags)

    def go_to(self, row: int, column: int) -> None:
        """Select a cell and bring it into view."""
        index = self.model().index(row, column)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.scrollTo(index)

    def copy(self, header: bool = False) -> None:
        """Copy the selected cells as lines with tabs."""
        model, ranges = self.table_model(), selected_ranges(self.selectionModel())
        if not ranges:
            return
        top, bottom = min(r.top() for r in ranges), max(r.bottom() for r in ranges)
        self._jobs.start(
            "Copy",
            as_tsv,
            model.table,
            model.order[top : bottom + 1],
            self.selected_columns(),
            header,
            on_done=QGuiApplication.clipboard().setText,
            replace_key="copy",
        )

    def fit_columns(self) -> None:
        """Give each column the width of its first cells, within reason."""
        width = self.fontMetrics().horizontalAdvance(f" {format_integer(self.table_model().table.n_rows)}")
        self.verticalHeader().setFixedWidth(width + self.fontMetrics().height())
        head = self.horizontalHeader()
        head.setResizeContentsPrecision(min(_MEASURED_ROWS, _MEASURED_CELLS // max(head.count(), 1)))
        self.resizeColumnsToContents()
        widest = self.fontMetrics().averageCharWidth() * _WIDEST
        for place in range(head.count()):
            head.resizeSection(place, min(head.sectionSize(place) + self.fontMetrics().height() // 2, widest * 2))

    def _build(self) -> None:
        height = round(self.fontMetrics().height() * 1.6)
        rows = RowHeader(self)
        self.setVerticalHeader(rows)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(height)
        rows.setHighlightSections(False)
        rows.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = ColumnHeader(self)
        self.setHorizontalHeader(head)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionsMovable(False)
        head.setMinimumHeight(round(height * 1.2))
        self.setWordWrap(False)
        self.setAlternatingRowColors(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)

    def _on_selection(self) -> None:
        self.columns_selected.emit(self.selected_columns())

    def keyboardSearch(self, search: str) -> None:
        """Do not look through a million rows for every key; the find bar does that."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy with the system's key."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)
