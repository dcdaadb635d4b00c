"""Tree editor with its dialogs (top/bottom coding, split interval)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.fit import Usage
from anonymizer_gui.engine.hierarchy.intervals import has_numbers, node_interval
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies import tree_commands as does
from anonymizer_gui.ui.hierarchies.tree_commands import (
    COMMAND_BY_ID,
    TOP_BOTTOM_TIP,
    TREE_COMMANDS,
    NodeSelection,
    TreeEdit,
    midpoint,
)
from anonymizer_gui.ui.hierarchies.tree_model import TABLE_TEXTS, HierarchyTexts
from anonymizer_gui.ui.hierarchies.tree_view import HierarchyTreeView
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.workspace.document import Document


class TopBottomCodingDialog(QDialog):
    """Two fields, either of which may stay empty; what would come out, or why it cannot be, stands under them."""

    chosen = Signal(object, object)
    """The lower and the upper bound, as numbers or None."""

    def __init__(self, at: NodeSelection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hierarchy_ends")
        self._at = at
        self.below = name_widget(QLineEdit(), "hierarchy_below")
        self.above = name_widget(QLineEdit(), "hierarchy_above")
        self.outcome = name_widget(QLabel(wordWrap=True), "hierarchy_ends_outcome")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, parent=self
        )
        self._build()
        self._connect()
        self._on_text_changed()

    def bounds(self) -> tuple[float | None, float | None]:
        """Give the bounds that are typed; None where there is none."""
        return _reading(self.below.text()), _reading(self.above.text())

    def _build(self) -> None:
        self.setWindowTitle(tr("Top and Bottom Coding"))
        self.setMinimumWidth(30 * self.fontMetrics().height())
        form = QFormLayout(self)
        form.addRow(_note(tr("Rare values at the ends point to people: put them into one group at every level.")))
        form.addRow(tr("One group for everything below:"), self.below)
        form.addRow(tr("One group for everything from this on:"), self.above)
        form.addRow(self.outcome)
        form.addRow(
            _note(tr("The values themselves stay at level 0: they leave as the group only where the column is raised."))
        )
        form.addRow(self.buttons)
        for field in (self.below, self.above):
            field.setPlaceholderText(tr("no bound"))
            field.setToolTip(tr("A number or a date"))
        self.outcome.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Group"))

    def _connect(self) -> None:
        self.below.textChanged.connect(self._on_text_changed)
        self.above.textChanged.connect(self._on_text_changed)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        self.finished.connect(self.deleteLater)

    def _on_text_changed(self) -> None:
        try:
            step = does.top_bottom_code(self._at, *self.bounds())
        except BadHierarchy as error:
            self.outcome.setText(error_text(error))
            self._enable(False)
            return
        tree = step.hierarchy
        counted = ((label, int(tree.leaf_counts[tree.node_of_label[label]])) for label in step.select)
        parts = (tr("{label}: {values:value|values}", label=label, values=values) for label, values in counted)
        self.outcome.setText(tr("Gives {parts}", parts="  ·  ".join(parts)))
        self._enable(True)

    def _enable(self, works: bool) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(works)

    def _on_accepted(self) -> None:
        self.chosen.emit(*self.bounds())
        self.accept()


def _reading(text: str) -> float | None:
    found = parse_by_type([text.strip()])[0] if text.strip() else np.nan
    return None if np.isnan(found) else float(found)


def _note(words: str) -> QLabel:
    label = QLabel(words, wordWrap=True)
    label.setForegroundRole(label.foregroundRole().PlaceholderText)
    return label


class SplitIntervalDialog(QDialog):
    """One field for one or several cuts; what would come out, or why it cannot be, stands under it."""

    chosen = Signal(tuple)
    """The cuts, as numbers."""

    def __init__(self, at: NodeSelection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hierarchy_split")
        self._at = at
        self.field = name_widget(QLineEdit(), "hierarchy_cuts")
        self.outcome = name_widget(QLabel(wordWrap=True), "hierarchy_split_outcome")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, parent=self
        )
        self._build()
        self._connect()
        self.field.setText(midpoint(at.hierarchy, at.first()))
        self.field.selectAll()

    def cuts(self) -> tuple[float, ...]:
        """Give the cuts that are typed; what is no number or date is left out."""
        texts = [text.strip() for text in self.field.text().replace(";", ",").split(",") if text.strip()]
        found = parse_by_type(texts) if texts else np.empty(0)
        return tuple(found[~np.isnan(found)].tolist())

    def _build(self) -> None:
        self.setWindowTitle(tr("Split Interval"))
        self.setMinimumWidth(24 * self.fontMetrics().height())
        self._form = form = QFormLayout(self)
        asked = QLabel(tr("Cut “{label}” at:", label=self._at.labels()[0]), textFormat=Qt.TextFormat.PlainText)
        asked.setBuddy(self.field)
        form.addRow(asked, self.field)
        form.addRow(self.outcome)
        form.addRow(self.buttons)
        self.field.setToolTip(tr("One or several numbers or dates, separated by commas"))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Split"))

    def _connect(self) -> None:
        self.field.textChanged.connect(self._on_text_changed)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        self.finished.connect(self.deleteLater)

    def _on_text_changed(self) -> None:
        try:
            parts = does.split(self._at, self.cuts()).select
            self.outcome.setText(tr("Gives {parts}", parts="  ·  ".join(parts)))
            self._enable(True)
        except BadHierarchy as error:
            self.outcome.setText(error_text(error))
            self._enable(False)

    def _make_room(self) -> None:
        """Grow with the outcome: nothing of it may be cut off."""
        self.resize(self.width(), max(self.height(), self._form.totalHeightForWidth(self.width())))

    def _enable(self, works: bool) -> None:
        self._make_room()
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(works)

    def _on_accepted(self) -> None:
        self.chosen.emit(self.cuts())
        self.accept()


MESSAGE_KEY = "hierarchy edit"


@dataclass(frozen=True, slots=True)
class PendingName:
    """A node just made, waiting for its name: naming it joins the step that made it."""

    label: str
    merge_key: str
    sentence: Callable[[str], str]


class HierarchyEditor(QWidget):
    """Edits the hierarchy of one column of the document."""

    def __init__(self, document: Document, said: HierarchyTexts = TABLE_TEXTS) -> None:
        super().__init__()
        self.setObjectName("hierarchy_editor")
        self._document = document
        self._column = ""
        self._naming: PendingName | None = None
        self.tree = HierarchyTreeView(said=said)
        self.search = name_widget(QLineEdit(clearButtonEnabled=True), "hierarchy_search")
        self.hits = name_widget(QLabel(), "hierarchy_hits")
        self.expand_to = name_widget(QComboBox(), "hierarchy_depth")
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

    def selection(self) -> NodeSelection | None:
        """Give what is selected, None without a hierarchy."""
        tree = self.tree.hierarchy_model.hierarchy
        return NodeSelection(self._column, tree, self.tree.selected()) if tree is not None else None

    def run(self, command: str) -> None:
        """Do one of the commands to the selection."""
        at, chosen = self.selection(), COMMAND_BY_ID[command]
        if at is not None and not chosen.applies(at):
            self.refuse(tr(chosen.tip))
            return
        self.apply(chosen.run)

    def apply(self, edit: Callable[[NodeSelection], TreeEdit], merge_key: str = "") -> None:
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
        chosen = NodeSelection(at.column, at.hierarchy, (node,))
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
        dialog = SplitIntervalDialog(at, self)
        dialog.chosen.connect(lambda cuts: self.apply(lambda now: does.split(now, cuts)))
        dialog.open()

    def code_ends(self) -> None:
        """Ask beyond which bounds values are one group."""
        at = self.selection()
        if at is None or not has_numbers(at.hierarchy):
            self.refuse(tr("There are no numbers or dates here to be bounded."))
            return
        dialog = TopBottomCodingDialog(at, self)
        dialog.chosen.connect(lambda below, above: self.apply(lambda now: does.top_bottom_code(now, below, above)))
        dialog.open()

    def find_label(self, step: int = 1) -> None:
        """Go to the next (1) or previous (-1) label that contains what is searched for."""
        found = self.tree.find_label(self.search.text(), step)
        self.hits.setText("" if found or not self.search.text() else tr("Not found"))

    def start_search(self) -> None:
        """Put the cursor into the search box."""
        self.search.setFocus()
        self.search.selectAll()

    def _take(self, step: TreeEdit, merge_key: str) -> None:
        messages, project = self._document.messages, self._document.project
        messages.clear(MESSAGE_KEY)
        self._naming = None
        key = merge_key or (f"{self._column} {self._document.undo_stack.count()}" if step.named else "")
        self._document.edit(step.sentence, key, hierarchies={**project.hierarchies, self._column: step.hierarchy})
        if step.select:
            self.tree.select_labels(step.select)
        if step.named:
            self._naming = PendingName(step.select[0], key, step.named)
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
        group = TREE_COMMANDS[0].group
        for command in (command for command in TREE_COMMANDS if command.icon):
            if command.group != group:
                row.addSpacing(self.fontMetrics().height() // 2)
                group = command.group
            row.addWidget(self._button(command.id, command.title, command.tip, command.shortcut))
            if command.id == "merge":
                row.addWidget(self._button("split", tr("Split Interval…"), tr("Cut the selected interval"), "Ctrl+K"))
                row.addWidget(self._button("ends", tr("Top and Bottom Coding…"), tr(TOP_BOTTOM_TIP), "Ctrl+Shift+K"))
        row.addStretch()
        return row

    def _button(self, name: str, title: str, tip: str, shortcut: str) -> QToolButton:
        button = name_widget(QToolButton(autoRaise=True), f"hierarchy_{name}")
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
        for command in TREE_COMMANDS:
            if command.icon:
                self.buttons[command.id].clicked.connect(partial(self.run, command.id))
        self.buttons["split"].clicked.connect(self.split)
        self.buttons["ends"].clicked.connect(self.code_ends)
        self.buttons["previous"].clicked.connect(partial(self.find_label, -1))
        self.buttons["next"].clicked.connect(partial(self.find_label, 1))

    def _enable(self) -> None:
        at = self.selection()
        for command in TREE_COMMANDS:
            if command.icon:
                self.buttons[command.id].setEnabled(at is not None and command.applies(at))
        self.buttons["split"].setEnabled(at is not None and _can_split(at))
        self.buttons["ends"].setEnabled(at is not None and has_numbers(at.hierarchy))

    def show_icons(self) -> None:
        """Draw the icons in the colours of the present theme."""
        icons = {command.id: command.icon for command in TREE_COMMANDS if command.icon}
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
        for command in TREE_COMMANDS if at is not None else ():
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
        self.apply(lambda at: does.drop(NodeSelection(at.column, at.hierarchy, tuple(nodes)), parent, row))

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


def _can_split(at: NodeSelection) -> bool:
    return len(at.nodes) == 1 and at.first() > 0 and node_interval(at.hierarchy, at.first()) is not None
