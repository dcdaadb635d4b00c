"""Library of saved hierarchies: files and dialogs."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from PySide6.QtCore import QStandardPaths, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import AnonymizerError, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.files import read_hierarchy, write_hierarchy
from anonymizer_gui.engine.hierarchy.fit import Fit, check_fit
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies.column_list import shape_text
from anonymizer_gui.ui.hierarchies.tree_view import HierarchyTreeView
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines
from anonymizer_gui.workspace.document import Document

_SUFFIX = ".json"


class HierarchyLibrary:
    """The saved hierarchies by name; any name will do, it is spelt so that every file system can hold it."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or library_folder()

    def names(self) -> list[str]:
        """List the names of the saved hierarchies."""
        return sorted((unquote(path.stem) for path in self._folder.glob(f"*{_SUFFIX}")), key=str.casefold)

    def save(self, name: str, hierarchy: Hierarchy) -> None:
        """Keep a hierarchy under a name, in place of one that had it; raises UnwritableFile."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise UnwritableFile(
                message("The library cannot be written to: {reason}.", reason=error.strerror or str(error))
            ) from error
        write_hierarchy(hierarchy, self._path(name), "json")

    def load(self, name: str) -> Hierarchy:
        """Read a saved hierarchy; raises UnreadableFile or BadHierarchy."""
        return read_hierarchy(self._path(name))

    def remove(self, name: str) -> None:
        """Forget a saved hierarchy; raises UnwritableFile."""
        try:
            self._path(name).unlink(missing_ok=True)
        except OSError as error:
            raise UnwritableFile(
                message("“{name}” cannot be removed: {reason}.", name=name, reason=error.strerror or str(error))
            ) from error

    def _path(self, name: str) -> Path:
        return self._folder / f"{quote(name, safe=' ')}{_SUFFIX}"


def library_folder() -> Path:
    """Return where the library lives on this system."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(folder) / "hierarchies"


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """A saved hierarchy and how it fits the column."""

    name: str
    hierarchy: Hierarchy
    fit: Fit


def _load(
    library: HierarchyLibrary, name: str, column: Column, schema: ColumnSchema, progress: Progress
) -> LibraryEntry:
    progress(0.0)
    tree = library.load(name)
    progress(0.5)
    return LibraryEntry(name, tree, check_fit(column, tree, schema))


class LibraryDialog(QDialog):
    """Saved hierarchies on the left, the selected one as a tree on the right, and how it would fit."""

    chosen = Signal(str, object)
    """The name and the hierarchy to use."""

    def __init__(
        self, document: Document, library: HierarchyLibrary, column: Column, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("hierarchy_library")
        self._document, self._library, self._column = document, library, column
        self._shown: Hierarchy | None = None
        self.list = name_widget(QListWidget(), "hierarchy_library_names")
        self.tree = HierarchyTreeView()
        self.words = name_widget(QLabel(wordWrap=True), "hierarchy_library_words")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, parent=self)
        self.use = QPushButton(tr("Use for “{column}”", column=column.name), default=True)
        self.remove = QPushButton(tr("Remove from Library"))
        self._build()
        self._connect()
        self._fill()

    def _build(self) -> None:
        self.setWindowTitle(tr("Library of Hierarchies"))
        em = self.fontMetrics().height()
        resize_in_text_lines(self, 46, 28)
        self.list.setAccessibleName(tr("Saved hierarchies"))
        self.tree.setDragDropMode(HierarchyTreeView.DragDropMode.NoDragDrop)
        self.tree.setEditTriggers(HierarchyTreeView.EditTrigger.NoEditTriggers)
        self.tree.hideColumn(1)
        self.use.setObjectName("hierarchy_library_use")
        self.remove.setObjectName("hierarchy_library_remove")
        self.buttons.addButton(self.remove, QDialogButtonBox.ButtonRole.ResetRole)
        self.buttons.addButton(self.use, QDialogButtonBox.ButtonRole.AcceptRole)
        split = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        split.addWidget(self.list)
        split.addWidget(self.tree)
        split.setSizes([14 * em, 32 * em])
        layout = QVBoxLayout(self)
        layout.addWidget(split, 1)
        layout.addWidget(self.words)
        layout.addWidget(self.buttons)

    def _connect(self) -> None:
        self.list.currentTextChanged.connect(self._on_selected)
        self.list.itemActivated.connect(lambda: self.use.click())
        self.use.clicked.connect(self._on_use)
        self.remove.clicked.connect(self._on_remove)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        self.finished.connect(self.deleteLater)

    def _fill(self) -> None:
        self.list.clear()
        self.list.addItems(self._library.names())
        self.list.setCurrentRow(0)
        if not self.list.count():
            self._show(None, tr("Nothing is saved yet. “Save This Hierarchy to the Library” keeps one for later."))

    def _show(self, hierarchy: Hierarchy | None, words: str) -> None:
        self._shown = hierarchy
        self.tree.show_hierarchy(hierarchy, is_other=True)
        self.words.setText(words)
        self.use.setEnabled(hierarchy is not None)
        self.remove.setEnabled(bool(self.list.currentItem()))

    def _on_selected(self, name: str) -> None:
        if name:
            self._document.ask(
                ("library", name),
                _load,
                self._library,
                name,
                self._column,
                self._document.project.schema.column(self._column.name),
                then=self._on_loaded,
                title=tr("Read “{name}”", name=name),
                failed=self._on_failed,
            )

    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, AnonymizerError):
            self._show(None, error_text(error))
        else:
            self._document.jobs.tell(error)

    def _on_loaded(self, found: "LibraryEntry") -> None:
        if self.list.currentItem() is None or found.name != self.list.currentItem().text():
            return
        tree, fit, shape = found.hierarchy, found.fit, shape_text(found.hierarchy)
        if fit.is_good:
            words = tr("{shape}. Every value of “{column}” has a place.", shape=shape, column=self._column.name)
        else:
            words = tr(
                "{shape}. Values of “{column}” without a place: {n}; they can be placed afterwards.",
                shape=shape,
                n=len(fit.without_place),
                column=self._column.name,
            )
        self._show(tree, words)

    def _on_use(self) -> None:
        if self._shown is not None:
            self.chosen.emit(self.list.currentItem().text(), self._shown)
            self.accept()

    def _on_remove(self) -> None:
        try:
            self._library.remove(self.list.currentItem().text())
        except AnonymizerError as error:
            self.words.setText(error_text(error))
            return
        self._fill()


class SaveDialog(QDialog):
    """Asks for the name under which a hierarchy is kept; says when that replaces another."""

    chosen = Signal(str)

    def __init__(self, library: HierarchyLibrary, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hierarchy_save")
        self._taken = set(library.names())
        self.field = name_widget(QLineEdit(name), "hierarchy_save_name")
        self.words = QLabel(wordWrap=True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel, parent=self
        )
        self.setWindowTitle(tr("Save to the Library"))
        self.setMinimumWidth(24 * self.fontMetrics().height())
        label = QLabel(tr("Name in the library:"))
        label.setBuddy(self.field)
        layout = QVBoxLayout(self)
        for widget in (label, self.field, self.words, self.buttons):
            layout.addWidget(widget)
        self.field.textChanged.connect(self._on_text_changed)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        self.finished.connect(self.deleteLater)
        self._on_text_changed(name)

    def _on_text_changed(self, text: str) -> None:
        name = text.strip()
        self.words.setText(tr("This replaces the one saved under that name.") if name in self._taken else "")
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(bool(name))

    def _on_accepted(self) -> None:
        self.chosen.emit(self.field.text().strip())
        self.accept()
