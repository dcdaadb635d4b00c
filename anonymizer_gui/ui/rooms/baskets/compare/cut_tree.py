"""The tree of items with the cut: what is published is bold, what lies below it is grey; counts on both sides."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QLabel, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr, whole
from anonymizer_gui.ui.widgets.named import named

MOST_NODES = 5000


class CutTree(QWidget):
    """Every node with how many baskets held something of it before, and how many are published with it."""

    def __init__(self) -> None:
        super().__init__()
        self.words = named(QLabel(wordWrap=True), "cut_words")
        self.tree = named(QTreeWidget(), "cut_tree", spoken=tr("Tree of items with the cut"))
        self.tree.setHeaderLabels([tr("Item or group"), tr("Published"), tr("Baskets before"), tr("Baskets after")])
        self.tree.setAlternatingRowColors(True)
        self.tree.setUniformRowHeights(True)
        self.tree.header().setStretchLastSection(False)
        layout = QVBoxLayout(self)
        layout.addWidget(self.words)
        layout.addWidget(self.tree, 1)

    def show_release(self, release: Release) -> None:
        """Show the tree of a release; where groups of baskets have cuts of their own, counts alone tell."""
        data, cut = release.data, release.recoding.cut
        tree = data.tree
        held = release.recoding.held(data)
        after = np.bincount(held.values, minlength=len(tree))
        at_cut = set(np.unique(cut).tolist()) if cut is not None else set(np.flatnonzero(after).tolist())
        words = (
            tr("The cut: what is bold is published, what is grey below it was replaced by it.")
            if cut is not None
            else tr("Each group of baskets has a cut of its own: what is bold is published somewhere.")
        )
        if len(tree) > MOST_NODES:
            words += " " + tr("{shown} of {all:node|nodes} are shown.", shown=whole(MOST_NODES), all=len(tree))
        self.words.setText(words)
        self.tree.clear()
        made: dict[int, QTreeWidgetItem] = {}
        below: set[int] = set()
        for node in range(min(len(tree), MOST_NODES)):
            parent = int(tree.parents[node])
            is_below = cut is not None and (parent in at_cut or parent in below)
            if is_below:
                below.add(node)
            before = int(np.unpackbits(data.bits(node)).sum())
            texts = [tree.labels[node], "●" if node in at_cut else "", whole(before), whole(int(after[node]))]
            made[node] = self._item(texts, is_published=node in at_cut, is_below=is_below)
            if parent < 0:
                self.tree.addTopLevelItem(made[node])
            else:
                made[parent].addChild(made[node])
            made[node].setExpanded(True)
        for node, item in made.items():
            item.setExpanded(node not in at_cut and node not in below)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def _item(self, texts: list[str], *, is_published: bool, is_below: bool) -> QTreeWidgetItem:
        item = QTreeWidgetItem(texts)
        font = self.tree.font()
        font.setBold(is_published)
        item.setFont(0, font)
        if is_published:
            item.setBackground(0, theme.color("changed"))
        if is_below:
            item.setForeground(0, theme.color("muted"))
        for column in (2, 3):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return item
