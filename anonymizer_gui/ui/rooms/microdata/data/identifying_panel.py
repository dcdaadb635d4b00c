"""Which columns identify: the smallest sets of columns that single out most rows, and a button that marks them."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.unique_columns import LARGEST_SET, MOST_FOUND, MOST_ROWS, UniqueCombination
from anonymizer_gui.ui.i18n import format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text


class IdentifyingPanel(QWidget):
    """Asks for the sets and lists them; marking is the page's business."""

    wanted = Signal()
    stopped = Signal()
    marked = Signal(object)
    """Carries the names of the columns to be quasi-identifiers."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("identifying")
        self.words = name_widget(QLabel(wordWrap=True), "identifying_words")
        self.start = name_widget(QPushButton(tr("Find Them")), "find_identifying")
        self.stop = name_widget(QPushButton(tr("Cancel")), "stop_identifying")
        self.mark = name_widget(QPushButton(tr("Mark as Quasi-identifiers")), "mark_identifying")
        self.list = name_widget(QTableWidget(0, 3), "identifying_sets", spoken=tr("Sets of columns that identify"))
        self._sets: tuple[UniqueCombination, ...] = ()
        self._build()
        self._connect()
        self.forget()

    def forget(self) -> None:
        """Show that nothing is known yet."""
        self._show_rows(())
        self._show_running(False)
        text = tr(
            "Nobody needs a name to be found: a few columns are enough. This looks for the smallest sets of up to "
            "{largest:column|columns} in which more than {share} of all rows have no equal.",
            largest=LARGEST_SET,
            share=format_percent(MOST_ROWS, 0),
        )
        self.words.setText(text)

    def show_running(self) -> None:
        """Show that the sets are being measured."""
        self._show_running(True)
        self.words.setText(tr("Sets of columns are being measured…"))

    def show_stopped(self) -> None:
        """Show that the search was given up."""
        self.forget()

    def show_sets(self, sets: Sequence[UniqueCombination]) -> None:
        """List what was found."""
        self._show_running(False)
        self._show_rows(sets)
        share = format_percent(MOST_ROWS, 0)
        if len(sets) >= MOST_FOUND:
            words = tr("The {count} smallest sets of columns that single out more than {share} of all rows.",
                       count=len(sets), share=share)  # fmt: skip
        elif sets:
            words = tr(
                "{count:set|sets} of columns single out more than {share} of all rows.", count=len(sets), share=share
            )
        else:
            words = tr("No set of up to {largest:column|columns} singles out more than {share} of all rows.",
                       largest=LARGEST_SET, share=share)  # fmt: skip
        self.words.setText(words)
        if sets:
            self.list.selectRow(0)

    def chosen(self) -> list[str]:
        """Name the columns of the selected sets, each once."""
        rows = sorted({index.row() for index in self.list.selectionModel().selectedRows()})
        return list(dict.fromkeys(name for row in rows for name in self._sets[row].columns))

    def _build(self) -> None:
        self.list.setHorizontalHeaderLabels([tr("Columns together"), tr("Size"), tr("Rows singled out")])
        self.list.verticalHeader().hide()
        self.list.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.6))
        self.list.setTabKeyNavigation(False)
        self.list.setShowGrid(False)
        self.list.setAlternatingRowColors(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        head = self.list.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        row = QHBoxLayout()
        for button in (self.start, self.stop, self.mark):
            row.addWidget(button)
        row.addStretch()
        layout = QVBoxLayout(self)
        edge = self.fontMetrics().height() // 2
        layout.setContentsMargins(edge, edge, 0, 0)
        layout.addWidget(self.words)
        layout.addLayout(row)
        layout.addWidget(self.list, 1)

    def _connect(self) -> None:
        self.start.clicked.connect(lambda: self.wanted.emit())
        self.stop.clicked.connect(lambda: self.stopped.emit())
        self.mark.clicked.connect(lambda: self.marked.emit(self.chosen()))
        self.list.itemSelectionChanged.connect(lambda: self.mark.setEnabled(bool(self.chosen())))

    def _show_running(self, is_running: bool) -> None:
        self.start.setEnabled(not is_running)
        self.stop.setVisible(is_running)

    def _show_rows(self, sets: Sequence[UniqueCombination]) -> None:
        self._sets = tuple(sets)
        self.list.setRowCount(len(sets))
        for row, one in enumerate(sets):
            texts = (", ".join(one.columns), str(len(one.columns)), format_percent(one.share))
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                item.setToolTip(plain_text("\n".join(one.columns)))
                self.list.setItem(row, column, item)
        self.mark.setEnabled(bool(self.chosen()))
