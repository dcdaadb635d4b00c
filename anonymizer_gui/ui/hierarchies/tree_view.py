"""The tree of a hierarchy: keeps what is open and selected from one tree to the next, and takes drops."""

from collections.abc import Iterable

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QDragMoveEvent, QGuiApplication, QIcon, QKeyEvent, QKeySequence, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies.tree_model import (
    LABEL,
    LEAVES,
    LOSS,
    ROWS,
    TABLE_TEXTS,
    HierarchyTexts,
    HierarchyTreeModel,
)
from anonymizer_gui.ui.hierarchies.value_counts import paint_bar
from anonymizer_gui.ui.i18n import tr, translated_label
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, selected_ranges

INITIALLY_EXPANDED = 60
"""A tree opens level by level while no more nodes than this would show."""


MAX_SELECTION_RANGES = 200
"""So many runs of neighbouring nodes are selected at most."""


class HierarchyTreeView(QTreeView):
    """Shows a HierarchyModel; nodes are dragged, renamed in place and found again after every edit."""

    selection_changed = Signal()

    def __init__(self, parent: QWidget | None = None, said: HierarchyTexts = TABLE_TEXTS) -> None:
        super().__init__(parent, uniformRowHeights=True, allColumnsShowFocus=True)
        self.setObjectName("hierarchy_tree")
        self.hierarchy_model = HierarchyTreeModel(self, said)
        self.setModel(self.hierarchy_model)
        # The model tells a change of everything by its first row; Qt repaints no more than what was told.
        self.hierarchy_model.dataChanged.connect(lambda *_places: self.viewport().update())
        self.setItemDelegate(NodeDelegate(self))
        self.setAccessibleName(tr("Tree of the hierarchy"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.SelectedClicked
        )
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setAutoExpandDelay(500)
        self.setAlternatingRowColors(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._size_columns()
        self.selectionModel().selectionChanged.connect(self.selection_changed)

    def show_hierarchy(self, hierarchy: Hierarchy | None, is_other: bool = False) -> None:
        """Show a hierarchy; unless it is another column's, what was open and selected stays so."""
        opened = set() if is_other else self._opened()
        chosen = [] if is_other else [self.hierarchy_model.name(node) for node in self.selected()]
        scrolled = self.verticalScrollBar().value()
        if not self.hierarchy_model.show(hierarchy, is_other):
            return
        find = self.hierarchy_model.find
        reopened = [node for name in opened if (node := find(name)) is not None]
        if 2 * len(reopened) > len(opened):
            self._open(reopened)
        else:
            # Little of the old tree is left: this is another hierarchy.
            self._open_some()
        self.select(node for name in chosen if (node := find(name)) is not None)
        self.verticalScrollBar().setValue(0 if is_other else scrolled)

    def selected(self) -> tuple[int, ...]:
        """Give the selected nodes in their order."""
        model = self.hierarchy_model
        return tuple(
            sorted(
                node
                for part in selected_ranges(self.selectionModel())
                for node in model.children_at(part.parent(), part.top(), part.bottom() + 1)
            )
        )

    def select(self, nodes: Iterable[int]) -> None:
        """Select some nodes and no other, open the way to them and show the first."""
        chosen = sorted(nodes)
        model, selection = self.hierarchy_model, QItemSelection()
        # A view asks every part of a selection about every cell: thousands of parts would hold it up for seconds.
        for first, last in model.runs(chosen)[:MAX_SELECTION_RANGES]:
            self._open_above(first)
            selection.select(model.index_of(first), model.index_of(last, LOSS))
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if chosen:
            current = model.index_of(chosen[0])
            self.selectionModel().setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.scrollTo(current)

    def select_labels(self, labels: Iterable[str]) -> None:
        """Select the nodes of some labels that are there."""
        tree = self.hierarchy_model.hierarchy
        places = tree.node_of_label if tree else {}
        self.select(places[label] for label in labels if label in places)

    def rename_first(self) -> None:
        """Let the user type the label of the current node."""
        if self.currentIndex().isValid():
            self.edit(self.currentIndex().siblingAtColumn(LABEL))

    def open_to_depth(self, depth: int) -> None:
        """Open all groups above a depth and close the others."""
        tree = self.hierarchy_model.hierarchy
        if tree is not None:
            self.expandToDepth(depth - 1)

    def find_label(self, text: str, step: int = 1) -> bool:
        """Select the next node (step -1: the one before) whose label contains the text; say whether there is one."""
        tree = self.hierarchy_model.hierarchy
        wanted = text.casefold()
        hits = [node for node, label in enumerate(tree.labels) if wanted in label.casefold()] if tree and wanted else []
        if not hits:
            return False
        at = self.hierarchy_model.node(self.currentIndex()) if self.currentIndex().isValid() else -1
        ahead = [node for node in hits if node > at] if step > 0 else [node for node in reversed(hits) if node < at]
        self.select([ahead[0] if ahead else hits[0 if step > 0 else -1]])
        return True

    def _copy(self) -> None:
        """Put the labels of the selected nodes on the clipboard, one per line."""
        tree = self.hierarchy_model.hierarchy
        if tree is not None:
            QGuiApplication.clipboard().setText("\n".join(tree.labels[node] for node in self.selected()))

    def _size_columns(self) -> None:
        header, em = self.header(), self.fontMetrics().height()
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setSectionResizeMode(LABEL, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(3 * em)
        self.setIndentation(round(1.1 * em))
        for column, width in ((ROWS, 4.6), (LEAVES, 3.8), (LOSS, 4.4)):
            header.resizeSection(column, max(round(width * em), header.sectionSizeHint(column)))

    def _opened(self) -> set[tuple[str, int]]:
        model = self.hierarchy_model
        return {model.name(node) for node in model.groups_that(self.isExpanded)}

    def _open(self, nodes: Iterable[int]) -> None:
        for node in nodes:
            self.setExpanded(self.hierarchy_model.index_of(node), True)

    def _open_above(self, node: int) -> None:
        tree = self.hierarchy_model.hierarchy
        for above in tree.path(node)[1:] if tree else ():
            index = self.hierarchy_model.index_of(above)
            if not self.isExpanded(index):
                self.setExpanded(index, True)

    def _open_some(self) -> None:
        tree = self.hierarchy_model.hierarchy
        if tree is None:
            return
        depth = 1
        while depth < tree.height and int((tree.depths <= depth + 1).sum()) <= INITIALLY_EXPANDED:
            depth += 1
        self._open((tree.depths < depth).nonzero()[0].tolist())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Return names a node as F2 does: on some systems F2 is taken.
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
            return
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers()
        if is_return and self.state() != QAbstractItemView.State.EditingState:
            self.rename_first()
        else:
            super().keyPressEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.hierarchy_model.take_no_drops_on(self.indexAt(event.position().toPoint()))
        super().dragMoveEvent(event)


class NodeDelegate(QStyledItemDelegate):
    """Draws the level of a node as a numbered, coloured mark, and a bar for its share of the rows."""

    def __init__(self, tree: HierarchyTreeView) -> None:
        super().__init__(tree)
        self._tree = tree
        self._marks: dict[tuple[int, bool, bool], QIcon] = {}

    def initStyleOption(self, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        # Qt would ask for six things of every cell one by one; here they are told in one go.
        model, column = self._tree.hierarchy_model, index.column()
        node = model.node(index)
        if isinstance(index, QModelIndex):
            option.index = index
        text = model.text(node, column)
        option.text = translated_label(text) if column == LABEL else text
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDisplay
        if model.rows_of(node) == 0 and not option.state & QStyle.StateFlag.State_Selected:
            option.palette.setColor(option.palette.ColorRole.Text, theme.color("muted"))
        if column == LABEL:
            option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
            option.icon = self._mark(node)
            option.decorationSize = QSize(option.fontMetrics.height(), option.fontMetrics.height())
        else:
            option.displayAlignment = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        if index.column() == ROWS and not option.state & QStyle.StateFlag.State_Selected:
            paint_bar(painter, option.rect, self._share(index))
        super().paint(painter, option, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), max(hint.height(), round(1.55 * option.fontMetrics.height())))

    def _share(self, index: ModelIndex) -> float:
        model = self._tree.hierarchy_model
        return (model.rows_of(model.node(index)) or 0) / (model.rows_of(0) or 1)

    def _mark(self, node: int) -> QIcon:
        model = self._tree.hierarchy_model
        height = model.hierarchy.height if model.hierarchy else 0
        level = height - model.depth(node)
        key = (level, model.is_leaf(node), theme.is_dark())
        if key not in self._marks:
            self._marks[key] = level_mark(level, key[1], self._tree)
        return self._marks[key]


def level_mark(level: int, is_leaf: bool, widget: QWidget) -> QIcon:
    """Draw the number of a level on its colour: filled for a group, as an outline for a value."""
    shade = theme.color(theme.SERIES[level % len(theme.SERIES)])
    mark = _mark_pixmap(level, is_leaf, shade, theme.color("accent_text"), widget)
    icon = QIcon(mark)
    # Qt would tint it on a selected row: its colour says the level there too.
    icon.addPixmap(mark, QIcon.Mode.Selected)
    return icon


def _mark_pixmap(level: int, is_leaf: bool, shade: QColor, ink: QColor, widget: QWidget) -> QPixmap:
    size, ratio = widget.fontMetrics().height(), widget.devicePixelRatioF()
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(shade)
    painter.setBrush(Qt.BrushStyle.NoBrush if is_leaf else shade)
    painter.drawRoundedRect(QRect(1, 1, size - 2, size - 2), 4, 4)
    font = widget.font()
    font.setPixelSize(max(round(size * 0.6), 7))
    font.setBold(not is_leaf)
    painter.setFont(font)
    painter.setPen(shade if is_leaf else ink)
    painter.drawText(QRect(0, 0, size, size), Qt.AlignmentFlag.AlignCenter, str(level))
    painter.end()
    return pixmap
