"""Small matters that cost people a moment each: keys pressed twice, questions asked twice, words that differ."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.errors import BadProject
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType, Role, Table
from anonymizer_gui.engine.hierarchy.builders.numbers import Intervals
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.project_file import load_project
from anonymizer_gui.ui import i18n
from anonymizer_gui.ui.charts.plots import short_label
from anonymizer_gui.ui.dialogs.file_dialogs import start_folder
from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog
from anonymizer_gui.ui.hierarchies.level_views import LevelTableModel
from anonymizer_gui.ui.hierarchies.tree_commands import NodeSelection
from anonymizer_gui.ui.hierarchies.tree_editor import SplitIntervalDialog
from anonymizer_gui.ui.hierarchies.tree_model import HierarchyTreeModel
from anonymizer_gui.ui.hierarchies.tree_view import HierarchyTreeView
from anonymizer_gui.ui.hierarchies.value_counts import ValueCountModel
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.widgets.table_view import ShiftScrollTable, TableModel
from anonymizer_gui.workspace.document import Document

MakeWindow = Callable[[Document], MainWindow]


@pytest.fixture
def busy(qtbot: QtBot) -> Iterator[Document]:
    """Give the hospital in a document whose jobs run beside the window."""
    made = Document()
    made.open_project(resource_path("samples", "lecture.anon"), as_copy=True)
    qtbot.waitUntil(lambda: made.table is not None)
    yield made
    made.close()


@pytest.fixture
def in_german(qapp: QApplication) -> Iterator[None]:
    i18n.install_language(qapp, "de")
    yield
    i18n.install_language(qapp, "en")


def test_export_asks_where_to_at_the_first_press_of_its_keys(
    qtbot: QtBot, busy: Document, make_window: MakeWindow
) -> None:
    busy.run()
    qtbot.waitUntil(lambda: busy.selected is not None)
    window = make_window(busy)
    window.show_page("protect")
    window.commands.qt["release.export_as"].trigger()
    page = window.pages.page("release")
    assert isinstance(page, ReleasePage)
    assert not page.export_button.isEnabled()  # it is being checked
    qtbot.waitUntil(lambda: bool(window.findChildren(QFileDialog)) or bool(page.note.label.text()))
    if not window.findChildren(QFileDialog):
        qtbot.waitUntil(lambda: page.leaving is not None)
    wanted = page.export_button.isEnabled()
    assert bool(window.findChildren(QFileDialog)) is wanted
    for dialog in window.findChildren(QFileDialog):
        dialog.reject()
    assert wanted


def test_run_comes_first_in_its_menu(lecture_document: Document, make_window: MakeWindow) -> None:
    window = make_window(lecture_document)
    (menu,) = [entry.menu() for entry in window.menuBar().actions() if entry.text().replace("&", "") == "Protect"]
    assert menu.actions()[0].text().replace("&", "") == "Run"


def test_the_attack_shown_first_is_one_that_could_run(lecture_document: Document, make_window: MakeWindow) -> None:
    lecture_document.run()
    window = make_window(lecture_document)
    page = window.show_page("risk")
    assert isinstance(page, RiskPage)
    shown = page.bench.attacks[page.bench.chosen]
    assert shown.both is not None
    assert shown.both.after.hit == max(attack.both.after.hit for attack in page.bench.attacks.values() if attack.both)
    other = next(name for name in page.bench.risks if name != page.bench.chosen)
    page.bench.choose(other)
    schema = lecture_document.project.schema
    page.bench.show_attacks(page.bench.attacks, schema.names(Role.QI), schema.names(Role.SA))
    assert page.bench.chosen == other


def test_shift_and_the_wheel_scroll_sideways(qtbot: QtBot) -> None:
    view = ShiftScrollTable()
    qtbot.addWidget(view)
    view.setModel(TableModel(Table(tuple(Column.from_texts(f"column {i}", ["x"] * 90) for i in range(40)))))
    view.resize(300, 200)
    view.show()
    turn(view, Qt.KeyboardModifier.ShiftModifier)
    assert view.horizontalScrollBar().value() > 0
    assert view.verticalScrollBar().value() == 0
    turn(view, Qt.KeyboardModifier.NoModifier)
    assert view.verticalScrollBar().value() > 0


def turn(view: ShiftScrollTable, modifiers: Qt.KeyboardModifier) -> None:
    place = QPointF(50, 50)
    event = QWheelEvent(
        place, view.viewport().mapToGlobal(place), QPoint(), QPoint(0, -240), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)


def test_a_role_has_the_same_word_on_the_rail(lecture_document: Document) -> None:
    assert DataPage.mark(lecture_document).text == "3 quasi-identifiers, 1 sensitive"


def test_delimiter_and_quotes_are_not_asked_of_a_database(qtbot: QtBot, document: Document) -> None:
    dialog = ImportTableDialog(document, "")
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.side.form.isVisible()
    dialog.reject()


def test_a_file_that_is_no_project_is_not_told_to_be_named_so(tmp_path: Path) -> None:
    other = tmp_path / "other.anon"
    other.write_text('{"format": "something else"}')
    with pytest.raises(BadProject) as caught:
        load_project(other)
    assert ".anon" not in caught.value.hint


def test_missing_is_said_in_the_language_of_the_window(qtbot: QtBot, in_german: None) -> None:
    model = TableModel(Table((Column.from_texts("age", ["34", MISSING]),)))
    assert [model.index(row, 0).data() for row in range(2)] == ["34", "(fehlt)"]


def test_missing_is_said_so_in_trees_and_levels_too(qtbot: QtBot, in_german: None) -> None:
    counts, levels = ValueCountModel("Rows"), LevelTableModel()
    counts.show(["34", MISSING], [3, 1])
    assert [counts.index(row, 0).data() for row in range(2)] == ["34", "(fehlt)"]
    tree = Hierarchy.from_nested({"*": ["34", MISSING]})
    nodes = HierarchyTreeModel()
    nodes.show(tree)
    levels.show(tree, "cap")
    assert [nodes.index(row, 0, nodes.index(0, 0)).data() for row in range(2)] == ["34", "(fehlt)"]
    assert [levels.index(row, 0).data() for row in range(2)] == ["34", "(fehlt)"]
    assert levels.index(1, 0).data(Qt.ItemDataRole.EditRole) == MISSING


def test_missing_is_drawn_so_in_the_tree_and_under_charts(qtbot: QtBot, in_german: None) -> None:
    tree = HierarchyTreeView()
    qtbot.addWidget(tree)
    tree.show_hierarchy(Hierarchy.from_nested({"*": ["34", MISSING]}))
    nodes, drawn = tree.hierarchy_model, []
    for row in range(2):
        option = QStyleOptionViewItem()
        tree.itemDelegate().initStyleOption(option, nodes.index(row, 0, nodes.index(0, 0)))
        drawn.append(option.text)
    assert drawn == ["34", "(fehlt)"]
    assert short_label(MISSING) == "(fehlt)"


def test_a_table_that_is_gone_is_told_about_until_it_is_back(
    qtbot: QtBot, document: Document, make_window: MakeWindow, tmp_path: Path
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,zip\n34,13053\n35,13054\n")
    document.open_table(path)
    window = make_window(document)
    path.rename(tmp_path / "elsewhere.csv")
    QApplication.sendEvent(window, QEvent(QEvent.Type.ActivationChange))
    qtbot.waitUntil(lambda: any("people.csv" in str(message.text) for message in document.messages.open))
    assert document.table is not None
    (tmp_path / "elsewhere.csv").rename(path)
    QApplication.sendEvent(window, QEvent(QEvent.Type.ActivationChange))
    assert not any("people.csv” is not" in str(message.text) for message in document.messages.open)


def test_run_during_a_run_says_so_and_starts_nothing_anew(
    qtbot: QtBot, busy: Document, make_window: MakeWindow
) -> None:
    window = make_window(busy)
    page = window.show_page("protect")
    assert isinstance(page, ProtectPage)
    go_on = threading.Event()
    blocking(busy, go_on)
    page.run()
    (first,) = [job for job in busy.jobs.active if job.key == "run"]
    window.commands.qt["protect.run"].trigger()
    assert [job for job in busy.jobs.active if job.key == "run"] == [first]
    assert busy.messages.open[-1].text == "It is running already."
    busy.edit("Allow suppression", suppression=0.1)
    window.commands.qt["protect.run"].trigger()
    assert first.is_cancelled
    assert busy.messages.open[-1].text == "The run with the settings before was stopped."
    go_on.set()
    qtbot.waitUntil(lambda: busy.selected is not None)
    assert len(busy.releases) == 1


def test_whoever_quits_is_asked_once(qtbot: QtBot, busy: Document, make_window: MakeWindow) -> None:
    window = make_window(busy)
    go_on = threading.Event()
    busy.edit("Allow suppression", suppression=0.1)
    qtbot.waitUntil(lambda: not busy.jobs.active)
    blocking(busy, go_on, "Protect")
    assert not window.close()
    boxes = window.findChildren(QMessageBox)
    assert [box.objectName() for box in boxes] == ["unsaved_changes"]
    assert "“Protect” is still running and will be stopped." in boxes[0].informativeText()
    go_on.set()
    boxes[0].button(QMessageBox.StandardButton.Discard).click()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert not [box for box in window.findChildren(QMessageBox) if box.isVisible()]


def blocking(document: Document, go_on: threading.Event, title: str = "") -> None:
    """Keep the worker busy until it is told to go on."""

    def work(progress: Progress) -> None:
        while not go_on.wait(0.01):
            progress.check()

    document.jobs.start(title, work)


def test_the_outcome_of_a_split_is_seen_as_a_whole(qtbot: QtBot) -> None:
    ages = Column.from_texts("age", [str(number) for number in range(200)])
    tree = Intervals(width=100, fan_out=()).build(ages, ColumnSchema("age", ColumnType.INTEGER))
    dialog = SplitIntervalDialog(NodeSelection("age", tree, (next(iter(tree.intervals)),)))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.field.setText(", ".join(str(number) for number in range(5, 100, 5)))
    qtbot.waitUntil(lambda: dialog.outcome.height() >= dialog.outcome.heightForWidth(dialog.outcome.width()))
    assert "·" in dialog.outcome.text()


def test_questions_about_files_begin_beside_the_table(busy: Document, make_window: MakeWindow) -> None:
    window = make_window(busy)
    assert start_folder(window) == str(resource_path("samples"))
    busy.new()
    assert start_folder(window) == ""
