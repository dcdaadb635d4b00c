"""Opening, saving and dropping files, with the questions that must be asked first."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.ui.dialogs import file_dialogs
from anonymizer_gui.ui.dialogs.file_dialogs import UnsavedChoice
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import RoomView, all_views, view_of, view_of_document
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.settings import Settings

if TYPE_CHECKING:
    from anonymizer_gui.engine.projects.opening import OpenedProject
    from anonymizer_gui.ui.shell.main_window import MainWindow

SUFFIX = ".anon"


class FileActions(QObject):
    """What File > Open, Save and their kin do."""

    def __init__(self, window: "MainWindow", document: Document, settings: Settings) -> None:
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
        file_dialogs.ask_open(self._window, self.folder(), self.open_path)

    def open_path(self, path: Path) -> None:
        """Open a project at once, a table after the import dialog."""
        self.when_saved(lambda: self._open_now(path))

    def begin_about(self, path: Path) -> None:
        """Start a project about a table this program has written: nothing needs to be asked about it."""
        self.when_saved(lambda: self._document.open_table(path))

    def open_database(self) -> None:
        """Ask for the address of a database and open a table of it."""
        self.when_saved(lambda: self._import(""))

    def open_sample(self, path: Path) -> None:
        """Open a sample project; it has no file of its own, so that the sample stays as it is."""

        def go_on() -> None:
            self._is_sample = True
            self._document.open_project(path, as_copy=True)

        self.when_saved(go_on)

    def open_in_another_room(self) -> None:
        """Start a project of another room about the file this one is about."""
        source = next(iter(self._document.project.sources().values()), None)
        others = [view for view in likely_rooms(source.path) if view.name != self._document.room] if source else []
        if source is None or not others:
            self._document.messages.info(tr("No other room takes this file."), key="other room")
            return
        place = source.path
        self.when_saved(
            lambda: file_dialogs.ask_room(self._window, Path(place).name, others, lambda view: self._begin(view, place))
        )

    def locate_table(self) -> None:
        """Ask where the table of this project is now."""
        file_dialogs.ask_open(
            self._window, self.folder(), lambda path: _drop(self._document.join_table(path)), tables_only=True
        )

    def call_up_database(self) -> None:
        """Ask whether the databases this project names may be called up, then read them."""
        from anonymizer_gui.engine.storage.sources import is_address
        from anonymizer_gui.ui.dialogs.database_dialogs import ask_connect

        sources = self._document.project.sources()
        named = {role: source for role, source in sources.items() if is_address(source.path)}
        ask_connect(self._window, named, self._read_database)

    def _read_database(self) -> None:
        """Read what the project names; a password is asked for as long as the database wants one."""

        def failed(error: BaseException) -> None:
            from anonymizer_gui.engine.storage.sources import PasswordNeeded

            if not isinstance(error, PasswordNeeded):
                self._document.jobs.tell(error)
                return
            from anonymizer_gui.ui.dialogs.database_dialogs import ask_password

            ask_password(self._window, error.address, self._read_database)

        self._document.join_table(on_error=failed, allow_database=True)

    def save(self, then: Callable[[], None] | None = None) -> None:
        """Save where the project was saved before, or ask."""
        if self._document.path is None:
            self.save_as(then)
        else:
            self._save(self._document.path, then)

    def save_as(self, then: Callable[[], None] | None = None) -> None:
        """Ask where to save the project."""
        name = self._document.project.name or tr("Untitled")
        suggestion = self._document.path or Path(self.folder()) / f"{name}{SUFFIX}"
        file_dialogs.ask_save(self._window, suggestion, lambda path: self._save(path, then))

    def when_saved(self, then: Callable[[], object], running: str = "") -> None:
        """Go on once unsaved changes are saved or given up; do nothing when the user cancels.

        What is running is named in the same question.
        """
        if not self._document.is_dirty:
            then()
            return

        def answered(answer: UnsavedChoice) -> None:
            if answer is UnsavedChoice.SAVE:
                self.save(lambda: _drop(then()))
            elif answer is UnsavedChoice.DISCARD:
                then()

        name = self._document.project.name or tr("Untitled")
        file_dialogs.ask_unsaved(self._window, name, answered, running)

    def remember(self, opened: "OpenedProject") -> None:
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
        """Let the room start a project about a file; where several could, the user says which, the likeliest first."""
        views = likely_rooms(source)
        if len(views) > 1:
            file_dialogs.ask_room(self._window, Path(source).name, views, lambda view: self._begin(view, source))
        else:
            self._begin(views[0], source)

    def _begin(self, view: RoomView, source: str) -> None:
        view.open_source(self._window, source)

    def _save(self, path: Path, then: Callable[[], None] | None) -> None:
        is_new = path.resolve() != self._document.path
        if self._document.save(path):
            self._settings.add_recent(path)
            view_of_document(self._document).after_saving(self._document, is_new)
            if then is not None:
                then()

    def folder(self) -> str:
        """Give the folder that was used last."""
        folder = self._settings.preferences.last_folder
        return folder if folder and Path(folder).is_dir() else str(Path.home())


def likely_rooms(source: str) -> list[RoomView]:
    """List the rooms a file may be opened in, the likeliest first; a database is a table."""
    from anonymizer_gui.engine.room import likely_rooms

    if not source or "://" in source:
        return [view_of(FIRST_ROOM)]
    known = {view.name: view for view in all_views()}
    found = [known[name] for name in likely_rooms(Path(source)) if name in known] or [view_of(FIRST_ROOM)]
    return found[:1] if Path(source).is_dir() else found


def _drop(_result: object) -> None:
    """Take a result nobody needs."""
