"""A hierarchy as a tree model: labels with the rows, the leaves and the LM of each node, and drag and drop."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from PySide6.QtCore import QLocale, QMimeData, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from shiboken6 import getCppPointer

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.hierarchies.mime import (
    NODES_MIME,
    VALUES_MIME,
    pack_nodes,
    unpack_nodes,
    unpack_values,
)
from anonymizer_gui.ui.hierarchies.node_index import NodeIndex, NodeName
from anonymizer_gui.ui.hierarchies.page_words import OF_TABLES, PageWords
from anonymizer_gui.ui.i18n import percent, shown_label, tr
from anonymizer_gui.ui.widgets.indexes import Index
from anonymizer_gui.ui.widgets.plain_text import plain_tips

LABEL, ROWS, LEAVES, LOSS = range(4)

DISPLAY, EDIT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.EditRole)
TOOL_TIP, ALIGNMENT = int(Qt.ItemDataRole.ToolTipRole), int(Qt.ItemDataRole.TextAlignmentRole)
ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@plain_tips
class HierarchyModel(QStandardItemModel):
    """Shows one frozen hierarchy; what the user does to it is told by signals and shown when the new one arrives.

    A view asks about every open node after every edit. Qt's own items answer that: one for each group that may be in
    sight, with as many empty places as it has children, so that neither building nor laying out costs a call of Python
    for each value. Items of the groups under a group are made when it is opened.
    """

    renamed = Signal(int, str)
    """A node and the label typed for it."""
    moved = Signal(list, int, int)
    """Nodes dragged to a parent and a row (-1: at its end)."""
    placed = Signal(list, int, int)
    """Values dragged from the tray to a parent and a row."""

    def __init__(self, parent: QObject | None = None, said: PageWords = OF_TABLES) -> None:
        super().__init__(0, LOSS + 1, parent)
        self._said = said
        self._hierarchy: Hierarchy | None = None
        self._at: NodeIndex | None = None
        self._items: dict[int, QStandardItem] = {}
        self._item_of: dict[int, int] = {}
        """The address of the item of each opened group: an index holds that of the group it stands in."""
        self._group_of: dict[int, int] = {}
        self._rows: Sequence[int] | None = None
        self._before: tuple[NodeIndex, Sequence[int]] | None = None
        """The rows counted last, for the tree they were counted for."""
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
        if self._at is not None and self._rows is not None:
            self._before = self._at, self._rows
        self._before = None if is_other else self._before
        self._rows = None
        self._take(hierarchy)
        self._build()
        self.endResetModel()
        return True

    def show_rows(self, rows: Sequence[int] | None) -> None:
        """Show how many rows of the table come under each node."""
        if self._hierarchy is not None and (rows is None or len(rows) == len(self._hierarchy)):
            self._rows = rows
            self._tell_all_changed()

    def node(self, index: Index) -> int:
        """Give the node at an index."""
        if self._at is None:
            return 0
        group = self._group_of.get(index.internalId())
        if group is None:
            above = index.parent()
            if not above.isValid():
                return 0
            group = self.node(above)
            self._fill(group)
        return self._at.ordered[self._at.first[group] + index.row()]

    def index_of(self, node: int, column: int = LABEL) -> QModelIndex:
        """Give the index of a node."""
        if self._at is None or not node:
            return self.index(0, column)
        group = self._at.parents[node]
        if group not in self._item_of:
            self._fill_down_to(group, self._at)
        return self.createIndex(self._at.rows[node], column, self._item_of[group])

    def name(self, node: int) -> NodeName:
        """Give the name by which a node is found again in the next hierarchy."""
        return self._at.name(node) if self._at else ("", 0)

    def find(self, name: NodeName) -> int | None:
        """Find the node of a name."""
        return self._at.find(name) if self._at else None

    def groups_that(self, holds: Callable[[QModelIndex], bool]) -> list[int]:
        """List the groups in sight or seen before for whose index something holds.

        There may be as many as values, so in one quick loop.
        """
        if self._at is None:
            return []
        rows, parents, items, make = self._at.rows, self._at.parents, self._item_of, self.createIndex
        made = (node for node in self._items if node)
        found = [node for node in made if holds(make(rows[node], LABEL, items[parents[node]]))]
        return [0, *found] if holds(self.index_of(0)) else found

    def children_at(self, parent: Index, first: int, end: int) -> list[int]:
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
        if self._rows is not None:
            return self._rows[node]
        if self._before is None:
            return None
        at, rows = self._before
        before = at.find(self.name(node))
        return None if before is None else rows[before]

    def depth(self, node: int) -> int:
        """Give the depth of a node."""
        return int(self._hierarchy.depths[node]) if self._hierarchy is not None else 0

    def is_leaf(self, node: int) -> bool:
        """Say whether a node has no children."""
        return self._at is None or not self._at.n_children(node)

    def text(self, node: int, column: int) -> str:
        """Give what stands in a column of a node."""
        if self._hierarchy is None:
            return ""
        if column == LABEL:
            return self._hierarchy.labels[node]
        if column == LOSS:
            return percent(float(self._hierarchy.loss[node]))
        number = int(self._hierarchy.leaf_counts[node]) if column == LEAVES else self.rows_of(node)
        return "…" if number is None else self._locale.toString(number)

    def take_no_drops_on(self, index: Index) -> None:
        """Let nothing be dropped on an index if it is a value: what is dropped there goes beside it."""
        node = self.node(index)
        if node and self.is_leaf(node):
            self.itemFromIndex(index.sibling(index.row(), LABEL)).setDropEnabled(False)

    def _is_renaming(self, hierarchy: Hierarchy | None) -> bool:
        """Tell whether all nodes stand where they stood, some under labels that were not there before."""
        old = self._hierarchy
        if old is None or hierarchy is None or not np.array_equal(old.parents, hierarchy.parents):
            return False
        pairs = zip(old.labels, hierarchy.labels, strict=True)
        return all(after not in old.node_of_label for before, after in pairs if before != after)

    def _take(self, hierarchy: Hierarchy | None) -> None:
        self._hierarchy = hierarchy
        self._at = NodeIndex(hierarchy) if hierarchy else None

    def _build(self) -> None:
        """Make the item of the root; views are told about the whole, not about the parts."""
        self.blockSignals(True)
        if self.rowCount():
            self.takeRow(0)
        self._items, self._item_of, self._group_of = {}, {}, {}
        if self._at is not None:
            root = self._items[0] = _unopened(self._at.n_children(0))
            root.setDragEnabled(False)
            self.appendRow(root)
        self.blockSignals(False)

    def _fill_down_to(self, group: int, at: NodeIndex) -> None:
        """Make the items of all groups on the way to a group and of those right under it."""
        way = [group]
        while way[-1] not in self._item_of and way[-1]:
            way.append(at.parents[way[-1]])
        for above in reversed(way):
            self._fill(above)

    def _fill(self, group: int) -> None:
        """Make the items of the groups right under a group that has one."""
        if self._at is None or group in self._item_of or group not in self._items:
            return
        address = self._item_of[group] = getCppPointer(self._items[group])[0]
        self._group_of[address] = group
        first = self._at.first
        nodes = self._at.ordered[first[group] : first[group + 1]]
        below = {node: _unopened(first[node + 1] - first[node]) for node in nodes if first[node + 1] > first[node]}
        self._items.update(below)
        self.blockSignals(True)
        if len(below) == len(nodes):
            self._items[group].insertColumn(LABEL, list(below.values()))
        else:
            self._items[group].setColumnCount(LOSS + 1)
            for node, item in below.items():
                self._items[group].setChild(self._at.rows[node], LABEL, item)
        self.blockSignals(False)

    def _tell_all_changed(self) -> None:
        if self._hierarchy is not None:
            # Naming every index of a large tree would take long: the view repaints all it shows.
            self.dataChanged.emit(self.index_of(0), self.index_of(0, LOSS))

    def _sentence(self, node: int) -> str:
        if self._hierarchy is None:
            return ""
        return tr(
            self._said.node,
            label=shown_label(self._hierarchy.labels[node]),
            level=self._hierarchy.height - self.depth(node),
            height=self._hierarchy.height,
            rows=self.text(node, ROWS),
            leaves=self.text(node, LEAVES),
            loss=self.text(node, LOSS),
        )

    def _drop_target(self, row: int, parent: Index) -> tuple[int, int]:
        """Give node and row of a drop; beside the root means under it."""
        return (self.node(parent), row) if parent.isValid() else (0, -1)

    # What Qt asks for

    def canFetchMore(self, parent: Index) -> bool:
        """Say whether a group is opened for the first time."""
        node = self.node(parent)
        return parent.isValid() and node in self._items and node not in self._item_of

    def fetchMore(self, parent: Index) -> None:
        """Make what a view needs to know about the groups under a group it opens."""
        self._fill(self.node(parent))

    def data(self, index: Index, role: int = DISPLAY) -> object:
        if role == DISPLAY:
            return shown_label(self.text(self.node(index), index.column()))
        if role == ALIGNMENT:
            return _RIGHT if index.column() != LABEL else None
        if role == EDIT:
            return self.text(self.node(index), LABEL)
        if role in (TOOL_TIP, ACCESSIBLE):
            return self._sentence(self.node(index))
        return None

    def setData(self, index: Index, value: object, role: int = EDIT) -> bool:
        if role != EDIT or not index.isValid() or index.column() != LABEL:
            return False
        node, label = self.node(index), str(value).strip()
        if label == self.text(node, LABEL):
            return False
        self.renamed.emit(node, label)
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == DISPLAY:
            return (tr("Value"), tr(self._said.counted), tr("Leaves"), tr("LM"))[section]
        if role == TOOL_TIP:
            return (
                tr("The label that is published"),
                tr(self._said.counted_tip),
                tr("Values of the hierarchy under this label"),
                tr("Loss of a cell that is published as this label: 0 is the exact value, 1 is anything"),
            )[section]
        return _RIGHT if role == ALIGNMENT and section != LABEL else None

    def removeRows(self, row: int, count: int, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        """Refuse: a view must not take away what was dragged; rows change with the hierarchy alone."""
        return False

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction | Qt.DropAction.CopyAction

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [NODES_MIME, VALUES_MIME]

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:
        nodes = {self.node(index) for index in indexes}
        return pack_nodes(self._hierarchy, nodes) if self._hierarchy is not None else QMimeData()

    def canDropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        if self._hierarchy is None or data.hasFormat(VALUES_MIME):
            return self._hierarchy is not None
        target, _ = self._drop_target(row, parent)
        ends = self._hierarchy.subtree_end
        dragged = unpack_nodes(data, self._hierarchy)
        return bool(dragged) and not any(node <= target < ends[node] for node in dragged)

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        """Tell what was dropped where. Always False: the view would otherwise remove the dragged rows itself."""
        if self._hierarchy is not None and self.canDropMimeData(data, action, row, column, parent):
            target, at = self._drop_target(row, parent)
            if data.hasFormat(VALUES_MIME):
                self.placed.emit(unpack_values(data), target, at)
            else:
                self.moved.emit(unpack_nodes(data, self._hierarchy), target, at)
        return False


def _unopened(n_children: int) -> QStandardItem:
    """Make the item of a group; its first column is put in whole when it is opened, which is quickest."""
    return QStandardItem(n_children, LOSS)
