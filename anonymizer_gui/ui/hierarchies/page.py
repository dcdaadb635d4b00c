"""The line above the editor: which column this is, how its hierarchy stands, and where hierarchies come from."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtCore import Qt as QtcoreQt
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.hierarchy.files import HIERARCHY_SUFFIXES, find_file, is_level_table
from anonymizer_gui.engine.hierarchy.fit import ColumnStatus, Usage, contradiction_message, count_usage
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies import tree_commands as does
from anonymizer_gui.ui.hierarchies.column_list import ColumnState, HierarchyColumnView, column_state
from anonymizer_gui.ui.hierarchies.level_views import LevelPreview, LevelTable
from anonymizer_gui.ui.hierarchies.sources import HierarchySources
from anonymizer_gui.ui.hierarchies.tree_editor import HierarchyEditor
from anonymizer_gui.ui.hierarchies.tree_model import TABLE_TEXTS, HierarchyTexts
from anonymizer_gui.ui.hierarchies.unplaced_values import UnplacedValuesView, ValuePlacement, column_statuses
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.widgets.accessibility import ElidedLabel, name_widget, plain_text
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document


class HierarchyToolBar(QWidget):
    """Name and state of the column with buttons for proposing, building, importing, exporting and reusing."""

    wanted = Signal(str)
    """The id of the page's action somebody asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("hierarchy_tools")
        self.column = name_widget(ElidedLabel(), "hierarchy_column_name")
        self.state = name_widget(ElidedLabel(), "hierarchy_column_state")
        self.buttons: dict[str, QToolButton] = {}
        self.entries: dict[str, QAction] = {}
        self._build()

    def show_state(self, state: ColumnState | None, has_hierarchy: bool, has_any: bool) -> None:
        """Show the column that is looked at; some things need its hierarchy, some that of any column."""
        self.column.setText(state.name if state else "")
        words = " · ".join(text for text in (state.words, state.note) if text) if state else ""
        self.state.setText(words)
        self.state.setToolTip(plain_text(words))
        for name in ("propose", "build", "import", "library"):
            self.buttons[name].setEnabled(state is not None)
        self.buttons["export"].setEnabled(has_any)
        for name in ("export_file", "library_save", "remove"):
            self.entries[name].setEnabled(has_hierarchy)

    def show_icons(self) -> None:
        """Draw the icons in the colours of the present theme."""
        icons = {"propose": "suggest"}
        for name, button in self.buttons.items():
            button.setIcon(theme.icon(icons.get(name, name)))

    def _build(self) -> None:
        font = self.column.font()
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * 1.2)
        self.column.setFont(font)
        self.column.setTextFormat(QtcoreQt.TextFormat.PlainText)
        self.state.setForegroundRole(self.state.foregroundRole().PlaceholderText)
        for label in (self.column, self.state):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout()
        row.addWidget(self.column, 1)
        row.addWidget(self._button("propose", tr("Propose"), tr("Propose a hierarchy from the values of the column")))
        row.addWidget(self._button("build", tr("Build…"), tr("Build a hierarchy by a rule, with a preview")))
        row.addWidget(self._menu_button("import", tr("Import"), _imports()))
        row.addWidget(self._menu_button("export", tr("Export"), _exports()))
        row.addWidget(self._menu_button("library", tr("Library"), _library()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.state)

    def _button(self, name: str, title: str, tip: str) -> QToolButton:
        button = name_widget(QToolButton(), f"hierarchy_{name}", tip=tip)
        button.setText(title)
        button.setStatusTip(tip)
        button.setToolButtonStyle(QtcoreQt.ToolButtonStyle.ToolButtonTextBesideIcon)
        side = round(1.1 * self.fontMetrics().height())
        button.setIconSize(QSize(side, side))
        button.setAccessibleName(title)
        button.setFocusPolicy(QtcoreQt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda: self.wanted.emit(name))
        self.buttons[name] = button
        return button

    def _menu_button(self, name: str, title: str, entries: tuple[tuple[str, str], ...]) -> QToolButton:
        button = self._button(name, title, title)
        menu = QMenu(button)
        for entry, words in entries:
            action = menu.addAction(words)
            action.setObjectName(f"hierarchy_{entry}")
            self.entries[entry] = action
            action.triggered.connect(lambda _checked=False, chosen=entry: self.wanted.emit(chosen))
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button


def _imports() -> tuple[tuple[str, str], ...]:
    return ("import_file", tr("Hierarchy File for This Column…")), ("import_folder", tr("Folder for All Columns…"))


def _exports() -> tuple[tuple[str, str], ...]:
    return ("export_file", tr("This Hierarchy…")), ("export_folder", tr("All Hierarchies into a Folder…"))


def _library() -> tuple[tuple[str, str], ...]:
    return (
        ("library_open", tr("Use a Saved Hierarchy…")),
        ("library_save", tr("Save This Hierarchy to the Library…")),
        ("remove", tr("Remove the Hierarchy of This Column")),
    )


class HierarchiesPage(Page):
    """Columns on the left, the editor of one hierarchy in the middle, the effect on the data on the right."""

    name: ClassVar[str] = "hierarchies"
    title: ClassVar[str] = "Hierarchies"
    order: ClassVar[int] = 20
    icon: ClassVar[str] = "hierarchies"
    help: ClassVar[str] = "hierarchies"
    words: ClassVar[HierarchyTexts] = TABLE_TEXTS

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say for how many quasi-identifiers there is a hierarchy."""
        names = document.project.schema.quasi
        done = sum(name in document.project.hierarchies for name in names)
        if not names:
            return StepStatus(StepState.EMPTY, tr(cls.words.unmarked))
        if done < len(names):
            return StepStatus(StepState.READY, tr(cls.words.some, done=done, all=len(names)))
        found = list(column_statuses(document).values())
        if lacking := found.count(ColumnStatus.UNPLACED):
            return StepStatus(StepState.STALE, tr(cls.words.unplaced, count=lacking))
        if untrue := found.count(ColumnStatus.CONTRADICTED):
            return StepStatus(StepState.STALE, tr(cls.words.contradicted, count=untrue))
        return StepStatus(StepState.DONE, tr(cls.words.done))

    @property
    def column(self) -> str:
        """The column that is looked at, "" for none."""
        return self.columns.current()

    @property
    def hierarchy(self) -> Hierarchy | None:
        """The hierarchy of the column that is looked at."""
        trees: Mapping[str, Hierarchy] = self.document.project.hierarchies
        return trees.get(self.column)

    def choose(self, column: str) -> None:
        """Look at a column."""
        self.columns.choose(column)

    def run(self, command: str) -> None:
        """Do a command of the tree editor; nothing is deleted while another list has the focus the key may be for."""
        elsewhere = (self.columns, self.preview.view, self.levels.view, self.tray.view)
        if command in ("delete", "delete_below") and any(view.hasFocus() for view in elsewhere):
            self.editor.refuse(tr("Go to the tree first: a click or the Tab key leads there."))
        else:
            self.editor.run(command)

    def rename(self) -> None:
        """Let the user type the label of the current node, in the tree or in the level table."""
        if self.levels.isVisible():
            self.levels.view.edit(self.levels.view.currentIndex())
        else:
            self.editor.rename()

    def start_search(self) -> None:
        """Put the cursor into the search box of the tree."""
        self.views.setCurrentIndex(0)
        self.editor.start_search()

    def switch_view(self) -> None:
        """Change between the tree and the level table."""
        self.views.setCurrentIndex(1 - self.views.currentIndex())
        (self.editor.tree if self.views.currentIndex() == 0 else self.levels.view).setFocus()

    def _build(self) -> None:
        self._usages: dict[str, Usage] = {}
        self._broken: dict[str, str] = {}
        self._seen: dict[str, Hierarchy] = {}
        self._led_to: dict[str, Hierarchy] = {}
        self.columns = HierarchyColumnView()
        self.propose_all = name_widget(QPushButton(tr("Propose for All")), "hierarchy_propose_all")
        self.tools = HierarchyToolBar()
        self.editor = HierarchyEditor(self.document, self.words)
        self.levels = LevelTable()
        self.tray = UnplacedValuesView(self.words)
        self.preview = LevelPreview(self.words)
        self.sources = HierarchySources(self.document, self)
        self.placing = ValuePlacement(self.document, self.editor, self.tray)
        self.no_columns = EmptyState("", tr(self.words.go), lambda: self.go.emit(self.words.go_to), icon="hierarchies")
        self.no_hierarchy = EmptyState(
            "", tr("Propose a Hierarchy"), lambda: self.sources.propose(self.column), icon="hierarchies"
        )
        self.stack = QStackedWidget()
        self.stack.addWidget(self.no_columns)
        self.stack.addWidget(self._build_body())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)

    def _build_body(self) -> QSplitter:
        body = name_widget(QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False), "hierarchies_splitter")
        body.addWidget(beside := _stacked(self.columns, self.propose_all))
        beside.setHidden(self.words.is_one)
        self.views = name_widget(QTabWidget(documentMode=True), "hierarchy_views")
        self.views.addTab(self.editor, tr("Tree"))
        self.views.addTab(self.levels, tr("Level Table"))
        self.work = name_widget(QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False), "hierarchy_splitter")
        self.side = name_widget(QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False), "hierarchy_side")
        self.side.addWidget(self.tray)
        self.side.addWidget(self.preview)
        self.work.addWidget(self.views)
        self.work.addWidget(self.side)
        self.center = QStackedWidget()
        self.center.addWidget(self.no_hierarchy)
        self.center.addWidget(self.work)
        body.addWidget(_stacked(self.tools, self.center))
        em = self.fontMetrics().height()
        body.setSizes([17 * em, 57 * em])
        self.work.setSizes([40 * em, 16 * em])
        self.side.setSizes([14 * em, 22 * em])
        body.setStretchFactor(1, 1)
        self.work.setStretchFactor(0, 2)
        self.work.setStretchFactor(1, 1)
        return body

    def _connect(self) -> None:
        self.columns.chosen.connect(self._on_column_chosen)
        self.propose_all.clicked.connect(lambda: self.sources.propose_all())
        self.tools.wanted.connect(lambda name: self.sources.perform(name, self.column))
        self.levels.view.level_model.renamed.connect(self._on_level_label_typed)
        self.levels.uneven_chosen.connect(self._on_uneven_chosen)

    def _show(self, changed: frozenset[str]) -> None:
        if Change.EVERYTHING in changed:
            self._show_icons()
        if is_affected(changed, "table"):
            self._usages = {}
        if is_affected(changed, "table", "schema", "hierarchies", "uneven"):
            self._count()
            self._show_columns()
            self._go_where_it_changed()
            self._show_column()

    def showEvent(self, event: QShowEvent) -> None:
        """Lead to a column whose values lack a place, once for every hierarchy."""
        super().showEvent(event)
        trees = self.document.project.hierarchies
        lacking = [name for name, found in column_statuses(self.document).items() if found is ColumnStatus.UNPLACED]
        unseen = [name for name in lacking if self._led_to.get(name) is not trees.get(name)]
        self._led_to.update({name: trees[name] for name in lacking})
        if unseen and self.column not in lacking:
            self.choose(unseen[0])

    def _go_where_it_changed(self) -> None:
        """Look at the one column whose hierarchy changed, so that nothing is undone out of sight."""
        now = self.document.project.hierarchies
        changed = [name for name in self._names() if now.get(name) is not self._seen.get(name)]
        if len(changed) == 1 and self._seen:
            self.choose(changed[0])
        self._seen = dict(now)

    def _show_icons(self) -> None:
        self.editor.show_icons()
        self.tools.show_icons()
        self.propose_all.setIcon(theme.icon("suggest"))

    def _names(self) -> list[str]:
        """List the columns that may have a hierarchy, quasi-identifiers first."""
        schema = self.document.project.schema
        return [*schema.quasi, *(schema.names(Role.SA) if self.words.with_sensitive else ())]

    def _count(self) -> None:
        """Have the rows under every node counted where hierarchy or table changed."""
        table, project = self.document.table, self.document.project
        # What was counted before stays in sight until the new counts are there: nothing flickers.
        self._usages = {name: usage for name, usage in self._usages.items() if name in project.hierarchies}
        self._broken = {}
        for name in self._names():
            tree = project.hierarchies.get(name)
            if tree is not None and table is not None and name in table.names:
                self.document.ask(
                    ("hierarchy usage", name),
                    count_usage,
                    table.whole(name),
                    tree,
                    project.schema.column(name),
                    then=self._on_counted,
                    title=tr("Count rows of {column}", column=name),
                    failed=partial(self._on_count_failed, name),
                )

    def _states(self) -> list[ColumnState]:
        project = self.document.project
        states = [
            column_state(
                name,
                project.schema.column(name).role,
                project.hierarchies.get(name),
                self._usages.get(name),
                is_counting=self.document.table is not None,
            )
            for name in self._names()
        ]
        return [
            ColumnState(each.name, each.role, self._broken[each.name], "warning") if each.name in self._broken else each
            for each in states
        ]

    def _show_columns(self) -> None:
        states = self._states()
        if not states:
            self._say_what_is_missing()
        self.stack.setCurrentIndex(1 if states else 0)
        kept = self.column
        self.columns.columns_model.show(states)
        self.columns.choose(kept)
        if states and not self.column:
            self.columns.choose(states[0].name)
        lacking = [state for state in states if state.role is Role.QI and self._lacks_hierarchy(state.name)]
        self.propose_all.setEnabled(bool(lacking))
        self.propose_all.setToolTip(tr(self.words.propose if lacking else self.words.done))

    def _lacks_hierarchy(self, column: str) -> bool:
        return column not in self.document.project.hierarchies

    def _say_what_is_missing(self) -> None:
        if self.document.table is None:
            self.no_columns.set_text(tr(self.words.no_data))
        else:
            self.no_columns.set_text(tr(self.words.no_column), tr(self.words.way_out))

    def _show_column(self, is_other: bool = False) -> None:
        tree, uneven = self.hierarchy, self.document.project.uneven
        state = next((state for state in self._states() if state.name == self.column), None)
        self.tools.show_state(state, tree is not None, bool(self.document.project.hierarchies))
        self.no_hierarchy.set_text(
            tr("“{column}” has no hierarchy yet.", column=self.column),
            tr("Take the proposal and change it, build one by a rule, or import one."),
        )
        self.center.setCurrentIndex(0 if tree is None else 1)
        self.editor.show_hierarchy(self.column, tree)
        self.levels.show_hierarchy(tree, uneven)
        self._show_usage(is_other)

    def _show_usage(self, is_other: bool = False) -> None:
        usage = self._usages.get(self.column)
        if usage is not None:
            self.editor.show_usage(usage)
        self.tray.show_fit(usage.fit if usage else None)
        self._tell_contradictions(usage)
        self.preview.show_usage(usage, self.document.project.uneven, is_other)

    def _tell_contradictions(self, usage: Usage | None) -> None:
        """Offer to mend labels that speak of other values than those below them."""
        found = usage.fit.contradictions if usage else ()
        key = "contradictions"
        if not found:
            self.document.messages.clear(key)
            return
        self.document.messages.warning(
            tr(contradiction_message(found)),
            tr("They would be published under a label that is not true."),
            actions=[(tr("Mend"), lambda: self.editor.apply(does.repair))],
            key=key,
        )

    def _on_column_chosen(self, _column: str) -> None:
        self._show_column(is_other=True)

    def _on_counted(self, usage: Usage) -> None:
        name = usage.fit.column
        is_first = name not in self._usages
        self._usages[name] = usage
        self.columns.columns_model.show(self._states())
        if name == self.column:
            self._show_column(is_first)

    def _on_count_failed(self, name: str, error: BaseException) -> None:
        self._broken[name] = error_text(error)
        self._show_columns()
        self._show_column()

    def _on_level_label_typed(self, node: int, label: str) -> None:
        self.editor.rename_node(node, label)

    def _on_uneven_chosen(self, uneven: str) -> None:
        self.document.edit(tr("Read uneven levels another way"), uneven=uneven)

    @classmethod
    def claims_file(cls, document: Document, path: Path) -> bool:
        """Take folders, and files that bear the name of a column with a hierarchy."""
        return document.table is not None and (path.is_dir() or bool(_column_of(document, path)))

    def words_for_file(self, path: Path) -> str:
        """Say for which column a file would be imported; a folder is for all of them."""
        if self.document.table is None:
            return ""
        if path.is_dir():
            return tr("Drop to look for hierarchies in “{name}”", name=path.name)
        column = self._column_for(path)
        return tr("Drop to take “{name}” as the hierarchy of {column}", name=path.name, column=column) if column else ""

    def take_file(self, path: Path) -> None:
        """Import a file for its column, or a folder for all of them."""
        column = self._column_for(path)
        if column:
            self.choose(column)
        self.sources.import_path(column, path)

    def _column_for(self, path: Path) -> str:
        """Find the column a file is for: by its name, else the one that is looked at if it is no table of people."""
        suffix = path.suffix.lower()
        is_hierarchy = suffix in HIERARCHY_SUFFIXES and (suffix != ".csv" or is_level_table(path))
        return _column_of(self.document, path) or (self.column if is_hierarchy else "")


def _column_of(document: Document, path: Path) -> str:
    """Find the column whose hierarchy a file is by its name."""
    schema = document.project.schema
    names = (*schema.quasi, *schema.names(Role.SA))
    return next((name for name in names if find_file([path], name) is not None), "")


def _stacked(*widgets: QWidget) -> QWidget:
    """Put widgets under each other, the tallest of them growing."""
    holder = QWidget()
    layout = QVBoxLayout(holder)
    for widget in widgets:
        layout.addWidget(widget)
    return holder
