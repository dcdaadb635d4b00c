"""Files dropped anywhere on the window: shown where they will land, then given to a page or opened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.shell.drop_hint import DropHint
from anonymizer_gui.ui.shell.files import Files, rooms_for
from anonymizer_gui.ui.shell.page_stack import PageStack
from anonymizer_gui.workspace.document import Document

MESSAGE_KEY = "file drop"


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a dragged file would go: in words, and what is done when it is let go."""

    words: str
    take: Callable[[], object]


class FileDrops(QObject):
    """Watches a window for files that are dragged over it."""

    def __init__(
        self, window: QWidget, document: Document, files: Files, pages: PageStack, kinds: Mapping[str, type[Page]]
    ) -> None:
        """Take the files of a window for its pages; `kinds` are those the window has, by name."""
        super().__init__(window)
        self._window = window
        self._document = document
        self._files = files
        self._pages = pages
        self._kinds = kinds
        self._landing: Landing | None = None
        self.hint = DropHint(window)
        self.hint.dropped.connect(self._on_dropped)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the window before Qt looks for the field under the pointer, which may take a file for a text."""
        if watched is self._window:
            if event.type() == QEvent.Type.Show:
                self._window.windowHandle().installEventFilter(self)
        elif isinstance(event, QDragEnterEvent) and (paths := files_of(event)):
            self._landing = self._landing_of(paths)
            self.hint.appear(self._landing.words)
        return False

    def _on_dropped(self) -> None:
        landing, self._landing = self._landing, None
        if landing is not None:
            landing.take()

    def _landing_of(self, paths: list[Path]) -> Landing:
        if len(paths) > 1:
            return self._nowhere(tr("Drop one file at a time, or a folder of hierarchies."))
        path = paths[0]
        page = self._page_for(path)
        if page is not None:
            return Landing(page.words_for_file(path), lambda: self._give(page, path))
        if path.is_dir() and not _holds_table(path) and rooms_for(str(path))[0].name == FIRST_ROOM:
            return self._nowhere(tr("“{name}” is a folder. Drop a file inside it.", name=path.name))
        return Landing(tr("Drop to open “{name}”", name=path.name), lambda: self._files.open_path(path))

    def _page_for(self, path: Path) -> Page | None:
        """Find the page that takes a file: the one in front first, then one for which it is clearly meant."""
        front = self._pages.current_page
        if front is not None and front.words_for_file(path):
            return front
        claiming = (name for name, kind in self._kinds.items() if kind.claims_file(self._document, path))
        return next((self._pages.page(name) for name in claiming), None)

    def _give(self, page: Page, path: Path) -> None:
        page.go.emit(page.name)
        page.take_file(path)

    def _nowhere(self, sentence: str) -> Landing:
        return Landing(sentence, lambda: self._document.messages.warning(sentence, key=MESSAGE_KEY))


def _holds_table(folder: Path) -> bool:
    """Tell whether the files of a folder may be one table, which an engine reads."""
    from anonymizer_gui.engine.storage.sources import is_table_folder  # the engine is loaded when it is needed

    return is_table_folder(folder)


def files_of(event: QDropEvent) -> list[Path]:
    """List the files on this computer that are dragged."""
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
