"""Files dropped on the window, with overlay."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.dialogs.file_dialogs import local_paths
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.shell.navigation import PageStack
from anonymizer_gui.ui.shell.open_save import FileActions, likely_rooms
from anonymizer_gui.workspace.document import Document


class DropOverlay(QWidget):
    """A veil with a sentence; it takes the drop, so that no field under it takes the file for a text."""

    dropped = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, visible=False)
        self.setObjectName("drop_hint")
        self._window = parent
        self.words = ""
        self.setAcceptDrops(True)

    def appear(self, words: str) -> None:
        """Cover the window and say where the file will land."""
        self.words = words
        self.setAccessibleName(words)
        self.setGeometry(self._window.rect())
        self.raise_()
        self.show()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take what the window has looked at already."""
        event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Take it everywhere."""
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Go away with the file."""
        self.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Tell that the file is here."""
        event.acceptProposedAction()
        self.hide()
        self.dropped.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the veil, a frame and the sentence."""
        painter = QPainter(self)
        veil = QColor(theme.color("window"))
        veil.setAlpha(225)
        painter.fillRect(self.rect(), veil)
        pen = painter.pen()
        pen.setColor(theme.color("accent"))
        pen.setWidth(self.fontMetrics().height() // 5)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        margin = self.fontMetrics().height()
        painter.drawRoundedRect(self.rect().adjusted(margin, margin, -margin, -margin), margin, margin)
        font = painter.font()
        font.setPointSizeF(font.pointSizeF() * 1.4)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        room = self.rect().adjusted(margin * 2, margin, -margin * 2, -margin)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.words)


MESSAGE_KEY = "file drop"


@dataclass(frozen=True, slots=True)
class DropTarget:
    """Where a dragged file would go: in words, and what is done when it is let go."""

    words: str
    take: Callable[[], object]


class FileDropHandler(QObject):
    """Watches a window for files that are dragged over it."""

    def __init__(
        self, window: QWidget, document: Document, files: FileActions, pages: PageStack, kinds: Mapping[str, type[Page]]
    ) -> None:
        """Take the files of a window for its pages; `kinds` are those the window has, by name."""
        super().__init__(window)
        self._window = window
        self._document = document
        self._files = files
        self._pages = pages
        self._kinds = kinds
        self._landing: DropTarget | None = None
        self.hint = DropOverlay(window)
        self.hint.dropped.connect(self._on_dropped)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the window before Qt looks for the field under the pointer, which may take a file for a text."""
        if watched is self._window:
            if event.type() == QEvent.Type.Show:
                self._window.windowHandle().installEventFilter(self)
        elif isinstance(event, QDragEnterEvent) and (paths := local_paths(event)):
            self._landing = self._landing_of(paths)
            self.hint.appear(self._landing.words)
        return False

    def _on_dropped(self) -> None:
        landing, self._landing = self._landing, None
        if landing is not None:
            landing.take()

    def _landing_of(self, paths: list[Path]) -> DropTarget:
        if len(paths) > 1:
            return self._nowhere(tr("Drop one file at a time, or a folder of hierarchies."))
        path = paths[0]
        page = self._page_for(path)
        if page is not None:
            return DropTarget(page.words_for_file(path), lambda: self._give(page, path))
        if path.is_dir() and not _holds_table(path) and likely_rooms(str(path))[0].name == FIRST_ROOM:
            return self._nowhere(tr("“{name}” is a folder. Drop a file inside it.", name=path.name))
        return DropTarget(tr("Drop to open “{name}”", name=path.name), lambda: self._files.open_path(path))

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

    def _nowhere(self, sentence: str) -> DropTarget:
        return DropTarget(sentence, lambda: self._document.messages.warning(sentence, key=MESSAGE_KEY))


def _holds_table(folder: Path) -> bool:
    """Tell whether the files of a folder may be one table, which an engine reads."""
    from anonymizer_gui.engine.storage.sources import is_table_folder  # the engine is loaded when it is needed

    return is_table_folder(folder)
