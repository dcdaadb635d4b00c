"""Opening, saving and dropping files, with the questions that must be asked first."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from anonymizer_gui.ui.dialogs import file_questions
from anonymizer_gui.ui.dialogs.file_questions import Unsaved
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.settings import Settings

if TYPE_CHECKING:
    from anonymizer_gui.engine.projects.opening import Opened

SUFFIX = ".anon"
_LACKING = "project_lacks"


class Files(QObject):
    """What File > Open, Save and their kin do."""

    def __init__(self, window: QWidget, document: Document, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._settings = settings
        self._is_sample = False

    def new(self) -> None:
        """Start over with nothing."""
        self.when_saved(self._document.new)

    def open(self) -> None:
        """Ask for a table or project and open it."""
        file_questions.ask_open(self._window, self._folder(), self.open_path)

    def open_path(self, path: Path) -> None:
        """Open a project at once, a table after the import dialog."""
        self.when_saved(lambda: self._open_now(path))

    def open_database(self) -> None:
        """Ask for the address of a database and open a table of it."""
        self.when_saved(lambda: self._import(""))

    def open_sample(self, path: Path) -> None:
        """Open a sample project; it has no file of its own, so that the sample stays as it is."""

        def go_on() -> None:
            self._is_sample = True
            self._document.open_project(path, as_copy=True)

        self.when_saved(go_on)

    def locate_table(self) -> None:
        """Ask where the table of this project is now."""
        file_questions.ask_open(
            self._window, self._folder(), lambda path: _drop(self._document.join_table(path)), tables_only=True
        )

    def save(self, then: Callable[[], None] | None = None) -> None:
        """Save where the project was saved before, or ask."""
        if self._document.path is None:
            self.save_as(then)
        else:
            self._save(self._document.path, then)

    def save_as(self, then: Callable[[], None] | None = None) -> None:
        """Ask where to save the project."""
        name = self._document.project.name or tr("Untitled")
        suggestion = self._document.path or Path(self._folder()) / f"{name}{SUFFIX}"
        file_questions.ask_save(self._window, suggestion, lambda path: self._save(path, then))

    def save_recipe(self) -> None:
        """Ask where to save the settings without the data."""
        from anonymizer_gui.workspace.recipes import save_recipe

        name = self._document.project.name or tr("Untitled")
        suggestion = Path(self._folder()) / f"{name}_recipe{SUFFIX}"
        file_questions.ask_save(self._window, suggestion, lambda path: _drop(save_recipe(self._document, path)))

    def apply_recipe(self) -> None:
        """Ask for a recipe, then which of its columns is which."""
        file_questions.ask_recipe(self._window, self._folder(), self._match_recipe)

    def _match_recipe(self, path: Path) -> None:
        from anonymizer_gui.ui.rooms.microdata.apply_recipe import ApplyRecipeDialog
        from anonymizer_gui.workspace.recipes import apply_recipe, read_recipe

        recipe = read_recipe(self._document, path)
        if recipe is None:
            return
        dialog = ApplyRecipeDialog(recipe, self._document.project.schema, self._window)
        text = tr("Apply the recipe {name}", name=path.stem)
        dialog.chosen.connect(lambda columns: apply_recipe(self._document, recipe, columns, text))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def when_saved(self, then: Callable[[], object]) -> None:
        """Go on once unsaved changes are saved or given up; do nothing when the user cancels."""
        if not self._document.is_dirty:
            then()
            return

        def answered(answer: Unsaved) -> None:
            if answer is Unsaved.SAVE:
                self.save(lambda: _drop(then()))
            elif answer is Unsaved.DISCARD:
                then()

        file_questions.ask_unsaved(self._window, self._document.project.name or tr("Untitled"), answered)

    def remember(self, opened: "Opened") -> None:
        """Put what was opened among the recent files: the project, or the table of a new one."""
        source = next(iter(opened.project.sources().values()), None)
        if self._document.path is not None:
            self._settings.add_recent(self._document.path)
        elif source is not None and not self._is_sample and "://" not in source.path:
            self._settings.add_recent(Path(source.path))
        self._is_sample = False

    def _open_now(self, path: Path) -> None:
        # Not earlier: the project that is left may be saved first, into the folder it was opened from.
        self._settings.change(last_folder=str(path.parent))
        if path.suffix.lower() == SUFFIX:
            self._document.open_project(path)
        else:
            self._import(str(path))

    def _import(self, source: str) -> None:
        from anonymizer_gui.ui.dialogs.import_table import ImportDialog

        dialog = ImportDialog(self._document, source, self._window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _save(self, path: Path, then: Callable[[], None] | None) -> None:
        is_new = path.resolve() != self._document.path
        if self._document.save(path):
            self._settings.add_recent(path)
            if is_new and self._document.project.saved_hierarchies():
                self._tell_what_is_in_it()
            self._tell_what_is_not_in_it()
            if then is not None:
                then()

    def _tell_what_is_in_it(self) -> None:
        self._document.messages.info(
            tr("The project holds the hierarchies, so the values of the quasi-identifiers."),
            tr("Keep it as safe as the table."),
            key="project_holds",
        )

    def _tell_what_is_not_in_it(self) -> None:
        project = self._document.project
        lacking = [name for name in project.hierarchies if name not in project.saved_hierarchies()]
        if not lacking:
            self._document.messages.clear(_LACKING)
            return
        self._document.messages.warning(
            tr("The hierarchies of identifiers are not saved: {columns}.", columns=", ".join(lacking)),
            tr("To keep one, give its column another role and save again before you close."),
            key=_LACKING,
        )

    def _folder(self) -> str:
        folder = self._settings.preferences.last_folder
        return folder if folder and Path(folder).is_dir() else str(Path.home())


def _drop(_result: object) -> None:
    """Take a result nobody needs."""
