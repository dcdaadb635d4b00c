"""Sets and places in the window: types, hierarchies of items, exposed rows, and the ways out."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.km_anonymity import APART, TABLE, KKm
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.rooms.microdata.data.actions import open_prepare_dialog
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.rooms.microdata.data.prepare_dialog import PrepareDialog
from anonymizer_gui.ui.rooms.microdata.figures import release_figures, risk_figures
from anonymizer_gui.ui.rooms.microdata.protect.batch_runs import SetAlternativesDialog
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document


def ways_dialog() -> SetAlternativesDialog:
    return next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, SetAlternativesDialog))


def test_a_way_is_chosen_by_its_loss_and_run(
    qtbot: QtBot, document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    document.open_project(resource_path("samples", "pharmacy.anon"), as_copy=True)
    page = make_window(document).show_page("protect")
    assert isinstance(page, ProtectPage)
    qtbot.mouseClick(page.ways, Qt.MouseButton.LeftButton)
    dialog = ways_dialog()
    rows = [[dialog.model.index(row, at).data() for at in range(4)] for row in range(dialog.model.rowCount())]
    assert [row[1] for row in rows][:-1] == ["0 (0.0%)"] * (len(rows) - 1)
    assert "Each part alone" in rows[-1][0]
    assert not rows[-1][1].startswith("0 ")
    dialog.view.selectRow(next(at for at, row in enumerate(rows) if row[0] == "Two unlinked files"))
    qtbot.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)
    assert [goal.where for goal in document.project.goals] == [APART]
    figures = {figure.name: figure for figure in release_figures(document.selected, None)}
    assert figures["exposed"].text == "0.0%"
    assert figures["risk"].text == f"1 in {document.selected.measured.fewest}"
    assert figures["k"].tone == "info", "a large class is no comfort where items are known, too"
    told = {figure.name: figure for figure in risk_figures(document.selected, document.selected.measured)}
    assert {told[name].tone for name in ("average", "unique", "above")} == {"info"}
    assert "by the class alone" in told["above"].words


def test_where_rows_are_exposed_the_rail_is_not_green(document: Document) -> None:
    document.open_project(resource_path("samples", "pharmacy.anon"), as_copy=True)
    document.edit("each part alone", goals=(KKm(5, 2, 25, TABLE),), algorithm=Mondrian())
    document.run()
    mark = ProtectPage.mark(document)
    assert (mark.state, "exposed by few items" in mark.text) == (StepState.WARNING, True)


def test_sets_without_their_goal_are_told_and_cannot_run(
    document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    document.open_project(resource_path("samples", "pharmacy.anon"), as_copy=True)
    page = make_window(document).show_page("protect")
    assert isinstance(page, ProtectPage)
    document.edit("ask for less", goals=(KAnonymity(5),))
    assert not page.run_button.isEnabled()
    assert "(k, k^m)-anonymity" in page.reason.label.text()
    document.edit("ask for it", goals=(KKm(),))
    assert page.run_button.isEnabled()


def test_two_columns_become_a_place_and_come_back(qtbot: QtBot, document: Document, tmp_path: Path) -> None:
    path = tmp_path / "homes.csv"
    path.write_text("lat,lon,age\n54.1,9.2,30\n54.2,9.3,31\n,9.3,32\n", encoding="utf-8")
    document.open_table(path)
    page = DataPage(document)
    qtbot.addWidget(page)
    open_prepare_dialog(document, page)
    dialog = page.findChild(PrepareDialog, "prepare_dialog")
    dialog.kind.setCurrentIndex(dialog.kind.findData("place"))
    for field, text in (("latitude", "lat"), ("longitude", "lon")):
        dialog.form().fields[field].widget.setCurrentText(text)
    qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)
    assert document.table is not None
    assert document.table.names == ("place", "age")
    assert document.project.schema.columns[0] == ColumnSchema("place", ColumnType.PLACE)
    document.undo_stack.undo()
    assert document.table.names == ("lat", "lon", "age")
    assert [column.name for column in document.project.schema.columns] == ["lat", "lon", "age"]


def test_the_separator_of_sets_is_chosen_beside_the_type(qtbot: QtBot, document: Document, tmp_path: Path) -> None:
    path = tmp_path / "lists.csv"
    path.write_text('items,age\n"tea, milk",30\nmilk,31\n', encoding="utf-8")
    document.open_table(path)
    page = DataPage(document)
    qtbot.addWidget(page)
    page.show()
    page.view.select_column("items")
    types = page.panel.type
    types.types.setCurrentIndex(types.types.findData(ColumnType.SET))
    types.types.activated.emit(types.types.currentIndex())
    types.format.setCurrentIndex(types.format.findData(","))
    types.format.activated.emit(types.format.currentIndex())
    entry = document.project.schema.column("items")
    assert (entry.type, entry.format) == (ColumnType.SET, ",")
    page.mark_columns(Role.QI, ["items"])
    assert document.project.schema.sets == ("items",)
