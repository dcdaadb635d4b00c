"""The same file read as another kind of data: the page of the unit, the plan and the answers speak of what it is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.dp.sensitivity import Neighbours
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.rooms.statistics.plan_page import PlanPage
from anonymizer_gui.ui.rooms.statistics.unit_page import PrivacyUnitPage
from anonymizer_gui.ui.rooms.statistics.view import VIEW
from anonymizer_gui.workspace.document import Document

Shown = Callable[[type[Page], Document], Page]


@pytest.fixture
def ties(document: Document, tmp_path: Path) -> Document:
    """Give a plan about a list of ties that asks nothing yet."""
    path = tmp_path / "ties.csv"
    path.write_text("source,target\na,b\nb,c\nc,a\nc,d\n", encoding="utf-8")
    document.open_table(path, room="statistics")
    return document


def choose(page: PrivacyUnitPage, shape: str) -> None:
    page.unit.shape.setCurrentIndex(page.unit.shape.findData(shape))
    page.unit.shape.activated.emit(page.unit.shape.currentIndex())


def test_a_list_of_ties_can_be_read_as_people_ties_or_rows(ties: Document, shown: Shown, qtbot: QtBot) -> None:
    page = shown(PrivacyUnitPage, ties)
    assert isinstance(page, PrivacyUnitPage)
    assert ties.project.shape == "graph"
    assert page.unit.kinds[Neighbours.ROW].text() == "A person more or less, with all of their ties"
    assert not page.unit.kinds[Neighbours.PERSON].isVisible()
    choose(page, "graph-edges")
    assert ties.project.shape == "graph-edges"
    assert page.unit.sentence.text() == "Nobody can tell whether two people are tied."
    assert "ledger" in ties.files
    choose(page, "table")
    assert ties.project.shape == "table"
    assert page.unit.kinds[Neighbours.PERSON].isVisible()


def test_what_cannot_be_read_so_stays_as_it_was_and_says_why(begun: Document, shown: Shown, tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("only\n", encoding="utf-8")
    page = shown(PrivacyUnitPage, begun)
    assert isinstance(page, PrivacyUnitPage)
    Path(begun.project.source.path).write_text("\n", encoding="utf-8")
    choose(page, "graph")
    assert begun.project.shape == "table"
    assert page.unit.shape.currentData() == "table"
    assert "holds no graph" in begun.messages.open[0].text


def test_questions_keep_the_kind_of_data(planned: Document, shown: Shown) -> None:
    page = shown(PrivacyUnitPage, planned)
    assert isinstance(page, PrivacyUnitPage)
    assert not page.unit.shape.isEnabled()
    assert page.unit.shape.toolTip()


def test_the_plan_offers_questions_about_ties_and_says_why_one_is_refused(ties: Document, shown: Shown) -> None:
    page = shown(PlanPage, ties)
    assert isinstance(page, PlanPage)
    kinds = [page.form.kind.itemText(at) for at in range(page.form.kind.count())]
    assert sorted(kinds) == ["Histogram of ties", "Number of ties", "People with many ties", "Triangles"]
    page.words.line.setText("triangles 5")
    page.words.button.click()
    assert "nothing bounds" in page.problem.label.text()
    assert not page.run_button.isEnabled()


@pytest.mark.parametrize("kind", VIEW.pages(), ids=lambda kind: kind.name)
def test_every_page_shows_the_sample_before_and_after_its_release(
    kind: type[Page], document: Document, shown: Shown, tmp_path: Path
) -> None:
    document.open_project(resource_path("samples", "helpers.anon"), as_copy=True)
    shown(kind, document)
    document.run()
    assert document.releases
    assert [message.text for message in document.messages.open] == []
