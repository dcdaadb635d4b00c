"""The tree of items with the cut drawn as a line: what stands at it is published, what is right of it was replaced."""

import itertools
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.rooms.baskets.utility import CutNode, CutView
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget

_SIDE = int(Qt.ItemDataRole.UserRole) + 1
_WIDTH, _SPARE = 3, 6
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class CutTree(QWidget):
    """Every node with how many baskets held something of it before, and how many are published with it."""

    def __init__(self) -> None:
        super().__init__()
        self.words = name_widget(QLabel(wordWrap=True), "cut_words")
        self.tree = name_widget(TreeWithLine(), "cut_tree", spoken=tr("Tree of items with the cut"))
        self.tree.setHeaderLabels([tr("Item or group"), tr("Published"), tr("Baskets before"), tr("Baskets after")])
        self.tree.setAlternatingRowColors(True)
        self.tree.setUniformRowHeights(True)
        self.tree.header().setStretchLastSection(False)
        layout = QVBoxLayout(self)
        layout.addWidget(self.words)
        layout.addWidget(self.tree, 1)

    def show_cut(self, cut: CutView) -> None:
        """Show the tree of a release; where groups of baskets have cuts of their own, counts alone tell."""
        words = (
            tr(
                "The line is the cut: what is bold beside it is published, what is struck through was deleted "
                "everywhere, what lies right of the line was replaced."
            )
            if cut.is_one
            else tr("Each group of baskets has a cut of its own: what is bold is published somewhere.")
        )
        if cut.all > len(cut.nodes):
            words += " " + tr(
                "{shown} of {all:node|nodes} are shown.", shown=format_integer(len(cut.nodes)), all=cut.all
            )
        self.words.setText(words)
        self.tree.has_line = cut.is_one
        self.tree.clear()
        look = _Look.of(self.tree)
        made = [look.item(node) for node in cut.nodes]
        for node, item in zip(cut.nodes, made, strict=True):
            if node.parent >= 0:
                made[node.parent].addChild(item)
        self.tree.addTopLevelItems([item for node, item in zip(cut.nodes, made, strict=True) if node.parent < 0])
        for node, item in zip(cut.nodes, made, strict=True):
            item.setExpanded(node.side == "above")
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)


@dataclass(frozen=True, slots=True)
class _Look:
    """How nodes look, made once for all of them: there may be a thousand, and the window waits for each."""

    size: QSize
    fonts: dict[tuple[bool, bool], QFont]
    """By whether something is published, and whether it is gone."""
    changed: QColor
    bad: QColor
    muted: QColor

    @classmethod
    def of(cls, tree: QTreeWidget) -> "_Look":
        fonts = {}
        for is_published, is_gone in itertools.product((False, True), repeat=2):
            font = fonts[is_published, is_gone] = tree.font()
            font.setBold(is_published)
            font.setStrikeOut(is_gone)
        size = QSize(0, tree.fontMetrics().lineSpacing() + _SPARE)
        return cls(size, fonts, theme.color("changed"), theme.color("bad"), theme.color("muted"))

    def item(self, node: CutNode) -> QTreeWidgetItem:
        is_published = node.side == "published" and not node.is_gone
        item = QTreeWidgetItem(
            [node.label, "●" if is_published else "", format_integer(node.before), format_integer(node.after)]
        )
        item.setData(0, _SIDE, node.side)
        item.setSizeHint(0, self.size)
        if is_published or node.is_gone:
            item.setFont(0, self.fonts[is_published, node.is_gone])
        if is_published:
            item.setBackground(0, self.changed)
        if node.is_gone:
            item.setForeground(0, self.bad)
        if node.side == "below":
            item.setForeground(0, self.muted)
        for column in (2, 3):
            item.setTextAlignment(column, _RIGHT)
        return item


class TreeWithLine(QTreeWidget):
    """A tree through which a line goes down, right of what is above the cut and left of what is published."""

    has_line = False

    def drawRow(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the row, and the piece of the line beside it."""
        super().drawRow(painter, option, index)
        if not self.has_line:
            return
        here, rect = self.model().index(index.row(), 0, index.parent()), option.rect
        above = self.indexAbove(here)
        x, was = self.line_at(here), self.line_at(above if above.isValid() else here)
        painter.save()
        painter.setPen(QPen(theme.color("accent"), _WIDTH))
        painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom() + 1))
        painter.drawLine(QPointF(was, rect.top()), QPointF(x, rect.top()))
        painter.restore()

    def line_at(self, place: QModelIndex) -> float:
        """Give where the line goes through a row: behind the words of what is above the cut, before what is at it."""
        side = place.data(_SIDE)
        if side == "above":
            return self.visualRect(place).left() + self.fontMetrics().horizontalAdvance(f"{place.data()}   ")
        while side == "below":
            place = place.parent()
            side = place.data(_SIDE)
        return self.visualRect(place).left() - self.indentation() + _WIDTH
