"""Original and release beside each other: one order, one place, changed cells tinted by what they lost."""

import numpy as np
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSplitter,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.sort_and_filter import Order, natural_order, sorted_rows
from anonymizer_gui.engine.rooms.microdata.release.output_format import untruthful_output_columns
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import SideBySide, order_by_published, side_by_side
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.rooms.microdata.compare.class_panel import ClassPanel
from anonymizer_gui.ui.rooms.microdata.compare.loss_legend import LossLegend
from anonymizer_gui.ui.rooms.microdata.compare.side_model import SideModel
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import name_widget

_WIDEST = 22


class SideBySideView(QWidget):
    """Two tables that scroll, sort and select as one, over the list of classes."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self.setObjectName("side_by_side")
        self.document = document
        self._release: Release | None = None
        self._sorted: Order = np.empty(0, dtype=np.int64)
        self._sort_by: tuple[str, bool, bool] = ("", False, False)
        self._linking = False
        self.before = SideModel(published=False)
        self.after = SideModel(published=True)
        self.left = self._table(self.before, tr("Original"), "original_table")
        self.right = self._table(self.after, tr("Release"), "release_cells")
        self.classes = ClassPanel(document)
        self.legend = LossLegend()
        self.count = name_widget(QLabel(), "side_count")
        self.reset = name_widget(QToolButton(), "side_reset")
        self.reset.setText(tr("Show All Rows"))
        self._build()
        self._connect()

    def show_release(self, release: Release) -> None:
        """Show another release beside the original; what is shown already stays as it is."""
        self._release = release
        if self.document.table is None:
            return
        if self.after.both is not None and self.after.both.published is release.table:
            self.classes.show_release(release)
            return
        self.document.ask(
            "side by side",
            side_by_side,
            release,
            self.document.table,
            then=self._on_tables,
            title=tr("Put the tables side by side"),
        )

    def sort(self, column: str, *, published: bool, descending: bool = False) -> None:
        """Sort both tables by a column of one of them; an empty name brings back the order of the file."""
        self._sort_by = (column, published, descending)
        both, table = self.after.both, self.document.table
        if both is None or table is None or self._release is None:
            return
        schema = self._release.project.schema

        def work(progress: Progress) -> Order:
            if not column:
                return natural_order(table)
            if published:
                return order_by_published(both, column, descending, progress)
            return sorted_rows(table.column(column), schema.column(column), descending, natural_order(table), progress)

        self.document.jobs.start(tr("Sort"), work, on_done=self._on_sorted, replace_key="sort side by side")

    def recolour(self) -> None:
        """Take on the colours of another theme."""
        self.before.recolour()
        self.after.recolour()
        self.legend.update()

    def _table(self, model: SideModel, title: str, name: str) -> QTableView:
        view = name_widget(QTableView(), name, spoken=title)
        view.setModel(model)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = view.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(round(self.fontMetrics().height() * 1.5))
        rows.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        rows.setHighlightSections(False)
        head = view.horizontalHeader()
        head.setResizeContentsPrecision(40)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionsClickable(True)
        head.setHighlightSections(False)
        head.setTextElideMode(Qt.TextElideMode.ElideRight)
        return view

    def _build(self) -> None:
        tables = name_widget(QSplitter(), "side_tables")
        for title, view in ((tr("Original"), self.left), (tr("Release"), self.right)):
            tables.addWidget(_titled(title, view))
        tables.setChildrenCollapsible(False)
        row = QHBoxLayout()
        row.addWidget(self.legend)
        row.addStretch(1)
        row.addWidget(self.count)
        row.addWidget(self.reset)
        self.reset.setToolTip(tr("Show the rows of all classes again"))
        self.reset.setAccessibleName(self.reset.text())
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(tables, 1)
        column.addLayout(row)
        whole = name_widget(QSplitter(Qt.Orientation.Vertical), "side_splitter")
        whole.addWidget(upper)
        whole.addWidget(self.classes)
        whole.setStretchFactor(0, 3)
        whole.setStretchFactor(1, 2)
        unit = self.fontMetrics().height()
        whole.setSizes([unit * 20, unit * 14])
        layout = QVBoxLayout(self)
        layout.addWidget(whole)

    def _connect(self) -> None:
        for here, there in ((self.left, self.right), (self.right, self.left)):
            here.verticalScrollBar().valueChanged.connect(there.verticalScrollBar().setValue)
            here.horizontalScrollBar().valueChanged.connect(there.horizontalScrollBar().setValue)
            head = here.horizontalHeader()
            head.sectionResized.connect(
                lambda at, _old, new, there=there: there.horizontalHeader().resizeSection(at, new)
            )
            here.selectionModel().currentRowChanged.connect(lambda now, _old, there=there: self._on_current(now, there))
            head.sectionClicked.connect(lambda at, published=here is self.right: self._on_head(at, published))
        self.classes.class_chosen.connect(self._on_class)
        self.reset.clicked.connect(self._on_reset)

    def _on_tables(self, both: SideBySide) -> None:
        if self._release is None or both.published is not self._release.table:
            return
        first = self.after.both is None or self.after.both.columns != both.columns
        self._sorted = natural_order(both.original)
        for model in (self.before, self.after):
            project = self._release.project
            model.set_tables(both, project.schema, self._sorted, untruthful_output_columns(project))
        self._show_sorting("", False, False)
        if first:
            self._fit()
        self.classes.show_release(self._release)

    def _fit(self) -> None:
        width = (
            self.fontMetrics().horizontalAdvance(f" ✕ {format_integer(self.before.rowCount())}")
            + self.fontMetrics().height()
        )
        widest = self.fontMetrics().averageCharWidth() * _WIDEST
        for view in (self.right, self.left):
            view.verticalHeader().setFixedWidth(width)
            view.resizeColumnsToContents()
        for place in range(self.before.columnCount()):
            both = [view.horizontalHeader().sectionSize(place) for view in (self.left, self.right)]
            # A mark that is cut off would warn nobody.
            most = 2 * widest if self.before.is_marked(place) else widest
            self.left.horizontalHeader().resizeSection(place, min(max(both), most))
        words = self.fontMetrics().horizontalAdvance(tr("suppressed")) + self.fontMetrics().height()
        head = self.left.horizontalHeader()
        head.resizeSection(0, max(head.sectionSize(0), words))

    def _on_head(self, place: int, published: bool) -> None:
        assert self.after.both is not None
        name = self.after.both.columns[place]
        if published and name not in self.after.both.published.names:
            return
        again = self._sort_by[:2] == (name, published)
        if again and self._sort_by[2]:
            self.sort("", published=published)
        else:
            self.sort(name, published=published, descending=again)

    def _on_sorted(self, order: Order) -> None:
        self._sorted = order
        self._show_sorting(*self._sort_by)
        self._on_class(self.classes.chosen, self.classes.only.isChecked())

    def _show_sorting(self, column: str, published: bool, descending: bool) -> None:
        self._sort_by = (column, published, descending)
        assert self.after.both is not None
        for view, is_published in ((self.left, False), (self.right, True)):
            head = view.horizontalHeader()
            sorted_here = bool(column) and is_published == published
            head.setSortIndicatorShown(sorted_here)
            if sorted_here:
                order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
                head.setSortIndicator(self.after.both.columns.index(column), order)

    def _on_class(self, number: int, only: bool) -> None:
        classes = self.classes.classes
        if self.after.both is None or classes is None or number >= len(classes):
            return
        order = self._sorted
        places = classes.places_in(order, number) if number >= 0 else np.empty(0, dtype=np.int64)
        if len(places) and only:
            order = order[places]
        if len(order) != len(self.before.order) or order is not self.before.order:
            self.before.set_order(order)
            self.after.set_order(order)
        self._say(len(order))
        if len(places) and not only:
            self._go_to(int(places[0]))

    def _go_to(self, row: int) -> None:
        self.left.selectRow(row)
        self.left.scrollTo(self.before.index(row, 0), QAbstractItemView.ScrollHint.PositionAtTop)

    def _on_reset(self) -> None:
        self.classes.view.clearSelection()

    def _say(self, shown: int) -> None:
        assert self.after.both is not None
        assert self._release is not None
        total = self.after.both.original.n_rows
        words = tr("{total:row|rows}", total=format_integer(total))
        if shown != total:
            words = tr("{shown} of {total:row|rows}", shown=format_integer(shown), total=format_integer(total))
        if self._release.suppressed:
            words = tr("{rows}, {count} suppressed", rows=words, count=format_integer(self._release.suppressed))
        self.count.setText(words)
        self.reset.setEnabled(shown != total)
        theme.set_icon(self.reset, "filter")

    def _on_current(self, now: QModelIndex, other: QTableView) -> None:
        if not self._linking and now.isValid():
            self._linking = True
            other.selectRow(now.row())
            self._linking = False


def _titled(title: str, view: QTableView) -> QWidget:
    box = QWidget()
    label = QLabel(title)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    layout = QVBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(label)
    layout.addWidget(view, 1)
    return box
