"""The help: every page there in every language, every link leads somewhere, and nothing is out of reach."""

import re
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS
from anonymizer_gui.ui import i18n
from anonymizer_gui.ui.dialogs.help_window import START, HelpWindow
from anonymizer_gui.ui.help_pages import help_pages, page_of_link, reading_order, room_helps, written_pages
from anonymizer_gui.ui.i18n import LANGUAGES, tr
from anonymizer_gui.ui.room_view import all_views
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document

Make = Callable[[Document], MainWindow]
LINK = re.compile(r"\]\(([^)]+)\)")
COMPOSED = {
    "microdata/models": PRIVACY_MODELS, "microdata/algorithms": ALGORITHMS, "microdata/measures": METRICS,
    "microdata/attacks": RISKS, "rules": BUILDERS, "statistics/questions": QUESTIONS,
    "statistics/mechanisms": MECHANISMS,
}  # fmt: skip


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    i18n.install_language(qapp, request.param)
    yield request.param
    i18n.install_language(qapp, "en")


def links(name: str, text: str) -> set[str]:
    return {page_of_link(target, name) for target in LINK.findall(text)}


def test_every_written_page_is_there_in_every_language() -> None:
    written = {name: set(written_pages(name)) for name in LANGUAGES}
    assert len(written["en"]) > 10
    assert [name for name in written if written[name] != written["en"]] == []


def test_the_page_about_rooms_tells_all_of_them(language: str) -> None:
    text = help_pages(language)["rooms"].read()
    assert [view.name for view in all_views() if tr(view.title) not in text or tr(view.summary) not in text] == []


def test_no_page_says_the_same_of_an_entry_twice(language: str) -> None:
    composed = {**COMPOSED, **{name: () for room in room_helps() for name in room.COMPOSED}}
    for name in composed:
        for section in help_pages(language)[name].read().split("\n## "):
            lines = [line.partition(":")[0] for line in section.splitlines() if line.startswith("- **")]
            assert len(set(lines)) == len(lines), (name, section[:40])


def test_every_link_leads_to_a_page(language: str) -> None:
    pages = help_pages(language)
    broken = {name: sorted(links(name, page.read()) - set(pages)) for name, page in pages.items()}
    assert {name: targets for name, targets in broken.items() if targets} == {}


def test_every_page_can_be_reached_from_the_first(language: str) -> None:
    pages = help_pages(language)
    waiting = [START]
    reached = set(waiting)
    while waiting:
        name = waiting.pop()
        found = links(name, pages[name].read()) - reached
        reached |= found
        waiting += found
    assert set(pages) - reached == set()


def test_pages_are_in_the_order_of_work(language: str) -> None:
    assert list(help_pages(language)) == list(reading_order())


@pytest.mark.parametrize("name", sorted(COMPOSED))
def test_a_composed_page_describes_every_entry(name: str, language: str) -> None:
    registry: Registry[type] = COMPOSED[name]
    text = help_pages(language)[name].read()
    assert [entry.title for entry in registry if f"## {tr(entry.title)}\n" not in text] == []  # type: ignore[attr-defined]


def test_signs_of_markdown_in_a_text_are_shown_as_they_are(qtbot: QtBot) -> None:
    shown = HelpWindow("en")
    qtbot.addWidget(shown)
    shown.show_page("rules")
    assert "A value is published as it is or becomes *; right" in shown.page.toPlainText()


def test_a_link_opens_its_page_and_back_returns(qtbot: QtBot) -> None:
    shown = HelpWindow("en")
    qtbot.addWidget(shown)
    shown.show_page("microdata/protect")
    shown.page.anchorClicked.emit(QUrl("models.md"))
    assert shown.current == "microdata/models"
    shown.back.click()
    assert shown.current == "microdata/protect"


def test_a_link_of_a_room_leads_to_a_page_all_share_and_back(qtbot: QtBot) -> None:
    shown = HelpWindow("en")
    qtbot.addWidget(shown)
    shown.show_page("microdata/method_attacks")
    shown.page.anchorClicked.emit(QUrl("../release.md"))
    assert shown.current == "release"
    shown.page.anchorClicked.emit(QUrl("microdata/method_attacks.md"))
    assert shown.current == "microdata/method_attacks"
