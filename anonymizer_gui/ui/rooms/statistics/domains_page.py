"""Public categories of columns."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import AnonymizerError, BadHierarchy
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.hierarchy.files import FileMatch, FolderMatch, match_file, read_hierarchies
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.hierarchies import sources
from anonymizer_gui.ui.hierarchies.tree_editor import HierarchyEditor
from anonymizer_gui.ui.hierarchies.tree_model import LOSS, ROWS
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.statistics.plan_table import plan_columns
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.document import Document

_ROOT = "*"


def parse_categories(text: str) -> Hierarchy:
    """Make a hierarchy of lines; raises BadHierarchy when there is none or one stands twice.

    >>> parse_categories("low\\n  none\\n  basic\\nhigh").leaf_labels
    ('none', 'basic', 'high')
    """
    lines = [line.expandtabs(4) for line in text.splitlines() if line.strip()]
    if not lines:
        raise BadHierarchy("There is no category yet.", "Type one in each line.")
    depths: list[int] = []
    open_indents: list[int] = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        while open_indents and open_indents[-1] >= indent:
            open_indents.pop()
        open_indents.append(indent)
        depths.append(len(open_indents))
    return Hierarchy.from_depths([_ROOT, *(line.strip() for line in lines)], [0, *depths])


_ROOM = "statistics"

_COLUMN = int(Qt.ItemDataRole.UserRole)


class DomainsPage(Page):
    """The columns at the left; at the right the categories of one of them, or a place to type them."""

    name = "domains"
    title = "Hierarchies"
    order = 15
    icon = "hierarchies"
    help = "statistics/hierarchies"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how many columns have public categories; none has to."""
        if document.room != _ROOM or document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open a table first."))
        known = len(document.project.hierarchies)
        words = tr("{columns:column has|columns have} public categories", columns=known)
        return StepStatus(StepState.DONE if known else StepState.READY, words)

    @property
    def column(self) -> str:
        """The column that is looked at, "" for none."""
        item = self.columns.currentItem()
        return str(item.data(_COLUMN)) if item is not None else ""

    def choose(self, column: str) -> None:
        """Look at a column."""
        names = plan_columns(self.document)
        self.columns.setCurrentRow(names.index(column) if column in names else -1)

    def take_typed(self) -> None:
        """Take what is typed for the categories of the column."""
        try:
            tree = parse_categories(self.typed.toPlainText())
        except BadHierarchy as error:
            self.mistake.show_note("bad", error_text(error))
            return
        self.mistake.show_note("bad", "")
        self._put(tr("Name the categories of {column}", column=self.column), self.column, tree)

    def choose_file(self) -> None:
        """Ask for a hierarchy of the column."""
        sources.ask_hierarchy_file(self, self.take_hierarchy)

    def take_hierarchy(self, path: Path) -> None:
        """Read the hierarchy of the column; it is not compared with the data."""
        title = tr("Read {file}", file=path.name)
        self.document.jobs.start(title, _read_file, path, self.column, on_done=self._on_file, on_error=self._on_failed)

    def choose_folder(self) -> None:
        """Ask for a folder of hierarchies, whose leaves are public categories."""
        sources.ask_hierarchy_folder(self, tr("Folder of Hierarchies"), self.take_hierarchies)

    def take_hierarchies(self, folder: Path) -> None:
        """Read the hierarchies of all columns; the data is not looked at, for what is public must not depend on it."""
        self.document.jobs.start(
            tr("Read the hierarchies"),
            _read_folder,
            folder,
            plan_columns(self.document),
            on_done=self._on_folder,
            on_error=self._on_failed,
            replace_key="hierarchies",
        )

    def remove(self) -> None:
        """Take the categories of the column away."""
        kept = {name: tree for name, tree in self.document.project.hierarchies.items() if name != self.column}
        self.document.edit(tr("Remove the hierarchy of {column}", column=self.column), hierarchies=kept)

    def _build(self) -> None:
        self.columns = name_widget(QListWidget(), "domain_columns", spoken=tr("Columns"))
        self.typed = name_widget(QPlainTextEdit(), "typed_categories", spoken=tr("Categories, one in each line"))
        self.take_button = name_widget(QPushButton(tr("Take These Categories"), default=True), "take_categories")
        self.file_button = name_widget(QPushButton(tr("From a File…")), "hierarchy_file")
        self.folder_button = name_widget(QPushButton(tr("All Columns from a Folder…")), "hierarchy_folder")
        self.remove_button = name_widget(QPushButton(tr("Remove")), "remove_hierarchy")
        self.editor, self.mistake = HierarchyEditor(self.document), InlineMessage()
        self.heading = name_widget(QLabel(wordWrap=True), "domain_heading")
        self.empty = EmptyState(
            tr("Open a table first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="hierarchies"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        self.typed.setPlaceholderText(
            tr("One category in each line. Begin a line with blanks to put it below another.")
        )
        for unused in (ROWS, LOSS):  # rows are not counted here, and nothing is lost
            self.editor.tree.setColumnHidden(unused, True)
        typing = QWidget()
        below = QVBoxLayout(typing)
        below.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(self.take_button)
        row.addStretch()
        below.addWidget(self.typed, 1)
        below.addWidget(self.mistake)
        below.addLayout(row)
        self.middle = QStackedWidget()
        self.middle.addWidget(typing)
        self.middle.addWidget(self.editor)
        buttons = QHBoxLayout()
        for button in (self.file_button, self.folder_button, self.remove_button):
            buttons.addWidget(button)
        buttons.addStretch()
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.heading)
        column.addWidget(self.middle, 1)
        column.addLayout(buttons)
        split = name_widget(QSplitter(childrenCollapsible=False), "domains_splitter")
        split.addWidget(section(tr("Columns"), self.columns))
        split.addWidget(section(tr("Public categories"), right))
        split.setStretchFactor(1, 1)
        whole = QWidget()
        QVBoxLayout(whole).addWidget(split)
        return whole

    def _connect(self) -> None:
        self.columns.currentRowChanged.connect(lambda _row: self._show_column(is_other=True))
        self.take_button.clicked.connect(self.take_typed)
        self.file_button.clicked.connect(self.choose_file)
        self.folder_button.clicked.connect(self.choose_folder)
        self.remove_button.clicked.connect(self.remove)

    def _show(self, changed: frozenset[str]) -> None:
        is_ours = self.document.room == _ROOM and self.document.table is not None
        self._stack.setCurrentIndex(int(is_ours))
        if is_ours and is_affected(changed, "table", "hierarchies", "questions"):
            self.editor.show_icons()
            self._show_columns()
            self._show_column()

    def _show_columns(self) -> None:
        names, kept = plan_columns(self.document), self.columns.currentRow()
        trees = self.document.project.hierarchies
        self.columns.blockSignals(True)
        self.columns.clear()
        for name in names:
            words = tr("{leaves:category|categories}", leaves=trees[name].n_leaves) if name in trees else tr("none")
            item = QListWidgetItem(f"{name}\n    {words}")
            item.setData(_COLUMN, name)
            self.columns.addItem(item)
        self.columns.setCurrentRow(min(max(kept, 0), len(names) - 1))
        self.columns.blockSignals(False)

    def _show_column(self, is_other: bool = False) -> None:
        tree = self.document.project.hierarchies.get(self.column)
        if is_other:
            self.typed.clear()
            self.mistake.show_note("bad", "")
        for widget in (self.typed, self.take_button, self.file_button, self.folder_button):
            widget.setEnabled(bool(self.column))
        if not self.column:
            self.heading.setText(tr("Data of this kind has no columns: its questions need no public categories."))
        elif tree is None:
            self.heading.setText(
                tr(
                    "“{column}” has no public categories. Name them as everybody knows them, not as the data has them: "
                    "a category that only the data knows tells that somebody is in it.",
                    column=self.column,
                )
            )
        else:
            words = tr("Histograms, rankings and counts along “{column}” take their categories from here.",
                       column=self.column)  # fmt: skip
            self.heading.setText(words)
        self.remove_button.setEnabled(tree is not None)
        self.middle.setCurrentIndex(int(tree is not None))
        self.editor.show_hierarchy(self.column, tree)

    def _put(self, sentence: str, column: str, tree: Hierarchy) -> None:
        self.document.edit(sentence, hierarchies={**self.document.project.hierarchies, column: tree})

    def _on_file(self, found: FileMatch) -> None:
        if found.state == "refused" or found.hierarchy is None:
            self.document.messages.error(found.notes[0], found.notes[-1] if found.notes[1:] else "")
            return
        self._put(tr("Import {file} for {column}", file=found.file, column=found.column), found.column, found.hierarchy)

    def _on_folder(self, found: FolderMatch) -> None:
        trees = found.hierarchies
        if not trees:
            self.document.messages.warning(tr("The folder has no hierarchy of a column of the table."))
            return
        text = tr("Take {trees:hierarchy|hierarchies} from a folder", trees=len(trees))
        self.document.edit(text, hierarchies={**self.document.project.hierarchies, **trees})

    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, AnonymizerError):
            self.document.messages.error(error.message, error.hint)
        else:
            self.document.jobs.tell(error)


