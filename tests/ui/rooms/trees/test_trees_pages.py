"""The pages of nested records: empty, with data, with a release, in German and in the dark; and what people do."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.trees.algorithms.kmn_anonymity import KmnAnonymity
from anonymizer_gui.engine.rooms.trees.encoding import PathRole
from anonymizer_gui.ui.page import Page, StepState
from anonymizer_gui.ui.rooms.trees.attack_page import AttackPage
from anonymizer_gui.ui.rooms.trees.compare_page import ComparePage
from anonymizer_gui.ui.rooms.trees.data_page import PATH_ROLE, DataPage, PathHierarchiesPage
from anonymizer_gui.ui.rooms.trees.output_panel import RecordsOutputPanel
from anonymizer_gui.ui.rooms.trees.protect_page import ProtectPage
from anonymizer_gui.workspace.document import Document

Shown = Callable[[type[Page], Document], Any]
DRUG = "patient/stay/treatment/@drug"


def item_of(page: DataPage, path: str) -> QTreeWidgetItem:
    found = page.paths.tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
    return next(item for item in found if item.data(0, PATH_ROLE) == path)


def test_the_data_page_shows_paths_with_counts_and_roles(students: Document, shown: Shown) -> None:
    page = shown(DataPage, students)
    books = item_of(page, "courses[].books[]")
    assert (books.text(0), books.text(3)) == ("books[]", "up to 2, 1.0 on average")
    grade = item_of(page, "courses[].grade")
    assert (grade.text(1), grade.text(4)) == ("Sensitive", "text")
    assert item_of(page, "courses[].evaluation").text(3).startswith("one in ")


def test_the_role_of_a_path_is_changed_and_the_suggestion_is_told(students: Document, shown: Shown) -> None:
    page = shown(DataPage, students)
    page.paths.tree.setCurrentItem(item_of(page, "courses[].grade"))
    assert "Suggested: Sensitive" in page.why.text()
    page.role.setCurrentIndex(page.role.findData(PathRole.PUBLIC))
    page.role.activated.emit(page.role.currentIndex())
    assert students.project.role("courses[].grade") is PathRole.PUBLIC
    page.suggest.click()
    assert students.project.role("courses[].grade") is PathRole.SENSITIVE
    students.undo_stack.undo()
    assert students.project.role("courses[].grade") is PathRole.PUBLIC


def test_a_path_nobody_has_decided_about_is_shown_as_removed_and_does_not_leave(
    hospitals: Document, shown: Shown
) -> None:
    page = shown(DataPage, hospitals)
    paths = tuple(each for each in hospitals.project.paths if each.path != DRUG)
    hospitals.edit("Forget a path", paths=paths)
    assert item_of(page, DRUG).text(1) == "Remove"
    page.paths.tree.setCurrentItem(item_of(page, DRUG))
    assert page.role.currentData() is PathRole.REMOVE
    hospitals.run()
    assert hospitals.releases
    assert "drug" not in repr(hospitals.releases[-1].published)
    page.role.setCurrentIndex(page.role.findData(PathRole.SENSITIVE))
    page.role.activated.emit(page.role.currentIndex())
    assert item_of(page, DRUG).text(1) == "Sensitive"
    hospitals.run()
    assert "drug" in repr(hospitals.releases[-1].published)


def test_a_branch_is_removed_with_all_below_it(hospitals: Document, shown: Shown) -> None:
    page = shown(DataPage, hospitals)
    page.paths.tree.setCurrentItem(item_of(page, "patient/stay/treatment"))
    page.remove.click()
    assert hospitals.project.removed == ("patient/stay/treatment",)
    assert item_of(page, DRUG).text(1) == "Remove"
    page.remove.click()
    assert hospitals.project.removed == ()


def test_the_attack_shows_the_record_a_relation_betrays_and_what_became_of_it(
    hospitals: Document, shown: Shown, qtbot: QtBot
) -> None:
    page = shown(AttackPage, hospitals)
    page.search.setText("hospital=2 drug=antibiotics")
    qtbot.waitUntil(lambda: page.model.rowCount() == 1)
    assert page.model.index(0, 0).data() == "hospital=2 → drug=antibiotics"
    assert "finds 1 record" in page.words.text()
    assert 'drug="antibiotics"' in page.betrayed.toPlainText()
    assert "Protect the records" in page.became.toPlainText()
    hospitals.run()
    qtbot.waitUntil(lambda: "detached" in page.became.toPlainText())
    page.after.click()
    page.search.clear()
    qtbot.waitUntil(lambda: page.model.rowCount() == 0)
    assert "betrays" in page.words.text()


def test_the_figures_of_the_attack_tell_before_and_after(released: Document, shown: Shown, qtbot: QtBot) -> None:
    page = shown(AttackPage, released)
    qtbot.waitUntil(lambda: any("→ 0" in label for label in _texts(page.figures)))


def _texts(widget: Any) -> list[str]:
    from PySide6.QtWidgets import QLabel

    return [label.text() for label in widget.findChildren(QLabel)]


def test_another_method_is_chosen_its_numbers_set_and_run(students: Document, shown: Shown) -> None:
    page = shown(ProtectPage, students)
    page.method.setCurrentIndex(page.method.findData("few"))
    page.method.activated.emit(page.method.currentIndex())
    assert isinstance(students.project.algorithm, KmnAnonymity)
    assert "k^(m,n)" in page.promised.text()
    page.run_button.click()
    assert students.selected.measured.smallest_class >= 5
    assert ProtectPage.mark(students).state is StepState.DONE


def test_nothing_runs_while_a_number_is_wrong_and_what_is_typed_stays(students: Document, shown: Shown) -> None:
    page = shown(ProtectPage, students)
    assert page.parameters.form is not None
    line = page.parameters.form.fields["k"].widget
    line.setText("some")
    line.textEdited.emit("some")
    assert not page.run_button.isEnabled()
    assert "k must be" in page.run_button.toolTip()
    students.edit("Name it", name="another name", seed=3)
    assert line.text() == "some"
    line.setText("7")
    line.textEdited.emit("7")
    assert page.run_button.isEnabled()
    assert students.project.algorithm.k == 7


def test_diversity_beside_few_labels_is_told_with_what_it_costs(hospitals: Document, shown: Shown) -> None:
    sensitive = {path.path: replace(path, role=PathRole.SENSITIVE) for path in hospitals.project.paths}
    paths = tuple(sensitive[path.path] if path.path == "patient/@born" else path for path in hospitals.project.paths)
    hospitals.edit("roles", paths=paths, algorithm=KmnAnonymity(k=3, m=2, n=1, l=2))
    page = shown(ProtectPage, hospitals)
    assert "l-diversity of every pattern" in page.promised.text()
    page.run_button.click()
    assert not page.losses.isVisible()
    page.resize(1600, 100 * page.fontMetrics().height())
    assert page.losses.isVisible()
    told = _texts(page.figures)
    assert told[told.index("Fewest sensitive values") + 1] == "2"


def test_an_unreachable_promise_is_told_on_the_page(hospitals: Document, shown: Shown) -> None:
    hospitals.edit("k", algorithm=KmnAnonymity(k=13, m=2, n=1, delete=0.0))
    page = shown(ProtectPage, hospitals)
    page.run_button.click()
    assert any("would have to be deleted" in text for text in _texts(page.note))
    assert not hospitals.releases


def test_without_a_quasi_identifier_nothing_can_be_run(hospitals: Document, shown: Shown) -> None:
    paths = tuple(replace(path, role=PathRole.PUBLIC) for path in hospitals.project.paths)
    hospitals.edit("roles", paths=paths)
    page = shown(ProtectPage, hospitals)
    assert not page.run_button.isEnabled()
    assert "quasi-identifier" in page.run_button.toolTip()
    shown(AttackPage, hospitals)


def test_a_record_before_and_after_shows_what_was_taken_apart(released: Document, shown: Shown) -> None:
    page = shown(ComparePage, released)
    marks = [
        item.text(3)
        for item in page.record.tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
    ]
    assert "taken apart" in marks
    page.number.setValue(2)
    items = page.record.tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
    assert all(item.text(3) == "" for item in items)


def test_the_records_that_leave_are_shown(released: Document) -> None:
    panel = RecordsOutputPanel(released)
    panel.show_project(released.selected)
    assert panel.text.toPlainText().count("<patient ") == 12
    leaving = room_of("trees").leaving(released.selected, released.files, Safeguards(), SILENT)
    assert "12 records" in panel.sentence(leaving)
    assert panel.success(leaving, Path("out.xml")).startswith("12 records went to out.xml")


def test_the_tree_editor_takes_the_paths_for_columns(students: Document, shown: Shown) -> None:
    shown(PathHierarchiesPage, students)
    assert PathHierarchiesPage.mark(students).text == "0 of 7 quasi-identifiers have a hierarchy"
