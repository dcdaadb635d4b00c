"""What every page of every room must do, whoever writes it: empty, with data, with a release, in German, in the dark.

A room and a page that is added is found by walking the package; nothing is to be written here for it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolButton
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui import i18n, theme
from anonymizer_gui.ui.help_pages import help_pages
from anonymizer_gui.ui.page import Page, StepState
from anonymizer_gui.ui.room_view import RoomView, all_views, view_of
from anonymizer_gui.ui.rooms.graphs.data_page import PeopleHierarchiesPage
from anonymizer_gui.ui.rooms.microdata.policy_page import PolicyPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.shell.start_page import StartPage
from anonymizer_gui.workspace.document import Document
from tests.ui.controls import is_part_of_another, nameless, narrow_buttons, shown_texts

VIEWS = all_views()
PLACES = view_of("places")
PAGES = [(VIEWS[0].samples[0].file, StartPage)] + [
    (view.samples[0].file, kind) for view in VIEWS for kind in view.pages()
]
every_room = pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
every_page = pytest.mark.parametrize(
    ("sample", "kind"), PAGES, ids=[f"{Path(sample).stem}-{kind.name}" for sample, kind in PAGES]
)
SAMPLES = [sample.file for view in VIEWS for sample in view.samples if sample is view.samples[0] or view is PLACES]
"""The first sample of each room; the room of places shows other things on its pages with each of its samples."""
WORDS_OF_THE_USER = {"practice.anon": {"date"}, "coins.anon": {"yes", "no"}}
"""Columns and values that are called as something of ours: they stay as they are in every language."""
MAY_STAY_EMPTY = (StartPage, PeopleHierarchiesPage, PolicyPage)
"""Pages that a sample does not fill: the village has no quasi-identifier, the hospital follows no policy."""

Shown = Callable[[type[Page], Document], Page]
MakeWindow = Callable[[Document], MainWindow]
ReleaseOf = Callable[[str], Any]


def opened(document: Document, sample: str) -> Document:
    """Open a sample as the first page does."""
    document.open_project(resource_path("samples", sample), as_copy=True)
    return document


def complaints(document: Document) -> list[str]:
    return [message.text for message in document.messages.open]


def bare_icons(page: Page) -> list[str]:
    """List the buttons that are an icon alone and do not say what it means."""
    buttons = [button for button in page.findChildren(QToolButton) if not is_part_of_another(button)]
    return [b.objectName() or b.accessibleName() for b in buttons if not b.text() and not b.toolTip()]


def brightness(icon: QIcon) -> float:
    """Tell how bright an icon is drawn, from 0 to 255."""
    image = icon.pixmap(20).toImage()
    points = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    drawn = [point.lightness() for point in points if point.alpha() > 200]
    return sum(drawn) / len(drawn) if drawn else 255.0


def dim_icons(page: Page) -> list[str]:
    """List the buttons whose icon is too dark to be seen on a dark ground."""
    buttons = [button for button in page.findChildren(QAbstractButton) if not button.icon().isNull()]
    return [button.objectName() or button.toolTip() for button in buttons if brightness(button.icon()) < 100]


@every_page
def test_a_page_opens_with_nothing(sample: str, kind: type[Page], document: Document, shown: Shown) -> None:
    page = shown(kind, document)
    if not kind.is_everywhere:
        assert kind.mark(document).state is StepState.EMPTY
        assert kind.mark(document).text
    assert not page.grab().isNull()
    assert complaints(document) == []


@every_page
def test_a_page_takes_a_release_fits_names_its_controls_and_follows_the_theme(
    sample: str, kind: type[Page], document: Document, shown: Shown, release_of: ReleaseOf, light_again: None
) -> None:
    page = shown(kind, opened(document, sample))
    document.finished.add(release_of(sample))
    assert kind.mark(document).state is not StepState.EMPTY or kind in MAY_STAY_EMPTY
    assert page.minimumSizeHint().boundedTo(page.size()) == page.minimumSizeHint()
    assert nameless(page) == []
    assert bare_icons(page) == []
    assert narrow_buttons(page) == []
    light = page.grab().toImage()
    theme.apply(QApplication.instance(), "dark")
    QApplication.processEvents()
    dark = page.grab().toImage()
    assert light.pixelColor(2, 2).lightness() > 128 > dark.pixelColor(2, 2).lightness()
    assert dim_icons(page) == []
    assert complaints(document) == []


def test_every_page_has_a_title_an_icon_and_its_help_in_both_languages() -> None:
    kinds = [StartPage, *(kind for view in VIEWS for kind in view.pages())]
    icons = {path.stem for path in resource_path("icons").glob("*.svg")}
    helped = {language: help_pages(language) for language in i18n.LANGUAGES}
    assert [kind for kind in kinds if not kind.title or not kind.name] == []
    assert [kind for kind in kinds if kind.icon not in icons] == []
    assert [(kind, language) for kind in kinds for language in helped if kind.help not in helped[language]] == []


@every_room
def test_a_room_has_at_most_eight_pages_each_with_its_own_name_and_place(view: RoomView) -> None:
    kinds = [StartPage, *view.pages()]
    assert 1 < len(kinds) <= 9
    assert len({kind.name for kind in kinds}) == len({kind.order for kind in kinds}) == len(kinds)


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_page_speaks_german_fits_and_names_its_controls(
    sample: str, german: None, document: Document, make_window: MakeWindow
) -> None:
    english = {source for source, text in i18n.translations("de").items() if text != source}
    window = make_window(opened(document, sample))
    document.run(name="Erste")
    for name in window.rail.names():
        page = window.show_page(name)
        least, room = page.minimumSizeHint(), window.pages.size()
        assert (name, least.boundedTo(room).toTuple()) == (name, least.toTuple())
        assert (name, nameless(page)) == (name, [])
        assert (name, narrow_buttons(page)) == (name, [])
    assert window.minimumSizeHint().boundedTo(QSize(1024, 700)) == window.minimumSizeHint()
    assert sorted(english & set(shown_texts(window)) - WORDS_OF_THE_USER.get(sample, set())) == []
    assert complaints(document) == []


@every_room
def test_with_large_letters_every_page_scrolls_instead_of_being_cut_off(
    view: RoomView, large_letters: None, document: Document, make_window: MakeWindow, release_of: ReleaseOf,
    qtbot: QtBot,
) -> None:  # fmt: skip
    window = make_window(opened(document, view.samples[0].file))
    document.finished.add(release_of(view.samples[0].file))
    assert window.size() == QSize(1024, 700)
    for name in window.rail.names():
        page = window.show_page(name)
        qtbot.waitUntil(lambda page=page: page.size().expandedTo(page.minimumSizeHint()) == page.size())
        assert (name, narrow_buttons(page)) == (name, [])
