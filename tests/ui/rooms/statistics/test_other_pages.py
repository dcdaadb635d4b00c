"""Unit, preview, bench and checker: click, type, and read what they say."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.rooms.statistics.benches import simulated_releases as engine_preview
from anonymizer_gui.engine.rooms.statistics.benches.reconstruction_attack import SALARIES, TARGET
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.rooms.statistics.attack_page import AttackPage
from anonymizer_gui.ui.rooms.statistics.charts import AttackerBeliefPlot, ErrorCurvePlot, PossibleReleasesPlot
from anonymizer_gui.ui.rooms.statistics.checker_page import MechanismCheckerPage
from anonymizer_gui.ui.rooms.statistics.preview_page import PreviewPage
from anonymizer_gui.ui.rooms.statistics.unit_page import PrivacyUnitPage, ResetBudgetDialog
from anonymizer_gui.workspace.document import Document

Shown = Callable[[type[Page], Document], Page]


def retyped(line: object, text: str, qtbot: QtBot) -> None:
    line.selectAll()  # type: ignore[attr-defined]
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


@pytest.fixture
def unit(planned: Document, shown: Shown) -> PrivacyUnitPage:
    page = shown(PrivacyUnitPage, planned)
    assert isinstance(page, PrivacyUnitPage)
    return page


@pytest.fixture
def preview(planned: Document, shown: Shown) -> PreviewPage:
    page = shown(PreviewPage, planned)
    assert isinstance(page, PreviewPage)
    return page


@pytest.fixture
def bench(planned: Document, shown: Shown) -> AttackPage:
    page = shown(AttackPage, planned)
    assert isinstance(page, AttackPage)
    return page


@pytest.fixture
def checker(planned: Document, shown: Shown) -> MechanismCheckerPage:
    page = shown(MechanismCheckerPage, planned)
    assert isinstance(page, MechanismCheckerPage)
    return page


def test_a_person_with_some_rows_is_protected(unit: PrivacyUnitPage, qtbot: QtBot) -> None:
    unit.unit.kinds[Neighbours.PERSON].click()
    unit.unit.column.setCurrentIndex(unit.unit.column.findData("person"))
    unit.unit.rows.setValue(3)
    assert unit.document.project.unit == PrivacyUnit(Neighbours.PERSON, "person", 3)
    assert "up to 3 rows" in unit.unit.sentence.text()
    unit.unit.surplus.setCurrentIndex(unit.unit.surplus.findData("first"))
    assert unit.document.project.surplus == "first"
    unit.unit.kinds[Neighbours.CHANGE].click()
    assert unit.document.project.unit == PrivacyUnit(Neighbours.CHANGE)
    assert not unit.unit.rows.isEnabled()


def test_total_delta_and_rows_are_typed_and_wrong_ones_are_not_taken(unit: PrivacyUnitPage, qtbot: QtBot) -> None:
    retyped(unit.total, "2.5", qtbot)
    retyped(unit.delta, "1e-9", qtbot)
    retyped(unit.rows, "500", qtbot)
    project = unit.document.project
    assert (project.total, project.delta, project.rows) == (Fraction(5, 2), Fraction(1, 10**9), 500)
    retyped(unit.total, "much", qtbot)
    assert unit.document.project.total == Fraction(5, 2)
    assert unit.total.text() == "2.5"


def test_the_ledger_beside_the_table_is_used_from_the_start(unit: PrivacyUnitPage, tmp_path: Path) -> None:
    assert unit.ledger.toolTip() == str(tmp_path / "visits.csv.budget")
    unit.document.run()
    assert (tmp_path / "visits.csv.budget").exists()
    unit.set_ledger(str(tmp_path / "other.budget"))
    assert unit.ledger.toolTip() == str(tmp_path / "other.budget")


def test_a_reset_needs_a_reason_and_is_kept(unit: PrivacyUnitPage, tmp_path: Path, qtbot: QtBot) -> None:
    assert not unit.reset_button.isEnabled()
    unit.document.run()
    assert unit.reset_button.isEnabled()
    unit.reset_button.click()
    dialog = unit.findChild(ResetBudgetDialog)
    assert isinstance(dialog, ResetBudgetDialog)
    assert not dialog.reset.isEnabled()
    qtbot.keyClicks(dialog.reason, "another year's people")
    dialog.reset.click()
    account = BudgetLedger(tmp_path / "visits.csv.budget").accounts()[0]
    assert (account.spends, account.total) == ((), None)
    assert [reset["reason"] for reset in account.resets] == ["another year's people"]
    assert "begins anew" in unit.document.messages.open[-1].text
    unit.ask_reset()
    assert "Nothing was spent" in unit.document.messages.open[-1].text


def test_each_column_names_its_questions_and_nothing_of_its_values(unit: PrivacyUnitPage) -> None:
    shown = {column.name: column for column in unit.model.columns}
    assert shown["sex"].asked == "histogram sex F,M; most-common sex F,M"
    assert [column.lacks for column in unit.model.columns] == ["", "", "", ""]
    told = " ".join(f"{column.public} {column.asked} {column.lacks}" for column in unit.model.columns)
    assert "north" not in told


def test_the_preview_draws_possible_releases_of_simulated_numbers(preview: PreviewPage) -> None:
    preview.question.setCurrentIndex(1)
    preview.question.activated.emit(1)
    plot = preview.releases.chart.plot
    assert isinstance(plot, PossibleReleasesPlot)
    assert 20 <= len(plot.draws) <= 50
    assert tuple(plot.labels) == ("F", "M")
    assert "Your table is not looked at" in preview.about.text()
    before = plot.draws
    preview.again_button.click()
    assert preview.releases.chart.plot.draws != before  # type: ignore[union-attr]


def test_the_preview_is_the_same_whatever_the_private_table_holds(
    preview: PreviewPage, visits: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []
    possible = engine_preview.simulate_question
    monkeypatch.setattr(
        "anonymizer_gui.ui.rooms.statistics.preview_page.simulate_question",
        lambda *args, **more: given.append((args, more)) or possible(*args, **more),
    )
    preview.again_button.click()
    assert given
    assert preview.document.table not in [part for args, _ in given for part in args]  # type: ignore[misc]


def test_choosing_epsilon_gives_the_error_and_choosing_the_error_gives_epsilon(
    preview: PreviewPage, qtbot: QtBot
) -> None:
    retyped(preview.epsilon.line, "1", qtbot)
    assert preview.error.text() == "3"
    assert preview.figures.card("odds").text.text().endswith("73.1%")
    retyped(preview.error, "30", qtbot)
    assert preview.error.text() == "30"
    assert Fraction(9, 100) < preview.epsilon.value < Fraction(11, 100)
    plot = preview.curve.chart.plot
    assert isinstance(plot, ErrorCurvePlot)
    assert plot.error == 30
    preview.use_button.click()
    assert preview.document.project.questions[0].epsilon == preview.epsilon.value


def test_the_slider_goes_from_privacy_to_accuracy(preview: PreviewPage) -> None:
    preview.epsilon.slider.setValue(preview.epsilon.slider.maximum())
    assert preview.figures.card("odds").text.text().endswith("100.0%")
    assert "Little privacy is left." in preview.figures.card("odds").words.text()
    preview.epsilon.slider.setValue(0)
    assert preview.figures.card("odds").text.text().endswith("50.2%")


def test_a_choice_is_previewed_by_who_is_chosen(preview: PreviewPage) -> None:
    preview.question.setCurrentIndex(3)
    preview.question.activated.emit(3)
    plot = preview.releases.chart.plot
    assert isinstance(plot, PossibleReleasesPlot)
    assert all(sorted(draw) == [0.0, 1.0] for draw in plot.draws)


def test_two_exact_averages_reveal_a_salary_and_noisy_ones_do_not(bench: AttackPage) -> None:
    assert bench.differencing_figures.card("exact").text.text() == f"{SALARIES[TARGET]:,}"
    plot = bench.differencing_chart.chart.plot
    assert isinstance(plot, AttackerBeliefPlot)
    assert plot.truth == SALARIES[TARGET]
    assert bench.differencing_figures.card("noisy").text.text() in ("0%", "3%", "5%")


def test_secrets_are_reconstructed_from_accurate_counts_only(bench: AttackPage, qtbot: QtBot) -> None:
    bench.tabs.setCurrentIndex(1)
    retyped(bench.epsilon.line, "500", qtbot)
    assert bench.reconstruction_figures.card("right").text.text() == "100%"
    retyped(bench.epsilon.line, "1", qtbot)
    share = bench.reconstruction_figures.card("right").text.text()
    assert int(share.rstrip("%")) < 80
    plot = bench.reconstruction_chart.chart.plot
    assert isinstance(plot, ErrorCurvePlot)
    assert plot.errors[-1] > 0.95 > 0.7 > plot.errors[0]


@pytest.mark.parametrize(
    ("name", "verdict"), [("constant", "Proven"), ("shift", "Refuted"), ("row", "Refuted"), ("laplace", "Proven")]
)
def test_the_four_functions_of_the_lecture_come_out_right(
    checker: MechanismCheckerPage, name: str, verdict: str
) -> None:
    checker.choose(name)
    assert checker.verdict.label.text().startswith(verdict)
    assert checker.argument.text()


def test_answers_about_two_tables_are_drawn_side_by_side(checker: MechanismCheckerPage) -> None:
    checker.choose("laplace")
    plot = checker.chart.chart.plot
    assert plot is not None
    assert "no rows" in plot.title
    assert len(plot.numbers()[1]) == 25
    checker.choose("bins-from-data")
    assert checker.chart.chart.plot is None


def test_a_refuted_mechanism_shows_the_pair_and_the_ratio(checker: MechanismCheckerPage) -> None:
    checker.choose("shift")
    assert "↔" in checker.figures.card("pair").text.text()
    assert checker.figures.card("ratio").text.text() == "infinite"


def test_an_expression_is_typed_with_a_claim(checker: MechanismCheckerPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(checker.epsilon, "1")
    retyped(checker.expression, "count() + laplace(1)", qtbot)
    assert checker.verdict.label.text().startswith("Proven")
    retyped(checker.expression, "count() + laplace(1/2)", qtbot)
    assert checker.verdict.label.text() == "Refuted: it does not keep what is claimed."


def test_what_is_no_mechanism_is_told(checker: MechanismCheckerPage, qtbot: QtBot) -> None:
    retyped(checker.expression, "__import__('os')", qtbot)
    assert checker.verdict.isVisible()
    assert "Proven" not in checker.verdict.label.text()
    checker.epsilon.setText("-1")
    checker.button.click()
    assert checker.verdict.label.text().startswith("The claim must be")
