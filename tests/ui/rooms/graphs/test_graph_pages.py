"""The pages of the room of graphs, clicked through as a steward would."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.rooms.graphs.attack_page import AttackPage
from anonymizer_gui.ui.rooms.graphs.compare_page import ComparePage
from anonymizer_gui.ui.rooms.graphs.data_page import DataPage, PeopleHierarchiesPage
from anonymizer_gui.ui.rooms.graphs.protect_page import ProtectPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document

AGES = Schema((ColumnSchema("age", ColumnType.INTEGER, role=Role.QI),))


@pytest.fixture
def village(qtbot: QtBot) -> Iterator[Document]:
    document = Document(inline_jobs=True)
    document.open_project(resource_path("samples", "village.anon"), as_copy=True)
    yield document
    document.close()


@pytest.fixture
def window(village: Document, make_window: Callable[[Document], MainWindow]) -> MainWindow:
    return make_window(village)


def test_candidates_light_up_for_a_person_and_for_a_number(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("attack")
    assert isinstance(page, AttackPage)
    page.person.setCurrentText("Ada")
    page.person.activated.emit(page.person.currentIndex())
    assert page.found.text() == "One person fits: found."
    assert page.degree.value() == 10
    page.degree.setValue(3)
    assert "people fit" in page.found.text()
    assert page.drawing.chart.plot is not None
    assert page.drawing.chart.plot.lit  # type: ignore[attr-defined]


def test_a_run_is_clicked_and_its_result_is_told(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("protect")
    assert isinstance(page, ProtectPage)
    page.algorithm.setCurrentIndex(page.algorithm.findData("add"))
    page.algorithm.activated.emit(page.algorithm.currentIndex())
    page.k.setValue(3)
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    result = window.show_page("result")
    assert isinstance(result, ComparePage)
    assert result.figures.card("smallest").text.text().endswith("3")
    assert result.measures.rowCount() == 8
    assert result.drawing.chart.plot is not None
    assert result.drawing.chart.plot.added  # type: ignore[attr-defined]
    window.document.undo_stack.undo()
    assert ProtectPage.mark(window.document).state is StepState.STALE


def test_what_is_left_of_groups_is_measured_on_a_drawn_graph(window: MainWindow) -> None:
    window.document.run()
    result = window.show_page("result")
    assert isinstance(result, ComparePage)
    assert "drawn by lot" in result.words.text()
    shown = [[result.measures.item(row, column).text() for column in (1, 2)] for row in range(8)]
    assert shown[0][0] == shown[0][1]  # as many ties
    assert [before for before, _after in shown] != [after for _before, after in shown]


def test_roles_of_columns_are_chosen_in_the_window(window: MainWindow) -> None:
    page = window.show_page("graph")
    assert isinstance(page, DataPage)
    assert set(page.roles) == {"age", "illness"}
    choice: QComboBox = page.roles["age"]
    choice.setCurrentIndex(1)
    choice.activated.emit(1)
    assert window.document.project.columns(Role.QI) == ("age",)
    assert window.document.project.schema.column("age").type is ColumnType.INTEGER


def test_l_without_a_sensitive_column_is_told_before_the_run(window: MainWindow) -> None:
    window.document.edit("Forget the illness", schema=Schema())
    page = window.show_page("protect")
    assert isinstance(page, ProtectPage)
    assert not page.run_button.isEnabled()
    assert "sensitive column" in page.problem.label.text()


def test_the_three_threats_have_figures_before_anything_is_protected(window: MainWindow) -> None:
    page = window.show_page("attack")
    assert isinstance(page, AttackPage)
    assert page.figures.card("nodes").text.text() != "0.0%"
    assert page.figures.card("edges").text.text().endswith("%")
    assert page.figures.card("labels").text.text() == "1"
    window.document.run()
    assert "→" in page.figures.card("nodes").text.text()


def test_candidates_are_told_before_and_after(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("attack")
    assert isinstance(page, AttackPage)
    assert not page.when.isEnabled()
    window.document.edit("Add", algorithm=ALGORITHMS.get("add")(), k=3, l=1)
    window.document.run()
    page.person.setCurrentText("Ada")
    page.person.activated.emit(page.person.currentIndex())
    assert page.found.text().startswith("One person fits: found. In the release ")
    lit = page.drawing.chart.plot.lit  # type: ignore[union-attr]
    page.when.setCurrentIndex(1)
    page.when.activated.emit(1)
    plot = page.drawing.chart.plot
    assert len(plot.lit) >= 3 > len(lit)  # type: ignore[union-attr]
    assert plot.added  # type: ignore[union-attr]


def test_the_story_of_two_who_find_two_others_is_told_and_shown(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("attack")
    assert isinstance(page, AttackPage)
    assert page.story.text().startswith("Without names, ")
    qtbot.mouseClick(page.story_button, Qt.MouseButton.LeftButton)
    assert len(page.drawing.chart.plot.lit) == 4  # type: ignore[union-attr]


def test_values_of_k_are_compared_in_a_chart(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("protect")
    assert isinstance(page, ProtectPage)
    qtbot.mouseClick(page.compare_button, Qt.MouseButton.LeftButton)
    assert page.still_found.chart.plot is not None
    plot = page.changed_ties.chart.plot
    assert plot is not None
    heads, rows = plot.numbers()
    assert heads == ["k", "Add edges", "Add and delete edges"]
    assert [row[0] for row in rows][:3] == ["2", "3", "5"]
    assert float(rows[0][1]) < float(rows[2][1])


def test_what_a_way_lets_be_set_is_set_on_the_page(window: MainWindow) -> None:
    page = window.show_page("protect")
    assert isinstance(page, ProtectPage)
    assert page.parameters.form is not None
    page.parameters.form.set_value(ALGORITHMS.get("group")(effort=3))  # type: ignore[call-arg]
    page.parameters.form.changed.emit(page.parameters.form.value())
    assert window.document.project.algorithm.effort == 3
    page.algorithm.setCurrentIndex(page.algorithm.findData("add"))
    page.algorithm.activated.emit(page.algorithm.currentIndex())
    assert page.parameters.form is None


def test_a_graph_is_read_with_directions_in_the_window(
    make_window: Callable[[Document], MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "ties.csv").write_text("a,b\nb,a\nb,c\n", encoding="utf-8")
    document = Document(inline_jobs=True)
    document.open_table(tmp_path / "ties.csv", room="graphs")
    page = make_window(document).show_page("graph")
    assert isinstance(page, DataPage)
    assert document.files["graph"].n_edges == 2
    page.direction.setCurrentIndex(page.direction.findData("directed"))
    page.direction.activated.emit(page.direction.currentIndex())
    assert document.files["graph"].is_directed
    assert document.files["graph"].n_edges == 3
    assert page.direction.currentData() == "directed"
    document.close()


def test_rows_of_the_people_are_made_alike_by_an_algorithm_for_tables(window: MainWindow) -> None:
    window.document.edit("Only ages", schema=AGES, algorithm=ALGORITHMS.get("add")(), l=1, k=2)
    page = window.show_page("protect")
    assert isinstance(page, ProtectPage)
    assert page.rows.isVisibleTo(page)
    page.rows.setCurrentIndex(page.rows.findData("mondrian"))
    page.rows.activated.emit(page.rows.currentIndex())
    assert window.document.project.rows.name == "mondrian"
    window.document.run()
    assert all(promise.holds for promise in window.document.selected.promises)
    assert any("-" in row[1] for row in window.document.selected.published.nodes)
    window.document.edit("No ages", schema=Schema())
    assert not page.rows.isVisibleTo(page)


def test_hierarchies_of_the_people_are_shaped_on_the_shared_page(window: MainWindow) -> None:
    page = window.show_page("hierarchies")
    assert isinstance(page, PeopleHierarchiesPage)
    assert "Graph" in page.no_columns.button.text()
    window.document.edit("Ages point to people", schema=AGES)
    assert page.column == "age"
    window.document.edit("Forget it", hierarchies={})
    assert page.mark(window.document).state is StepState.READY
    page.sources.propose_all()
    assert set(window.document.project.hierarchies) == {"age"}


def test_what_a_file_tells_of_its_nodes_is_a_table_of_people(
    make_window: Callable[[Document], MainWindow], tmp_path: Path
) -> None:
    nodes = "".join(f'node [ id {at} label "p{at}" age {20 + at % 3} ] ' for at in range(6))
    edges = "".join(f"edge [ source {at} target {at + 1} ] " for at in range(5))
    (tmp_path / "ties.gml").write_text(f"graph [ {nodes}{edges}]", encoding="utf-8")
    document = Document(inline_jobs=True)
    document.open_table(tmp_path / "ties.gml", room="graphs")
    page = make_window(document).show_page("graph")
    assert isinstance(page, DataPage)
    assert set(page.roles) == {"age"}
    page.roles["age"].setCurrentIndex(1)
    page.roles["age"].activated.emit(1)
    document.edit("Two", k=2)
    document.run()
    assert document.selected.published.head == ("node", "age")
    assert all(promise.holds for promise in document.selected.promises)
    document.close()


def test_a_number_of_ties_lights_up_people_of_a_large_graph_who_are_not_drawn(
    make_window: Callable[[Document], MainWindow], tmp_path: Path
) -> None:
    star = [f"hub,leaf{at}" for at in range(520)] + ["x,y", "y,z"]
    (tmp_path / "ties.csv").write_text("\n".join(star) + "\n", encoding="utf-8")
    document = Document(inline_jobs=True)
    document.open_table(tmp_path / "ties.csv", room="graphs")
    page = make_window(document).show_page("attack")
    assert isinstance(page, AttackPage)
    page.degree.setValue(2)
    assert page.found.text() == "One person fits: found."
    assert page.person.currentText() == "y"
    document.close()
