"""One side of the comparison for Qt's views: the original, or the release row for row beside it."""

from collections.abc import Collection
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QBrush, QColor

from anonymizer_gui.engine.data.tables.sort_and_filter import Order
from anonymizer_gui.engine.data.tables.table import Column, Role, Schema
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import LEFT_OUT, SideBySide
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr, translated_label
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips
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
class SideModel(QAbstractTableModel):
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
