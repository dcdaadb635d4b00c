"""The window: rail, pages, messages, jobs, history and status bar around one document."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QUndoView, QVBoxLayout, QWidget

from anonymizer_gui.ui.action_set import ActionSet
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page_stack import PageStack
from anonymizer_gui.ui.pages import page_classes, page_modules
from anonymizer_gui.ui.pages.page import Page
from anonymizer_gui.ui.shell_actions import ACTIONS
from anonymizer_gui.ui.widgets.job_strip import JobStrip
from anonymizer_gui.ui.widgets.message_bar import MessageBar
from anonymizer_gui.ui.widgets.rail import Rail
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.settings import Settings


class MainWindow(QMainWindow):
    """Shows the document; `load_pages` finds the steps once the engine may be imported."""

    def __init__(self, document: Document, settings: Settings) -> None:
        super().__init__(objectName="main_window")
        self.document = document
        self.settings = settings
        self.rail = Rail()
        self.pages = PageStack()
        self.message_bar = MessageBar(document.messages)
        self.job_strip = JobStrip(document.jobs)
        self.history = QDockWidget(tr("History"), objectName="history", visible=False)
        self.actions_of_window = ActionSet(self, document, self.perform, settings.preferences.shortcuts)
        self._page_classes: dict[str, type[Page]] = {}
        self._build()
        self._connect()
        self._show_title()

    def load_pages(self) -> None:
        """Find the pages, put them on the rail and add their actions."""
        for number, page in enumerate(page_classes(), start=1):
            self._page_classes[page.name] = page
            self.pages.offer(page.name, lambda page=page: page(self.document))
            self.rail.add_step(page.name, tr(page.title), page.icon, number)
        for module in page_modules():
            self.actions_of_window.add(getattr(module, "ACTIONS", ()))
        self._fill_menus()
        self._show_marks()

    def show_page(self, name: str) -> Page:
        """Bring a page to the front."""
        page = self.pages.show_page(name)
        self.rail.set_current(name)
        return page

    def perform(self, action: Action) -> None:
        """Do what an action says, on its page if it has one."""
        action.callback(self.show_page(action.page) if action.page else self)

    def _build(self) -> None:
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.message_bar)
        column.addWidget(self.pages, 1)
        column.addWidget(self.job_strip)
        row.addLayout(column, 1)
        self.setCentralWidget(body)
        self.history.setWidget(QUndoView(self.document.undo_stack))
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.history)
        self.history.hide()
        self.statusBar()
        self.actions_of_window.add(ACTIONS)
        self._fill_menus()

    def _connect(self) -> None:
        self.rail.chosen.connect(self.show_page)
        self.pages.made.connect(self._on_page_made)
        self.document.changed.connect(self._on_document_changed)
        self.document.undo_stack.indexChanged.connect(self._on_step)
        self.history.visibilityChanged.connect(self._on_step)

    def _fill_menus(self) -> None:
        self.actions_of_window.fill(self.menuBar(), {})

    def _show_title(self) -> None:
        name = self.document.path.stem if self.document.path else tr("Untitled")
        self.setWindowTitle(f"{name}[*] – Anonymizer")
        self.setWindowModified(self.document.is_dirty)

    def _show_marks(self) -> None:
        for name, page in self._page_classes.items():
            self.rail.set_mark(name, page.mark(self.document))

    def _on_page_made(self, page: Page) -> None:
        page.go.connect(self.show_page)
        self.actions_of_window.attach(page.name, page)

    def _on_step(self, _what: object) -> None:
        self.actions_of_window.refresh()

    def _on_document_changed(self, changed: frozenset[str]) -> None:
        self._show_title()
        self._show_marks()
        self.actions_of_window.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Redraw icons and rail in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.actions_of_window.retheme()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop all work."""
        self.document.close()
        super().closeEvent(event)
