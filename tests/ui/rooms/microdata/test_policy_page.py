"""The Policies page: rules with what was found, the three questions, files of the house."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.rooms.microdata.policies.release_rules import SmallestClass
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.rooms.microdata.policy_page import PolicyPage, PolicyRuleDialog
from anonymizer_gui.workspace.document import Document
from tests.ui.rooms.microdata.protect_documents import made_pages

Make = Callable[..., tuple[PolicyPage, Document]]


@pytest.fixture
def page_of(qtbot: QtBot) -> Iterator[Make]:
    """Make the page over a small hospital that was protected."""
    yield from made_pages(qtbot, PolicyPage)


def choose(page: PolicyPage, words: str) -> None:
    """Choose an entry of the menu by its words."""
    next(action for action in page.add.menu().actions() if words in action.text()).trigger()


def lines(page: PolicyPage, at: int = 0) -> list[QTreeWidgetItem]:
    top = page.tree.topLevelItem(at)
    return [top.child(place) for place in range(top.childCount())]


def test_the_three_questions_are_answered_without_any_policy(page_of: Make) -> None:
    page, document = page_of()
    assert PolicyPage.mark(document).state is StepState.EMPTY
    told = "\n".join(line.text() for line in page.questions.lines)
    assert "Can somebody still be singled out?" in told
    assert f"the smallest class has {document.selected.measured.k}" in told


def test_a_policy_from_the_menu_is_judged_rule_by_rule_and_undone(page_of: Make) -> None:
    page, document = page_of()
    choose(page, "k = 11")
    assert [line.text(1) for line in lines(page)] == ["met", "met"]
    strict = document.project.policies[0].with_rule(0, SmallestClass(500))
    document.edit("x", policies=(strict,))
    assert [line.text(1) for line in lines(page)] == ["missing", "met"]
    assert page.tree.topLevelItem(0).text(1) == "not passed"
    assert PolicyPage.mark(document).state is StepState.WARNING
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert page.tree.topLevelItemCount() == 0


def test_editing_a_rule_judges_anew(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    choose(page, "k = 11")
    page.tree.setCurrentItem(lines(page)[0])
    assert "No class smaller than 11" in page.detail.text()
    qtbot.mouseClick(page.edit_rule, Qt.MouseButton.LeftButton)
    dialog = page.findChild(PolicyRuleDialog)
    assert dialog is not None
    dialog.form.set_value(type(document.project.policies[0].rules[0])(2))
    dialog.accept()
    assert lines(page)[0].text(0) == "No class smaller than 2"
    assert lines(page)[0].text(1) == "met"


def test_a_policy_of_the_house_is_read_from_its_file(page_of: Make, tmp_path: Path) -> None:
    page, document = page_of()
    path = tmp_path / "ours.json"
    rules = [{"name": "smallest-class", "parameters": {"k": 2}}]
    path.write_text(json.dumps({"format": "anonymizer policy", "policy": "Ours", "rules": rules}), encoding="utf-8")
    page.take_rule_set(path)
    assert page.tree.topLevelItem(0).text(1) == "passed"
    assert PolicyPage.mark(document).state is StepState.DONE
    page.tree.setCurrentItem(page.tree.topLevelItem(0))
    page.remove.click()
    assert document.project.policies == ()


def test_areas_are_asked_for_and_taken(page_of: Make, tmp_path: Path) -> None:
    page, _ = page_of()
    choose(page, "k = 11")
    assert not page.areas.isEnabled()
    choose(page, "Safe Harbor")
    assert page.areas.isEnabled()
    assert page.missing.isVisible()
    (tmp_path / "areas.csv").write_text("zip,people\n130,500000\n", encoding="utf-8")
    page.take_areas(tmp_path / "areas.csv")
    assert not page.missing.isVisible()


def test_without_a_table_the_page_leads_to_the_data(qtbot: QtBot) -> None:
    document = Document(inline_jobs=True)
    page = PolicyPage(document)
    qtbot.addWidget(page)
    page.show()
    with qtbot.waitSignal(page.go) as asked:
        page.empty.button.click()
    assert asked.args == ["data"]
    document.close()
