"""Documents of the room: the students and the two hospitals, with and without a release."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.page import Page
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def hospitals(document: Document) -> Document:
    """Open the two hospitals."""
    document.open_project(resource_path("samples", "two_hospitals.anon"), as_copy=True)
    return document


@pytest.fixture
def students(document: Document) -> Document:
    """Open the students."""
    document.open_project(resource_path("samples", "students.anon"), as_copy=True)
    return document


@pytest.fixture
def released(hospitals: Document) -> Document:
    """Give the two hospitals protected."""
    hospitals.run()
    assert hospitals.releases
    return hospitals


@pytest.fixture
def shown(qtbot: QtBot, qapp: QApplication) -> Callable[[type[Page], Document], Page]:
    """Give a function that shows a page at the smallest size the window may have."""

    def make(kind: type[Page], document: Document) -> Page:
        page = kind(document)
        qtbot.addWidget(page)
        page.resize(1024 - 12 * page.fontMetrics().height(), 620)
        page.show()
        return page

    return make
