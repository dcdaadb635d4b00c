"""Writes into the log what was done: every job with its time, every step and its undoing; never a cell of a table."""

import gc
import sys
import time
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from anonymizer_gui import __version__
from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.ui import i18n, theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import view_of
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.shell.window_actions import show_help
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Job, post_error
from anonymizer_gui.workspace.messages import LOGGER, LogBuffer, redacted
from anonymizer_gui.workspace.recovery import RecoverableProject, Recovery, recoverable_projects
from anonymizer_gui.workspace.settings import Settings


class ActivityLog(QObject):
    """Listens to a document; jobs that nobody is told about are left out."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps = document.undo_stack
        self._at = self._steps.index()
        document.jobs.started.connect(self._on_started)
        document.jobs.finished.connect(self._on_finished)
        self._steps.indexChanged.connect(self._on_step)

    def _on_started(self, job: Job) -> None:
        if job.title:
            LOGGER.info("Job: %s", redacted(job.title))

    def _on_finished(self, job: Job) -> None:
        if job.title:
            LOGGER.info("Job %s after %.2f s: %s", job.state.value, job.elapsed, redacted(job.title))

    def _on_step(self, index: int) -> None:
        before, self._at = self._at, index
        if not self._steps.count():
            return
        if index < before:
            LOGGER.info("Undone: %s", redacted(self._steps.redoText()))
        else:
            LOGGER.info("Step: %s", redacted(self._steps.undoText()))


SWITCH_INTERVAL_S = 0.00005


def main(arguments: list[str]) -> int:
    """Open the window and run until it is closed; return the exit code."""
    # Painting a table asks Python thousands of times; each time a busy worker must hand over quickly.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    app = QApplication([sys.argv[0], *arguments])
    name_application(app)
    session = Session(app, Settings(), Document(recovery=Recovery()))
    sys.excepthook = session.on_error
    session.start([argument for argument in arguments if not argument.startswith("-")])
    return app.exec()


def name_application(app: QApplication) -> None:
    """Tell Qt who we are: settings, recovery files and windows go by it."""
    app.setApplicationName("Anonymizer")
    app.setOrganizationName("Anonymizer")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("org.anonymizer.Anonymizer")
    app.setWindowIcon(QIcon(str(resource_path("icons", "app.svg"))))


class Session(QObject):
    """Holds what lives as long as the program; makes the window anew when the language changes."""

    def __init__(self, app: QApplication, settings: Settings, document: Document) -> None:
        super().__init__(app)
        self._app = app
        self.settings = settings
        self.document = document
        self.logbook = LogBuffer(self)
        self.logbook.set_level(settings.preferences.log_level)
        self.diary = ActivityLog(document, self)
        theme.apply(app, settings.preferences.theme)
        i18n.install_language(app, i18n.chosen_language(settings.preferences.language))
        self.window = self._make_window()
        settings.changed.connect(self._on_settings)
        app.styleHints().colorSchemeChanged.connect(self._on_system_colours)

    def start(self, paths: list[str]) -> None:
        """Show the window at once; load the engine behind it, then open what was asked for."""
        self.window.show()
        QTimer.singleShot(0, self, lambda: self._load(paths))

    def on_error(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Tell about an error nobody caught; the report holds no data of the table."""
        if issubclass(kind, KeyboardInterrupt):
            self._app.quit()
            return
        post_error(self.document.messages, error.with_traceback(trace))

    def _make_window(self) -> MainWindow:
        window = MainWindow(self.document, self.settings, self.logbook)
        window.restore_layout()
        window.show_page("welcome")
        return window

    def _load(self, paths: list[str]) -> None:
        self.document.jobs.start("", _load_engine, on_done=lambda _nothing: self._on_loaded(paths))

    def _on_loaded(self, paths: list[str]) -> None:
        self.window.load_pages()
        for lost in recoverable_projects()[:1]:
            self._offer(lost)
        self._tell_news()
        if paths:
            self.window.files.open_path(Path(paths[0]))

    def _tell_news(self) -> None:
        """Say once after an upgrade that there is something new."""
        seen = self.settings.preferences.seen_version
        if seen and seen != __version__:
            self.document.messages.info(
                tr("Anonymizer is now version {version}.", version=__version__),
                actions=[(tr("What’s New"), lambda: show_help(self.window, "news"))],
                key="news",
            )
        self.settings.change(seen_version=__version__)

    def _offer(self, lost: RecoverableProject) -> None:
        name = lost.path.name if lost.path else lost.name or tr("Untitled")
        when = time.strftime("%H:%M", time.localtime(lost.saved_at))

        def restore() -> None:
            self.document.messages.clear("recovery")
            self.document.recover(lost)

        def discard() -> None:
            self.document.messages.clear("recovery")
            lost.discard()

        self.document.messages.warning(
            tr("Restore the unsaved changes of “{name}” from {time}?", name=name, time=when),
            tr("The program did not end well."),
            actions=[(tr("Restore"), restore), (tr("Discard"), discard)],
            key="recovery",
        )

    def _on_settings(self, changed: frozenset[str]) -> None:
        preferences = self.settings.preferences
        if "theme" in changed:
            theme.apply(self._app, preferences.theme)
        if "log_level" in changed:
            self.logbook.set_level(preferences.log_level)
        if "language" in changed:
            i18n.install_language(self._app, i18n.chosen_language(preferences.language))
            QTimer.singleShot(0, self, self._replace_window)

    def _replace_window(self) -> None:
        """Build the window again, step by step behind the old one: every text in it is then in the new language."""
        old, new = self.window, self._make_window()

        def show() -> None:
            new.show_page(old.pages.current_name)
            self.window = new
            new.show()
            old.retire()

        new.setGeometry(old.geometry())
        for step in (new.load_pages, show):
            QTimer.singleShot(0, new, step)

    def _on_system_colours(self) -> None:
        if self.settings.preferences.theme == "system":
            theme.apply(self._app, "system")


def _load_engine(progress: Progress) -> None:
    """Import the pages, and with them the engine, on the worker: it takes longer than showing the window."""
    view_of(FIRST_ROOM).load(progress)
    # What is loaded stays to the end: looking through it for garbage would hold the window up again and again.
    gc.freeze()
