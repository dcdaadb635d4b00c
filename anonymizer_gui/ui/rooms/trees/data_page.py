"""Data page: paths, roles, records; texts of the Hierarchies page."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMessageBox,
    QPushButton,
    QSpinBox,
    QSplitter,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.trees.reading import files_beside
from anonymizer_gui.engine.data.trees.trees import FORMATS, ROOT, Branch, Leaf, Trees
from anonymizer_gui.engine.rooms.trees.encoding import TITLES, PathRole
from anonymizer_gui.engine.rooms.trees.project import PathSuggestion, Project, suggest_roles
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.hierarchies.tree_model import HierarchyTexts
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.trees.record_views import record_text, record_text_view
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.document import Document

PATH_ROLE = int(Qt.ItemDataRole.UserRole) + 1

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
        item.setData(0, PATH_ROLE, path)
        item.setToolTip(0, path)
        item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return item

    def _on_current(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(0, PATH_ROLE))

    def _choose(self, path: str) -> None:
        found = self.tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
        same = [item for item in found if item.data(0, PATH_ROLE) == path]
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


ROOM = "trees"

_NONE = "\0"
"""No path is called so; the record itself has an empty one."""


class DataPage(Page):
    """Paths at the left; the role, the suggestion and the values of the chosen one at the right."""

    name = "data"
    title = "Data"
    order = 10
    icon = "data"
    help = "trees/records"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how many records there are."""
        trees: Any = document.table
        if document.room != ROOM or trees is None:
            return StepStatus(StepState.EMPTY, tr("Open records first."))
        return StepStatus(StepState.DONE, tr("{records:record|records}", records=len(trees)))

    def take_suggestions(self) -> None:
        """Give every path the role that is suggested."""
        found = {each.schema.path: each.schema.role for each in self._suggested.values()}
        paths = tuple(replace(each, role=found.get(each.path, each.role)) for each in self.document.project.paths)
        self.document.edit(tr("Take the suggested roles"), paths=paths)

    def _build(self) -> None:
        self._suggested: dict[str, PathSuggestion] = {}
        self._path = _NONE
        self.figures = CardRow()
        self.paths = PathTree()
        self.role = name_widget(QComboBox(), "path_role", spoken=tr("Role"))
        for role in PathRole:
            self.role.addItem(tr(TITLES[role]), role)
        self.remove = name_widget(QCheckBox(tr("Remove with all below it")), "remove_branch")
        self.about = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "path_about")
        self.why = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "path_reason")
        self.suggest = name_widget(
            QPushButton(tr("Take All Suggestions")), "take_suggestions", tip=tr("Give every path its suggested role")
        )
        self.number = name_widget(QSpinBox(minimum=1, maximum=1), "shown_record", spoken=tr("Record"))
        self.record = record_text_view("record_text", tr("A record"))
        self.values = TextTableModel((tr("Value"), tr("How many"), tr("Share")), (1, 2))
        self.value_view = text_table_view(self.values, "path_values", tr("Values of the path"), 0)
        self.empty = EmptyState(tr("Open records first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="data")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        form = QFormLayout()
        self.role_label = QLabel(tr("Role"))
        self.role_label.setBuddy(self.role)
        form.addRow(self.role_label, self.role)
        form.addRow(self.remove)
        decided = QWidget()
        column = QVBoxLayout(decided)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.about)
        column.addLayout(form)
        column.addWidget(self.why)
        right = QWidget()
        beside = QVBoxLayout(right)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(section(tr("What it is"), decided))
        beside.addWidget(section(tr("Values"), self.value_view), 1)
        beside.addWidget(self.suggest)
        split = name_widget(QSplitter(childrenCollapsible=False), "trees_splitter")
        left = name_widget(QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False), "records_splitter")
        left.addWidget(section(tr("Paths"), self.paths))
        choice = QWidget()
        row = QHBoxLayout(choice)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel(tr("Record"))
        label.setBuddy(self.number)
        row.addWidget(label)
        row.addWidget(self.number)
        row.addStretch()
        left.addWidget(section(tr("A record"), choice, self.record))
        left.setStretchFactor(0, 3)
        left.setStretchFactor(1, 2)
        split.addWidget(left)
        split.addWidget(right)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.addWidget(self.figures)
        layout.addWidget(split, 1)
        return inside

    def _connect(self) -> None:
        self.paths.chosen.connect(self._on_chosen)
        self.role.activated.connect(lambda _at: self._on_role())
        self.remove.clicked.connect(self._on_remove)
        self.suggest.clicked.connect(self.take_suggestions)
        self.number.valueChanged.connect(lambda _value: self._show_record())

    def _show(self, changed: frozenset[str]) -> None:
        trees: Any = self.document.table if self.document.room == ROOM else None
        self._stack.setCurrentIndex(int(trees is not None))
        if trees is None:
            return
        if is_affected(changed, "table"):
            self._suggested = {}
            self.number.setMaximum(max(len(trees), 1))
            self._show_record()
            self.document.ask("suggestions", _suggestions, trees, then=self._on_suggested, title=tr("Suggest roles"))
        if is_affected(changed, "table", "paths", "removed"):
            self.figures.show_figures(_figures(trees, self.document.project))
            self.paths.show_paths(trees, self.document.project, self._path)
            self._show_path()

    def _show_record(self) -> None:
        trees: Any = self.document.table
        if trees is not None:
            self.record.setPlainText(record_text(trees.records[self.number.value() - 1], trees.form))

    def _on_suggested(self, found: tuple[PathSuggestion, ...]) -> None:
        self._suggested = {each.schema.path: each for each in found}
        self._show_path()

    def _on_chosen(self, path: str) -> None:
        self._path = path
        self._show_path()

    def _show_path(self) -> None:
        trees: Any = self.document.table
        leaf = None if trees is None else trees.leaf_of.get(self._path)
        for widget in (self.role, self.role_label):
            widget.setVisible(leaf is not None)
        self.remove.setVisible(leaf is None)
        self.remove.setChecked(self._path in self.document.project.removed)
        self.about.setText(self._path.strip(_NONE) or tr("The records themselves"))
        if leaf is None:
            self.why.setText(tr("Vertices have no role of their own: that and how many there are is always known."))
            self.values.show_rows([])
            return
        self.role.setCurrentIndex(self.role.findData(self.document.project.role(self._path)))
        self._show_reason()
        counts, labels = leaf.column.counts(), leaf.column.labels
        order = sorted(range(len(labels)), key=lambda code: (-counts[code], labels[code]))
        total = max(len(leaf.holders), 1)
        self.values.show_many(
            len(order),
            lambda at: (
                labels[order[at]],
                format_integer(int(counts[order[at]])),
                format_percent(counts[order[at]] / total),
            ),
        )

    def _show_reason(self) -> None:
        found = self._suggested.get(self._path)
        text = ""
        if found is not None:
            text = tr("Suggested: {role}. {reason}", role=tr(TITLES[found.schema.role]), reason=tr(found.reason))
        self.why.setText(text)

    def _on_role(self) -> None:
        role = self.role.currentData()
        words = tr("Make {path} {role}", path=self._path, role=tr(TITLES[role]))
        self.document.edit(words, paths=self.document.project.with_role(self._path, role).paths)

    def _on_remove(self, on: bool) -> None:
        others = tuple(path for path in self.document.project.removed if path != self._path)
        words = tr("Remove {path}", path=self._path) if on else tr("Keep {path}", path=self._path)
        self.document.edit(words, removed=(*others, self._path) if on else others)


