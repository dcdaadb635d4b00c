"""The list of all columns: sorted, filtered, several selected at once; keys give roles as in the table."""

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.data.column_model import FATE, NAME, UNIQUE, ColumnFilter, ColumnModel
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.role_chip import ROLE_LETTERS, role_icon, role_name

_KEYS = {letter: role for role, letter in ROLE_LETTERS.items()}

_MEASURED_ROWS = 30
"""Rows whose words decide the width of a column: hundreds would keep the window waiting."""


class ColumnList(QWidget):
    """A row per column, with what is known and decided about it."""

    chosen = Signal(object)
    """Carries the names of the selected columns."""
    role_wanted = Signal(object)
    left_out_wanted = Signal()
    menu_wanted = Signal(str, QPoint)
    opened = Signal(str)
    """Carries the column that is to be seen in the table."""

    def __init__(self) -> None:
        super().__init__()
        self.model = ColumnModel()
        self.filter = ColumnFilter(self.model)
        self.field = name_widget(QLineEdit(clearButtonEnabled=True), "column_filter")
        self.sort = name_widget(QComboBox(), "column_sort", spoken=tr("Show columns"))
        self.view = _ColumnView(self)
        self.count = name_widget(QLabel(), "column_count")
        self._build()
        self._connect()

    def selected(self) -> list[str]:
        """Name the selected columns, in the order of the list."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return [self._name(row) for row in rows]

    def select(self, name: str) -> None:
        """Select one column and bring it into view."""
        rows = (row for row in range(self.filter.rowCount()) if self._name(row) == name)
        row = next(rows, -1)
        if row >= 0:
            index = self.filter.index(row, 0)
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.view.selectionModel().setCurrentIndex(index, flags)
            self.view.scrollTo(index)

    def show_sort(self, sort: str) -> None:
        """Show only columns of a role, or with `open` those to look at."""
        self.sort.setCurrentIndex(self.sort.findData(sort))

    def fit(self) -> None:
        """Give every column the room of its words, and what is left to the last one."""
        self.view.resizeColumnsToContents()
        widest = self.fontMetrics().averageCharWidth() * 40
        self.view.setColumnWidth(NAME, min(self.view.columnWidth(NAME), widest))

    def _build(self) -> None:
        self.field.setPlaceholderText(tr("Part of a column's name"))
        self.sort.addItem(tr("All columns"), "")
        self.sort.addItem(tr("To look at"), "open")
        for role in Role:
            self.sort.addItem(role_icon(role), role_name(role), role.value)
        label = QLabel(tr("Find"))
        label.setBuddy(self.field)
        row = QHBoxLayout()
        for widget in (label, self.field, self.sort, self.count):
            row.addWidget(widget, int(widget is self.field))
        layout = QVBoxLayout(self)
        edge = self.fontMetrics().height() // 2
        layout.setContentsMargins(edge, edge, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.view, 1)

    def _connect(self) -> None:
        self.field.textChanged.connect(self._on_filter)
        self.sort.currentIndexChanged.connect(self._on_filter)
        self.view.selectionModel().selectionChanged.connect(self._on_selected)
        self.view.customContextMenuRequested.connect(self._on_menu)
        self.view.doubleClicked.connect(lambda index: self.opened.emit(self._name(index.row())))
        for signal in (self.filter.rowsInserted, self.filter.rowsRemoved, self.filter.modelReset):
            signal.connect(self._count)

    def _count(self) -> None:
        shown, total = self.filter.rowCount(), self.model.rowCount()
        if shown == total:
            self.count.setText(tr("{count:column|columns}", count=total))
        else:
            self.count.setText(tr("{shown} of {total:column|columns}", shown=shown, total=total))

    def _name(self, row: int) -> str:
        return str(self.filter.index(row, NAME).data())

    def _on_filter(self) -> None:
        self.filter.keep(self.field.text(), self.sort.currentData() or "")
        self._count()

    def _on_selected(self) -> None:
        self.chosen.emit(self.selected())

    def _on_menu(self, point: QPoint) -> None:
        index = self.view.indexAt(point)
        if index.isValid():
            self.menu_wanted.emit(self._name(index.row()), self.view.viewport().mapToGlobal(point))


class _ColumnView(QTableView):
    """Selects whole rows; letters give roles, Delete leaves out, Return goes to the column in the table."""

    def __init__(self, columns: ColumnList) -> None:
        super().__init__()
        self._columns = columns
        self.setObjectName("column_list")
        self.setAccessibleName(tr("Columns"))
        self.setModel(columns.filter)
        self.setSortingEnabled(True)
        self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.6))
        head = self.horizontalHeader()
        head.setResizeContentsPrecision(_MEASURED_ROWS)
        head.setStretchLastSection(True)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setToolTip(tr("Click to sort; click {column} first for what points to people", column=tr("Unique")))
        assert head.count() == FATE + 1 > UNIQUE

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give roles by their letters, as in the table."""
        role = _KEYS.get(event.text().upper()) if not event.modifiers() else None
        if role is not None:
            self._columns.role_wanted.emit(role)
        elif event.key() == Qt.Key.Key_Delete:
            self._columns.left_out_wanted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            for name in self._columns.selected()[:1]:
                self._columns.opened.emit(name)
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Leave letters to the roles; the field above filters."""
