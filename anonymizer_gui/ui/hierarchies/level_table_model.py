"""A hierarchy as the table that full-domain algorithms use: one row per leaf, one column per level."""

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal

from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.ui.i18n import shown_label, tr
from anonymizer_gui.ui.widgets.indexes import Index
from anonymizer_gui.ui.widgets.plain_text import plain_tips

DISPLAY, EDIT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.EditRole)
TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
REPEATED = int(Qt.ItemDataRole.UserRole)
"""Whether the cell says the same as the one above it."""


@plain_tips
class LevelTableModel(QAbstractTableModel):
    """Shows the label of every leaf at every level; a label can be changed in any of its cells."""

    renamed = Signal(int, str)
    """A node and the label typed for it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hierarchy: Hierarchy | None = None
        self._levels: list[list[int]] = []

    def show(self, hierarchy: Hierarchy | None, uneven: Uneven) -> None:
        """Show the level table of a hierarchy."""
        self.beginResetModel()
        self._hierarchy = hierarchy
        self._levels = hierarchy.level_table(uneven).tolist() if hierarchy else []
        self.endResetModel()

    def node(self, index: Index) -> int:
        """Give the node a cell shows."""
        return self._levels[index.column()][index.row()]

    # What Qt asks for

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(self._levels[0]) if self._levels and not parent.isValid() else 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._levels)

    def data(self, index: Index, role: int = DISPLAY) -> object:
        if role not in (DISPLAY, EDIT, TOOL_TIP, REPEATED) or self._hierarchy is None or not index.isValid():
            return None
        level, row = self._levels[index.column()], index.row()
        if role == REPEATED:
            return row > 0 and level[row] == level[row - 1]
        label = self._hierarchy.labels[level[row]]
        return label if role == EDIT else shown_label(label)

    def setData(self, index: Index, value: object, role: int = EDIT) -> bool:
        label = str(value).strip()
        if role != EDIT or not index.isValid() or label == self.data(index, EDIT):
            return False
        self.renamed.emit(self.node(index), label)
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if role != DISPLAY:
            return None
        if orientation == Qt.Orientation.Vertical:
            return section + 1
        return tr("Level 0 (values)") if section == 0 else tr("Level {level}", level=section)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() else flags
