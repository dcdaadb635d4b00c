"""A view for tables of any size: fixed rows, whole columns by their heads, cells copied as lines with tabs."""

import numpy as np
from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from anonymizer_gui.engine.data.tables.sort_and_filter import Order, as_tsv
from anonymizer_gui.ui.i18n import whole
from anonymizer_gui.ui.widgets.column_head import ColumnHead, RowHead
from anonymizer_gui.ui.widgets.indexes import ranges_of
from anonymizer_gui.ui.widgets.sideways import SidewaysTable
from anonymizer_gui.ui.widgets.table_model import TableModel
from anonymizer_gui.workspace.jobs import JobRunner

_WIDEST = 24
_MEASURED_ROWS, _MEASURED_CELLS = 50, 1_000  # each asks Python several times: hundreds of columns get fewer rows


class TableView(SidewaysTable):
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
        places = {c for r in ranges_of(self.selectionModel()) for c in range(r.left(), r.right() + 1)}
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
        ranges = [r for r in ranges_of(self.selectionModel()) if r.top() == 0 and r.bottom() == last]
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
        model, ranges = self.table_model(), ranges_of(self.selectionModel())
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
        width = self.fontMetrics().horizontalAdvance(f" {whole(self.table_model().table.n_rows)}")
        self.verticalHeader().setFixedWidth(width + self.fontMetrics().height())
        head = self.horizontalHeader()
        head.setResizeContentsPrecision(min(_MEASURED_ROWS, _MEASURED_CELLS // max(head.count(), 1)))
        self.resizeColumnsToContents()
        widest = self.fontMetrics().averageCharWidth() * _WIDEST
        for place in range(head.count()):
            head.resizeSection(place, min(head.sectionSize(place) + self.fontMetrics().height() // 2, widest * 2))

    def _build(self) -> None:
        height = round(self.fontMetrics().height() * 1.6)
        rows = RowHead(self)
        self.setVerticalHeader(rows)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(height)
        rows.setHighlightSections(False)
        rows.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = ColumnHead(self)
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
