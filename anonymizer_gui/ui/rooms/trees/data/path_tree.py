"""The paths of the records as a tree: vertices and labels with counts, types, how often they are there, and roles."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from anonymizer_gui.engine.data.trees.trees import ROOT, Branch, Leaf, Trees
from anonymizer_gui.engine.rooms.trees.encoding import TITLES, PathRole
from anonymizer_gui.engine.rooms.trees.project import Project
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget

PATH = int(Qt.ItemDataRole.UserRole) + 1
_TYPES = {"text": "text", "number": "number", "boolean": "yes or no", "null": "empty"}
_TONES = {
    PathRole.IDENTIFIER: "bad",
    PathRole.QUASI: "warn",
    PathRole.SENSITIVE: "accent",
    PathRole.PUBLIC: "good",
    PathRole.REMOVE: "muted",
}


class PathTree(QWidget):
    """Shows every path; tells which one is chosen."""

    chosen = Signal(str)
    """Carries the path."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = name_widget(QTreeWidget(), "paths", spoken=tr("Paths of the records"))
        heads = [tr("Path"), tr("Role"), tr("How many"), tr("Per vertex above"), tr("Type")]
        self.tree.setHeaderLabels(heads)
        self.tree.setAlternatingRowColors(True)
        self.tree.setUniformRowHeights(True)
        self.tree.header().setStretchLastSection(False)
        self.tree.currentItemChanged.connect(lambda now, _before: self._on_current(now))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tree)

    def show_paths(self, trees: Trees, project: Project, chosen: str) -> None:
        """Show all paths with their roles, and keep the choice."""
        self.tree.blockSignals(True)
        self.tree.clear()
        made: dict[int, QTreeWidgetItem] = {}
        removed = {at for at, each in enumerate(trees.branches) if each.path in project.removed}
        gone = {below for at in removed for below in trees.below(at)}
        for number, branch in enumerate(trees.branches):
            made[number] = self._branch(trees, branch, is_gone=number in gone)
            self._place(made.get(branch.parent), made[number])
            for leaf in (each for each in trees.leaves if each.branch == number):
                role = PathRole.REMOVE if number in gone else project.role(leaf.path)
                self._place(made[number], self._leaf(branch, leaf, role))
        self.tree.expandAll()
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.blockSignals(False)
        self._choose(chosen)

    def _place(self, above: QTreeWidgetItem | None, item: QTreeWidgetItem) -> None:
        if above is None:
            self.tree.addTopLevelItem(item)
        else:
            above.addChild(item)

    def _branch(self, trees: Trees, branch: Branch, *, is_gone: bool) -> QTreeWidgetItem:
        name = branch.name or (tr("record") if branch.parent == ROOT else tr("value"))
        above = len(trees) if branch.parent == ROOT else trees.branches[branch.parent].vertices
        per = _per(branch, above)
        item = QTreeWidgetItem(
            [
                f"{name}[]" if branch.is_list else name,
                tr("Removed") if is_gone else "",
                format_integer(branch.vertices),
                per,
                "",
            ]
        )
        font = self.tree.font()
        font.setBold(True)
        item.setFont(0, font)
        return self._finished(item, branch.path)

    def _leaf(self, branch: Branch, leaf: Leaf, role: PathRole) -> QTreeWidgetItem:
        kinds = ", ".join(tr(_TYPES[kind]) for kind in leaf.types)
        share = len(leaf.holders) / max(branch.vertices, 1)
        there = tr("always") if share == 1 else tr("in {share}", share=format_percent(share))
        item = QTreeWidgetItem(
            [leaf.name or tr("value"), tr(TITLES[role]), format_integer(len(leaf.holders)), there, kinds]
        )
        item.setForeground(1, theme.color(_TONES[role]))
        return self._finished(item, leaf.path)

    def _finished(self, item: QTreeWidgetItem, path: str) -> QTreeWidgetItem:
        item.setData(0, PATH, path)
        item.setToolTip(0, path)
        item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return item

    def _on_current(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(0, PATH))

    def _choose(self, path: str) -> None:
        found = self.tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
        same = [item for item in found if item.data(0, PATH) == path]
        leaves = [item for item in found if not item.childCount()]
        if same or leaves:
            self.tree.setCurrentItem((same or leaves)[-1 if same else 0])


def _per(branch: Branch, above: int) -> str:
    """Say how many of a branch hang on one vertex above."""
    if branch.most == 1:
        share = branch.holders / max(above, 1)
        return tr("one") if share == 1 else tr("one in {share}", share=format_percent(share))
    return tr(
        "up to {most}, {mean} on average",
        most=format_integer(branch.most),
        mean=format_decimal(branch.vertices / max(above, 1), 1),
    )