def _suggestions(trees: Trees, progress: Progress) -> tuple[PathSuggestion, ...]:
    return suggest_roles(trees, progress)


def _figures(trees: Trees, project: Any) -> tuple[Figure, ...]:
    form, count = trees.form, len(trees.vertices) - len(trees.above_spine) * len(trees)
    quasi = project.of_role(PathRole.QUASI)
    sensitive = project.of_role(PathRole.SENSITIVE)
    mean = format_decimal(count / max(len(trees), 1), 1)
    return (
        Figure("records", tr("Records"), format_integer(len(trees)), tr(FORMATS[form.format]), "info"),
        Figure("vertices", tr("Vertices"), format_integer(count), tr("{mean} per record", mean=mean), "info"),
        Figure("quasi", tr("Quasi-identifiers"), format_integer(len(quasi)), tr("paths that others may know"), "info"),
        Figure(
            "sensitive", tr("Sensitive"), format_integer(len(sensitive)), tr("paths that nobody shall learn"), "info"
        ),
    )


def _has_records(document: Document) -> bool:
    return document.room == ROOM and document.table is not None


ACTIONS = (
    Action(
        "data.suggest", "Take All Suggestions", lambda page: page.take_suggestions(), "Records", "data", "suggest", "",
        "Give every path its suggested role", _has_records, "Open records first.", "data",
    ),
)  # fmt: skip


class PathHierarchiesPage(HierarchiesPage):
    """The shared page about the paths of records: a record may have several labels of one path."""

    words: ClassVar[HierarchyTexts] = HierarchyTexts(
        no_data="Open records to shape the hierarchies of their paths.",
        no_column="No path is marked as a quasi-identifier yet.",
        way_out="Hierarchies say how labels are made coarser: mark the paths that others may know on the Data page.",
        level="<b>The path at level</b>",
        one_class="One value for all {rows:label|labels} of this path; LM {loss}",
        classes="{classes:value|values} at this path, the rarest with {rows:label|labels}; LM {loss}",
        counted="How many",
        counted_tip="Labels of this path that lie under this one, in all records",
        node="{label}: level {level} of {height}, {rows:label|labels}, {leaves:leaf|leaves}, LM {loss}",
        tray="<b>Without a place</b>: values {values}, labels {rows}",
    )


def ask_file_or_folder(parent: QWidget, path: Path, then: Callable[[Path], object]) -> None:
    """Ask only where the folder has more files of that sort; a folder that was chosen as such is taken."""
    others = _beside(path)
    if len(others) < 2:
        then(path)
        return
    box = QMessageBox(QMessageBox.Icon.Question, tr("One File or All"), _words(path, len(others)), parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)  # names of files are no markup
    every = box.addButton(tr("All {count} Files", count=len(others)), QMessageBox.ButtonRole.AcceptRole)
    one = box.addButton(tr("Only This File"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    name_widget(every, "all_files")
    name_widget(one, "only_this_file")
    box.setObjectName("folder_question")
    every.clicked.connect(lambda: then(path.parent))
    one.clicked.connect(lambda: then(path))
    box.finished.connect(box.deleteLater)
    box.open()


def _beside(path: Path) -> list[Path]:
    try:
        return [] if path.is_dir() else files_beside(path)
    except (AnonymizerError, OSError):
        return []  # what is wrong with the file is told when it is opened


def _words(path: Path, count: int) -> str:
    return tr(
        "The folder of “{name}” has {count} files of this sort. If each holds one record, open them all: they leave as "
        "one file.",
        name=path.name,
        count=count,
    )
