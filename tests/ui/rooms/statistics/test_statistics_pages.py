"""The pages of the room with a plan that asks nothing, and beside those of another room."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.rooms.statistics.view import VIEW
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document

PAGES = VIEW.pages()


@pytest.mark.parametrize("kind", PAGES, ids=lambda kind: kind.name)
def test_a_page_opens_with_a_plan_that_asks_nothing(
    kind: type[Page], begun: Document, shown: Callable[[type[Page], Document], Page]
) -> None:
    assert shown(kind, begun).isVisible()
    assert [message.text for message in begun.messages.open] == []


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
