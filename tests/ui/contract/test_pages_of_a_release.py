"""Pages about a release, in every room: without one they lead to where it is made, with one their mark follows."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.page import Page, StepState
from anonymizer_gui.ui.room_view import RoomView, all_views
from anonymizer_gui.workspace.document import Document

SMALL = {"microdata": "lecture.anon", "trees": "two_hospitals.anon"}
NAMES = ("release", "compare", "result", "risk", "utility")
PAGES = [(view, page) for view in all_views() for page in view.pages() if page.name in NAMES]
Shown = Callable[[type[Page], Document], Any]


@pytest.mark.parametrize(("view", "kind"), PAGES, ids=[f"{view.name}-{page.name}" for view, page in PAGES])
def test_a_page_without_a_release_leads_to_the_one_that_makes_it_and_then_follows(
    view: RoomView,
    kind: type[Page],
    document: Document,
    shown: Shown,
    release_of: Callable[[str], Any],
    qtbot: QtBot,
) -> None:
    sample = SMALL.get(view.name, view.samples[0].file)
    document.open_project(resource_path("samples", sample), as_copy=True)
    page = shown(kind, document)
    assert kind.mark(document).state is StepState.EMPTY
    assert page.empty.isVisible()
    with qtbot.waitSignal(page.go) as gone:
        qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    earlier = [each.name for each in view.pages()]
    assert earlier.index(gone.args[0]) < earlier.index(kind.name)
    document.finished.add(release_of(sample))
    assert not page.empty.isVisible()
    assert kind.mark(document).state in (StepState.READY, StepState.DONE, StepState.WARNING)
