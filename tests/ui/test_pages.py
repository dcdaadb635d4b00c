"""What every page must do, whoever writes it: found by walking the package, checked here."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.main_window import MainWindow
from anonymizer_gui.ui.pages import page_classes
from anonymizer_gui.ui.pages.page import Page, State
from anonymizer_gui.workspace.document import Document

PAGES = page_classes()
CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QTextEdit,
)
every_page = pytest.mark.parametrize("kind", PAGES, ids=lambda kind: kind.name)


@pytest.fixture
def finished_document(hospital_document: Document) -> Document:
    """Give the hospital with one release, so that every page has something to show."""
    hospital_document.run()
    assert hospital_document.releases
    return hospital_document


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


def has_name(widget: QWidget) -> bool:
    """Tell whether a screen reader can say what the control is."""
    buddies = [label for label in widget.window().findChildren(QLabel) if label.buddy() is widget]
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return bool(widget.accessibleName() or text or buddies)


def is_part_of_another(widget: QWidget) -> bool:
    """Tell whether Qt made the control for its own use inside another one."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, (QComboBox, QAbstractSpinBox, QAbstractItemView, QLineEdit, QTextBrowser)):
            return True
        if parent.metaObject().className() in ("QTabBar", "QDockWidgetTitle", "QComboBoxPrivateContainer"):
            return True
        parent = parent.parentWidget()
    return widget.objectName().startswith("qt_")


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
    controls = [widget for widget in page.findChildren(QWidget) if isinstance(widget, CONTROLS)]
    nameless = [
        f"{type(widget).__name__} {widget.objectName()}"
        for widget in controls
        if not has_name(widget) and not is_part_of_another(widget)
    ]
    assert nameless == []


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
