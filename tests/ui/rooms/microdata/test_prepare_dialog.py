"""Preparing the table in the window: steps are tried, counted, taken, undone, and wrong ones told."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLineEdit
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.rooms.microdata.masking.row_sampling import TakeSample
from anonymizer_gui.engine.rooms.microdata.masking.steps import steps_of
from anonymizer_gui.ui.rooms.microdata.data.actions import open_prepare_dialog
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.rooms.microdata.data.prepare_dialog import PrepareDialog
from anonymizer_gui.workspace.document import Document


def opened(qtbot: QtBot, document: Document, tmp_path: Path) -> tuple[DataPage, PrepareDialog]:
    path = tmp_path / "people.csv"
    path.write_text("age,city\n10,Ulm\n20,ulm\n30,Ulm\n40,Bonn\n", encoding="utf-8")
    with qtbot.waitSignal(document.opened):
        document.open_table(path)
    page = DataPage(document)
    qtbot.addWidget(page)
    page.show()
    open_prepare_dialog(document, page)
    dialog = page.findChild(PrepareDialog, "prepare_dialog")
    return page, dialog


def add(qtbot: QtBot, dialog: PrepareDialog, kind: str, field: str, text: str) -> None:
    """Choose a step, type what it needs, and press Add."""
    dialog.kind.setCurrentIndex(dialog.kind.findData(kind))
    widget = dialog.form().fields[field].widget
    if isinstance(widget, QLineEdit):
        widget.clear()
        qtbot.keyClicks(widget, text)
    else:
        widget.setCurrentText(text)
    qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.add.isEnabled)


def test_steps_are_taken_shown_and_undone(qtbot: QtBot, document: Document, tmp_path: Path) -> None:
    page, dialog = opened(qtbot, document, tmp_path)
    add(qtbot, dialog, "keep", "condition", "age>=20")
    add(qtbot, dialog, "merge", "column", "city")
    assert [dialog.listed.item(row).text().splitlines()[1] for row in range(2)] == ["1 row left out", "1 cell changed"]
    assert dialog.summary.text() == "The table then has 3 rows. For example: ulm → Ulm (1)."
    qtbot.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)
    assert document.table is not None
    assert document.table.n_rows == 3
    qtbot.waitUntil(lambda: page.model.rowCount() == 3)
    document.undo_stack.undo()
    assert document.table.n_rows == 4
    qtbot.waitUntil(lambda: page.model.rowCount() == 4)
    document.undo_stack.redo()
    assert document.table.n_rows == 3
    assert len(steps_of(document.project.source)) == 2


def test_a_wrong_step_is_told_and_not_taken(qtbot: QtBot, document: Document, tmp_path: Path) -> None:
    _, dialog = opened(qtbot, document, tmp_path)
    add(qtbot, dialog, "keep", "condition", "age>=1000")
    assert "No row meets the condition" in dialog.note.label.text()
    assert dialog.listed.count() == 0
    dialog.reject()
    assert document.table is not None
    assert document.table.n_rows == 4


def test_a_step_is_removed_again(qtbot: QtBot, document: Document, tmp_path: Path) -> None:
    _, dialog = opened(qtbot, document, tmp_path)
    add(qtbot, dialog, "keep", "condition", "age>=20")
    dialog.listed.setCurrentRow(0)
    qtbot.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.add.isEnabled)
    assert dialog.listed.count() == 0
    assert "4 rows" in dialog.summary.text()
    dialog.reject()
    QApplication.processEvents()


def test_chance_is_drawn_by_a_seed_that_nobody_knows(qtbot: QtBot, document: Document, tmp_path: Path) -> None:
    _, dialog = opened(qtbot, document, tmp_path)
    add(qtbot, dialog, "sample", "share", "0.5")
    add(qtbot, dialog, "sample", "share", "0.5")
    assert len(set(dialog.steps)) == 2
    assert TakeSample(0.5, seed=0) not in dialog.steps
    dialog.reject()
