"""Files dropped anywhere on the window: shown where they will land, then given to the page or opened."""

from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from anonymizer_gui.ui.files import Files
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page_stack import PageStack
from anonymizer_gui.ui.pages.page import Page
from anonymizer_gui.ui.widgets.drop_hint import DropHint


class FileDrops(QObject):
    """Watches a window for files that are dragged over it."""

    def __init__(self, window: QWidget, pages: PageStack, files: Files) -> None:
        super().__init__(window)
        self._pages = pages
        self._files = files
        self.hint = DropHint(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take drags and drops of files; leave everything else."""
        if event.type() == QEvent.Type.DragLeave:
            self.hint.hide()
        if not isinstance(event, QDragEnterEvent | QDropEvent) or event.type() == QEvent.Type.DragMove:
            return False
        path = _file_of(event)
        if path is None:
            return False
        event.acceptProposedAction()
        if isinstance(event, QDragEnterEvent):
            self.hint.appear(self._words_of_page(path) or tr("Drop to open “{name}”", name=path.name))
        else:
            self._take(path)
        return True

    def _take(self, path: Path) -> None:
        self.hint.hide()
        page = self._pages.currentWidget()
        if isinstance(page, Page) and self._words_of_page(path):
            page.take_file(path)
        else:
            self._files.open_path(path)

    def _words_of_page(self, path: Path) -> str:
        page = self._pages.currentWidget()
        return page.words_for_file(path) if isinstance(page, Page) else ""


def _file_of(event: QDropEvent) -> Path | None:
    urls = event.mimeData().urls()
    return Path(urls[0].toLocalFile()) if urls and urls[0].isLocalFile() else None