def _read_file(path: Path, column: str, progress: Progress) -> FileMatch:
    return match_file(path, column)


def _read_folder(folder: Path, names: tuple[str, ...], progress: Progress) -> FolderMatch:
    return read_hierarchies(folder, names, progress=progress)


def _has_table(document: Document) -> bool:
    return document.table is not None


def _has_hierarchy(document: Document) -> bool:
    return bool(document.project.hierarchies)


def _action(name: str, title: str, icon: str, tip: str) -> Action:
    return Action(
        f"domains.{name}", title, partial(_do, name), "Plan", "files", icon, status_tip=tip, enabled=_has_table,
        reason="Open a table first.", page="domains",
    )  # fmt: skip


def _do(name: str, page: DomainsPage) -> None:
    getattr(page, name)()


def _in_tree(name: str, title: str, shortcut: str, icon: str) -> Action:
    return Action(
        f"domains.{name}", title, lambda page: page.editor.run(name) if name != "rename" else page.editor.rename(),
        icon=icon, shortcut=shortcut, enabled=_has_hierarchy, reason="No column has a hierarchy yet.", page="domains",
        anywhere=False,
    )  # fmt: skip


ACTIONS = (
    _action("choose_file", "Hierarchy of a Column…", "import", "Read the public categories of the column"),
    _action("choose_folder", "Hierarchies from a Folder…", "hierarchies",
            "Take the leaves of hierarchies for public categories"),
    _in_tree("rename", "Rename Node", "F2", "edit"),
)  # fmt: skip
