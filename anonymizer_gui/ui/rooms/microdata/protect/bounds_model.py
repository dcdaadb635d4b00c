"""The lowest and the highest level of each quasi-identifier for Qt's views."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips

Bounds = dict[str, tuple[int, int]]
NAME, LOWEST, HIGHEST = range(3)
_NOWHERE = QModelIndex()
_ROLE = Qt.ItemDataRole


@plain_tooltips
class BoundsModel(QAbstractTableModel):
    """A row per column; its levels are put into words only when they are looked at."""

    edited = Signal(str, object)
    """Carries the column and the new bounds of all columns."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: list[str] = []
        self._trees: list[Hierarchy | None] = []
        self._pairs: list[tuple[int, int]] = []

    def show_bounds(
        self,
        columns: Sequence[str],
        hierarchies: Mapping[str, Hierarchy],
        bounds: Mapping[str, tuple[int, int]],
    ) -> None:
        """Show the bounds of these columns; without an entry every level is allowed."""
        trees = [hierarchies.get(name) for name in columns]
        tops = [_top(tree) for tree in trees]
        given = [bounds.get(name, (0, top)) for name, top in zip(columns, tops, strict=True)]
        pairs = [(low, min(high, top)) for (low, high), top in zip(given, tops, strict=True)]
        if list(columns) != self.columns:
            self.beginResetModel()
            self.columns, self._trees, self._pairs = list(columns), trees, pairs
            self.endResetModel()
        elif self.columns:
            self._trees, self._pairs = trees, pairs
            # A view draws only what is in sight of it.
            self.dataChanged.emit(self.index(0, LOWEST), self.index(len(self.columns) - 1, HIGHEST))

    def levels(self, row: int) -> list[str]:
        """Name each level of a column by its number and an example."""
        tree = self._trees[row]
        if tree is None:
            return [tr("0: as it is"), tr("1: *")]
        return [f"{level}: {tree.labels[int(nodes[0])]}" for level, nodes in enumerate(tree.level_table())]

    def spoken(self, index: ModelIndex) -> str:
        """Say what a cell is about."""
        if index.column() == LOWEST:
            return tr("Lowest level of {column}", column=self.columns[index.row()])
        return tr("Highest level of {column}", column=self.columns[index.row()])

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the columns of the table."""
        return 0 if parent.isValid() else len(self.columns)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Name, lowest and highest level."""
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical or role != _ROLE.DisplayRole:
            return None
        return (tr("Column"), tr("At least"), tr("At most"))[section]

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Let the levels be chosen."""
        return super().flags(index) | (Qt.ItemFlag.ItemIsEditable if index.column() > NAME else Qt.ItemFlag.NoItemFlags)

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the name or the level: in words, or as a number to those who edit."""
        if role not in (_ROLE.DisplayRole, _ROLE.EditRole, _ROLE.ToolTipRole, _ROLE.AccessibleTextRole):
            return None
        if index.column() == NAME:
            return self.columns[index.row()]
        level = self._pairs[index.row()][index.column() - LOWEST]
        if role == _ROLE.EditRole:
            return level
        words = self.levels(index.row())[level]
        return f"{self.spoken(index)}, {words}" if role == _ROLE.AccessibleTextRole else words

    def setData(self, index: ModelIndex, value: Any, role: int = _ROLE.EditRole) -> bool:
        """Choose a level; the other bound follows where it would be passed."""
        if role != _ROLE.EditRole or index.column() == NAME:
            return False
        row, level = index.row(), int(value)
        low, high = self._pairs[row]
        pair = (level, max(level, high)) if index.column() == LOWEST else (min(low, level), level)
        if pair == (low, high):
            return False
        self._pairs[row] = pair
        self.dataChanged.emit(self.index(row, LOWEST), self.index(row, HIGHEST))
        self.edited.emit(self.columns[row], self._bounds())
        return True

    def _bounds(self) -> Bounds:
        rows = zip(self.columns, self._pairs, self._trees, strict=True)
        return {name: pair for name, pair, tree in rows if pair != (0, _top(tree))}


def _top(tree: Hierarchy | None) -> int:
    return 1 if tree is None else tree.height
