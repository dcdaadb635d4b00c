"""Hierarchy as item model, node positions, drag and drop data, texts per room."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QLocale, QMimeData, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from shiboken6 import getCppPointer

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.i18n import format_percent, tr, translated_label
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips


@dataclass(frozen=True, slots=True)
class HierarchyTexts:
    """Sentences of the page, to be translated; as they are, they speak of the columns of a table."""

    unmarked: str = "Mark the quasi-identifiers first."
    some: str = "{done} of {all} quasi-identifiers have a hierarchy"
    unplaced: str = "{count:quasi-identifier has|quasi-identifiers have} values without a place"
    contradicted: str = "{count:quasi-identifier has|quasi-identifiers have} labels that contradict values"
    done: str = "Every quasi-identifier has a hierarchy"
    propose: str = "Propose a hierarchy for every quasi-identifier that has none"
    no_data: str = "Open a table to shape its hierarchies."
    no_column: str = "No column is marked as a quasi-identifier yet."
    way_out: str = "Hierarchies say how quasi-identifiers are made coarser: mark those columns on the Data page."
    go: str = "Go to Data"
    go_to: str = "data"
    """The page where columns are marked."""
    level: str = "<b>The column at level</b>"
    one_class: str = "One class from this column alone, with {rows:row|rows}; LM {loss}"
    classes: str = "{classes:class|classes} from this column alone, the smallest with {rows:row|rows}; LM {loss}"
    counted: str = "Rows"
    """What is counted under each label."""
    counted_tip: str = "Rows of the table whose value lies under this label"
    node: str = "{label}: level {level} of {height}, {rows:row|rows}, {leaves:leaf|leaves}, LM {loss}"
    tray: str = "<b>Without a place</b>: values {values}, rows {rows}"
    with_sensitive: bool = True
    """Whether sensitive columns may have a hierarchy, too."""
    is_one: bool = False
    """Whether there is always one column, so that no list of them is needed."""


TABLE_TEXTS = HierarchyTexts()
"""Where nothing else is said, columns of a table are spoken of."""

NODES_MIME = "application/x-anonymizer-hierarchy-nodes"

VALUES_MIME = "application/x-anonymizer-values"


def encode_nodes(hierarchy: Hierarchy, nodes: Iterable[int]) -> QMimeData:
    """Pack nodes; their labels as text, for other programs."""
    labels = hierarchy.labels
    chosen = sorted(nodes)
    paths = [[labels[step] for step in reversed(hierarchy.path(node))] for node in chosen]
    return _pack(NODES_MIME, paths, [labels[node] for node in chosen])


def encode_values(values: Sequence[str]) -> QMimeData:
    """Pack values of the data."""
    return _pack(VALUES_MIME, list(values), values)


def decode_nodes(data: QMimeData, hierarchy: Hierarchy) -> list[int]:
    """Find the dragged nodes in a hierarchy; none when they are of another one."""
    found = [_node_at(hierarchy, path) for path in _unpack(NODES_MIME, data)]
    return [] if None in found else [node for node in found if node is not None]


def decode_values(data: QMimeData) -> list[str]:
    """Give the dragged values."""
    return [str(value) for value in _unpack(VALUES_MIME, data)]


def _pack(kind: str, content: list[str] | list[list[str]], lines: Sequence[str]) -> QMimeData:
    data = QMimeData()
    data.setData(kind, json.dumps(content).encode())
    data.setText("\n".join(lines))
    return data


def _unpack(kind: str, data: QMimeData) -> list[str]:
    return list(json.loads(bytes(data.data(kind).data()))) if data.hasFormat(kind) else []


def _node_at(hierarchy: Hierarchy, path: Sequence[str]) -> int | None:
    """Find the node of a path of labels from the root down."""
    node = hierarchy.node_of_label.get(path[-1]) if path else None
    if node is None:
        return None
    # A chain of only children may repeat a label; its nodes follow each other.
    node += len(path) - 1 - int(hierarchy.depths[node])
    if not 0 <= node < len(hierarchy):
        return None
    return node if [hierarchy.labels[step] for step in reversed(hierarchy.path(node))] == list(path) else None


NodeName = tuple[str, int]
"""The label of a node and how many nodes of the same label stand above it (chains of only children may repeat one)."""


class NodePositions:
    """Children, rows and names of the nodes of one hierarchy."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        parents = hierarchy.parents
        ordered = np.argsort(parents, kind="stable")
        first = np.searchsorted(parents[ordered], np.arange(len(parents) + 1))
        rows = np.zeros(len(parents), dtype=np.int64)
        rows[ordered] = np.arange(len(parents)) - np.concatenate([[0], first])[parents[ordered] + 1]
        self._hierarchy = hierarchy
        self.ordered: list[int] = ordered.tolist()
        self.first: list[int] = first.tolist()
        self.rows: list[int] = rows.tolist()
        self.parents: list[int] = parents.tolist()
        self.groups: list[int] = [0, *(np.flatnonzero(~hierarchy.is_leaf[1:]) + 1).tolist()]
        """The root and all nodes with children, from the top."""

    def n_children(self, node: int) -> int:
        """Count the children of a node."""
        return self.first[node + 1] - self.first[node]

    def name(self, node: int) -> NodeName:
        """Give the name by which a node is found again in the next hierarchy."""
        return self._repeated.get(node) or (self._hierarchy.labels[node], 0)

    def find(self, name: NodeName) -> int | None:
        """Find the node of a name."""
        return self._hierarchy.node_of_label.get(name[0]) if not name[1] else self._places.get(name)

    def runs(self, nodes: Sequence[int]) -> list[tuple[int, int]]:
        """Give the first and the last of every run of neighbours among some nodes in their order."""
        found: list[tuple[int, int]] = []
        places = sorted((self.parents[node], self.rows[node], node) for node in nodes)
        for at, (parent, row, node) in enumerate(places):
            follows = at > 0 and places[at - 1][:2] == (parent, row - 1)
            found[-1:] = [(found[-1][0], node)] if follows else [*found[-1:], (node, node)]
        return found

    @cached_property
    def _repeated(self) -> dict[int, NodeName]:
        """The names of nodes whose label stands above them already; almost always there are none."""
        labels = self._hierarchy.labels
        if len(self._hierarchy.node_of_label) == len(labels):
            return {}
        seen: dict[str, int] = {}
        found = {}
        topmost = self._hierarchy.topmost_of_label
        for node in np.flatnonzero(topmost < np.arange(len(labels))).tolist():
            label = labels[node]
            seen[label] = above = seen.get(label, 0) + 1
            found[node] = (label, above)
        return found

    @cached_property
    def _places(self) -> dict[NodeName, int]:
        return {name: node for node, name in self._repeated.items()}


