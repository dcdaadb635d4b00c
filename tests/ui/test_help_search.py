"""The search of the help: every page of every room, titles first, marked on the page, all by keyboard."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui import i18n
from anonymizer_gui.ui.dialogs.help_window import HelpWindow
from anonymizer_gui.ui.help_pages import HelpPage, help_pages, search

KEYS = Qt.Key


def pages(**texts: str) -> dict[str, HelpPage]:
    return {name: HelpPage(text.splitlines()[0].lstrip("# "), lambda text=text: text) for name, text in texts.items()}


BOOK = pages(
    text="# Release\n\nWhat leaves.\nThe certificate, the *certificate*, again the certificate.",
    heading="# Risk\n\n## Certificate of a release\n\nWords.",
    title="# Certificate\n\nA paper.",
    two="# Größe\n\nThe certificate and the ledger.",
)


def test_titles_come_before_headings_and_headings_before_text() -> None:
    assert [found.name for found in search(BOOK, "certificate")] == ["title", "heading", "text", "two"]


def test_every_word_must_stand_on_the_page() -> None:
    assert [found.name for found in search(BOOK, "ledger CERTIFICATE")] == ["two"]
    assert search(BOOK, "ledger paper") == []
    assert search(BOOK, "  ") == []


def test_case_and_accents_do_not_matter() -> None:
    assert [found.name for found in search(BOOK, "GRÖSSE")] == ["two"]
    assert [found.name for found in search(BOOK, "grosse")] == ["two"]


def test_the_line_that_was_found_is_shown_without_signs() -> None:
    (found,) = [each for each in search(BOOK, "certificate") if each.name == "text"]
    assert found.line == "The certificate, the certificate, again the certificate."


def test_pages_of_all_rooms_are_searched() -> None:
    found = {each.name.partition("/")[0] for each in search(help_pages("en"), "release")}
    assert {"microdata", "statistics", "start"} <= found


@pytest.mark.parametrize(("language", "typed"), [("en", "Netflix film"), ("de", "Netflix Film")])
def test_the_stories_are_found_in_both_languages(qapp: QApplication, language: str, typed: str) -> None:
    i18n.install_language(qapp, language)
    try:
        assert search(help_pages(language), typed)[0].name == "microdata/stories"
    finally:
        i18n.install_language(qapp, "en")


@pytest.fixture
def shown(qtbot: QtBot) -> HelpWindow:
    made = HelpWindow("en")
    qtbot.addWidget(made)
    made.show_page("start")
    made.show()
    return made


def test_the_keyboard_leads_to_the_search_to_the_page_and_from_place_to_place(qtbot: QtBot, shown: HelpWindow) -> None:
    shown.list.setFocus()
    qtbot.keyClick(shown, KEYS.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert shown.search.hasFocus() or QApplication.focusWidget() is None
    qtbot.keyClicks(shown.search, "homogeneity")
    assert shown.list.count() < len(help_pages("en"))
    assert shown.hits.text().endswith(("page", "pages"))
    assert shown.current == "start", "typing alone turns no page"
    best = shown.list.item(0).data(Qt.ItemDataRole.UserRole)
    qtbot.keyClick(shown.search, KEYS.Key_Return)
    assert shown.current == best
    assert shown.page.textCursor().selectedText().casefold() == "homogeneity"
    before = shown.page.textCursor().position()
    marks = shown.page.extraSelections()
    assert marks
    if len(marks) > 1:
        qtbot.keyClick(shown.search, KEYS.Key_Return)
        assert shown.page.textCursor().position() != before


def test_escape_clears_the_search_before_it_closes(qtbot: QtBot, shown: HelpWindow) -> None:
    qtbot.keyClicks(shown.search, "certificate")
    qtbot.keyClick(shown.search, KEYS.Key_Escape)
    assert shown.search.text() == ""
    assert shown.isVisible()
    assert shown.list.count() == len(help_pages("en"))
    assert shown.page.extraSelections() == []
    assert shown.list.currentItem().data(Qt.ItemDataRole.UserRole) == shown.current == "start"


def test_down_leads_into_the_list_and_nothing_found_is_said(qtbot: QtBot, shown: HelpWindow) -> None:
    qtbot.keyClicks(shown.search, "ledger")
    qtbot.keyClick(shown.search, KEYS.Key_Down)
    assert shown.current == shown.list.item(0).data(Qt.ItemDataRole.UserRole)
    shown.search.setText("xyzzy")
    assert shown.hits.text() == "Nothing found"
    qtbot.keyClick(shown.search, KEYS.Key_Return)
    assert shown.list.count() == 0


def test_a_link_to_a_page_that_is_filtered_away_still_leads_there(shown: HelpWindow) -> None:
    shown.search.setText("Netflix")
    shown.show_page("glossary")
    assert shown.current == "glossary"
    assert shown.search.text() == ""
