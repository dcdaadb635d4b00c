"""The Protect page: goals, method and run, as a steward clicks through them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata import resource_estimate, sweep
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.presence import KMap
from anonymizer_gui.ui import i18n
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.rooms.microdata.protect import page as protect
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.workspace.document import Document
from tests.ui.rooms.microdata.protect_documents import made_pages, type_into

Make = Callable[..., tuple[ProtectPage, Document]]


@pytest.fixture
def page_of(qtbot: QtBot) -> Iterator[Make]:
    """Make the page over a small hospital."""
    yield from made_pages(qtbot, ProtectPage, run=False)


def field(page: ProtectPage, place: int, name: str) -> QLineEdit:
    found = page.goals.cards[place].form.fields[name].widget
    assert isinstance(found, QLineEdit)
    return found


def test_without_quasi_identifiers_the_page_says_what_is_missing(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    document.edit("x", schema=document.project.schema.with_roles({"age": Role.OTHER, "zip": Role.OTHER}))
    assert "quasi-identifier" in page.empty.sentence.text()
    assert not page.run_button.isVisible()
    with qtbot.waitSignal(page.go) as gone:
        qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert gone.args == ["data"]


def test_run_gives_figures_that_are_those_of_the_release(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    assert not page.figures.isVisible()
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    release = document.selected
    assert release is not None
    assert page.figures.isVisible()
    assert page.figures.card("k").text.text() == f"5 → {release.measured.k}"
    assert f"{release.measured.lm:.1%}" in page.figures.card("lm").text.text()
    assert page.figures.card("goals").text.text() == "2/2"
    assert "(good)" in page.figures.card("goals").accessibleName()


def test_a_number_typed_into_a_goal_is_a_step_that_can_be_undone(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    type_into(qtbot, field(page, 0, "k"), "12")
    assert document.project.goals[0] == KAnonymity(k=12)
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert field(page, 0, "k").text() == "5" or document.project.goals[0] == KAnonymity(k=5)


def test_a_wrong_number_shows_its_rule_and_stops_run_with_the_reason(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    type_into(qtbot, field(page, 0, "k"), "none")
    assert "whole number" in page.goals.cards[0].form.rules["k"].text()
    assert not page.run_button.isEnabled()
    assert "whole number" in page.reason.label.text()
    assert "whole number" in page.run_button.toolTip()
    assert document.project.goals[0] == KAnonymity(k=5)


def test_goals_are_added_and_removed(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    page.goals.add_goal("t")
    assert [goal.name for goal in document.project.goals] == ["k", "l", "t"]
    assert len(page.goals.cards) == 3
    remove = [b for b in page.goals.cards[1].findChildren(QToolButton) if b.accessibleName().startswith("Remove")]
    qtbot.mouseClick(remove[0], Qt.MouseButton.LeftButton)
    assert [goal.name for goal in document.project.goals] == ["k", "t"]


def test_a_goal_asks_about_several_columns_only_when_there_are_some(page_of: Make) -> None:
    page, document = page_of()
    assert list(page.goals.cards[1].form.fields) == ["l", "missing"]
    schema = document.project.schema.with_roles({"ward": Role.SA})
    document.edit("Mark ward as sensitive", schema=schema)
    assert list(page.goals.cards[1].form.fields) == ["l", "column", "several", "missing"]


def test_a_goal_tells_what_it_stops_on_demand(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of()
    card = page.goals.cards[0]
    assert not card.more.isVisible()
    about = [b for b in card.findChildren(QToolButton) if b.accessibleName().startswith("About")]
    qtbot.mouseClick(about[0], Qt.MouseButton.LeftButton)
    assert card.more.isVisible()
    assert "Leaves open" in card.more.text()


def test_an_infeasible_goal_offers_the_nearest_setting_as_a_button(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of(goals=(KAnonymity(k=100),))
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    (message,) = document.messages.open
    assert "cannot be reached" in message.text
    title, take = message.actions[0]
    assert title == "Set k = 40 and Run"
    take()
    assert document.project.goals == (KAnonymity(k=40),)
    assert document.selected is not None
    assert document.messages.open == ()


def test_too_little_memory_is_told_before_the_run_and_can_be_tried_anyway(
    page_of: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource_estimate, "free_memory", lambda: 1000)
    page, document = page_of()
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    (message,) = document.messages.open
    assert "will need about" in message.text
    assert document.selected is None
    title, take = message.actions[0]
    assert title == "Run Anyway"
    take()
    assert document.selected is not None


def test_the_algorithm_and_its_parameters_follow_the_choice(page_of: Make) -> None:
    page, document = page_of()
    place = page.method.algorithm.findData("mondrian")
    page.method.algorithm.setCurrentIndex(place)
    page.method.algorithm.activated.emit(place)
    assert document.project.algorithm is not None
    assert document.project.algorithm.name == "mondrian"
    assert page.method.form is not None
    assert "mode" in page.method.form.fields


def test_the_suppression_limit_is_typed_in_percent(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    assert isinstance(page.method.suppression, QLineEdit)
    type_into(qtbot, page.method.suppression, "5")
    assert document.project.suppression == pytest.approx(0.05)
    type_into(qtbot, page.method.suppression, "500")
    assert not page.run_button.isEnabled()


def test_figures_of_older_settings_are_labelled(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert not page.stale.isVisible()
    assert ProtectPage.mark(document).state is StepState.DONE
    document.edit("x", suppression=0.1)
    assert page.stale.isVisible()
    assert ProtectPage.mark(document).state is StepState.STALE


def test_the_search_is_sized_before_it_is_run(page_of: Make) -> None:
    page, document = page_of()
    assert "9 combinations" in page.size_line.text()
    document.edit("x", bounds={"age": (0, 0)})
    assert "3 combinations" in page.size_line.text()


def test_a_setting_nearby_is_offered_only_for_a_goal_there_is(
    page_of: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: object) -> None:
        raise Infeasible("No.", "Try.", goal="something else", nearest="k = 1")

    monkeypatch.setattr(BottomUp, "run", fail)
    page, document = page_of()
    document.edit("x", algorithm=BottomUp())
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert document.messages.open[-1].text == "No."
    assert document.messages.open[-1].actions == ()


def test_a_goal_about_a_population_runs_once_its_table_is_chosen(
    page_of: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, document = page_of()
    document.edit("x", goals=(KMap(k=2),))
    assert "population table" in page.reason.label.text()
    people = tmp_path / "people.csv"
    table = document.table
    assert table is not None
    write_table(table, people)
    monkeypatch.setattr(protect, "ask_open", lambda _page, _folder, then, tables_only: then(people))
    page.choose_population()
    assert page.run_button.isEnabled()
    assert document.undo_stack.undoText() == "Take people.csv for the population"


def test_a_release_is_named_in_the_language_of_the_window(page_of: Make, qtbot: QtBot, qapp: QApplication) -> None:
    i18n.install_language(qapp, "de")
    try:
        page, document = page_of()
        qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
    finally:
        i18n.install_language(qapp, "en")
    names = {release.name for release in document.releases}
    assert {"Bottom-up (ganze Spalten)", "Kleinster Verlust"} <= names


def test_a_preview_on_a_sample_is_labelled_and_never_a_release(
    page_of: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protect, "PREVIEW_MIN_ROWS", 10)
    monkeypatch.setattr(sweep, "SAMPLE_ROWS", 20)
    page, document = page_of()
    assert page.preview_button.isVisible()
    qtbot.mouseClick(page.preview_button, Qt.MouseButton.LeftButton)
    assert document.releases == ()
    assert page.figures.isVisible()
    assert "not a release" in page.stale.label.text()
    assert "of 20 records" in page.figures.card("suppressed").words.text()


def test_small_tables_need_no_preview(page_of: Make) -> None:
    page, _ = page_of()
    assert not page.preview_button.isVisible()


def test_without_a_table_the_page_leads_to_the_data(document: Document, qtbot: QtBot) -> None:
    page = ProtectPage(document)
    qtbot.addWidget(page)
    page.show()
    assert page.empty.button.text() == "Go to Data"
    with qtbot.waitSignal(page.go, check_params_cb=lambda name: name == "data"):
        qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
