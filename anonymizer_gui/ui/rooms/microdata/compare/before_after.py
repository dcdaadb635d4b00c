"""Original and release row by row."""

from collections.abc import Collection
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QSplitter,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.sort_and_filter import Order, natural_order, sorted_rows
from anonymizer_gui.engine.data.tables.table import Column, Role, Schema
from anonymizer_gui.engine.rooms.microdata.release.output_format import untruthful_output_columns
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import (
    LEFT_OUT,
    SideBySide,
    order_by_published,
    side_by_side,
)
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr, translated_label
from anonymizer_gui.ui.rooms.microdata.compare.class_panel import EquivalenceClassPanel
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_tooltips
from anonymizer_gui.ui.widgets.role_chip import role_icon, role_name

_NOWHERE = QModelIndex()

DISPLAY = int(Qt.ItemDataRole.DisplayRole)

BACKGROUND = int(Qt.ItemDataRole.BackgroundRole)

FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)

TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)

_SHADES = 20

_DEEPEST = 0.45


def loss_color(loss: float) -> QColor:
    """Give the tint of a cell that lost this much: none for 0, deepest for 1."""
    base, full = theme.color("base"), theme.color("series_2")
    share = 0.06 + (_DEEPEST - 0.06) * min(max(loss, 0.0), 1.0)
    parts = (base.red(), full.red()), (base.green(), full.green()), (base.blue(), full.blue())
    return QColor(*(round(b + (f - b) * share) for b, f in parts))


