"""Documents of the room: the four customers and the market, with and without a release."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.page import Page
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def four(document: Document) -> Document:
    """Open the four customers."""
    document.open_project(resource_path("samples", "four_customers.anon"), as_copy=True)
    return document


@pytest.fixture
def market(document: Document) -> Document:
    """Open the market."""
    document.open_project(resource_path("samples", "market.anon"), as_copy=True)
    return document


@pytest.fixture
def released(market: Document) -> Document:
    """Give the market protected."""
    market.run()
    assert market.releases
    return market


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
