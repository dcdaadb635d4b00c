"""The line at the bottom: what is selected, which file, how large, what must hold, what runs."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QSettings, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QSplitter,
    QStatusBar,
    QToolBar,
    QUndoView,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.actions import Action, ActionRegistry
from anonymizer_gui.ui.dialogs import file_dialogs
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.room_view import view_of_document
from anonymizer_gui.ui.shell.file_drop import FileDropHandler
from anonymizer_gui.ui.shell.job_progress import DesktopNotifier, JobProgressBar
from anonymizer_gui.ui.shell.navigation import NavigationRail, PageStack
from anonymizer_gui.ui.shell.open_save import FileActions
from anonymizer_gui.ui.shell.start_page import StartPage
from anonymizer_gui.ui.shell.window_actions import ACTIONS, TOOLBAR
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text
from anonymizer_gui.ui.widgets.message_strip import MessageStrip
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.messages import LogBuffer
from anonymizer_gui.workspace.settings import Settings

if TYPE_CHECKING:
    from anonymizer_gui.engine.projects.opening import OpenedProject


_WIDEST_GOALS = 30


class StatusBar(QStatusBar):
    """Reads the document; the page says what is selected."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("status")
        self._document = document
        self.selection = name_widget(QLabel(), "status_selection")
        self.file = name_widget(QLabel(), "status_file")
        self.size_label = name_widget(QLabel(), "status_size")
        self.goals = name_widget(QLabel(), "status_goals")
        self.addWidget(self.selection, 1)
        for label in (self.file, self.size_label, self.goals):
            self.addPermanentWidget(label)
        document.changed.connect(self._show)
        self._show()

    def _show(self, _changed: object = None) -> None:
        if not self._document.files:  # the engine is not loaded before there is something to show
            for label in (self.selection, self.file, self.size_label, self.goals):
                label.clear()
            return
        project, words = self._document.project, view_of_document(self._document).status(self._document)
        self.file.setText(project.name)
        self.file.setToolTip(plain_text("\n".join(source.path for source in project.sources().values())))
        self.size_label.setText(words.size)
        widest = self.fontMetrics().height() * _WIDEST_GOALS
        self.goals.setText(self.fontMetrics().elidedText(words.promises, Qt.TextElideMode.ElideRight, widest))
        self.goals.setToolTip(plain_text(words.more))


_VERSION = 1


class WindowGeometry:
    """Keeps geometry, panels and splitters; this is what QSettings is for."""

    def __init__(self) -> None:
        self._settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Anonymizer", "window")

    def restore(self, window: QMainWindow) -> bool:
        """Put the window back; say whether there was anything to go by."""
        geometry, state = self._bytes("geometry"), self._bytes("state")
        if geometry.isEmpty() or not window.restoreGeometry(geometry):
            return False
        window.restoreState(state, _VERSION)
        return True

    def restore_splitters(self, page: QWidget) -> None:
        """Put the splitters of a page back."""
        for splitter in page.findChildren(QSplitter):
            state = self._bytes(f"splitters/{splitter.objectName()}")
            if splitter.objectName() and not state.isEmpty():
                splitter.restoreState(state)

    def save(self, window: QMainWindow) -> None:
        """Remember how everything stands."""
        self._settings.setValue("geometry", window.saveGeometry())
        self._settings.setValue("state", window.saveState(_VERSION))
        for splitter in window.findChildren(QSplitter):
            if splitter.objectName():
                self._settings.setValue(f"splitters/{splitter.objectName()}", splitter.saveState())
        self._settings.sync()

    def forget(self) -> None:
        """Go back to how everything was at first."""
        self._settings.clear()

    def _bytes(self, name: str) -> QByteArray:
        value = self._settings.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()


class RecentMenu(QMenu):
    """Filled anew each time it opens."""

    def __init__(self, settings: Settings, open_path: Callable[[Path], None], parent: QWidget) -> None:
        super().__init__(tr("Open Recent"), parent, toolTipsVisible=True)
        self.setObjectName("recent_menu")
        self._settings = settings
        self._open_path = open_path
        self.aboutToShow.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """List the recent files as they are now."""
        self.clear()
        for name in self._settings.preferences.recent:
            path = Path(name)
            entry = self.addAction(path.name)
            entry.setToolTip(plain_text(name))
            entry.setEnabled(path.exists())
            entry.triggered.connect(lambda _checked=False, path=path: self._open_path(path))
        if self.isEmpty():
            self.addAction(tr("Nothing yet")).setEnabled(False)
            return
        self.addSeparator()
        self.addAction(tr("Clear")).triggered.connect(lambda: self._settings.forget_recent())


