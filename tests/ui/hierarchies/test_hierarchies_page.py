"""The Hierarchies page: what it says about every column, the tray, the level table, the preview and proposals."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLineEdit,
    QListView,
    QPushButton,
    QSlider,
    QTableView,
    QTreeView,
)
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.hierarchy.edits import add_leaves
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.hierarchies.column_list import STATE_ROLE
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.workspace.document import Document
from tests.ui.hierarchies.hierarchy_documents import LAND_CELLS, LANDS, load

LEFT = Qt.MouseButton.LeftButton
SEXES = Hierarchy.from_nested({"*": ["f", "m"]})
JOBS = Hierarchy.from_nested({"*": {"Office": ["clerk"], "none": []}})


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> HierarchiesPage:
    n = len(LAND_CELLS)
    cells = {"land": LAND_CELLS, "sex": ["f", "m"] * (n // 2) + ["f"], "job": ["clerk"] * n, "illness": ["flu"] * n}
    load(document, cells, {"land": LANDS, "job": JOBS}, sensitive="illness")
    return opened(qtbot, document)


def opened(qtbot: QtBot, document: Document) -> HierarchiesPage:
    page = HierarchiesPage(document)
    qtbot.addWidget(page)
    page.resize(900, 600)
    page.show()
    return page


def states(page: HierarchiesPage) -> dict[str, str]:
    model = page.columns.columns_model
    found = [model.index(row).data(STATE_ROLE) for row in range(model.rowCount())]
    return {f"{state.role.value} {state.name}": state.words for state in found}


def tray(page: HierarchiesPage) -> list[tuple[str, str]]:
    model = page.tray.model
    return [(model.index(row, 0).data(), model.index(row, 1).data()) for row in range(model.rowCount())]


def tree_of(page: HierarchiesPage, column: str = "land") -> Hierarchy:
    return page.document.project.hierarchies[column]


def test_without_a_table_the_page_says_what_to_do(qtbot: QtBot, document: Document) -> None:
    page = opened(qtbot, document)
    assert page.no_columns.sentence.text() == "Open a table to shape its hierarchies."
    with qtbot.waitSignal(page.go, check_params_cb=lambda name: name == "data"):
        qtbot.mouseClick(page.no_columns.button, LEFT)


def test_without_quasi_identifiers_the_page_says_so(qtbot: QtBot, document: Document) -> None:
    load(document, {"land": LAND_CELLS}, {})
    schema = document.project.schema.with_roles({"land": Role.OTHER})
    document.edit("no role", schema=schema)
    assert "quasi-identifier" in opened(qtbot, document).no_columns.sentence.text()


def test_every_column_has_its_state_in_words(page: HierarchiesPage) -> None:
    assert states(page) == {
        "QI land": "2 values missing · depth 3, 5 leaves",
        "QI sex": "No hierarchy",
        "QI job": "Fits · unbalanced, depth 2, 2 leaves",
        "SA illness": "No hierarchy (not needed)",
    }


def test_the_state_follows_an_edit(page: HierarchiesPage) -> None:
    page.document.edit("set", hierarchies={"sex": SEXES})
    assert states(page)["QI sex"] == "Fits · depth 1, 2 leaves"
    assert states(page)["QI land"] == "No hierarchy"


def test_the_mark_on_the_rail_counts_quasi_identifiers(page: HierarchiesPage) -> None:
    assert HierarchiesPage.mark(page.document).text == "2 of 3 quasi-identifiers have a hierarchy"
    page.document.edit("set", hierarchies={"land": LANDS, "sex": SEXES, "job": JOBS})
    assert HierarchiesPage.mark(page.document).text == "1 quasi-identifier has values without a place"
    placed = add_leaves(
        LANDS, dict.fromkeys(set(page.document.table.column("land").labels) - set(LANDS.leaf_labels), 0)
    )
    page.document.edit("place", hierarchies={"land": placed, "sex": SEXES, "job": JOBS})
    assert HierarchiesPage.mark(page.document).state is StepState.DONE


def test_the_tray_lists_values_without_a_place_by_rows(page: HierarchiesPage) -> None:
    assert tray(page) == [("Peru", "2"), ("Chile", "1")]
    assert page.tray.isVisible()


def test_the_tray_tells_why_a_value_has_no_place(qtbot: QtBot, document: Document) -> None:
    load(document, {"land": ["italy", "Europe", "Japan"]}, {"land": LANDS})
    page = opened(qtbot, document)
    assert page.tray.reasons.text() == "“italy” differs from “Italy” only in case. “Europe” is the name of a group."


def test_leaves_without_rows_are_told(page: HierarchiesPage) -> None:
    page.choose("job")
    assert page.tools.state.text() == "Fits · unbalanced, depth 2, 2 leaves · Leaves without rows: 1"


def test_the_tray_is_hidden_when_all_have_a_place(page: HierarchiesPage) -> None:
    page.choose("job")
    assert not page.tray.isVisible()


def test_selected_values_go_under_the_selected_group(qtbot: QtBot, page: HierarchiesPage) -> None:
    page.editor.tree.select_labels(["Asia"])
    page.tray.view.selectRow(1)
    qtbot.mouseClick(page.tray.place, LEFT)
    assert [tree_of(page).labels[node] for node in tree_of(page).children(tree_of(page).node_of_label["Asia"])] == [
        "East",
        "Chile",
    ]
    assert tray(page) == [("Peru", "2")]


def test_all_values_go_under_other_in_one_step(qtbot: QtBot, page: HierarchiesPage) -> None:
    qtbot.mouseClick(page.tray.other, LEFT)
    tree = tree_of(page)
    assert {tree.labels[child] for child in tree.children(tree.node_of_label["Other"])} == {"Peru", "Chile"}
    assert not page.tray.isVisible()
    page.document.undo_stack.undo()
    assert tray(page) == [("Peru", "2"), ("Chile", "1")]


def test_values_go_beside_similar_ones(qtbot: QtBot, document: Document) -> None:
    load(document, {"land": ["Italia", "Japan"]}, {"land": LANDS})
    page = opened(qtbot, document)
    qtbot.mouseClick(page.tray.suggest, LEFT)
    tree = tree_of(page)
    assert "Italia" in [tree.labels[child] for child in tree.children(tree.node_of_label["South"])]


def test_a_value_dragged_from_the_tray_lands_where_it_is_dropped(page: HierarchiesPage) -> None:
    model, values = page.editor.tree.hierarchy_model, page.tray.model
    data = values.mimeData([values.index(0, 0)])
    model.dropMimeData(data, Qt.DropAction.CopyAction, 0, 0, model.index_of(LANDS.node_of_label["East"]))
    tree = tree_of(page)
    assert [tree.labels[child] for child in tree.children(tree.node_of_label["East"])] == ["Peru", "Japan", "Korea"]


def test_a_column_without_hierarchy_offers_a_proposal(qtbot: QtBot, page: HierarchiesPage) -> None:
    page.choose("sex")
    assert page.no_hierarchy.sentence.text() == "“sex” has no hierarchy yet."
    qtbot.mouseClick(page.no_hierarchy.button, LEFT)
    assert set(tree_of(page, "sex").leaf_labels) == {"f", "m"}


def test_proposing_for_all_fills_the_quasi_identifiers_that_lack_one_in_one_step(
    qtbot: QtBot, page: HierarchiesPage
) -> None:
    qtbot.mouseClick(page.propose_all, LEFT)
    assert set(page.document.project.hierarchies) == {"land", "job", "sex"}
    assert tree_of(page) is LANDS
    assert not page.propose_all.isEnabled()
    page.document.undo_stack.undo()
    assert set(page.document.project.hierarchies) == {"land", "job"}


def test_a_column_without_hierarchy_offers_to_export_only_the_others(page: HierarchiesPage) -> None:
    page.choose("sex")
    assert page.tools.buttons["export"].isEnabled()
    assert [name for name, entry in page.tools.entries.items() if not entry.isEnabled()] == [
        "export_file",
        "library_save",
        "remove",
    ]


def test_removing_a_hierarchy_can_be_undone(page: HierarchiesPage) -> None:
    page.sources.perform("remove", "land")
    assert "land" not in page.document.project.hierarchies
    page.document.undo_stack.undo()
    assert tree_of(page) is LANDS


def level_row(page: HierarchiesPage, row: int) -> list[str]:
    model = page.levels.view.level_model
    return [model.index(row, level).data() for level in range(model.columnCount())]


def test_the_level_table_follows_the_tree(page: HierarchiesPage) -> None:
    page.switch_view()
    assert level_row(page, 0) == ["Italy", "South", "Europe", "*"]
    page.editor.rename_node(LANDS.node_of_label["South"], "Mediterranean")
    assert level_row(page, 0) == ["Italy", "Mediterranean", "Europe", "*"]


def test_a_label_typed_into_the_level_table_renames_the_node(page: HierarchiesPage) -> None:
    page.switch_view()
    model = page.levels.view.level_model
    model.setData(model.index(0, 1), "Mediterranean")
    assert "Mediterranean" in tree_of(page).labels


def test_the_reading_of_uneven_levels_is_chosen_and_undone(page: HierarchiesPage) -> None:
    page.choose("job")
    page.switch_view()
    assert level_row(page, 1) == ["none", "none", "*"]
    page.levels.uneven.setCurrentIndex(1)
    page.levels.uneven.activated.emit(1)
    assert level_row(page, 1) == ["none", "*", "*"]
    page.document.undo_stack.undo()
    assert page.levels.uneven.currentData() == "cap"


def test_the_slider_shows_the_real_column_at_a_level(page: HierarchiesPage) -> None:
    page.preview.slider.setValue(2)
    model = page.preview.model
    assert [(model.index(r, 0).data(), model.index(r, 1).data()) for r in range(model.rowCount())] == [
        ("Europe", "4"),
        ("Asia", "2"),
    ]
    assert page.preview.words.text().startswith("2 classes from this column alone, the smallest with 2 rows")


def test_the_level_of_the_preview_stays_through_an_edit(page: HierarchiesPage) -> None:
    page.preview.slider.setValue(2)
    page.editor.rename_node(LANDS.node_of_label["Asia"], "Far East")
    assert page.preview.slider.value() == 2
    assert page.preview.model.index(1, 0).data() == "Far East"


def test_undoing_a_step_shows_the_column_it_was_made_in(page: HierarchiesPage) -> None:
    page.editor.rename_node(LANDS.node_of_label["Asia"], "Far East")
    page.choose("job")
    page.document.undo_stack.undo()
    assert page.column == "land"


def test_a_change_elsewhere_does_not_lose_the_chosen_column(page: HierarchiesPage) -> None:
    page.choose("job")
    page.document.edit("k", suppression=0.1)
    page.document.edit("seed", seed=7)
    assert page.column == "job"


def test_everything_fits_into_the_smallest_window(page: HierarchiesPage) -> None:
    assert page.minimumSizeHint().width() <= 840
    assert page.minimumSizeHint().height() <= 600


def test_every_control_has_a_name(page: HierarchiesPage) -> None:
    kinds = (QAbstractButton, QTreeView, QTableView, QListView, QComboBox, QLineEdit, QSlider)
    ours = [
        widget for kind in kinds for widget in page.findChildren(kind) if widget.objectName().startswith("hierarchy")
    ]
    nameless = [
        w.objectName() for w in ours if not w.accessibleName() and not (isinstance(w, QPushButton) and w.text())
    ]
    assert len(ours) > 25
    assert nameless == []
