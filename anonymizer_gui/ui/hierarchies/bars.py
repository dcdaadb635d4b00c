"""Bars behind numbers of rows, so that large and small are seen before they are read."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies.counts_model import SHARE
from anonymizer_gui.ui.widgets.indexes import Index


def paint_bar(painter: QPainter, rect: QRect, share: float) -> None:
    """Fill the right part of a cell in proportion to a share between 0 and 1."""
    if share > 0:
        width = max(round(rect.width() * share), 2)
        inset = max(rect.height() // 6, 2)
        bar = QRect(rect.right() - width + 1, rect.top() + inset, width, rect.height() - 2 * inset)
        painter.fillRect(bar, theme.color("info_soft"))


def shape_counts(view: QTableView) -> None:
    """Give a view of a CountsModel its look: compact rows, no grid, bars behind the numbers."""
    em = view.fontMetrics().height()
    view.setItemDelegateForColumn(1, CountsDelegate(view))
    view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(round(1.45 * em))
    view.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    head = view.horizontalHeader()
    head.resizeSection(1, max(5 * em, head.sectionSizeHint(1)))


class CountsDelegate(QStyledItemDelegate):
    """Draws the numbers of a CountsModel on their bars."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if not option.state & QStyle.StateFlag.State_Selected:
            paint_bar(painter, option.rect, float(index.data(SHARE)))
        super().paint(painter, option, index)