class MainWindow(QMainWindow):
    """Shows the document; `load_pages` finds the steps once the engine may be imported."""

    def __init__(self, document: Document, settings: Settings, logbook: LogBuffer) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.document = document
        self.settings = settings
        self.logbook = logbook
        self.files = FileActions(self, document, settings)
        self.rail = NavigationRail()
        self.pages = PageStack()
        self.message_bar = MessageStrip(document.messages, self.pages)
        self.job_strip = JobProgressBar(document.jobs)
        self.notifier = DesktopNotifier(self, document.jobs)
        self.status = StatusBar(document)
        self.history = name_widget(QDockWidget(tr("History")), "history")
        self.toolbar = name_widget(QToolBar(tr("Toolbar")), "toolbar")
        self.recent = RecentMenu(settings, self.files.open_path, self)
        self.commands = ActionRegistry(self, document, self.perform, settings.preferences.shortcuts)
        self._in_room = ""
        self._page_classes: dict[str, type[Page]] = {}
        self.drops = FileDropHandler(self, document, self.files, self.pages, self._page_classes)
        self._state = WindowGeometry()
        self._may_close = False
        self._build()
        self._connect()
        self._show_title()

    def load_pages(self) -> None:
        """Put the pages of the document's room on the rail, and their actions into the menus."""
        view = view_of_document(self.document)
        if view.name == self._in_room:
            return
        self._leave_room()
        self._in_room = view.name
        for number, page in enumerate(view.pages(), start=1):
            self._page_classes[page.name] = page
            self.pages.offer(page.name, partial(page, self.document))
            self.rail.add_step(page.name, tr(page.title), page.icon, number)
        self.commands.add(view.actions())
        for name in self.pages.made_names():
            self.commands.attach(self.pages.page(name))
        self._fill_menus()
        self._show_marks()

    def _leave_room(self) -> None:
        """Take the pages and actions of another room away."""
        if not self._in_room:
            return
        self.show_page(StartPage.name)
        for name in list(self._page_classes):
            self.pages.forget(name)
            self.rail.remove_step(name)
        self._page_classes.clear()
        self.commands.keep(action.id for action in ACTIONS)

    def show_page(self, name: str) -> Page:
        """Bring a page to the front."""
        page = self.pages.show_page(name)
        self.rail.set_current(name)
        self.status.selection.clear()
        return page

    def go_to(self, name: str) -> None:
        """Go where the user wants; what was merely told on the page before has been read."""
        if name != self.pages.current_name:
            self.document.messages.clear_told()
        self.show_page(name)

    def step_page(self, direction: int) -> None:
        """Go to the next or previous step."""
        names = self.rail.names()
        place = names.index(self.pages.current_name) + direction
        if 0 <= place < len(names):
            self.go_to(names[place])

    def perform(self, action: Action) -> None:
        """Do what an action says, on its page if it has one."""
        action.callback(self.show_page(action.page) if action.page else self)
        self.commands.refresh()

    def copy_history(self) -> None:
        """Copy every step as a line of text."""
        stack = self.document.undo_stack
        QGuiApplication.clipboard().setText("\n".join(stack.text(step) for step in range(stack.count())))

    def reset_layout(self) -> None:
        """Put window and panels back to where they were at first."""
        self._state.forget()
        self.history.hide()
        self.toolbar.show()
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.history)
        self._first_size()

    def restore_layout(self) -> None:
        """Put window and panels back to where they were at last."""
        if not self._state.restore(self):
            self._first_size()

    def retire(self) -> None:
        """Go away without closing the document: another window shows it."""
        self._state.save(self)
        self.hide()
        self.deleteLater()

    def _build(self) -> None:
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.pages, 1)
        column.addWidget(self.job_strip)
        row.addLayout(column, 1)
        self.setCentralWidget(body)
        self.setStatusBar(self.status)
        self._build_panels()
        self.pages.offer(StartPage.name, lambda: StartPage(self.document, self.settings))
        self.rail.add_step(StartPage.name, tr(StartPage.title), StartPage.icon, None)
        line = self.fontMetrics().height()
        self.setMinimumSize(QSize(min(line * 55, 1024), min(line * 36, 660)).boundedTo(self._room()))

    def _build_panels(self) -> None:
        view = name_widget(QUndoView(self.document.undo_stack), "history_view", spoken=tr("History"))
        view.setEmptyLabel(tr("As it was opened"))
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setMinimumWidth(self.fontMetrics().height() * 14)
        self.history.setWidget(view)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.history)
        self.history.hide()
        self.commands.add(ACTIONS)
        self.addToolBar(self.toolbar)
        for name in TOOLBAR:
            if name:
                self.commands.draw([name])
                self.toolbar.addAction(self.commands.qt[name])
            else:
                self.toolbar.addSeparator()
        self._fill_menus()

    def _connect(self) -> None:
        self.rail.chosen.connect(self.go_to)
        self.pages.made.connect(self._on_page_made)
        self.document.changed.connect(self._on_document_changed)
        self.document.opened.connect(self._on_opened)
        self.document.undo_stack.indexChanged.connect(self._on_step)
        self.document.undo_stack.indexChanged.connect(self._on_edited)
        self.history.visibilityChanged.connect(self._on_step)
        self.settings.changed.connect(self._on_step)

    def _fill_menus(self) -> None:
        self.commands.fill(self.menuBar(), {"File": [self.recent]})

    def _first_size(self) -> None:
        line = self.fontMetrics().height()
        self.resize(QSize(min(line * 80, 1400), min(line * 52, 900)).boundedTo(self._room()))

    def _room(self) -> QSize:
        """Tell how large the window may be on this screen, with the frame around it."""
        line = self.fontMetrics().height()
        return self.screen().availableSize() - QSize(line, line * 3)

    def _show_title(self) -> None:
        path, is_empty = self.document.path, self.document.is_empty  # an empty one must not load the engine
        name = path.stem if path else "" if is_empty else self.document.project.name
        self.setWindowTitle(f"{name or tr('Untitled')}[*] – Anonymizer")
        self.setWindowModified(self.document.is_dirty)

    def _show_marks(self) -> None:
        for name, page in self._page_classes.items():
            self.rail.set_mark(name, page.mark(self.document))

    def _on_page_made(self, page: Page) -> None:
        page.go.connect(self.go_to)
        page.do.connect(self._on_do)
        page.begin.connect(lambda name: self.files.begin_about(Path(name)))
        page.status.connect(self.status.selection.setText)
        if isinstance(page, StartPage):
            page.open_path.connect(lambda name: self.files.open_path(Path(name)))
            page.open_sample.connect(lambda file: self.files.open_sample(resource_path("samples", *file.split("/"))))
            page.set_tip(self.commands.keys())
        self.commands.attach(page)
        self._state.restore_splitters(page)

    def _on_do(self, name: str) -> None:
        self.commands.qt[name].trigger()

    def _on_step(self, _what: object) -> None:
        if self._is_at_home():
            self.commands.refresh()

    def _is_at_home(self) -> bool:
        """Tell whether pages and actions are those of the document's room; others are about to go."""
        return self._in_room in ("", self.document.room)

    def _on_edited(self, _step: int) -> None:
        """What was told about the step before has been read."""
        self.document.messages.clear_told()

    def _on_document_changed(self, _changed: frozenset[str]) -> None:
        self._show_title()
        if self._is_at_home():
            self._show_marks()
            self.commands.refresh()

    def _on_opened(self, opened: "OpenedProject") -> None:
        from anonymizer_gui.ui.shell.opening_notes import report_opened

        if self._page_classes:
            self.load_pages()
        report_opened(self.document, opened, self.files.locate_table, self.files.call_up_database, self._show_earlier)
        self.files.remember(opened)
        last = self.settings.preferences.last_page
        known = self.document.path is not None and last in self.pages.names()
        if not self.document.is_empty and self._page_classes:
            self.show_page(last if known else next(iter(self._page_classes)))
            self.pages.page(self.pages.current_name).home_of_shortcuts().setFocus()
        elif self.document.is_empty:
            self.show_page(StartPage.name)

    def _show_earlier(self) -> None:
        from anonymizer_gui.ui.release.release_history import ReleaseHistoryDialog

        ReleaseHistoryDialog(self.document, self).open()

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the icons in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.commands.retheme()
        elif event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self._page_classes:
            self._look_for_files()

    def _look_for_files(self) -> None:
        """Whoever comes back from elsewhere may have moved or deleted what the project is about."""
        from anonymizer_gui.ui.shell.opening_notes import warn_missing_files

        warn_missing_files(self.document, self.files.locate_table)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, remember the layout, stop all work."""
        if not self._may_close and self._has_questions():
            event.ignore()
            return
        self._state.save(self)
        self.settings.change(last_page=self.pages.current_name)
        self.document.close()
        super().closeEvent(event)

    def _has_questions(self) -> bool:
        """Ask once about unsaved changes and work that runs; say whether anything had to be asked."""
        running = [job.title for job in self.document.jobs.active if job.title]
        if self.document.is_dirty:
            self.files.when_saved(self._on_may_close, tr(running[0]) if running else "")
        elif running:
            file_dialogs.ask_stop(self, tr(running[0]), self._on_may_close)
        return bool(running) or self.document.is_dirty

    def _on_may_close(self) -> None:
        self._may_close = True
        # Qt refuses to close a window that is being closed; the answer may have come at once.
        QTimer.singleShot(0, self, self.close)
