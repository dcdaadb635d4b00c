"""Documents for the pages' tests: jobs run at once, so nothing needs to be waited for."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import anonymizer_gui.engine as anonymizer
from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.logbook import LogBook
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
def hospital_release() -> Any:
    """Make the release of the 2,000 stays once, for all tests that only look at it: a release never changes."""
    return anonymizer.run(anonymizer.open(resource_path("samples", "hospital.anon")))


@pytest.fixture
def finished_document(hospital_document: Document, hospital_release: Any) -> Document:
    """Give the 2,000 stays with their release, so that every page has something to show."""
    hospital_document.finished.add(hospital_release)
    return hospital_document


@pytest.fixture
def make_window(qtbot: QtBot) -> Iterator[Callable[[Document], MainWindow]]:
    """Give a function that opens the window on a document, with all pages."""
    books: list[LogBook] = []

    def make(document: Document) -> MainWindow:
        books.append(LogBook())
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
def large_letters(qapp: QApplication) -> Iterator[None]:
    """Let all letters be large, as people with weak eyes set them."""
    before = qapp.font()
    larger = QFont(before)
    larger.setPointSizeF(16)
    qapp.setFont(larger)
    yield
    qapp.setFont(before)
