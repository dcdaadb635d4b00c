"""The Plan page: questions typed or put together, budgets locked and shared, and nothing spent unasked."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QMessageBox
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.rooms.statistics.question_syntax import question_text
from anonymizer_gui.ui.rooms.statistics.plan_page import PlanPage
from anonymizer_gui.ui.rooms.statistics.plan_table import EPSILON, ERROR, LOCK, SENSITIVITY, SIGNAL, WISH
from anonymizer_gui.workspace.document import Document
from tests.ui.rooms.statistics.conftest import ASKED


@pytest.fixture
def page(planned: Document, shown: Callable[..., PlanPage]) -> PlanPage:
    return shown(PlanPage, planned)


def cell(page: PlanPage, row: int, column: int, role: int = Qt.ItemDataRole.DisplayRole) -> object:
    return page.model.data(page.model.index(row, column), role)


def answered(page: PlanPage, qtbot: QtBot, name: str) -> None:
    """Press Release and answer the question whether to spend."""
    page.run_button.click()
    box = page.findChild(QMessageBox, "ask_spend")
    assert isinstance(box, QMessageBox)
    button = next(each for each in box.buttons() if each.text().replace("&", "") == name)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_question_is_typed_in_the_words_of_the_command_line(page: PlanPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.words.line, "count age>=65")
    qtbot.keyClick(page.words.line, Qt.Key.Key_Return)
    assert [question_text(asked) for asked in page.document.project.questions] == [*ASKED, "count age>=65"]
    assert page.words.line.text() == ""


def test_words_that_are_no_question_are_told_and_kept(page: PlanPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.words.line, "how many?")
    page.words.button.click()
    assert "not understood" in page.words.mistake.label.text()
    assert page.words.line.text() == "how many?"
    assert len(page.document.project.questions) == len(ASKED)


def test_a_question_is_put_together_in_its_form(page: PlanPage) -> None:
    page.form.choose("histogram")
    assert page.form.form is not None
    assert not page.form.button.isEnabled()
    column = page.form.form.fields["column"].widget
    assert isinstance(column, QComboBox)
    column.setCurrentIndex(column.findData("ward"))
    assert page.form.words.text() == "histogram ward"
    page.form.button.click()
    assert question_text(page.document.project.questions[-1]) == "histogram ward"


def test_a_question_without_public_categories_says_what_is_lacking(page: PlanPage) -> None:
    page.form.choose("histogram")
    page.words.line.setText("histogram ward")
    page.words.button.click()
    assert "“ward” are not public" in page.problem.label.text()
    assert cell(page, len(ASKED), SENSITIVITY) == "–"
    assert not page.run_button.isEnabled()


def test_sensitivity_is_shown_with_the_sentence_why(page: PlanPage) -> None:
    assert cell(page, 1, SENSITIVITY) == "1"
    page.table.selectRow(1)
    assert page.why.why.text() == "S: One row more or less changes one cell by 1."
    page.document.edit("Change", unit=type(page.document.project.unit).parse("change"))
    assert cell(page, 1, SENSITIVITY) == "2"


def test_epsilons_are_shared_and_a_locked_one_stays(page: PlanPage) -> None:
    assert [cell(page, row, EPSILON) for row in range(4)] == ["0.25"] * 4
    assert page.model.setData(page.model.index(0, EPSILON), "0.7")
    assert [cell(page, row, EPSILON) for row in range(4)] == ["0.7", "0.1", "0.1", "0.1"]
    assert cell(page, 0, LOCK, Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
    page.model.setData(page.model.index(0, LOCK), Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole)
    assert page.document.project.questions[0].epsilon is None
    assert not page.model.setData(page.model.index(0, EPSILON), "many")


def test_weights_and_errors_are_wished_for_where_the_policy_asks_for_them(page: PlanPage, qtbot: QtBot) -> None:
    assert page.table.isColumnHidden(WISH)
    page.policy.setCurrentIndex(page.policy.findData("weights"))
    page.policy.activated.emit(page.policy.currentIndex())
    assert not page.table.isColumnHidden(WISH)
    assert page.model.setData(page.model.index(0, WISH), "2")
    assert cell(page, 0, EPSILON) == "0.4"


def test_error_and_signal_follow_from_epsilon(page: PlanPage) -> None:
    assert cell(page, 0, ERROR) == "± 12 rows"
    assert cell(page, 0, SIGNAL) == "signal"
    page.epsilon.setText("0.1")
    page.epsilon.editingFinished.emit()
    assert page.document.project.epsilon == Fraction(1, 10)
    assert cell(page, 0, SIGNAL) == "noise"


def test_the_bar_says_what_is_spent_planned_and_left(page: PlanPage) -> None:
    assert page.bar.words.text().startswith("Spent 0 · this plan 1 · left after it 2, of epsilon 3")
    page.spend()
    assert page.bar.words.text().startswith("Spent 1 · this plan 0 · left after it 2, of epsilon 3")
    page.table.selectRow(0)
    page.model.setData(page.model.index(0, EPSILON), "0.5")
    assert page.bar.words.text().startswith("Spent 1 · this plan 0.5 · left after it 1.5, of epsilon 3")


def test_nothing_is_spent_unless_it_is_agreed_to(page: PlanPage, qtbot: QtBot) -> None:
    page.run_button.click()
    box = page.findChild(QMessageBox, "ask_spend")
    assert isinstance(box, QMessageBox)
    assert box.text() == "This spends epsilon 1; epsilon 2 is left."
    box.reject()
    assert page.document.releases == ()
    answered(page, qtbot, "Spend and Release")
    assert len(page.document.releases) == 1


def test_a_plan_that_costs_more_than_is_left_cannot_be_released(page: PlanPage) -> None:
    page.document.edit("Spare", total=Fraction(1, 2))
    assert not page.run_button.isEnabled()
    assert "only epsilon 0.5 is left" in page.run_button.toolTip()


def test_after_a_release_a_change_is_said_to_be_a_new_spend(page: PlanPage) -> None:
    page.spend()
    assert not page.spent_note.isVisible()
    page.table.selectRow(0)
    page.remove()
    assert "a new spend" in page.spent_note.label.text()
    assert PlanPage.mark(page.document).text.endswith("a new spend")


def test_questions_are_moved_and_removed_and_every_step_can_be_undone(page: PlanPage) -> None:
    page.table.selectRow(0)
    page.down_button.click()
    assert [question_text(asked) for asked in page.document.project.questions][:2] == [ASKED[1], ASKED[0]]
    page.remove_button.click()
    assert len(page.document.project.questions) == len(ASKED) - 1
    page.document.undo_stack.undo()
    page.document.undo_stack.undo()
    assert [question_text(asked) for asked in page.document.project.questions] == [*ASKED]


def test_the_local_sensitivity_is_shown_for_learning_only(page: PlanPage) -> None:
    page.table.setCurrentIndex(page.model.index(-1, -1))
    assert not page.why.button.isEnabled()
    page.table.selectRow(1)
    page.why.button.click()
    assert "moves by at most 1, and S is 1" in page.why.local.label.text()
    assert "not for release" in page.why.local.label.text()
    page.table.selectRow(0)
    assert not page.why.local.label.text()


def test_a_question_about_no_column_of_the_table_is_told_at_once(page: PlanPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.words.line, "mean income 0 100")
    qtbot.keyClick(page.words.line, Qt.Key.Key_Return)
    assert "no column “income”" in page.problem.label.text()
    assert not page.run_button.isEnabled()
    assert not page.document.releases
