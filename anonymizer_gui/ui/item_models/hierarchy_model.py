"""A hierarchy as a tree model: labels with the rows, the leaves and the LM of each node, and drag and drop."""

from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import (
    QAbstractItemModel,
    QLocale,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.item_models.hierarchy_mime import (
    NODES_MIME,
    VALUES_MIME,
    pack_nodes,
    unpack_nodes,
    unpack_values,
)
from anonymizer_gui.ui.item_models.node_index import NodeIndex, NodeName

LABEL, ROWS, LEAVES, LOSS = range(4)

DISPLAY, EDIT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.EditRole)
TOOL_TIP, ALIGNMENT = int(Qt.ItemDataRole.ToolTipRole), int(Qt.ItemDataRole.TextAlignmentRole)
ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
DEPTH = int(Qt.ItemDataRole.UserRole)
"""The depth of a node, for those who colour by level."""
UNUSED = DEPTH + 1
"""Whether no row of the table comes under a node."""
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

_VALUE = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsEditable
    | Qt.ItemFlag.ItemIsDragEnabled
    | Qt.ItemFlag.ItemNeverHasChildren
)
_GROUP = (_VALUE & ~Qt.ItemFlag.ItemNeverHasChildren) | Qt.ItemFlag.ItemIsDropEnabled
_ROOT = _GROUP & ~Qt.ItemFlag.ItemIsDragEnabled

AnyIndex = QModelIndex | QPersistentModelIndex


