"""The tree editor: search, buttons for every edit, and the tree; every edit is a step that can be undone."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.hierarchy.fit import Usage
from anonymizer_gui.engine.hierarchy.intervals import has_numbers, node_interval
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies import commands as does
from anonymizer_gui.ui.hierarchies.command_table import BY_ID, COMMANDS, ENDS_TIP
from anonymizer_gui.ui.hierarchies.commands import Selection, Step
from anonymizer_gui.ui.hierarchies.ends_dialog import EndsDialog
from anonymizer_gui.ui.hierarchies.page_words import OF_TABLES, PageWords
from anonymizer_gui.ui.hierarchies.split_dialog import SplitDialog
from anonymizer_gui.ui.hierarchies.tree import HierarchyTree
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.workspace.document import Document

MESSAGE_KEY = "hierarchy edit"


@dataclass(frozen=True, slots=True)
class Naming:
    """A node just made, waiting for its name: naming it joins the step that made it."""

    label: str
    merge_key: str
    sentence: Callable[[str], str]


class HierarchyEditor(QWidget):
    """Edits the hierarchy of one column of the document."""

    def __init__(self, document: Document, said: PageWords = OF_TABLES) -> None:
        super().__init__()
        self.setObjectName("hierarchy_editor")
        self._document = document
        self._column = ""
        self._naming: Naming | None = None
        self.tree = HierarchyTree(said=said)
        self.search = named(QLineEdit(clearButtonEnabled=True), "hierarchy_search")
        self.hits = named(QLabel(), "hierarchy_hits")
        self.expand_to = named(QComboBox(), "hierarchy_depth")
        self.buttons: dict[str, QToolButton] = {}
        self._build()
        self._connect()

    def show_hierarchy(self, column: str, hierarchy: Hierarchy | None) -> None:
        """Show the hierarchy of a column; the same column keeps what is open and selected."""
        is_other = column != self._column
        if not is_other and hierarchy is self.tree.hierarchy_model.hierarchy:
            return
        self._column = column
        self.tree.show_hierarchy(hierarchy, is_other)
        self._fill_depths(hierarchy.height if hierarchy else 0)
        self._enable()

    def show_usage(self, usage: Usage) -> None:
        """Show the rows under every node."""
        if usage.hierarchy is self.tree.hierarchy_model.hierarchy:
            self.tree.hierarchy_model.show_rows(usage.rows.tolist())

    def selection(self) -> Selection | None:
        """Give what is selected, None without a hierarchy."""
        tree = self.tree.hierarchy_model.hierarchy
        return Selection(self._column, tree, self.tree.selected()) if tree is not None else None

    def run(self, command: str) -> None:
        """Do one of the commands to the selection."""
        at, chosen = self.selection(), BY_ID[command]
        if at is not None and not chosen.applies(at):
            self.refuse(tr(chosen.tip))
            return
        self.apply(chosen.run)

    def apply(self, edit: Callable[[Selection], Step], merge_key: str = "") -> None:
        """Make an edit a step of the document; what the engine refuses is said in the message bar."""
        at = self.selection()
        if at is None:
            return
        try:
            step = edit(at)
        except BadHierarchy as error:
            self._document.messages.error(error.message, error.hint, key=MESSAGE_KEY)
            return
        self._take(step, merge_key)

    def refuse(self, hint: str) -> None:
        """Say that nothing is selected a command could be done to, and what it is for."""
        text = tr("Nothing is selected that this can be done to.")
        self._document.messages.error(text, hint, key=MESSAGE_KEY)

    def rename(self) -> None:
        """Let the user type the label of the current node."""
        self.tree.rename_first()

    def rename_node(self, node: int, label: str) -> None:
        """Give a node the label somebody typed; naming a node just made belongs to the step that made it."""
        naming, self._naming = self._naming, None
        at = self.selection()
        if at is None:
            return
        chosen = Selection(at.column, at.hierarchy, (node,))
        if naming is None or chosen.labels() != (naming.label,):
            self.apply(lambda _at: does.rename(chosen, label))
            return
        self.apply(lambda _at: replace(does.rename(chosen, label), sentence=naming.sentence(label)), naming.merge_key)

    def split(self) -> None:
        """Ask where to cut the selected interval."""
        at = self.selection()
        if at is None or not _can_split(at):
            self.refuse(tr("Select an interval to split."))
            return
        dialog = SplitDialog(at, self)
        dialog.chosen.connect(lambda cuts: self.apply(lambda now: does.split(now, cuts)))
        dialog.open()

    def code_ends(self) -> None:
        """Ask beyond which bounds values are one group."""
        at = self.selection()
        if at is None or not has_numbers(at.hierarchy):
            self.refuse(tr("There are no numbers or dates here to be bounded."))
            return
        dialog = EndsDialog(at, self)
        dialog.chosen.connect(lambda below, above: self.apply(lambda now: does.code_ends(now, below, above)))
        dialog.open()

    def find_label(self, step: int = 1) -> None:
        """Go to the next (1) or previous (-1) label that contains what is searched for."""
        found = self.tree.find_label(self.search.text(), step)
        self.hits.setText("" if found or not self.search.text() else tr("Not found"))

    def start_search(self) -> None:
        """Put the cursor into the search box."""
        self.search.setFocus()
        self.search.selectAll()

    def _take(self, step: Step, merge_key: str) -> None:
        messages, project = self._document.messages, self._document.project
        messages.clear(MESSAGE_KEY)
        self._naming = None
        key = merge_key or (f"{self._column} {self._document.undo_stack.count()}" if step.named else "")
        self._document.edit(step.sentence, key, hierarchies={**project.hierarchies, self._column: step.hierarchy})
        if step.select:
            self.tree.select_labels(step.select)
        if step.named:
            self._naming = Naming(step.select[0], key, step.named)
            self.tree.setFocus()
            self.tree.rename_first()

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._build_buttons())
        layout.addWidget(self.tree, 1)
        layout.addLayout(self._build_search())

    def _build_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(0)
        group = COMMANDS[0].group
        for command in (command for command in COMMANDS if command.icon):
            if command.group != group:
                row.addSpacing(self.fontMetrics().height() // 2)
                group = command.group
            row.addWidget(self._button(command.id, command.title, command.tip, command.shortcut))
            if command.id == "merge":
                row.addWidget(self._button("split", tr("Split Interval…"), tr("Cut the selected interval"), "Ctrl+K"))
                row.addWidget(self._button("ends", tr("Top and Bottom Coding…"), tr(ENDS_TIP), "Ctrl+Shift+K"))
        row.addStretch()
        return row

    def _button(self, name: str, title: str, tip: str, shortcut: str) -> QToolButton:
        button = named(QToolButton(autoRaise=True), f"hierarchy_{name}")
        side = round(1.2 * self.fontMetrics().height())
        button.setIconSize(QSize(side, side))
        button.setAccessibleName(tr(title))
        button.setToolTip(tr("{title} ({shortcut}): {tip}", title=tr(title), shortcut=shortcut, tip=tr(tip)))
        button.setStatusTip(tr(tip))
        self.buttons[name] = button
        return button

    def _build_search(self) -> QHBoxLayout:
        self.search.setPlaceholderText(tr("Find a label"))
        self.search.setAccessibleName(tr("Find a label"))
        self.expand_to.setAccessibleName(tr("Expand to level"))
        row = QHBoxLayout()
        row.addWidget(self.search, 1)
        row.addWidget(self.hits)
        for name, title, shortcut in (("previous", tr("Previous"), "Shift+F3"), ("next", tr("Next"), "F3")):
            row.addWidget(self._button(name, title, tr("Go to the label found"), shortcut))
        row.addWidget(self.expand_to)
        return row

    def _connect(self) -> None:
        model = self.tree.hierarchy_model
        model.renamed.connect(self._on_renamed)
        model.moved.connect(self._on_moved)
        model.placed.connect(self._on_placed)
        self.tree.selection_changed.connect(self._enable)
        self.tree.customContextMenuRequested.connect(self._on_menu_requested)
        self.search.textChanged.connect(self._on_search_changed)
        self.search.returnPressed.connect(self.find_label)
        self.expand_to.activated.connect(self._on_depth_chosen)
        for command in COMMANDS:
            if command.icon:
                self.buttons[command.id].clicked.connect(partial(self.run, command.id))
        self.buttons["split"].clicked.connect(self.split)
        self.buttons["ends"].clicked.connect(self.code_ends)
        self.buttons["previous"].clicked.connect(partial(self.find_label, -1))
        self.buttons["next"].clicked.connect(partial(self.find_label, 1))

    def _enable(self) -> None:
        at = self.selection()
        for command in COMMANDS:
            if command.icon:
                self.buttons[command.id].setEnabled(at is not None and command.applies(at))
        self.buttons["split"].setEnabled(at is not None and _can_split(at))
        self.buttons["ends"].setEnabled(at is not None and has_numbers(at.hierarchy))

    def show_icons(self) -> None:
        """Draw the icons in the colours of the present theme."""
        icons = {command.id: command.icon for command in COMMANDS if command.icon}
        for name, button in self.buttons.items():
            button.setIcon(theme.icon(icons.get(name, name)))

    def _fill_depths(self, height: int) -> None:
        self.expand_to.clear()
        self.expand_to.addItem(tr("Expand to…"))
        for level in range(height - 1, -1, -1):
            self.expand_to.addItem(tr("Level {level}", level=level))

    def _menu(self) -> QMenu:
        """Build the menu of what can be done to the selection."""
        menu, at = QMenu(self), self.selection()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(_action(menu, "edit", tr("Rename"), "F2", self.rename))
        if at is not None and _can_split(at):
            menu.addAction(_action(menu, "split", tr("Split Interval…"), "Ctrl+K", self.split))
        group = ""
        for command in COMMANDS if at is not None else ():
            if at is None or not command.applies(at):
                continue
            if command.group != group:
                menu.addSeparator()
                group = command.group
            run = partial(self.run, command.id)
            menu.addAction(_action(menu, command.icon, tr(command.title), command.shortcut, run))
        return menu

    def _on_menu_requested(self, place: QPoint) -> None:
        self._menu().popup(self.tree.viewport().mapToGlobal(place))

    def _on_renamed(self, node: int, label: str) -> None:
        self.rename_node(node, label)

    def _on_moved(self, nodes: list[int], parent: int, row: int) -> None:
        self.apply(lambda at: does.drop(Selection(at.column, at.hierarchy, tuple(nodes)), parent, row))

    def _on_placed(self, values: list[str], parent: int, row: int) -> None:
        self.apply(lambda at: does.place(at, tuple(values), parent, row))

    def _on_search_changed(self, text: str) -> None:
        self.tree.selectionModel().clearCurrentIndex()
        self.find_label()

    def _on_depth_chosen(self, row: int) -> None:
        tree = self.tree.hierarchy_model.hierarchy
        if tree is not None and row > 0:
            self.tree.open_to_depth(row)
        self.expand_to.setCurrentIndex(0)


def _action(menu: QMenu, icon: str, title: str, shortcut: str, callback: Callable[[], object]) -> QAction:
    """Make a menu entry that names its shortcut; the shortcut itself belongs to the page."""
    action = QAction(f"{title}\t{shortcut}" if shortcut else title, menu)
    if icon:
        action.setIcon(theme.icon(icon))
    action.triggered.connect(lambda: callback())
    return action


def _can_split(at: Selection) -> bool:
    return len(at.nodes) == 1 and at.first() > 0 and node_interval(at.hierarchy, at.first()) is not None
