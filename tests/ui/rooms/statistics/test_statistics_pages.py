"""What every page of the room must do: empty, with a plan, with a release, in German, in the dark, at every size."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QAbstractItemView, QApplication, QToolButton
from pytestqt.modeltest import ModelTester

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui import i18n, theme
from anonymizer_gui.ui.help_pages import help_pages
from anonymizer_gui.ui.page import Page, State
from anonymizer_gui.ui.rooms.statistics.plan.plan_model import PlanModel
from anonymizer_gui.ui.rooms.statistics.release.answers_model import AnswersModel
from anonymizer_gui.ui.rooms.statistics.unit.public_model import PublicModel
from anonymizer_gui.ui.rooms.statistics.view import VIEW
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document
from tests.ui.controls import is_part_of_another, nameless, narrow_buttons
from tests.ui.test_translations import shown_texts

PAGES = VIEW.pages()
every_page = pytest.mark.parametrize("kind", PAGES, ids=lambda kind: kind.name)
Shown = Callable[[type[Page], Document], Page]


@pytest.fixture
def light_again(qapp: QApplication) -> Iterator[None]:
    yield
    theme.apply(qapp, "light")


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    i18n.install(qapp, "de")
    yield
    i18n.install(qapp, "en")


@every_page
def test_a_page_opens_with_nothing(kind: type[Page], document: Document, shown: Shown) -> None:
    page = shown(kind, document)
    assert kind.mark(document).state is State.EMPTY
    assert kind.mark(document).text
    assert not page.grab().isNull()


@every_page
def test_a_page_opens_with_a_plan_that_asks_nothing(kind: type[Page], begun: Document, shown: Shown) -> None:
    shown(kind, begun)
    assert [message.text for message in begun.messages.open] == []


@every_page
def test_a_page_opens_with_a_release(kind: type[Page], released: Document, shown: Shown) -> None:
    shown(kind, released)
    assert kind.mark(released).state is not State.EMPTY
    assert [message.text for message in released.messages.open] == []


@every_page
def test_a_page_fits_the_smallest_window(kind: type[Page], released: Document, shown: Shown) -> None:
    page = shown(kind, released)
    room = QSize(1024 - 12 * page.fontMetrics().height(), 620)
    assert page.minimumSizeHint().width() <= room.width()
    assert page.minimumSizeHint().height() <= room.height()


@every_page
def test_a_page_fits_the_smallest_window_in_german(
    kind: type[Page], german: None, released: Document, shown: Shown
) -> None:
    page = shown(kind, released)
    room = QSize(1024 - 12 * page.fontMetrics().height(), 620)
    assert page.minimumSizeHint().width() <= room.width()
    assert page.minimumSizeHint().height() <= room.height()


@every_page
def test_every_control_has_a_name_and_every_icon_a_tooltip(kind: type[Page], released: Document, shown: Shown) -> None:
    page = shown(kind, released)
    buttons = [button for button in page.findChildren(QToolButton) if not is_part_of_another(button)]
    assert nameless(page) == []
    assert [button.objectName() for button in buttons if not button.text() and not button.toolTip()] == []


@every_page
def test_a_page_looks_different_in_the_dark(
    kind: type[Page], released: Document, shown: Shown, qapp: QApplication, light_again: None
) -> None:
    theme.apply(qapp, "light")
    page = shown(kind, released)
    light = page.grab().toImage()
    theme.apply(qapp, "dark")
    qapp.processEvents()
    dark = page.grab().toImage()
    assert light.pixelColor(2, 2).lightness() > 128 > dark.pixelColor(2, 2).lightness()


@every_page
def test_a_page_has_an_icon_and_its_help_in_both_languages(kind: type[Page]) -> None:
    assert resource_path("icons", f"{kind.icon}.svg").exists()
    assert all(kind.help in help_pages(language) for language in i18n.LANGUAGES)


def test_titles_and_actions_are_translated() -> None:
    actions = {text for each in VIEW.actions() for text in (each.title, each.status_tip, each.reason, each.menu)}
    texts = {page.title for page in PAGES} | actions - {""}
    assert sorted(texts - set(i18n.translations("de"))) == []


def test_there_are_at_most_eight_pages_each_with_its_own_name_and_place() -> None:
    assert len(PAGES) <= 8
    assert len({page.name for page in PAGES}) == len({page.order for page in PAGES}) == len(PAGES)


def test_no_page_shows_an_english_text_in_german(
    german: None, released: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    english = {source for source, text in i18n.translations("de").items() if text != source}
    window = make_window(released)
    for page in PAGES:
        window.show_page(page.name)
    assert sorted(english & set(shown_texts(window))) == []


def test_with_large_letters_no_button_is_cut_off(
    large_letters: None, released: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    window = make_window(released)
    assert {name: narrow_buttons(window.show_page(name)) for name in window.rail.names()} == {
        name: [] for name in window.rail.names()
    }


def test_every_model_keeps_the_rules_with_real_data(
    released: Document, make_window: Callable[[Document], MainWindow], qtmodeltester: ModelTester
) -> None:
    window = make_window(released)
    checked = set()
    for page in PAGES:
        for view in window.show_page(page.name).findChildren(QAbstractItemView):
            if type(view.model()) in (PlanModel, PublicModel, AnswersModel):
                qtmodeltester.check(view.model())
                checked.add(type(view.model()))
    assert checked == {PlanModel, PublicModel, AnswersModel}


def test_the_window_goes_from_one_room_to_the_other_and_back(
    lecture_document: Document, make_window: Callable[[Document], MainWindow], visits: Path
) -> None:
    window = make_window(lecture_document)
    for name in window.rail.names():
        window.show_page(name)
    lecture_document.open_table(visits, room="statistics")
    assert window.rail.names() == ["welcome", *(page.name for page in PAGES)]
    for name in window.rail.names():
        window.show_page(name)
    lecture_document.open_project(resource_path("samples", "lecture.anon"), as_copy=True)
    assert "protect" in window.rail.names()
    assert "plan" not in window.rail.names()
    assert [message.text for message in lecture_document.messages.open if message.level == "error"] == []
