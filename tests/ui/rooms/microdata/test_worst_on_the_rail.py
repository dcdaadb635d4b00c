"""Nothing green that is not: unprotected sensitive columns on Protect, attacks on the rail, limits of colours told."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.rooms.microdata.privacy.k_anonymity import KAnonymity
from anonymizer_gui.ui.page import State
from anonymizer_gui.ui.rooms.microdata.figures import figures_of
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.rooms.microdata.risk.page import RiskPage
from anonymizer_gui.workspace.document import Document
from tests.ui.rooms.microdata.protect_documents import made_pages


@pytest.fixture
def protect(qtbot: QtBot) -> Iterator[tuple[ProtectPage, Document]]:
    for make in made_pages(qtbot, ProtectPage, run=False):
        yield make()


@pytest.fixture
def risk(qtbot: QtBot) -> Iterator[tuple[RiskPage, Document]]:
    for make in made_pages(qtbot, RiskPage):
        yield make()


def test_a_sensitive_column_without_a_goal_is_told_where_goals_are_chosen(
    protect: tuple[ProtectPage, Document], qtbot: QtBot
) -> None:
    page, document = protect
    assert not page.reason.isVisible()
    document.edit("x", goals=(KAnonymity(k=5),))
    assert page.reason.isVisible()
    assert "No goal looks at “disease”" in page.reason.label.text()
    assert page.run_button.isEnabled()
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    mark = ProtectPage.mark(document)
    assert mark.state is State.WARNING
    assert "disease" in mark.text


def test_the_rail_shows_the_attack_that_hits_most(risk: tuple[RiskPage, Document]) -> None:
    page, document = risk
    assert document.selected is not None
    hits = {name: int(page.bench.list.item(row, 2).text()) for row, name in enumerate(page.bench.risks)
            if page.bench.list.item(row, 2).text().isdigit()}  # fmt: skip
    mark = RiskPage.mark(document)
    if any(hits.values()):
        assert mark.state is State.WARNING
        assert str(max(hits.values())) in mark.text
    else:
        assert mark.state is State.DONE


def test_the_limits_of_colours_are_told(risk: tuple[RiskPage, Document]) -> None:
    _, document = risk
    assert document.selected is not None
    told = {figure.name: figure.more for figure in figures_of(document.selected, None)}
    assert "Green from 5 on" in told["k"]
    assert "Green up to 1" in told["risk"]
    assert "30" in told["lm"]
    assert "60" in told["lm"]
    assert "2" in told["suppressed"]
