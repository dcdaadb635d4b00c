"""Documents for the pages' tests: jobs run at once, so nothing needs to be waited for."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import anonymizer_gui.engine as anonymizer
from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui import i18n, theme
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.messages import LogBuffer
from anonymizer_gui.workspace.settings import Settings


@pytest.fixture
def document(qtbot: QtBot) -> Iterator[Document]:
    """Give an empty document whose jobs run at once."""
    made = Document(inline_jobs=True)
    yield made
    made.close()


@pytest.fixture
def lecture_document(document: Document) -> Document:
    """Give the twelve patients of the lecture, with roles, hierarchies and a goal."""
    document.open_project(resource_path("samples", "lecture.anon"), as_copy=True)
    return document


@pytest.fixture
def hospital_document(document: Document) -> Document:
    """Give the 2,000 stays, with roles, hierarchies and a goal."""
    document.open_project(resource_path("samples", "hospital.anon"), as_copy=True)
    return document


@pytest.fixture(scope="session")
def release_of() -> Callable[[str], Any]:
    """Give a function that makes the release of a sample once, for all tests that only look at it."""
    return cache(lambda sample: anonymizer.run(anonymizer.open(resource_path("samples", sample))))


@pytest.fixture
def hospital_release(release_of: Callable[[str], Any]) -> Any:
    """Give the release of the 2,000 stays."""
    return release_of("hospital.anon")


@pytest.fixture
def finished_document(hospital_document: Document, hospital_release: Any) -> Document:
    """Give the 2,000 stays with their release, so that every page has something to show."""
    hospital_document.finished.add(hospital_release)
    return hospital_document


@pytest.fixture
def make_window(qtbot: QtBot) -> Iterator[Callable[[Document], MainWindow]]:
    """Give a function that opens the window on a document, with all pages."""
    books: list[LogBuffer] = []

    def make(document: Document) -> MainWindow:
        books.append(LogBuffer())
        window = MainWindow(document, Settings(), books[-1])
        qtbot.addWidget(window)
        window.load_pages()
        window.show_page("welcome")
        window.resize(1024, 700)
        window.show()
        return window

    yield make
    for book in books:
        book.close()


@pytest.fixture
def window(document: Document, make_window: Callable[[Document], MainWindow]) -> MainWindow:
    """Give the window on an empty document."""
    return make_window(document)


@pytest.fixture
def shown(qtbot: QtBot) -> Callable[[type[Page], Document], Any]:
    """Give a function that shows a page at the smallest size the window may have."""

    def make(kind: type[Page], document: Document) -> Page:
        page = kind(document)
        qtbot.addWidget(page)
        page.resize(1024 - 12 * page.fontMetrics().height(), 620)
        page.show()
        return page

    return make


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    """Speak German."""
    i18n.install_language(qapp, "de")
    yield
    i18n.install_language(qapp, "en")


@pytest.fixture
def light_again(qapp: QApplication) -> Iterator[None]:
    """Put the light theme back on."""
    yield
    theme.apply(qapp, "light")


@pytest.fixture
def large_letters(qapp: QApplication) -> Iterator[None]:
    """Let all letters be large, as people with weak eyes set them."""
    before = qapp.font()
    larger = QFont(before)
    larger.setPointSizeF(16)
    qapp.setFont(larger)
    yield
    qapp.setFont(before)
