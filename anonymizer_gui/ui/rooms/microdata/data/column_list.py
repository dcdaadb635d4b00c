"""All columns with role, type, distinction; sorting and keys."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
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

from anonymizer_gui.engine.data.tables.column_profile import ColumnFacts
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role
from anonymizer_gui.engine.rooms.microdata.masking.steps import is_masked
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_tooltips
from anonymizer_gui.ui.widgets.role_chip import ROLE_LETTERS, role_icon, role_name
from anonymizer_gui.ui.widgets.table_view import ALIGNMENT, DISPLAY, LEFT, RIGHT

SORT_ROLE = int(Qt.ItemDataRole.UserRole)

NAME, ROLE, TYPE, DISTINCT, MISSING, UNIQUE, FATE = range(7)

_NOWHERE = QModelIndex()

_OPEN = "open"

_ROLE_ORDER = list(Role)


@plain_tooltips
class ColumnModel(QAbstractTableModel):
    """A row per column of the table; the figures come when they are counted."""

    def __init__(self) -> None:
        super().__init__()
        self.project = Project()
        self._facts: dict[str, ColumnFacts] = {}
        self._reasons: Mapping[str, str] = {}

    def show_project(self, project: Project) -> None:
        """Show the columns as they are decided; the same columns keep their rows."""
        is_same = [c.name for c in project.schema.columns] == [c.name for c in self.project.schema.columns]
        if is_same:
            self.project = project
            self._tell_changed()
            return
        self.beginResetModel()
        self.project, self._facts, self._reasons = project, {}, {}
        self.endResetModel()

    def show_facts(self, facts: tuple[ColumnFacts, ...]) -> None:
        """Show what was counted."""
        self._facts = {one.name: one for one in facts}
        self._tell_changed()

    def show_reasons(self, reasons: Mapping[str, str]) -> None:
        """Mark the columns that seem to point to a person, with the reason."""
        self._reasons = reasons
        self._tell_changed()

    def is_open(self, name: str) -> bool:
        """Tell whether a column that seems to point to a person would leave, and nobody has looked at it."""
        return name in self._reasons and name in self.project.undecided_columns()

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the columns of the table."""
        return 0 if parent.isValid() else len(self.project.schema.columns)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count what is told of each."""
        return 0 if parent.isValid() else 7

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        """Name what is told."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < 7:
            return None
        title, tip = (
            (tr("Column"), ""),
            (tr("Role"), ""),
            (tr("Type"), ""),
            (tr("Distinct"), tr("Different values")),
            (tr("Missing"), tr("Rows without a value")),
            (tr("Unique"), tr("Of the rows with a value, how many have one of their own")),
            (tr("In the release"), tr("What happens to the column on its way out")),
        )[section]
        if role == DISPLAY:
            return title
        if role == ALIGNMENT:
            return RIGHT if section in (DISTINCT, MISSING, UNIQUE) else LEFT
        return tip if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: ModelIndex, role: int = DISPLAY) -> Any:
        """Give the text of a cell, and how it looks."""
        entry = self.project.schema.columns[index.row()]
        if role == DISPLAY:
            return self._text(entry, index.column())
        if role == SORT_ROLE:
            return self._order(entry, index)
        if role == ALIGNMENT:
            return RIGHT if index.column() in (DISTINCT, MISSING, UNIQUE) else LEFT
        if role == Qt.ItemDataRole.DecorationRole:
            return self._icon(entry, index.column())
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return tr(self._reasons[entry.name]) if entry.name in self._reasons else entry.name
        return None

    def _text(self, entry: ColumnSchema, column: int) -> str:
        facts = self._facts.get(entry.name)
        if column == NAME:
            return entry.name
        if column == ROLE:
            return tr("Identifier, the person") if self.project.person == entry.name else role_name(entry.role)
        if column == TYPE:
            return tr(entry.type.value)
        if column == FATE:
            return publication_text(self.project, entry)
        if facts is None:
            return "…"
        if column == UNIQUE:
            return format_percent(facts.unique_share)
        return format_integer(facts.distinct if column == DISTINCT else facts.missing)

    def _order(self, entry: ColumnSchema, index: ModelIndex) -> Any:
        facts = self._facts.get(entry.name)
        numbers = (
            {DISTINCT: facts.distinct, MISSING: facts.missing, UNIQUE: facts.unique_share} if facts is not None else {}
        )
        if index.column() == ROLE:
            return _ROLE_ORDER.index(entry.role)
        if index.column() in (DISTINCT, MISSING, UNIQUE):
            return numbers.get(index.column(), -1)
        return self._text(entry, index.column()).casefold()

    def _icon(self, entry: ColumnSchema, column: int) -> Any:
        if column == ROLE:
            return role_icon(entry.role)
        if column == FATE and self.is_open(entry.name):
            return theme.icon("warning", "warn")
        return None

    def _tell_changed(self) -> None:
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 6))


class ColumnFilter(QSortFilterProxyModel):
    """Keeps the columns whose name has a text, and that are of a sort."""

    def __init__(self, source: ColumnModel) -> None:
        super().__init__()
        self._columns, self._text, self._sort = source, "", ""
        self.setSourceModel(source)
        self.setSortRole(SORT_ROLE)

    def keep(self, text: str, sort: str) -> None:
        """Keep columns with this text in their name; `sort` is a role, `open` for those to look at, or nothing."""
        self._text, self._sort = text.casefold(), sort
        self.invalidate()

    def filterAcceptsRow(self, source_row: int, _source_parent: ModelIndex) -> bool:
        """Tell whether a column is kept."""
        entry = self._columns.project.schema.columns[source_row]
        if self._text not in entry.name.casefold():
            return False
        if self._sort == _OPEN:
            return self._columns.is_open(entry.name)
        return not self._sort or entry.role.value == self._sort


def publication_text(project: Project, entry: ColumnSchema) -> str:
    """Say what happens to a column on its way out, and what it says of a survey."""
    parts = [_fate(project, entry)]
    if entry.name == project.sampling_weight:
        parts.append(tr("sampling weight"))
    if entry.name == project.household:
        parts.append(tr("household"))
    return "; ".join(parts)


def _fate(project: Project, entry: ColumnSchema) -> str:
    if entry.role is Role.EI:
        is_replaced = any(name == entry.name for name, _way in project.publishing.pseudonyms)
        if project.person == entry.name:
            return tr("replaced; says whom a row is about") if is_replaced else tr("removed; says whom a row is about")
        return tr("replaced") if is_replaced else tr("removed")
    if entry.role is Role.QI:
        return tr("generalised")
    if entry.name in project.publishing.left_out:
        return tr("left out")
    is_agreed = entry.name in project.acknowledged
    if is_masked(project.source, entry.name):
        if entry.role is Role.SA:
            return tr("masked, protected") if project.protects(entry.name) else tr("masked, not protected")
        return tr("masked, agreed") if is_agreed else tr("masked, not yet agreed")
    if entry.role is Role.SA:
        return tr("unchanged, protected") if project.protects(entry.name) else tr("unchanged, not protected")
    return tr("unchanged, agreed") if is_agreed else tr("unchanged, not yet agreed")


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
