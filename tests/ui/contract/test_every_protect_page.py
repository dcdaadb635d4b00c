"""What the page that makes releases does in every room: run, sweep, grow stale, say what is in the way."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QLabel
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import KmAnonymity
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.trees.algorithms.kmn_anonymity import KmnAnonymity
from anonymizer_gui.ui.page import Page, StepState
from anonymizer_gui.ui.room_view import all_views, view_of
from anonymizer_gui.ui.widgets.sweep import ParameterSweepDialog
from anonymizer_gui.workspace.document import Document

Shown = Callable[[type[Page], Document], Any]


@dataclass(frozen=True)
class Case:
    """What is to be known of a room: a small sample, how its k is set, and how it is read from a release."""

    sample: str
    with_k: Callable[[int], dict[str, Any]]
    k_of: Callable[[Any], int]


CASES = {
    "microdata": Case(
        "lecture.anon",
        lambda k: {"goals": (KAnonymity(k=k), DistinctLDiversity(l=2))},
        lambda release: release.project.goals[0].k,
    ),
    "baskets": Case("market.anon", lambda k: {"goals": (KmAnonymity(k=k, m=2),)}, lambda release: release.measured.k),
    "trees": Case(
        "two_hospitals.anon",
        lambda k: {"algorithm": KmnAnonymity(k=k, m=2, n=1)},
        lambda release: release.project.algorithm.k,
    ),
    "graphs": Case("village.anon", lambda k: {"k": k, "l": 1}, lambda release: release.project.k),
    "places": Case("town.anon", lambda k: {"k": k}, lambda release: release.project.k),
}
SWEEPING = ("baskets", "trees", "places")
"""The rooms whose page asks for numbers by the dialog they share; tests of the others have their own."""


def page_named(room: str, *names: str) -> type[Page]:
    return next(page for page in view_of(room).pages() if page.name in names)


@pytest.fixture
def protect(request: pytest.FixtureRequest, document: Document, shown: Shown) -> tuple[Any, Case]:
    """Show the page of a room with its sample."""
    case = CASES[request.param]
    document.open_project(resource_path("samples", case.sample), as_copy=True)
    return shown(page_named(request.param, "protect"), document), case


every_room = pytest.mark.parametrize("protect", CASES, indirect=True)


def sentences(page: Page) -> list[str]:
    """List what a person can read on the page or in the bar of messages."""
    told = [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
    return [*told, *(message.text for message in page.document.messages.open), page.run_button.toolTip()]  # type: ignore[attr-defined]


def test_no_room_is_forgotten_here() -> None:
    assert {view.name for view in all_views() if "protect" in {page.name for page in view.pages()}} == set(CASES)


@every_room
def test_a_click_makes_a_release_that_grows_stale_and_fresh_again(protect: tuple[Any, Case], qtbot: QtBot) -> None:
    page, case = protect
    document, mark = page.document, type(page).mark
    document.edit("Ask for a small k", **case.with_k(2))
    assert mark(document).state is StepState.READY
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert len(document.releases) == 1
    assert all(promise.holds for promise in document.selected.promises)
    assert mark(document).state is StepState.DONE
    document.edit("Ask for another k", **case.with_k(4))
    assert mark(document).state is StepState.STALE
    document.undo_stack.undo()
    assert mark(document).state is StepState.DONE
    assert document.messages.open == ()


@every_room
def test_what_nobody_can_keep_is_told_and_nothing_is_released(protect: tuple[Any, Case], qtbot: QtBot) -> None:
    page, case = protect
    before = set(sentences(page))
    page.document.edit("Ask for too much", **case.with_k(100_000))
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert page.document.releases == ()
    told = [text.replace(",", "") for text in sentences(page) if text not in before]
    ways = ("100000", "cannot be reached", "would have to be deleted", "fewer")
    assert any(way in text for text in told for way in ways), told


@pytest.mark.parametrize("protect", SWEEPING, indirect=True)
def test_a_sweep_makes_a_release_for_each_value(protect: tuple[Any, Case], shown: Shown, qtbot: QtBot) -> None:
    page, case = protect
    qtbot.mouseClick(page.sweep_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(ParameterSweepDialog)
    run = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert dialog.what.currentIndex() == 0
    dialog.values.selectAll()
    qtbot.keyClicks(dialog.values, "0, wrong")
    assert not run.isEnabled()
    dialog.values.selectAll()
    qtbot.keyClicks(dialog.values, "2, 3")
    qtbot.mouseClick(run, Qt.MouseButton.LeftButton)
    document = page.document
    assert [case.k_of(release) for release in document.releases] == [2, 3]
    compare = shown(page_named(document.room, "compare", "result"), document)
    assert compare.releases.rowCount() == 2
    for row in (0, 1):
        compare.release_view.selectRow(row)
        assert document.selected is document.releases[row]
