"""What every page must do, whoever writes it: found by walking the package, checked here."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.page import Page, State
from anonymizer_gui.ui.rooms.microdata.view import VIEW
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.shell.welcome import WelcomePage
from anonymizer_gui.workspace.document import Document
from tests.ui.controls import is_part_of_another, nameless, narrow_buttons

PAGES = [WelcomePage, *VIEW.pages()]
every_page = pytest.mark.parametrize("kind", PAGES, ids=lambda kind: kind.name)


@pytest.fixture
def made(qtbot: QtBot) -> Callable[[type[Page], Document], Page]:
    """Give a function that shows a page at the smallest size the window may have."""

    def make(kind: type[Page], document: Document) -> Page:
        page = kind(document)
        qtbot.addWidget(page)
        page.resize(1024 - 12 * page.fontMetrics().height(), 620)
        page.show()
        return page

    return make


@pytest.fixture
def light_again(qapp: QApplication) -> Iterator[None]:
    yield
    theme.apply(qapp, "light")


def brightness(icon: QIcon) -> float:
    """Tell how bright an icon is drawn, from 0 to 255."""
    image = icon.pixmap(20).toImage()
    points = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    drawn = [point.lightness() for point in points if point.alpha() > 200]
    return sum(drawn) / len(drawn) if drawn else 255.0


@every_page
def test_a_page_opens_with_nothing(kind: type[Page], document: Document, made: Callable[..., Page]) -> None:
    page = made(kind, document)
    if kind.order:
        assert kind.mark(document).state is State.EMPTY
    assert not page.grab().isNull()


@every_page
def test_a_page_opens_with_a_sample(kind: type[Page], finished_document: Document, made: Callable[..., Page]) -> None:
    made(kind, finished_document)
    assert [message.text for message in finished_document.messages.open] == []


@every_page
def test_a_page_fits_the_smallest_window(
    kind: type[Page], finished_document: Document, made: Callable[..., Page]
) -> None:
    page = made(kind, finished_document)
    room = QSize(1024 - 12 * page.fontMetrics().height(), 620)
    assert page.minimumSizeHint().width() <= room.width()
    assert page.minimumSizeHint().height() <= room.height()


@every_page
def test_every_control_has_a_name(kind: type[Page], finished_document: Document, made: Callable[..., Page]) -> None:
    page = made(kind, finished_document)
    assert nameless(page) == []


@every_page
def test_every_icon_button_has_a_tooltip(
    kind: type[Page], finished_document: Document, made: Callable[..., Page]
) -> None:
    page = made(kind, finished_document)
    bare = [
        button.objectName() or button.accessibleName()
        for button in page.findChildren(QToolButton)
        if not button.text() and not button.toolTip() and not is_part_of_another(button)
    ]
    assert bare == []


@every_page
def test_a_page_looks_different_in_the_dark(
    kind: type[Page],
    finished_document: Document,
    made: Callable[..., Page],
    qapp: QApplication,
    light_again: None,
) -> None:
    theme.apply(qapp, "light")
    page = made(kind, finished_document)
    light = page.grab().toImage()
    theme.apply(qapp, "dark")
    qapp.processEvents()
    dark = page.grab().toImage()
    assert light.pixelColor(2, 2).lightness() > 128 > dark.pixelColor(2, 2).lightness()


@every_page
def test_icons_follow_the_theme(
    kind: type[Page], finished_document: Document, made: Callable[..., Page], qapp: QApplication, light_again: None
) -> None:
    theme.apply(qapp, "light")
    page = made(kind, finished_document)
    theme.apply(qapp, "dark")
    qapp.processEvents()
    buttons = [button for button in page.findChildren(QAbstractButton) if not button.icon().isNull()]
    dim = [button.objectName() or button.toolTip() for button in buttons if brightness(button.icon()) < 100]
    assert dim == []


@every_page
def test_a_page_has_a_title_an_icon_and_a_sentence(kind: type[Page], document: Document) -> None:
    assert kind.title
    assert resource_path("icons", f"{kind.icon}.svg").exists()
    if kind.order:
        assert kind.mark(document).text


def test_no_two_pages_share_name_or_place() -> None:
    assert len({page.name for page in PAGES}) == len({page.order for page in PAGES}) == len(PAGES)


def test_the_whole_window_fits_the_smallest_screen(window: MainWindow, finished_document: Document) -> None:
    for name in window.rail.names():
        window.show_page(name)
    assert window.minimumSizeHint().width() <= 1024
    assert window.minimumSizeHint().height() <= 700


def test_with_large_letters_every_page_scrolls_instead_of_being_cut_off(
    large_letters: None, finished_document: Document, make_window: Callable[[Document], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(finished_document)
    assert window.size() == QSize(1024, 700)
    for name in window.rail.names():
        page = window.show_page(name)
        qtbot.waitUntil(lambda page=page: page.size().expandedTo(page.minimumSizeHint()) == page.size())
        assert (name, narrow_buttons(page)) == (name, [])
