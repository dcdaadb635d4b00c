"""Nothing green that is not: unprotected sensitive columns on Protect, attacks on the rail, limits of colours told."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.risk.attacks import AttackResult
from anonymizer_gui.engine.rooms.microdata.risk.contract import BeforeAndAfter, RiskResult
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.rooms.microdata.attack_bench import (
    attack_severity,
    record_attacks,
    worst_attack_figure,
    worst_attack_text,
)
from anonymizer_gui.ui.rooms.microdata.figures import release_figures
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
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
    assert mark.state is StepState.WARNING
    assert "disease" in mark.text


def test_the_rail_shows_the_attack_that_stands_worst(risk: tuple[RiskPage, Document]) -> None:
    page, document = risk
    assert document.selected is not None
    tones = {name: attack_severity(attack) for name, attack in page.bench.attacks.items()}
    hit = {name: attack for name, attack in page.bench.attacks.items() if attack.hit}
    red = {name: attack for name, attack in hit.items() if tones[name] == "bad"} or hit
    assert red
    worst = max(red.values(), key=lambda attack: (attack.share, attack.hit))
    mark = RiskPage.mark(document)
    assert mark.state is StepState.WARNING
    assert f"hits {worst.hit} rows" in mark.text


def test_the_first_tab_shows_the_worst_attack_too(risk: tuple[RiskPage, Document]) -> None:
    page, document = risk
    card = page.figures.card("attack")
    mark = RiskPage.mark(document)
    assert card.text.text() in mark.text
    assert "(good)" not in card.accessibleName()
    assert document.selected is not None
    record_attacks(document.selected, {}, {"few": attack(2000, 0)})
    assert (worst_attack_figure(document.selected).text, worst_attack_figure(document.selected).tone) == ("0", "good")


def attack(before: int, after: int, of: tuple[int, int] = (2000, 1996), **details: object) -> AttackResult:
    nothing = np.zeros(0), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    results = (RiskResult(0.0, hit, people, *nothing, details) for hit, people in zip((before, after), of, strict=True))
    return AttackResult(BeforeAndAfter(*results))


def test_an_attack_is_red_where_it_hits_no_smaller_share_than_before() -> None:
    """Rows that were left out make the number smaller, and nobody safer."""
    assert attack_severity(attack(2000, 1996)) == "bad"
    assert attack_severity(attack(0, 21)) == "bad"
    assert attack_severity(attack(2000, 374)) == "warn"
    assert attack_severity(attack(2000, 0)) == "good"
    assert attack_severity(attack(2000, 0, is_estimate=True)) == "info"
    assert attack_severity(AttackResult(None)) == attack_severity(None) == "info"


def test_red_stands_on_the_rail_before_amber(risk: tuple[RiskPage, Document]) -> None:
    release = risk[1].selected
    titles = {"few": "Similarity attack", "many": "Marketer risk"}
    assert record_attacks(release, titles, {"few": attack(0, 21), "many": attack(2000, 374)})
    assert worst_attack_text(release) == "Similarity attack hits 21 rows"
    people = replace(attack(0, 1), counts_people=True)
    assert record_attacks(release, titles, {"few": people})
    assert worst_attack_text(release) == "Similarity attack hits 1 person"


def test_no_release_is_green_before_it_was_attacked(protect: tuple[ProtectPage, Document], qtbot: QtBot) -> None:
    page, document = protect
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert document.selected is not None
    assert worst_attack_text(document.selected) == ""
    mark = RiskPage.mark(document)
    assert mark.state is StepState.READY
    assert mark.text == "At worst 1 in 20, attacks not tried"
    record_attacks(document.selected, {}, {"few": attack(2000, 0)})
    assert RiskPage.mark(document).state is StepState.DONE


def test_what_the_colours_of_attacks_mean_is_said(risk: tuple[RiskPage, Document]) -> None:
    page, _ = risk
    words = page.bench.findChild(QLabel, "meaning_of_tones")
    assert words is not None
    assert words.isVisibleTo(page.bench)
    assert "Red: no smaller share than in the original." in words.text()


def test_the_limits_of_colours_are_told(risk: tuple[RiskPage, Document]) -> None:
    _, document = risk
    assert document.selected is not None
    told = {figure.name: figure.more for figure in release_figures(document.selected, None)}
    assert "Green from 5 on" in told["k"]
    assert "Green up to 1" in told["risk"]
    assert "30" in told["lm"]
    assert "60" in told["lm"]
    assert "2" in told["suppressed"]