class HierarchyModel(QAbstractItemModel):
    """Shows one frozen hierarchy; what the user does to it is told by signals and shown when the new one arrives."""

    renamed = Signal(int, str)
    """A node and the label typed for it."""
    moved = Signal(list, int, int)
    """Nodes dragged to a parent and a row (-1: at its end)."""
    placed = Signal(list, int, int)
    """Values dragged from the tray to a parent and a row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hierarchy: Hierarchy | None = None
        self._at: NodeIndex | None = None
        self._loss: list[float] = []
        self._leaves: list[int] = []
        self._depths: list[int] = []
        self._flags: list[Qt.ItemFlag] = []
        self._rows: Sequence[int | None] | None = None
        self._locale = QLocale()

    @property
    def hierarchy(self) -> Hierarchy | None:
        """The hierarchy that is shown."""
        return self._hierarchy

    def show(self, hierarchy: Hierarchy | None, is_other: bool = False) -> bool:
        """Show another hierarchy; say whether views had to forget what was open and selected.

        Unless it is another column's, nodes keep the rows they had until new ones are counted, and views keep
        everything when nodes were only renamed.
        """
        if not is_other and self._is_renaming(hierarchy):
            self._take(hierarchy)
            self._tell_all_changed()
            return False
        self.beginResetModel()
        known = self._rows_by_name() if not is_other else {}
        self._take(hierarchy)
        self._rows = [known.get(name) for name in self._at.names] if self._at and known else None
        self.endResetModel()
        return True

    def show_rows(self, rows: Sequence[int] | None) -> None:
        """Show how many rows of the table come under each node."""
        if self._hierarchy is not None and (rows is None or len(rows) == len(self._hierarchy)):
            self._rows = rows
            self._tell_all_changed()

    def node(self, index: AnyIndex) -> int:
        """Give the node at an index."""
        return int(index.internalId())

    def index_of(self, node: int, column: int = LABEL) -> QModelIndex:
        """Give the index of a node."""
        return self.createIndex(self._at.rows[node], column, node) if self._at else QModelIndex()

    def name(self, node: int) -> NodeName:
        """Give the name by which a node is found again in the next hierarchy."""
        return self._at.names[node] if self._at else ("", 0)

    def find(self, name: NodeName) -> int | None:
        """Find the node of a name."""
        return self._at.nodes.get(name) if self._at else None

    def children_at(self, parent: AnyIndex, first: int, end: int) -> list[int]:
        """Give the nodes of some rows under an index."""
        if self._at is None or not parent.isValid():
            return [0] if self._at else []
        start = self._at.first[self.node(parent)]
        return self._at.ordered[start + first : start + end]

    def runs(self, nodes: Sequence[int]) -> list[tuple[int, int]]:
        """Put nodes together that stand side by side: the first and the last node of each run."""
        return self._at.runs(nodes) if self._at else []

    def rows_of(self, node: int) -> int | None:
        """Give how many rows come under a node, when that is known."""
        return None if self._rows is None else self._rows[node]

    def is_leaf(self, node: int) -> bool:
        """Say whether a node has no children."""
        return self._at is None or not self._at.n_children(node)

    def _rows_by_name(self) -> dict[NodeName, int | None]:
        return dict(zip(self._at.names, self._rows, strict=True)) if self._at and self._rows is not None else {}

    def _is_renaming(self, hierarchy: Hierarchy | None) -> bool:
        """Tell whether all nodes stand where they stood, some under labels that were not there before."""
        old = self._hierarchy
        if old is None or hierarchy is None or not np.array_equal(old.parents, hierarchy.parents):
            return False
        pairs = zip(old.labels, hierarchy.labels, strict=True)
        return all(after not in old.node_of_label for before, after in pairs if before != after)

    def _take(self, hierarchy: Hierarchy | None) -> None:
        self._hierarchy = hierarchy
        self._at = NodeIndex.of(hierarchy) if hierarchy else None
        self._loss = hierarchy.loss.tolist() if hierarchy else []
        self._leaves = hierarchy.leaf_counts.tolist() if hierarchy else []
        self._depths = hierarchy.depths.tolist() if hierarchy else []
        self._flags = [_VALUE if is_leaf else _GROUP for is_leaf in hierarchy.is_leaf.tolist()] if hierarchy else []

    def _tell_all_changed(self) -> None:
        if self._hierarchy is not None:
            # A view repaints whatever of it is visible after any change: one index is enough.
            self.dataChanged.emit(self.index_of(0), self.index_of(0, LOSS))

    def _text(self, node: int, column: int) -> str:
        if self._hierarchy is None:
            return ""
        if column == LABEL:
            return self._hierarchy.labels[node]
        if column == LOSS:
            return self._locale.toString(self._loss[node], "f", 3)
        number = self._leaves[node] if column == LEAVES else self.rows_of(node)
        return "…" if number is None else self._locale.toString(number)

    def _sentence(self, node: int) -> str:
        if self._hierarchy is None:
            return ""
        return tr(
            "{label}: level {level} of {height}, {rows:row|rows}, {leaves:leaf|leaves}, LM {loss}",
            label=self._hierarchy.labels[node],
            level=self._hierarchy.height - self._depths[node],
            height=self._hierarchy.height,
            rows=self._text(node, ROWS),
            leaves=self._text(node, LEAVES),
            loss=self._text(node, LOSS),
        )

    def _drop_target(self, row: int, parent: AnyIndex) -> tuple[int, int]:
        """Give node and row of a drop; beside the root means under it."""
        return (self.node(parent), row) if parent.isValid() else (0, -1)

    # What Qt asks for

    def index(self, row: int, column: int, parent: AnyIndex = QModelIndex()) -> QModelIndex:  # noqa: B008
        if self._at is None or row < 0 or not 0 <= column <= LOSS:
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(0, column, 0) if row == 0 else QModelIndex()
        node = parent.internalId()
        place = self._at.first[node] + row
        if place >= self._at.first[node + 1] or parent.column() != LABEL:
            return QModelIndex()
        return self.createIndex(row, column, self._at.ordered[place])

    def parent(self, index: AnyIndex) -> QModelIndex:  # type: ignore[override]
        node = index.internalId()
        if not node or self._at is None:
            return QModelIndex()
        above = self._at.parents[node]
        return self.createIndex(self._at.rows[above], LABEL, above)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        if self._at is None:
            return 0
        if not parent.isValid():
            return 1
        return self._at.n_children(self.node(parent)) if parent.column() == LABEL else 0

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return LOSS + 1

    def hasChildren(self, parent: AnyIndex = QModelIndex()) -> bool:  # noqa: B008
        return self.rowCount(parent) > 0

    def data(self, index: AnyIndex, role: int = DISPLAY) -> object:
        if role == DISPLAY:
            return self._text(self.node(index), index.column())
        if role == ALIGNMENT:
            return _RIGHT if index.column() != LABEL else None
        if role == EDIT:
            return self._text(self.node(index), LABEL)
        if role == DEPTH:
            return self._depths[self.node(index)]
        if role == UNUSED:
            return self.rows_of(self.node(index)) == 0
        if role in (TOOL_TIP, ACCESSIBLE):
            return self._sentence(self.node(index))
        return None

    def setData(self, index: AnyIndex, value: object, role: int = EDIT) -> bool:
        if role != EDIT or not index.isValid() or index.column() != LABEL:
            return False
        node, label = self.node(index), str(value).strip()
        if label == self._text(node, LABEL):
            return False
        self.renamed.emit(node, label)
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == DISPLAY:
            return (tr("Value"), tr("Rows"), tr("Leaves"), tr("LM"))[section]
        if role == TOOL_TIP:
            return (
                tr("The label that is published"),
                tr("Rows of the table whose value lies under this label"),
                tr("Values of the hierarchy under this label"),
                tr("Loss of a cell that is published as this label: 0 is the exact value, 1 is anything"),
            )[section]
        return _RIGHT if role == ALIGNMENT and section != LABEL else None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        # Asked twice for every open node after every edit: working them out here would cost more than all the rest.
        node = index.internalId()
        if node:
            return self._flags[node]
        return _ROOT if index.isValid() else Qt.ItemFlag.ItemIsDropEnabled

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction | Qt.DropAction.CopyAction

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [NODES_MIME, VALUES_MIME]

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:
        nodes = {self.node(index) for index in indexes}
        return pack_nodes(self._hierarchy, nodes) if self._hierarchy is not None else QMimeData()

    def canDropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: AnyIndex) -> bool:
        if self._hierarchy is None or data.hasFormat(VALUES_MIME):
            return self._hierarchy is not None
        target, _ = self._drop_target(row, parent)
        ends = self._hierarchy.subtree_end
        dragged = unpack_nodes(data, self._hierarchy)
        return bool(dragged) and not any(node <= target < ends[node] for node in dragged)

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: AnyIndex) -> bool:
        """Tell what was dropped where. Always False: the view would otherwise remove the dragged rows itself."""
        if self._hierarchy is not None and self.canDropMimeData(data, action, row, column, parent):
            target, at = self._drop_target(row, parent)
            if data.hasFormat(VALUES_MIME):
                self.placed.emit(unpack_values(data), target, at)
            else:
                self.moved.emit(unpack_nodes(data, self._hierarchy), target, at)
        return False
