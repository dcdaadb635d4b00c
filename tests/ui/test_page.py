"""What every page inherits: it follows the document, and one that is hidden catches up when it comes back."""

from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtGui import QColor, QPalette
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui.page import EVERYTHING, Page
from anonymizer_gui.workspace.document import Document


class Noting(Page):
    """Notes what it was told to bring up to date."""

    name: ClassVar[str] = "noting"

    def _build(self) -> None:
        self.told: list[frozenset[str]] = []

    def _show(self, changed: frozenset[str]) -> None:
        self.told.append(changed)


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> Noting:
    """Give a page that was made and not yet shown."""
    made = Noting(document)
    qtbot.addWidget(made)
    assert made.told == [EVERYTHING]
    made.told.clear()
    return made


def test_a_page_in_sight_follows_every_change(page: Noting) -> None:
    page.show()
    page.document.edit("Name it", name="a")
    page.document.edit("Allow some", suppression=0.1)
    assert page.told == [frozenset({"name"}), frozenset({"dirty"}), frozenset({"suppression"})]


def test_a_page_that_was_never_in_sight_follows_too(page: Noting) -> None:
    page.document.edit("Name it", name="a")
    page.show()
    assert page.told == [frozenset({"name"}), frozenset({"dirty"})]


def test_a_hidden_page_catches_up_once_with_all_that_changed(page: Noting) -> None:
    page.show()
    page.hide()
    page.document.edit("Name it", name="a")
    page.document.edit("Allow some", suppression=0.1)
    page.document.set_safeguards(reason="asked for")
    assert page.told == []
    page.show()
    assert page.told == [frozenset({"name", "dirty", "suppression", "safeguards"})]
    page.hide()
    page.show()
    assert len(page.told) == 1


def test_a_hidden_page_takes_on_other_colours_when_it_comes_back(page: Noting) -> None:
    page.show()
    page.hide()
    other = QPalette(page.palette())
    other.setColor(QPalette.ColorRole.Base, QColor("teal"))
    page.setPalette(other)
    assert page.told == []
    page.show()
    assert page.told == [EVERYTHING]


def test_a_page_takes_no_file_unless_it_says_so(page: Noting) -> None:
    assert page.words_for_file(Path("people.csv")) == ""
    assert not Noting.claims_file(page.document, Path("people.csv"))
