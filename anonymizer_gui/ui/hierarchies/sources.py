"""Propose, import, export, folders."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, build_hierarchy
from anonymizer_gui.engine.hierarchy.files import (
    FileMatch,
    FolderMatch,
    file_stem,
    known_formats,
    match_file,
    read_hierarchies,
    write_hierarchies,
    write_hierarchy,
)
from anonymizer_gui.engine.hierarchy.formats.contract import USUAL_FORMAT
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.storage.sources import refuse_overwrite
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.dialogs.file_dialogs import start_folder
from anonymizer_gui.ui.hierarchies.builder_dialog import BuilderDialog
from anonymizer_gui.ui.hierarchies.library import HierarchyLibrary, LibraryDialog, SaveDialog
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.engine_tasks import own_files

OnPath = Callable[[Path], None]


def ask_hierarchy_file(parent: QWidget, then: OnPath) -> None:
    """Ask for a hierarchy file to read."""
    filters = [tr("Hierarchies (*.csv *.txt *.json *.hrc *.grc)"), tr("All files (*)")]
    dialog = _dialog(parent, tr("Import Hierarchy"), then)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters(filters)
    dialog.open()


def ask_hierarchy_folder(parent: QWidget, title: str, then: OnPath) -> None:
    """Ask for a folder to read from or write to."""
    dialog = _dialog(parent, title, then)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.open()


def ask_hierarchy_target(parent: QWidget, name: str, then: Callable[[Path, str], None]) -> None:
    """Ask where to write a hierarchy and in which format; the format's name goes to the function too."""
    kinds = {f"{tr(kind.title)} (*{kind.suffixes[0]})": kind for kind in known_formats() if kind.suffixes}
    dialog = _dialog(parent, tr("Export Hierarchy"), lambda path: then(path, kinds[dialog.selectedNameFilter()].name))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(kinds))
    first = next(title for title, kind in kinds.items() if kind.name == USUAL_FORMAT)
    dialog.filterSelected.connect(lambda title: dialog.setDefaultSuffix(kinds[title].suffixes[0].lstrip(".")))
    dialog.selectNameFilter(first)
    dialog.setDefaultSuffix("csv")
    dialog.selectFile(name)
    dialog.open()


