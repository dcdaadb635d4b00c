"""The table with what is above it: finding text, sorting, and showing only the rows a check has found."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from anonymizer_gui.engine.data.tables.sort_and_filter import RowQuery, RowSelection, select_rows
from anonymizer_gui.engine.rooms.microdata.release.output_format import untruthful_output_columns
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.data.find_bar import FindBar
from anonymizer_gui.ui.rooms.microdata.data.held_line import HeldLine
from anonymizer_gui.ui.rooms.microdata.data.only_rows import OnlyRows
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.widgets.table_view import TableModel, TableView


class TablePanel(QWidget):
    """Shows the rows that are wished for, in the order that is wished for; arranged in the background."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self._document = document
        self._sort_by, self._descending = "", False
        self._matches: list[int] = []
        self._only: tuple[int, ...] = ()
        """The rows of the file that are shown at all; none means all."""
        self.model = TableModel()
        self.view = TableView(self.model, document.jobs)
        self.view.setObjectName("data_table")
        self.view.setAccessibleName(tr("Table"))
        self.held, self.find_bar, self.only_rows = HeldLine(), FindBar(), OnlyRows()
        column = QVBoxLayout(self)
        edge = self.fontMetrics().height() // 2
        column.setContentsMargins(edge, edge, 0, 0)
        column.addWidget(self.held)
        column.addWidget(self.find_bar)
        column.addWidget(self.only_rows)
        column.addWidget(self.view, 1)
        self.find_bar.changed.connect(self._arrange)
        self.find_bar.step.connect(self._on_step)
        self.only_rows.all_wanted.connect(lambda: self.show_rows(()))
        self.view.horizontalHeader().sectionDoubleClicked.connect(self._on_head_double_clicked)

    def show_table(self) -> None:
        """Show another table, from its beginning and in the order of the file."""
        table = self._document.table
        if table is None:
            return
        self._sort_by, self._descending, self._only = "", False, ()
        project = self._document.project
        self.model.set_table(table, project.schema, untruthful_output_columns(project))
        self.view.fit_columns()
        self.find_bar.set_columns(table.names)
        self.find_bar.field.clear()
        self.find_bar.show_count(table.n_rows, table.n_rows)
        self.only_rows.show_count(0)
        self.held.show_table(table)

    def show_rows(self, rows: Sequence[int], column: str = "") -> None:
        """Show only these rows of the file, and a column of them; none shows all."""
        self._only = tuple(rows)
        self.find_bar.field.clear()
        if column in self.model.table.names:
            self.view.select_column(column)
        self._arrange()

    def sort(self, column: str, descending: bool = False) -> None:
        """Sort by a column; an empty name brings back the order of the file."""
        self._sort_by, self._descending = column, descending
        self._arrange()

    def _arrange(self) -> None:
        table = self._document.table
        if table is None:
            return
        bar = self.find_bar
        wish = RowQuery(bar.text, bar.column, bar.only.isChecked(), self._sort_by, self._descending, self._only)
        self._document.jobs.start(
            tr("Sort and filter"),
            select_rows,
            table,
            self._document.project.schema,
            wish,
            on_done=self._on_arranged,
            replace_key="arrange",
        )

    def _on_arranged(self, arranged: RowSelection) -> None:
        self.view.show_rows(arranged.order)
        self.only_rows.show_count(len(self._only))
        self._matches = arranged.matches.tolist()
        head = self.view.horizontalHeader()
        head.setSortIndicatorShown(bool(self._sort_by))
        if self._sort_by:
            order = Qt.SortOrder.DescendingOrder if self._descending else Qt.SortOrder.AscendingOrder
            head.setSortIndicator(self.model.table.names.index(self._sort_by), order)
        shown = len(self._matches) if self.find_bar.text else len(arranged.order)
        self.find_bar.show_count(shown, self.model.table.n_rows)

    def _on_step(self, direction: int) -> None:
        if not self._matches:
            return
        here = self.view.currentIndex().row()
        place = bisect_right(self._matches, here) if direction > 0 else bisect_left(self._matches, here) - 1
        row = self._matches[place % len(self._matches)]
        self.view.go_to(row, max(self.view.currentIndex().column(), 0))

    def _on_head_double_clicked(self, place: int) -> None:
        name = self.model.table.names[place]
        self.sort(name, descending=self._sort_by == name and not self._descending)