@plain_tooltips
class BeforeAfterModel(QAbstractTableModel):
    """Shows the original (`published` false) or what became of it; both sides have the same columns and order."""

    def __init__(self, published: bool) -> None:
        super().__init__()
        self.published = published
        self.both: SideBySide | None = None
        self.order: Order = np.empty(0, dtype=np.int64)
        self._schema = Schema()
        self._originals: list[Column] = []
        self._columns: list[Column | None] = []
        self._tints: list[list[QBrush | None] | None] = []
        self._gone = self._faint = QBrush()
        self._words = ("", "")
        self._untruthful: frozenset[str] = frozenset()

    def set_tables(self, both: SideBySide, schema: Schema, order: Order, untruthful: Collection[str] = ()) -> None:
        """Show another release beside its original; heads of columns that are not truthful say so."""
        self.beginResetModel()
        self._untruthful = frozenset(untruthful)
        self.both, self.order, self._schema = both, order, schema
        self._originals = [both.original.column(name) for name in both.columns]
        shown = set(both.published.names)
        source = both.published if self.published else both.original
        self._columns = [source.column(name) if name in shown or not self.published else None for name in both.columns]
        self._words = (tr("suppressed"), tr("removed"))
        self._colour()
        self.endResetModel()

    def is_marked(self, place: int) -> bool:
        """Tell whether the head of a column says that it is not truthful."""
        return self._originals[place].name in self._untruthful

    def set_order(self, order: Order) -> None:
        """Show these rows in this order."""
        self.beginResetModel()
        self.order = order
        self.endResetModel()

    def recolour(self) -> None:
        """Take on the colours of another theme."""
        self._colour()
        if len(self.order) and self._columns:
            last = self.index(len(self.order) - 1, len(self._columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the rows shown."""
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the columns."""
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: ModelIndex, role: int = DISPLAY) -> Any:
        """Give the text of a cell, its tint, and what it was."""
        if role not in (DISPLAY, BACKGROUND, FOREGROUND, TOOLTIP) or self.both is None:
            return None
        row, place = self.order[index.row()], index.column()
        column = self._columns[place]
        if column is None:
            return {DISPLAY: self._words[1], FOREGROUND: self._faint, TOOLTIP: self._tip(int(row), place)}.get(role)
        if role == TOOLTIP:
            return self._tip(int(row), place)
        at = self.both.published_row[row]
        if at == LEFT_OUT or (role == BACKGROUND and self.both.starred[row]):
            return self._of_left_out(column, row, place, role)
        code = column.codes[at if self.published else row]
        if role == DISPLAY:
            return translated_label(column.labels[code])
        tints = self._tints[place]
        return tints[code] if role == BACKGROUND and tints is not None else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        """Give the name and role of a column, or the number the row has in the file."""
        if orientation == Qt.Orientation.Vertical:
            return self._row_head(section) if role == DISPLAY and section < len(self.order) else None
        if not 0 <= section < len(self._originals):
            return None
        name = self._originals[section].name
        kind = self._schema.column(name).role
        if role == DISPLAY:
            return tr("{column} (not truthful)", column=name) if name in self._untruthful else name
        if role == Qt.ItemDataRole.DecorationRole:
            return role_icon(kind)
        if role == TOOLTIP:
            return tr("{column}: {role}; click to sort", column=name, role=role_name(kind))
        return None

    def _row_head(self, section: int) -> str:
        row = int(self.order[section])
        number = format_integer(row + 1)
        return f"✕ {number}" if self.both is not None and self.both.is_suppressed(row) else number

    def _of_left_out(self, column: Column, row: int, place: int, role: int) -> Any:
        if role == BACKGROUND:
            return self._gone
        if not self.published:
            return translated_label(column.labels[column.codes[row]]) if role == DISPLAY else None
        word = self._words[0] if place == 0 else "✕"
        return word if role == DISPLAY else self._faint if role == FOREGROUND else None

    def _tip(self, row: int, place: int) -> str:
        assert self.both is not None
        before = self._originals[place]
        text = translated_label(before.labels[before.codes[row]])
        name, at = before.name, int(self.both.published_row[row])
        if self._schema.column(name).role is Role.EI:
            return tr("{column}: {value} is removed", column=name, value=text)
        if at == LEFT_OUT:
            return tr("{column}: {value}\nThe row is suppressed (LM 100%)", column=name, value=text)
        after = self.both.published.column(name)
        code = int(after.codes[at])
        lost = self.both.lost.get(name)
        if name in self._untruthful and lost is None:
            return tr("{column}: {value}, as the preparation left it: not truthful", column=name, value=text)
        if lost is None:
            return tr("{column}: {value}, published unchanged", column=name, value=text)
        return tr(
            "{column}: {value} → {published}\nLM {loss}",
            column=name,
            value=text,
            published=translated_label(after.labels[code]),
            loss=format_percent(lost.loss[code]),
        )

    def _colour(self) -> None:
        self._gone, self._faint = QBrush(theme.color("suppressed")), QBrush(theme.color("muted"))
        if self.both is None:
            return
        shades = [QBrush(loss_color(step / _SHADES)) for step in range(_SHADES + 1)]
        self._tints = []
        for column in self._columns:
            lost = self.both.lost.get(column.name) if column is not None and self.published else None
            tints = None
            if lost is not None:
                steps = np.ceil(lost.loss * _SHADES).astype(np.int64).tolist()
                tints = [shades[min(step, _SHADES)] if step else None for step in steps]
            self._tints.append(tints)


class TintLegend(QWidget):
    """A strip from LM 0 to LM 1 with words at its ends, and the tint of suppressed rows."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("loss_legend")
        self._words = (tr("LM 0%: unchanged"), tr("LM 100%: nothing left"), tr("✕ suppressed"))
        self.setAccessibleName("; ".join(self._words))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def _strip(self) -> float:
        return self.fontMetrics().height() * 5.0

    def sizeHint(self) -> QSize:
        """Be one line high."""
        unit = self.fontMetrics().height()
        words = sum(self.fontMetrics().horizontalAdvance(word) for word in self._words)
        return QSize(round(words + self._strip() + unit * 6), round(unit * 1.4))

    def minimumSizeHint(self) -> QSize:
        """Do not shrink."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw words, strip and swatch in one line."""
        painter, unit, metrics = QPainter(self), self.fontMetrics().height(), self.fontMetrics()
        base = (self.height() + metrics.ascent() - metrics.descent()) / 2
        box_top, box_height = (self.height() - unit * 0.8) / 2, unit * 0.8
        x = 0.0
        painter.setPen(theme.color("text"))
        painter.drawText(QPointF(x, base), self._words[0])
        x += metrics.horizontalAdvance(self._words[0]) + unit / 2
        strip = QRectF(x, box_top, self._strip(), box_height)
        shade = QLinearGradient(strip.topLeft(), strip.topRight())
        shade.setColorAt(0, theme.color("base"))
        shade.setColorAt(0.01, loss_color(0))
        shade.setColorAt(1, loss_color(1))
        painter.fillRect(strip, shade)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawRect(strip)
        x += self._strip() + unit / 2
        painter.setPen(theme.color("text"))
        painter.drawText(QPointF(x, base), self._words[1])
        x += metrics.horizontalAdvance(self._words[1]) + unit * 1.5
        swatch = QRectF(x, box_top, unit * 1.2, box_height)
        painter.fillRect(swatch, theme.color("suppressed"))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawRect(swatch)
        painter.setPen(theme.color("text"))
        painter.drawText(QPointF(swatch.right() + unit / 2, base), self._words[2])


_WIDEST = 22


class BeforeAfterTab(QWidget):
    """Two tables that scroll, sort and select as one, over the list of classes."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self.setObjectName("side_by_side")
        self.document = document
        self._release: Release | None = None
        self._sorted: Order = np.empty(0, dtype=np.int64)
        self._sort_by: tuple[str, bool, bool] = ("", False, False)
        self._linking = False
        self.before = BeforeAfterModel(published=False)
        self.after = BeforeAfterModel(published=True)
        self.left = self._table(self.before, tr("Original"), "original_table")
        self.right = self._table(self.after, tr("Release"), "release_cells")
        self.classes = EquivalenceClassPanel(document)
        self.legend = TintLegend()
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

    def _table(self, model: BeforeAfterModel, title: str, name: str) -> QTableView:
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