LABEL, ROWS, LEAVES, LOSS = range(4)

DISPLAY, EDIT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.EditRole)

TOOL_TIP, ALIGNMENT = int(Qt.ItemDataRole.ToolTipRole), int(Qt.ItemDataRole.TextAlignmentRole)

ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@plain_tooltips
class HierarchyTreeModel(QStandardItemModel):
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

    def __init__(self, parent: QObject | None = None, said: HierarchyTexts = TABLE_TEXTS) -> None:
        super().__init__(0, LOSS + 1, parent)
        self._said = said
        self._hierarchy: Hierarchy | None = None
        self._at: NodePositions | None = None
        self._items: dict[int, QStandardItem] = {}
        self._item_of: dict[int, int] = {}
        """The address of the item of each opened group: an index holds that of the group it stands in."""
        self._group_of: dict[int, int] = {}
        self._rows: Sequence[int] | None = None
        self._before: tuple[NodePositions, Sequence[int]] | None = None
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

    def node(self, index: ModelIndex) -> int:
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

    def children_at(self, parent: ModelIndex, first: int, end: int) -> list[int]:
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
            return format_percent(float(self._hierarchy.loss[node]))
        number = int(self._hierarchy.leaf_counts[node]) if column == LEAVES else self.rows_of(node)
        return "…" if number is None else self._locale.toString(number)

    def take_no_drops_on(self, index: ModelIndex) -> None:
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
        self._at = NodePositions(hierarchy) if hierarchy else None

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

    def _fill_down_to(self, group: int, at: NodePositions) -> None:
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
            label=translated_label(self._hierarchy.labels[node]),
            level=self._hierarchy.height - self.depth(node),
            height=self._hierarchy.height,
            rows=self.text(node, ROWS),
            leaves=self.text(node, LEAVES),
            loss=self.text(node, LOSS),
        )

    def _drop_target(self, row: int, parent: ModelIndex) -> tuple[int, int]:
        """Give node and row of a drop; beside the root means under it."""
        return (self.node(parent), row) if parent.isValid() else (0, -1)

    # What Qt asks for

    def canFetchMore(self, parent: ModelIndex) -> bool:
        """Say whether a group is opened for the first time."""
        node = self.node(parent)
        return parent.isValid() and node in self._items and node not in self._item_of

    def fetchMore(self, parent: ModelIndex) -> None:
        """Make what a view needs to know about the groups under a group it opens."""
        self._fill(self.node(parent))

    def data(self, index: ModelIndex, role: int = DISPLAY) -> object:
        if role == DISPLAY:
            return translated_label(self.text(self.node(index), index.column()))
        if role == ALIGNMENT:
            return _RIGHT if index.column() != LABEL else None
        if role == EDIT:
            return self.text(self.node(index), LABEL)
        if role in (TOOL_TIP, ACCESSIBLE):
            return self._sentence(self.node(index))
        return None

    def setData(self, index: ModelIndex, value: object, role: int = EDIT) -> bool:
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

    def removeRows(self, row: int, count: int, parent: ModelIndex = QModelIndex()) -> bool:  # noqa: B008
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
        return encode_nodes(self._hierarchy, nodes) if self._hierarchy is not None else QMimeData()

    def canDropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: ModelIndex
    ) -> bool:
        if self._hierarchy is None or data.hasFormat(VALUES_MIME):
            return self._hierarchy is not None
        target, _ = self._drop_target(row, parent)
        ends = self._hierarchy.subtree_end
        dragged = decode_nodes(data, self._hierarchy)
        return bool(dragged) and not any(node <= target < ends[node] for node in dragged)

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: ModelIndex) -> bool:
        """Tell what was dropped where. Always False: the view would otherwise remove the dragged rows itself."""
        if self._hierarchy is not None and self.canDropMimeData(data, action, row, column, parent):
            target, at = self._drop_target(row, parent)
            if data.hasFormat(VALUES_MIME):
                self.placed.emit(decode_values(data), target, at)
            else:
                self.moved.emit(decode_nodes(data, self._hierarchy), target, at)
        return False


def _unopened(n_children: int) -> QStandardItem:
    """Make the item of a group; its first column is put in whole when it is opened, which is quickest."""
    return QStandardItem(n_children, LOSS)
