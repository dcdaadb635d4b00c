"""The pages on top of each other; each is made when it is first looked at."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget

from anonymizer_gui.ui.page import Page
from anonymizer_gui.workspace.messages import LOGGER


class PageStack(QStackedWidget):
    """Knows the pages by name and makes them on demand; a page too large for the window scrolls."""

    made = Signal(object)
    """Carries a page that was just made."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pages")
        self._make: dict[str, Callable[[], Page]] = {}
        self._pages: dict[str, Page] = {}
        self._areas: dict[str, QScrollArea] = {}

    def offer(self, name: str, make: Callable[[], Page]) -> None:
        """Tell how a page is made."""
        self._make[name] = make

    def forget(self, name: str) -> None:
        """Take a page away; it may belong to another room."""
        self._make.pop(name, None)
        if self._pages.pop(name, None) is not None:
            area = self._areas.pop(name)
            self.removeWidget(area)
            area.deleteLater()

    def names(self) -> list[str]:
        """List the pages that can be shown."""
        return list(self._make)

    def made_names(self) -> list[str]:
        """List the pages that were made already."""
        return list(self._pages)

    def page(self, name: str) -> Page:
        """Give a page, made now if need be."""
        if name not in self._pages:
            page = self._make[name]()
            self._pages[name] = page
            self._areas[name] = area = QScrollArea(widgetResizable=True)
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            area.setWidget(page)
            self.addWidget(area)
            self.made.emit(page)
        return self._pages[name]

    def show_page(self, name: str) -> Page:
        """Bring a page to the front."""
        page = self.page(name)
        if page is not self.current_page:
            LOGGER.info("Page: %s", name)
        self.setCurrentIndex(list(self._pages).index(name))
        return page

    @property
    def current_page(self) -> Page | None:
        """The page in front."""
        return list(self._pages.values())[self.currentIndex()] if self._pages else None

    @property
    def current_name(self) -> str:
        """The name of the page in front."""
        page = self.current_page
        return page.name if page is not None else ""
