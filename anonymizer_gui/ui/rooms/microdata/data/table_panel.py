"""Table with find bar, filter notes."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.sort_and_filter import RowQuery, RowSelection, select_rows
from anonymizer_gui.engine.data.tables.table import SampledTable, Table
from anonymizer_gui.engine.rooms.microdata.release.output_format import untruthful_output_columns
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.table_view import TableModel, TableView

TYPING_PAUSE_MS = 200


class FindBar(QWidget):
    """Asks for a search while typing; `step` asks for the next or previous row that has the text."""

    changed = Signal()
    step = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("find_bar")
        self.field = name_widget(QLineEdit(clearButtonEnabled=True), "find_text")
        self.columns = name_widget(QComboBox(), "find_column")
        self.only = name_widget(QCheckBox(tr("Only matching rows")), "find_only")
        self.only.setChecked(True)
        self.count = name_widget(QLabel(), "find_count")
        self.back = name_widget(QToolButton(autoRaise=True), "find_previous")
        self.forward = name_widget(QToolButton(autoRaise=True), "find_next")
        self._pause = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._build()
        self._connect()

    @property
    def text(self) -> str:
        """What is looked for."""
        return self.field.text()

    @property
    def column(self) -> str:
        """The column that is searched; empty means all."""
        return self.columns.currentData() or ""

    def set_columns(self, names: Sequence[str]) -> None:
        """Offer the columns of another table."""
        self.columns.blockSignals(True)
        self.columns.clear()
        self.columns.addItem(tr("All columns"), "")
        for name in names:
            self.columns.addItem(name, name)
        self.columns.blockSignals(False)

    def show_count(self, shown: int, total: int) -> None:
        """Say how many rows are shown of how many."""
        everything = shown == total and not self.text
        words = tr("{total:row|rows}", total=format_integer(total))
        self.count.setText(
            words
            if everything
            else tr("{shown} of {total:row|rows}", shown=format_integer(shown), total=format_integer(total))
        )

    def activate(self) -> None:
        """Put the cursor into the field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel(tr("Find"))
        label.setBuddy(self.field)
        self.field.setPlaceholderText(tr("Text in a cell"))
        words = self.fontMetrics().horizontalAdvance(self.field.placeholderText())
        self.field.setMinimumWidth(words + self.fontMetrics().height())
        self.columns.setAccessibleName(tr("Search in"))
        self.columns.setMaximumWidth(self.fontMetrics().averageCharWidth() * 28)
        for button, icon, tip in ((self.back, "up", tr("Previous match")), (self.forward, "down", tr("Next match"))):
            theme.set_icon(button, icon)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
        row.addWidget(label)
        row.addWidget(self.field, 1)
        for widget in (self.columns, self.back, self.forward, self.only, self.count):
            row.addWidget(widget)
        self.set_columns([])

    def _connect(self) -> None:
        self.field.textChanged.connect(self._on_typed)
        self.field.returnPressed.connect(self._on_return)
        self._pause.timeout.connect(self.changed)
        self.columns.currentIndexChanged.connect(self._on_choice)
        self.only.toggled.connect(self._on_choice)
        self.back.clicked.connect(lambda: self.step.emit(-1))
        self.forward.clicked.connect(lambda: self.step.emit(1))

    def _on_typed(self, text: str) -> None:
        if text:
            self._pause.start()
        else:
            self._pause.stop()
            self.changed.emit()

    def _on_return(self) -> None:
        if self._pause.isActive():
            self._pause.stop()
            self.changed.emit()
        self.step.emit(1)

    def _on_choice(self) -> None:
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear the search with Escape."""
        if event.key() == Qt.Key.Key_Escape and self.text:
            self.field.clear()
        else:
            super().keyPressEvent(event)


class SampleNotice(InlineMessage):
    """Hidden while memory holds the table."""

    def show_table(self, table: Table) -> None:
        """Say how many rows of how many are shown; nothing when all are."""
        if not isinstance(table, SampledTable):
            self.show_note("info", "")
            return
        self.show_note(
            "info",
            tr(
                "The table stays where it is ({engine}): {shown} of {rows:row|rows} are shown, drawn at random. Column "
                "figures are exact, of all rows; finding, sorting and sets of columns that identify are about the "
                "rows shown.",
                engine=_name(table.engine),
                shown=format_integer(table.n_rows),
                rows=format_integer(table.n_whole),
            ),
        )


def _name(address: str) -> str:
    return "DuckDB" if address == "duckdb" else address


class RowFilterNotice(QWidget):
    """Hidden while all rows are shown."""

    all_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.note = InlineMessage()
        self.button = name_widget(QPushButton(tr("Show All Rows")), "all_rows")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.note, 1)
        row.addWidget(self.button)
        self.button.clicked.connect(lambda: self.all_wanted.emit())
        self.show_count(0)

    def show_count(self, rows: int) -> None:
        """Say how many rows a check has found; none hides the line."""
        words = tr("Only the {rows:row|rows} a check has found {rows:~is|are} shown.", rows=format_integer(rows))
        self.note.show_note("info", words if rows else "")
        self.setVisible(bool(rows))


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
        self.held, self.find_bar, self.only_rows = SampleNotice(), FindBar(), RowFilterNotice()
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
