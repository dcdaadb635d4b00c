"""Design, collect, estimate and simulate: click, type, and read what they say."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.rooms.survey.collection import Question, collection_from_json, html_form, protocol_document
from anonymizer_gui.engine.rooms.survey.reports import report_lines
from anonymizer_gui.engine.rooms.survey.run import perturb_answers
from anonymizer_gui.ui.page import Page, StepState
from anonymizer_gui.ui.room_view import view_of
from anonymizer_gui.ui.rooms.survey.charts import ErrorCurvesPlot, EstimatePlot
from anonymizer_gui.ui.rooms.survey.collect_page import CollectPage
from anonymizer_gui.ui.rooms.survey.design_page import DesignPage
from anonymizer_gui.ui.rooms.survey.estimate_page import EstimatePage
from anonymizer_gui.ui.rooms.survey.output_panel import EstimatesOutputPanel
from anonymizer_gui.ui.rooms.survey.simulate_page import SimulatePage
from anonymizer_gui.workspace.document import Document

Shown = Callable[[type[Page], Document], Page]


def retyped(line: object, text: str, qtbot: QtBot) -> None:
    line.selectAll()  # type: ignore[attr-defined]
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


@pytest.fixture
def design(coins: Document, shown: Shown) -> DesignPage:
    page = shown(DesignPage, coins)
    assert isinstance(page, DesignPage)
    return page


@pytest.fixture
def estimate(new_survey: Document, shown: Shown) -> EstimatePage:
    page = shown(EstimatePage, new_survey)
    assert isinstance(page, EstimatePage)
    return page


def test_the_protocols_of_a_question_are_compared_and_the_best_is_marked(design: DesignPage) -> None:
    rows = {row[0]: row for row in design.comparison.model.rows}
    assert rows["Two coins"][1:3] == ["0.75", "0.25"]
    assert sum(name.startswith("Best: ") for name in rows) == 1
    assert "Best: Generalised randomised response" in rows
    assert "3 e^ε + 2" in design.comparison.reason.text()
    assert design.comparison.table.currentIndex().data() == "Two coins"
    assert (
        "largest ratio of the exact chances of one report is 3" in design.comparison.figures.card("proof").words.text()
    )


def test_a_question_is_added_typed_and_removed(design: DesignPage, coins: Document, qtbot: QtBot) -> None:
    qtbot.mouseClick(design.add_button, Qt.MouseButton.LeftButton)
    assert len(coins.project.questions) == 2
    retyped(design.form.text, "Which colour?", qtbot)
    design.form.values.setPlainText("red\ngreen\n\nblue\nred")
    qtbot.mouseClick(design.form.take, Qt.MouseButton.LeftButton)
    assert coins.project.questions[1].text == "Which colour?"
    assert coins.project.questions[1].values == ("red", "green", "blue")
    assert design.sharing.isEnabled()
    assert "when epsilon is split" in design.sharing_words.text()
    design.form.kind.setCurrentIndex(1)
    design.form.kind.activated.emit(1)
    assert "question_1: error of the mean ±" in design.sharing_words.text()
    qtbot.mouseClick(design.remove_button, Qt.MouseButton.LeftButton)
    assert [question.name for question in coins.project.questions] == ["answer"]


def test_a_number_is_asked_with_bounds(design: DesignPage, coins: Document, qtbot: QtBot) -> None:
    design.form.kind.setCurrentIndex(1)
    design.form.kind.activated.emit(1)
    assert coins.project.questions[0].values == ()
    retyped(design.form.high, "120", qtbot)
    assert coins.project.questions[0].high == 120.0
    assert "Duchi" in design.comparison.model.rows[0][0]
    plot = design.comparison.chart.chart.plot
    assert isinstance(plot, ErrorCurvesPlot)
    assert set(plot.curves) == {"Duchi's mechanism", "Piecewise mechanism"}
    design.comparison.along.setCurrentIndex(1)
    design.comparison.along.activated.emit(1)
    assert design.comparison.along.currentData() == "epsilon"
    design.form.kind.setCurrentIndex(2)
    design.form.kind.activated.emit(2)
    retyped(design.form.bins, "12", qtbot)
    assert coins.project.questions[0].domain[0] == "0–10"
    assert len(coins.project.questions[0].domain) == 12
    assert "12 values" in design.comparison.reason.text()


def test_values_come_from_a_column_or_a_level_of_a_hierarchy(
    design: DesignPage, coins: Document, tmp_path: Path
) -> None:
    at = design.form.column.findText("student")
    design.form.column.activated.emit(at)
    assert len(coins.project.questions[0].values) == 100
    assert coins.project.questions[0].name == "student"
    (tmp_path / "colour.csv").write_text("red;warm;*\norange;warm;*\nblue;cold;*\n", encoding="utf-8")
    design.take_hierarchy(str(tmp_path / "colour.csv"))
    assert coins.project.questions[0].values == ("red", "orange", "blue")
    design.form.level.activated.emit(1)
    assert coins.project.questions[0].values == ("warm", "cold")


def test_epsilon_changes_the_table_and_two_coins_below_ln_3_say_why_not(
    design: DesignPage, coins: Document, qtbot: QtBot
) -> None:
    retyped(design.epsilon.line, "1", qtbot)
    assert coins.project.epsilon == Fraction(1)
    assert "costs epsilon 1.09861" in design.comparison.problem.label.text()
    coins.undo_stack.undo()
    assert design.comparison.problem.label.text() == ""


@pytest.mark.parametrize("at", [0, 1, 2])
def test_errors_are_drawn_along_epsilon_values_and_answers(design: DesignPage, at: int) -> None:
    design.comparison.along.setCurrentIndex(at)
    design.comparison.along.activated.emit(at)
    plot = design.comparison.chart.chart.plot
    assert isinstance(plot, ErrorCurvesPlot)
    assert plot.now == (1.1, 2.0, 100.0)[at]
    assert len(plot.curves) == 4
    assert "Optimised unary encoding" in plot.curves


def test_the_proof_shows_the_chances_and_the_largest_ratio(design: DesignPage) -> None:
    proof = design.comparison.proof
    assert proof.model.heads == ["Answer", "yes", "no"]
    assert proof.model.rows == [["yes", "0.75", "0.25"], ["no", "0.25", "0.75"]]
    assert "0.75 / 0.25 = 3, at most e^ε = 3.00416602" in proof.words.text()
    assert "3 / 1" in proof.exact.text().replace("\N{ZERO WIDTH SPACE}", "")


def test_the_form_and_the_protocol_are_written(coins: Document, shown: Shown, tmp_path: Path) -> None:
    page = shown(CollectPage, coins)
    assert isinstance(page, CollectPage)
    assert "alpha = 4503599627370496" in page.protocol.toPlainText()
    page.write(tmp_path / "form.html", html_form)
    page.write(tmp_path / "protocol.md", protocol_document)
    assert coins.project.collection().fingerprint in (tmp_path / "form.html").read_text(encoding="utf-8")
    assert (tmp_path / "protocol.md").read_text(encoding="utf-8") == page.protocol.toPlainText()


def test_the_words_of_the_form_are_part_of_the_survey(new_survey: Document, shown: Shown, qtbot: QtBot) -> None:
    page = shown(CollectPage, new_survey)
    assert isinstance(page, CollectPage)
    before = new_survey.project.collection().fingerprint
    page.intro.setPlainText("Thank you.")
    qtbot.mouseClick(page.keep_button, Qt.MouseButton.LeftButton)
    assert new_survey.project.intro == "Thank you."
    assert new_survey.project.collection().fingerprint != before


def test_nothing_can_be_handed_out_before_something_is_asked(new_survey: Document, shown: Shown) -> None:
    new_survey.edit("Ask nothing", questions=())
    page = shown(CollectPage, new_survey)
    assert isinstance(page, CollectPage)
    assert not page.form_button.isEnabled()
    assert "asks nothing" in page.problem.label.text()


def test_a_survey_without_a_file_is_no_empty_document(new_survey: Document) -> None:
    assert not new_survey.is_empty
    assert view_of("survey").status(new_survey).size == "1 question"


def test_reports_are_imported_counted_and_the_others_are_listed(
    estimate: EstimatePage, new_survey: Document, came_back: Path, qtbot: QtBot
) -> None:
    assert not estimate.run_button.isEnabled()
    assert EstimatePage.mark(new_survey).state is StepState.EMPTY
    estimate.take_reports(str(came_back))
    assert "201 reports" in estimate.about.text()
    qtbot.mouseClick(estimate.run_button, Qt.MouseButton.LeftButton)
    assert [row[0] for row in estimate.model.rows] == ["yes", "no"]
    assert estimate.problems.rows == [["reports.jsonl:202", "It is no report: not one JSON object."]]
    assert estimate.tabs.tabText(1) == "Not counted (1)"
    assert "1 report is not counted" in estimate.notes.label.text()
    plot = estimate.chart.chart.plot
    assert isinstance(plot, EstimatePlot)
    assert plot.beside == {}
    assert all(error > 0 for error in plot.errors)
    assert EstimatePage.mark(new_survey).state is StepState.DONE


def test_made_up_reports_say_what_they_do(
    estimate: EstimatePage, new_survey: Document, came_back: Path, qtbot: QtBot
) -> None:
    estimate.take_reports(str(came_back))
    estimate.estimate()
    estimate.poisoning.fakes.setValue(100)
    words = estimate.poisoning.words.text()
    assert "100 made-up reports raise “yes”" in words
    assert "158.198" in words  # 100 (1 - q) / (p - q) at epsilon 1


def test_made_up_reports_push_a_mean_too(estimate: EstimatePage, new_survey: Document, tmp_path: Path) -> None:
    new_survey.edit("Ask for a number", questions=(Question("age", low=0.0, high=100.0),))
    collection = new_survey.project.collection()
    lines = report_lines(collection, perturb_answers(collection, {"age": np.full(50, 400_000)}))
    (tmp_path / "ages.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    estimate.take_reports(str(tmp_path / "ages.jsonl"))
    estimate.estimate()
    estimate.poisoning.fakes.setValue(50)
    words = estimate.poisoning.words.text()
    assert "50 made-up reports raise the mean from" in words
    assert "The bound is 108.198" in words  # half of 100 / (2 p - 1) at epsilon 1
    assert estimate.poisoning.value.isHidden()
    assert not estimate.poisoning.isHidden()


def test_without_reports_they_are_drawn_from_the_table_beside_the_truth(coins: Document, shown: Shown) -> None:
    page = shown(EstimatePage, coins)
    assert isinstance(page, EstimatePage)
    page.estimate()
    assert page.model.heads[-1] == "True"
    assert [row[-1] for row in page.model.rows] == ["80.0", "20.0"]
    assert "epsilon adds up" in page.notes.label.text()


def test_what_leaves_is_shown_and_the_reports_leave_when_wanted(coins: Document, qtbot: QtBot) -> None:
    coins.run()
    panel = view_of("survey").leaving_panel(coins)
    assert isinstance(panel, EstimatesOutputPanel)
    qtbot.addWidget(panel.what)
    qtbot.addWidget(panel.with_reports)
    qtbot.addWidget(panel.figures)
    panel.show_project(coins.selected)
    assert [row[1] for row in panel.model.rows] == ["yes", "no"]
    assert "75" in panel.figures.card("odds").text.text()
    panel.with_reports.setChecked(True)
    assert coins.project.with_reports


def test_eighty_and_twenty_are_simulated(coins: Document, shown: Shown, qtbot: QtBot) -> None:
    page = shown(SimulatePage, coins)
    assert isinstance(page, SimulatePage)
    plot = page.estimates.chart.plot
    assert isinstance(plot, EstimatePlot)
    assert list(plot.labels) == ["no", "yes"]
    assert plot.beside["True"] == [20, 80]
    told = plot.beside["As told, before the chances are taken out"]
    assert [round(number) for number in told] == pytest.approx([35, 65], abs=2)
    against = page.against.chart.plot
    assert isinstance(against, ErrorCurvesPlot)
    assert len(against.curves) == 2
    before = list(plot.values)
    page.seed.setValue(2)
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    again = page.estimates.chart.plot
    assert isinstance(again, EstimatePlot)
    assert list(again.values) != before
    assert "seed 2" in page.about.text()


def test_a_number_is_simulated_for_its_mean(document: Document, shown: Shown, tmp_path: Path) -> None:
    rows = "\n".join(f"{at},{at % 60}" for at in range(900))
    (tmp_path / "ages.csv").write_text(f"id,age\n{rows}\n", encoding="utf-8")
    document.open_table(str(tmp_path / "ages.csv"), room="survey")
    page = shown(SimulatePage, document)
    assert isinstance(page, SimulatePage)
    page.column.setCurrentText("age")
    page.protocol.setCurrentIndex(page.protocol.findData("piecewise"))
    page.simulate()
    plot, against = page.estimates.chart.plot, page.against.chart.plot
    assert isinstance(plot, EstimatePlot)
    assert plot.beside["True"] == [pytest.approx(29.5)] * 20
    assert len(plot.values) == 20
    assert isinstance(against, ErrorCurvesPlot)
    assert "mean" in against.y
    assert "between 0 and 59" in page.about.text()


def test_a_column_that_cannot_be_asked_says_why(coins: Document, shown: Shown) -> None:
    coins.edit("Ask", questions=(Question("answer", values=("yes", "no")),), epsilon=Fraction(1))
    page = shown(SimulatePage, coins)
    assert isinstance(page, SimulatePage)
    at = page.protocol.findData("rr")
    page.column.setCurrentText("student")
    page.protocol.setCurrentIndex(at)
    page.simulate()
    assert "cannot ask for one of 100 values" in page.problem.label.text()


def test_simulating_without_a_table_says_what_is_missing(new_survey: Document, shown: Shown) -> None:
    page = shown(SimulatePage, new_survey)
    assert not page.estimates.isVisible()  # type: ignore[attr-defined]
    assert SimulatePage.mark(new_survey).state is StepState.EMPTY


def test_the_survey_that_is_saved_for_programs_is_the_survey(coins: Document, tmp_path: Path, shown: Shown) -> None:
    page = shown(CollectPage, coins)
    assert isinstance(page, CollectPage)
    page.write(tmp_path / "survey.json", lambda collection: json.dumps(collection.to_json()))
    assert collection_from_json(json.loads((tmp_path / "survey.json").read_text(encoding="utf-8"))) == page.collection