def _dialog(parent: QWidget, title: str, then: OnPath) -> QFileDialog:
    dialog = QFileDialog(parent, title, start_folder(parent))
    dialog.fileSelected.connect(lambda name: then(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    return dialog


_ICONS = {"matched": ("done", "good"), "does not fit": ("warning", "warn"), "refused": ("error", "bad")}


class FolderImportDialog(QDialog):
    """A line per column with its file and how that went; the ticked ones are imported."""

    chosen = Signal(dict)
    """Hierarchies by column."""

    def __init__(self, found: FolderMatch, folder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hierarchy_import")
        self._found = found
        self.words = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.words.setText(tr("Hierarchies found in {folder}:", folder=folder))
        self.table = name_widget(QTableWidget(len(found.matches), 4), "hierarchy_matches")
        self.unused = name_widget(QLabel(wordWrap=True), "hierarchy_unused_files")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, parent=self
        )
        self._build()
        self._fill()
        self.table.itemChanged.connect(self._on_ticked)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        self.finished.connect(self.deleteLater)

    def ticked(self) -> list[str]:
        """List the columns whose hierarchy is to be imported."""
        items = [self.table.item(row, 0) for row in range(self.table.rowCount())]
        return [item.text() for item in items if item and item.checkState() is Qt.CheckState.Checked]

    def _build(self) -> None:
        self.setWindowTitle(tr("Import Hierarchies"))
        resize_in_text_lines(self, 64, 24)
        self.table.setHorizontalHeaderLabels([tr("Column"), tr("File"), tr("State"), tr("Note")])
        self.table.setAccessibleName(tr("Columns and the files found for them"))
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setShowGrid(False)
        self.table.setWordWrap(True)
        self.table.setTabKeyNavigation(False)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        layout = QVBoxLayout(self)
        for widget in (self.words, self.table, self.unused, self.buttons):
            layout.addWidget(widget)

    def _fill(self) -> None:
        for row, match in enumerate(self._found.matches):
            for column, item in enumerate(self._items(match)):
                self.table.setItem(row, column, item)
        self.table.resizeColumnsToContents()
        self.table.resizeRowsToContents()
        self.unused.setVisible(bool(self._found.unused))
        self.unused.setText(tr("Files of no column: {files}", files=", ".join(self._found.unused)))
        self._on_ticked()

    def _items(self, match: FileMatch) -> list[QTableWidgetItem]:
        words = {
            "matched": tr("fits"),
            "missing": tr("no file"),
            "does not fit": tr("does not fit"),
            "refused": tr("refused"),
        }
        is_repaired = match.state == "refused" and match.hierarchy is not None
        notes = [*map(tr, match.notes), *([tr("Tick it to import it repaired.")] if is_repaired else [])]
        note = " ".join(notes)
        items = [QTableWidgetItem(text) for text in (match.column, match.file, words[match.state], note)]
        usable = match.hierarchy is not None
        items[0].setFlags(
            Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            if usable
            else Qt.ItemFlag.ItemIsSelectable
        )
        items[0].setCheckState(Qt.CheckState.Checked if usable and not is_repaired else Qt.CheckState.Unchecked)
        if match.state in _ICONS:
            items[2].setIcon(theme.icon(*_ICONS[match.state]))
        items[3].setToolTip(plain_text(note))
        return items

    def _on_ticked(self) -> None:
        n = len(self.ticked())
        button = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        button.setText(tr("Import {n}", n=n))
        button.setEnabled(n > 0)

    def _on_accepted(self) -> None:
        ticked = set(self.ticked())
        self.chosen.emit({match.column: match.hierarchy for match in self._found.matches if match.column in ticked})
        self.accept()


MESSAGE_KEY = "hierarchy source"


class HierarchySources(QObject):
    """Brings hierarchies into the document and out of it; reading and writing run as jobs."""

    def __init__(self, document: Document, page: QWidget, library: HierarchyLibrary | None = None) -> None:
        super().__init__(page)
        self._document = document
        self._page = page
        self.library = library or HierarchyLibrary()

    def perform(self, name: str, column: str) -> None:
        """Do what a button of the page says, for a column."""
        tasks: dict[str, Callable[[], object]] = {
            "propose": partial(self.propose, column),
            "build": partial(self.build, column),
            "import_file": partial(self.ask_file, column),
            "import_folder": self.ask_folder,
            "export_file": partial(self.ask_target, column),
            "export_folder": self.ask_export_folder,
            "library_open": partial(self.open_library, column),
            "library_save": partial(self.save_to_library, column),
            "remove": partial(self.remove, column),
        }
        if name in tasks and column:
            tasks[name]()

    def put(self, sentence: str, hierarchies: Mapping[str, Hierarchy]) -> None:
        """Give columns their hierarchies as one step."""
        self._document.messages.clear(MESSAGE_KEY)
        self._document.edit(sentence, hierarchies={**self._document.project.hierarchies, **hierarchies})

    def propose(self, column: str) -> None:
        """Propose a hierarchy for a column."""
        self._propose([column], tr("Propose a hierarchy for {column}", column=column))

    def propose_all(self) -> None:
        """Propose a hierarchy for every quasi-identifier that has none."""
        project = self._document.project
        lacking = [name for name in project.schema.quasi if name not in project.hierarchies]
        if lacking:
            self._propose(lacking, tr("Propose hierarchies for {columns}", columns=", ".join(lacking)))

    def build(self, column: str) -> None:
        """Build the hierarchy of a column by a rule, with a preview."""
        table = self._document.table
        if table is not None:
            dialog = BuilderDialog(self._document, table.whole(column), self._page)
            dialog.chosen.connect(
                lambda title, tree: self.put(tr("Build {column}: {rule}", column=column, rule=title), {column: tree})
            )
            dialog.open()

    def remove(self, column: str) -> None:
        """Take the hierarchy of a column away."""
        kept = {name: tree for name, tree in self._document.project.hierarchies.items() if name != column}
        self._document.edit(tr("Remove the hierarchy of {column}", column=column), hierarchies=kept)

    def ask_file(self, column: str) -> None:
        """Ask for a file and import it for a column."""
        ask_hierarchy_file(self._page, partial(self.import_file, column))

    def import_file(self, column: str, path: Path) -> None:
        """Import one file for a column."""
        sentence = tr("Import {file} for {column}", file=path.name, column=column)
        self._document.jobs.start(
            tr("Read {file}", file=path.name),
            _read_file,
            path,
            self._document.table.whole(column) if self._document.table is not None else None,
            self._document.project.schema.column(column),
            on_done=partial(self._take, sentence),
            on_error=self._say,
        )

    def _take(self, sentence: str, found: FileMatch) -> None:
        """Put the hierarchy of a file in its place; of one in which labels stand twice, offer the repaired one."""
        if found.state != "refused" and found.hierarchy is not None:
            self.put(sentence, {found.column: found.hierarchy})
            return
        text, *places = found.notes
        hint = places.pop() if places else ""
        offers = []
        if found.hierarchy is not None:
            put = partial(self.put, tr("{sentence}, repaired", sentence=sentence), {found.column: found.hierarchy})
            offers = [(tr("Import Repaired"), put)]
        self._document.messages.error(text, hint, "\n".join(map(tr, places)), offers, key=MESSAGE_KEY)

    def import_path(self, column: str, path: Path) -> None:
        """Import a file for a column, or a folder for all of them."""
        if path.is_dir():
            self.import_folder(path)
        else:
            self.import_file(column, path)

    def ask_folder(self) -> None:
        """Ask for a folder and show what is in it."""
        ask_hierarchy_folder(self._page, tr("Import Hierarchies from Folder"), self.import_folder)

    def import_folder(self, folder: Path) -> None:
        """Read a folder and show what matched before anything is taken over."""
        schema = self._document.project.schema
        names = (*schema.quasi, *schema.names(Role.SA))
        self._document.jobs.start(
            tr("Read hierarchies from {folder}", folder=folder.name),
            _read_folder,
            folder,
            names,
            self._document.table,
            schema,
            on_done=partial(self._show_folder, folder),
            on_error=self._say,
        )

    def ask_target(self, column: str) -> None:
        """Ask where to write the hierarchy of a column."""
        if column in self._document.project.hierarchies:
            ask_hierarchy_target(self._page, file_stem(column), partial(self.export_file, column))

    def export_file(self, column: str, path: Path, format_name: str) -> None:
        """Write the hierarchy of a column."""
        self._document.jobs.start(
            tr("Write {file}", file=path.name),
            _write_file,
            self._document.project.hierarchies[column],
            path,
            format_name,
            own_files(self._document),
            on_done=lambda _none: self._tell(tr("The hierarchy of {column} is in {file}.", column=column, file=path)),
            on_error=self._say,
        )

    def ask_export_folder(self) -> None:
        """Ask for a folder and write every hierarchy into it."""
        ask_hierarchy_folder(self._page, tr("Export Hierarchies into Folder"), self.export_folder)

    def export_folder(self, folder: Path) -> None:
        """Write every hierarchy into a folder as level tables."""
        self._document.jobs.start(
            tr("Write hierarchies to {folder}", folder=folder.name),
            _write_folder,
            folder,
            dict(self._document.project.hierarchies),
            own_files(self._document),
            on_done=lambda paths: self._tell(
                tr("{n:hierarchy was|hierarchies were} written to {folder}.", n=len(paths), folder=folder)
            ),
            on_error=self._say,
        )

    def open_library(self, column: str) -> None:
        """Show the saved hierarchies and use one for a column."""
        table = self._document.table
        if table is None:
            return
        dialog = LibraryDialog(self._document, self.library, table.whole(column), self._page)
        dialog.chosen.connect(
            lambda name, tree: self.put(tr("Use “{name}” for {column}", name=name, column=column), {column: tree})
        )
        dialog.open()

    def save_to_library(self, column: str) -> None:
        """Ask for a name and keep the hierarchy of a column."""
        tree = self._document.project.hierarchies.get(column)
        if tree is None:
            return
        dialog = SaveDialog(self.library, column, self._page)
        dialog.chosen.connect(lambda name: self._save(name, tree))
        dialog.open()

    def _propose(self, columns: list[str], sentence: str) -> None:
        table = self._document.table
        if table is not None:
            self._document.jobs.start(
                tr("Propose hierarchies"),
                propose_hierarchies,
                [table.whole(name) for name in columns],
                self._document.project.schema,
                on_done=partial(self._take_proposal, sentence),
                on_error=self._say,
                replace_key="propose hierarchies",
            )

    def _take_proposal(self, sentence: str, found: Mapping[str, Hierarchy]) -> None:
        """Put proposals in their places; where one took the place of another hierarchy, say so and how to go back."""
        replaced = [name for name in found if name in self._document.project.hierarchies]
        self.put(sentence, found)
        if replaced:
            words = tr("The hierarchy of {column} was replaced by a proposal.", column=", ".join(replaced))
            undo = self._document.undo_stack.undo
            self._document.messages.success(words, actions=[(tr("Undo"), undo)], key=MESSAGE_KEY)

    def _save(self, name: str, tree: Hierarchy) -> None:
        try:
            self.library.save(name, tree)
        except AnonymizerError as error:
            self._say(error)
            return
        self._tell(tr("“{name}” is in the library.", name=name))

    def _show_folder(self, folder: Path, found: FolderMatch) -> None:
        dialog = FolderImportDialog(found, folder.name, self._page)
        dialog.chosen.connect(partial(self.put, tr("Import hierarchies from {folder}", folder=folder.name)))
        dialog.open()

    def _tell(self, sentence: str) -> None:
        self._document.messages.success(sentence, key=MESSAGE_KEY)

    def _say(self, error: BaseException) -> None:
        """Put what went wrong into the message bar; what is no fault of the user goes the way of all faults."""
        if isinstance(error, AnonymizerError):
            self._document.messages.error(error.message, error.hint, key=MESSAGE_KEY)
        else:
            self._document.jobs.tell(error)


def propose_hierarchies(columns: Sequence[Column], schema: Schema, progress: Progress) -> dict[str, Hierarchy]:
    """Propose a hierarchy for every column."""
    found = {}
    for done, column in enumerate(columns):
        progress(done / len(columns), column.name)
        share = progress.sub(done / len(columns), (done + 1) / len(columns))
        found[column.name] = build_hierarchy(BUILDERS.get("automatic")(), column, schema.column(column.name), share)
    return found


def _read_file(path: Path, column: Column | None, schema: ColumnSchema, progress: Progress) -> FileMatch:
    progress(0.0)
    return match_file(path, schema.name, column, schema)


def _read_folder(
    folder: Path, names: tuple[str, ...], table: Table | None, schema: Schema, progress: Progress
) -> FolderMatch:
    return read_hierarchies(folder, names, table, schema, progress)


def _write_file(tree: Hierarchy, path: Path, format_name: str, own: list[Path], progress: Progress) -> None:
    progress(0.0)
    refuse_overwrite([path], own)
    write_hierarchy(tree, path, format_name)


def _write_folder(folder: Path, trees: Mapping[str, Hierarchy], own: Iterable[Path], progress: Progress) -> list[Path]:
    progress(0.0)
    return write_hierarchies(folder, trees, own=own)
