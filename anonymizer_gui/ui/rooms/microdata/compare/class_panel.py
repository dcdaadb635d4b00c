"""Equivalence classes, worst first, and their sensitive values."""

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.sort_and_filter import Order
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.equivalence_classes import ClassList, list_classes
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import format_decimal, format_integer, tr, translated_label
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_tooltips
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel

_NOWHERE = QModelIndex()

_ROLE = Qt.ItemDataRole

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

ROWS, DIVERSITY, CLOSENESS, CELLS = range(4)


@plain_tooltips
class EquivalenceClassModel(QAbstractTableModel):
    """Shows size, l, t and the common cells of every class."""

    def __init__(self) -> None:
        super().__init__()
        self.classes: ClassList | None = None
        self.order: Order = np.empty(0, dtype=np.int64)

    def set_classes(self, classes: ClassList, by: str) -> None:
        """Show the classes of a release, the worst in this respect first."""
        self.beginResetModel()
        self.classes, self.order = classes, classes.worst_first(by)
        self.endResetModel()

    def class_at(self, row: int) -> int:
        """Give the number of the class in a row."""
        return int(self.order[row])

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the classes."""
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Rows, l, t, cells."""
        return 0 if parent.isValid() else 4

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == _ROLE.TextAlignmentRole and section != CELLS:
            return _RIGHT
        if role == _ROLE.ToolTipRole:
            return self._tips()[section]
        return (
            (tr("People") if self._are_people() else tr("Rows"), "l", "t", tr("Published as"))[section]
            if role == _ROLE.DisplayRole
            else None
        )

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the figures and cells of a class."""
        if role == _ROLE.TextAlignmentRole:
            return None if index.column() == CELLS else _RIGHT
        if role not in (_ROLE.DisplayRole, _ROLE.ToolTipRole) or self.classes is None:
            return None
        number = self.class_at(index.row())
        if index.column() == CELLS:
            cells = [translated_label(cell) for cell in self.classes.cells(number)]
            if role == _ROLE.DisplayRole:
                return " · ".join(cells)
            return "\n".join(f"{c.name}: {cell}" for c, cell in zip(self.classes.quasi, cells, strict=True))
        return self._figure(number, index.column()) if role == _ROLE.DisplayRole else None

    def _figure(self, number: int, column: int) -> str:
        assert self.classes is not None
        if column == ROWS:
            sizes = self.classes.classes.sizes if self.classes.people is None else self.classes.people
            return format_integer(sizes[number])
        if self.classes.sensitive is None:
            return "–"
        return (
            format_integer(self.classes.l[number]) if column == DIVERSITY else format_decimal(self.classes.t[number], 3)
        )

    def _are_people(self) -> bool:
        return self.classes is not None and self.classes.people is not None

    def _tips(self) -> tuple[str, ...]:
        return (
            tr("People in the class") if self._are_people() else tr("Rows of the class"),
            tr("Different sensitive values in the class"),
            tr("Distance of the class from all published rows"),
            tr("The cells all rows of the class share"),
        )


class EquivalenceClassPanel(QWidget):
    """The class list with its chart; `class_chosen` tells which class to show, or to show all again."""

    class_chosen = Signal(int, bool)
    """Carries the number of a class (-1: none) and whether only its rows shall be shown."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self.setObjectName("class_panel")
        self.document = document
        self._release: Release | None = None
        self.model = EquivalenceClassModel()
        self.view = name_widget(QTableView(), "class_list")
        self.sort = name_widget(QComboBox(), "class_sort")
        self.sensitive = name_widget(QComboBox(), "class_sensitive")
        self.only = name_widget(QCheckBox(tr("Only this class")), "class_only")
        self.count = name_widget(QLabel(), "class_count")
        self.chart = ChartPanel(document.drawing, "class_shares")
        self._build()
        self._connect()

    @property
    def chosen(self) -> int:
        """The number of the class that is selected, -1 when none is."""
        rows = self.view.selectionModel().selectedRows()
        return self.model.class_at(rows[0].row()) if rows else -1

    @property
    def classes(self) -> ClassList | None:
        """The classes that are listed."""
        return self.model.classes

    def show_release(self, release: Release) -> None:
        """List the classes of another release."""
        self._release = release
        names = release.project.schema.names(Role.SA)
        if [self.sensitive.itemText(i) for i in range(self.sensitive.count())] != list(names):
            self.sensitive.blockSignals(True)
            self.sensitive.clear()
            self.sensitive.addItems(names)
            self.sensitive.blockSignals(False)
        self.sensitive.setEnabled(bool(names))
        self._ask()

    def _build(self) -> None:
        for key, title in (("size", tr("Smallest first")), ("l", tr("Worst l first")), ("t", tr("Worst t first"))):
            self.sort.addItem(title, key)
        self.sort.setAccessibleName(tr("Order of the classes"))
        self.sensitive.setMinimumContentsLength(9)
        self.sensitive.setAccessibleName(tr("Sensitive column"))
        self.sensitive.setToolTip(tr("The sensitive column that l, t and the chart are about"))
        self.only.setToolTip(tr("Show only the rows of the selected class in both tables"))
        self.only.setChecked(True)
        self.view.setModel(self.model)
        self.view.setAccessibleName(tr("Equivalence classes"))
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setAlternatingRowColors(True)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.setTabKeyNavigation(False)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.view.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.5))
        head = self.view.horizontalHeader()
        head.setHighlightSections(False)
        head.setStretchLastSection(True)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        unit = self.fontMetrics().height()
        for place in range(CELLS):
            head.resizeSection(place, round(unit * 3.6))
        self._lay_out()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        title = QLabel(tr("&Classes"))
        title.setBuddy(self.sort)
        for widget in (title, self.sort, self.sensitive, self.only):
            row.addWidget(widget)
        row.addWidget(self.count, 1)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.view, 1)
        splitter = name_widget(QSplitter(), "class_splitter")
        splitter.addWidget(left)
        splitter.addWidget(self.chart)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def _connect(self) -> None:
        self.sort.currentIndexChanged.connect(self._reorder)
        self.sensitive.currentIndexChanged.connect(self._ask)
        self.only.toggled.connect(self._tell)
        self.view.selectionModel().selectionChanged.connect(self._tell)
        self.model.modelReset.connect(self._tell)

    def _ask(self) -> None:
        if self._release is not None:
            self.document.ask(
                "classes",
                list_classes,
                self._release,
                self.sensitive.currentText(),
                self.document.table,
                then=self._on_classes,
                title=tr("List the classes"),
            )

    def _on_classes(self, classes: ClassList) -> None:
        if classes is self.model.classes:
            return
        self.model.set_classes(classes, self.sort.currentData())
        self.count.setText(tr("{count:class|classes}", count=format_integer(len(classes))))

    def _reorder(self) -> None:
        if self.model.classes is not None:
            self.model.set_classes(self.model.classes, self.sort.currentData())

    def _tell(self) -> None:
        self._draw()
        self.class_chosen.emit(self.chosen, self.only.isChecked())

    def _draw(self) -> None:
        classes, number = self.model.classes, self.chosen
        if classes is None or classes.sensitive is None or number < 0:
            self.chart.show_plot(None)
            self.chart.title.setText(tr("Select a class to see its sensitive values against all published rows."))
            return
        shares = classes.shares(number)
        rest = (tr("{count:other value|other values}", count=shares.others),) if shares.others else ()
        words = {"name": classes.sensitive.name, "t": format_decimal(classes.t[number], 3)}
        self.chart.show_plot(
            BarPlot(
                tr("{name}: the class against all published rows, t = {t}", **words),
                (*map(translated_label, shares.labels), *rest),
                {tr("Class"): shares.in_class, tr("All published rows"): shares.in_whole},
                x=tr("Share of the rows"),
                sideways=True,
            )
        )
