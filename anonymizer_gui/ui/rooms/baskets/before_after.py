"""The three figures of a release of baskets, and that it was counted again."""

from html import escape
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QPainter, QTextDocument
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.sets.encoding import DELETED
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips
from anonymizer_gui.ui.widgets.figure_cards import Figure
from anonymizer_gui.ui.widgets.text_table import text_table_view


def release_figures(release: Release) -> tuple[Figure, ...]:
    """Give the smallest support found, the loss, what was removed, and who is exposed before and after."""
    found = release.measured
    holds = all(promise.holds for promise in release.promises)
    left = tr("{left} of {all:value|values} left", left=format_integer(found.values_left), all=found.items)
    removed = tr("{n:occurrence|occurrences} of items", n=found.deleted)
    counted = tr("Verified by recount: yes") if holds else tr("Verified by recount: no")
    exposed = tr("baskets with up to {m:item|items} that fewer than {k} hold", m=found.m, k=found.k)
    return (
        Figure("support", tr("Smallest support found"), format_integer(found.smallest_support), counted, _tone(holds)),
        Figure("loss", tr("Loss (NCP)"), format_decimal(found.ncp, 5), left, "info"),
        Figure("removed", tr("Deleted"), format_percent(found.share_deleted, 2), removed, "info"),
        Figure(
            "exposed", tr("Exposed"), format_integer(found.exposed_after), exposed, _tone(found.exposed_after == 0),
            format_integer(found.exposed_before),
        ),
    )  # fmt: skip


def _tone(good: bool) -> str:
    return "good" if good else "bad"


MARKUP = int(Qt.ItemDataRole.UserRole) + 1

_AS_IT_IS = -2
"""What is sensitive is published as it is."""

_NOWHERE = QModelIndex()

_ROLE = Qt.ItemDataRole


@plain_tooltips
class BasketPairModel(QAbstractTableModel):
    """A row per basket: its number, the items before, and what left."""

    def __init__(self) -> None:
        super().__init__()
        self._release: Release | None = None
        self._baskets: Baskets | None = None
        self._became = np.empty(0, dtype=np.int64)

    def show_release(self, release: Release, baskets: Baskets) -> None:
        """Show another release."""
        self.beginResetModel()
        self._release, self._baskets = release, baskets
        became = np.full(len(baskets.codes), _AS_IT_IS, dtype=np.int64)
        became[release.data.places] = release.recoding.became
        self._became = became
        self.endResetModel()

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the baskets."""
        return 0 if parent.isValid() or self._baskets is None else len(self._baskets)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Number, before, after."""
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical or role != _ROLE.DisplayRole:
            return None
        return (tr("Basket"), tr("Before"), tr("After"))[section]

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the items as text, and with their marks for the delegate."""
        if self._baskets is None or self._release is None:
            return None
        row, column = index.row(), index.column()
        if column == 0:
            return format_integer(row + 1) if role == _ROLE.DisplayRole else None
        if role in (_ROLE.DisplayRole, _ROLE.ToolTipRole, _ROLE.AccessibleTextRole):
            return ", ".join(text for text, _ in self._parts(row, column))
        if role == MARKUP:
            return ", ".join(_marked(text, mark) for text, mark in self._parts(row, column))
        return None

    def _parts(self, row: int, column: int) -> list[tuple[str, str]]:
        """List the texts of a cell with what happened to each: nothing, changed or deleted."""
        assert self._baskets is not None
        assert self._release is not None
        baskets, tree = self._baskets, self._release.data.tree
        low, high = int(baskets.starts[row]), int(baskets.starts[row + 1])
        held = zip(baskets.codes[low:high].tolist(), self._became[low:high].tolist(), strict=True)
        items = [(baskets.items[code], node) for code, node in held]
        if column == 1:
            return [(item, _happened(node, tree.is_leaf)) for item, node in items]
        shown = {
            tree.labels[node] if node >= 0 else item: _happened(node, tree.is_leaf)
            for item, node in items
            if node != DELETED
        }
        return sorted(shown.items())


def _happened(node: int, is_leaf: Any) -> str:
    if node == DELETED:
        return "deleted"
    return "" if node < 0 or is_leaf[node] else "changed"


def _marked(text: str, mark: str) -> str:
    safe = escape(text)
    if mark == "deleted":
        return f'<s style="color:{theme.color("bad").name()}">{safe}</s>'
    if mark == "changed":
        return f'<span style="background-color:{theme.color("changed").name()}">{safe}</span>'
    return safe


class MarkupDelegate(QStyledItemDelegate):
    """Draws items with their marks."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the ground as always and the marked text above it."""
        markup = index.data(MARKUP)
        if markup is None:
            super().paint(painter, option, index)
            return
        own = QStyleOptionViewItem(option)
        self.initStyleOption(own, index)
        own.text = ""
        style = own.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, own, painter, own.widget)
        is_selected = bool(own.state & QStyle.StateFlag.State_Selected)
        text = own.palette.color(own.palette.ColorRole.HighlightedText if is_selected else own.palette.ColorRole.Text)
        document = QTextDocument()
        document.setDefaultFont(own.font)
        document.setDocumentMargin(2)
        document.setHtml(f'<span style="color:{text.name()}">{markup}</span>')
        painter.save()
        painter.setClipRect(own.rect)
        spare = max(own.rect.height() - document.size().height(), 0) / 2
        painter.translate(own.rect.left(), own.rect.top() + spare)
        document.drawContents(painter)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Ask for one line; both columns of items share what room there is, so that their words need no measuring."""
        width = super().sizeHint(option, index).width() if index.column() == 0 else 0
        return QSize(width, option.fontMetrics.height() + 8)


def before_after_view(model: BasketPairModel, name: str) -> QTableView:
    """Make the table of every basket before and after, both in the same width."""
    view = text_table_view(model, name, tr("Baskets before and after"), 1)
    view.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
    view.setItemDelegate(MarkupDelegate(view))
    return view
