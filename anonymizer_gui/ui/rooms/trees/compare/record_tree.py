"""One record before and after: what became coarser is tinted, what was left out struck through."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.trees.published_records import APART, COARSER, REMOVED, SAME, SUPPRESSED, ComparedLine
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget


class RecordTree(QWidget):
    """The lines of a record as a tree with a column for each side."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = name_widget(QTreeWidget(), "before_after", spoken=tr("Record before and after"))
        self.tree.setHeaderLabels([tr("Path"), tr("Before"), tr("After"), tr("What happened")])
        self.tree.setAlternatingRowColors(True)
        self.tree.setUniformRowHeights(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tree)

    def show_lines(self, lines: Sequence[ComparedLine]) -> None:
        """Show another record."""
        self.tree.clear()
        above: list[QTreeWidgetItem] = []
        words = {
            SAME: "", COARSER: tr("made coarser"), APART: tr("taken apart"), SUPPRESSED: tr("left out"),
            REMOVED: tr("removed by its role"),
        }  # fmt: skip
        for line in lines:
            item = self._item(line, words[line.mark])
            del above[line.depth :]
            if above:
                above[-1].addChild(item)
            else:
                self.tree.addTopLevelItem(item)
            above.append(item)
        self.tree.expandAll()
        head = self.tree.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column in (1, 2):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)

    def _item(self, line: ComparedLine, words: str) -> QTreeWidgetItem:
        name = line.name or (tr("record") if line.is_vertex else tr("value"))
        item = QTreeWidgetItem([name, line.before, line.after, words])
        font = self.tree.font()
        font.setBold(line.is_vertex)
        font.setStrikeOut(line.mark in (SUPPRESSED, REMOVED))
        for column in (0, 1):
            item.setFont(column, font)
        for column in range(4):
            item.setToolTip(column, item.text(column))
            if line.mark in (SUPPRESSED, REMOVED):
                item.setForeground(column, theme.color("bad" if line.mark == SUPPRESSED else "muted"))
        if line.mark in (COARSER, APART):
            item.setBackground(2, theme.color("changed"))
        return item
