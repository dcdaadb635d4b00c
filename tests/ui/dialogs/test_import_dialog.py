"""The import dialog: a live preview, errors inside it, and a table at the end."""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import ColumnType
from anonymizer_gui.engine.projects import opening
from anonymizer_gui.engine.projects.opening import OpenedProject
from anonymizer_gui.ui.dialogs import file_dialogs
from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog
from anonymizer_gui.workspace.document import Document
from tests.engine.rooms.microdata.arx.arx_files import write_project
from tests.ui.dialogs.import_dialogs import first_row, names, pick_type, write


def test_the_proposed_options_are_set_and_the_rows_shown(
    opened: Callable[..., ImportTableDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "zip;age\n01234;36\n01235;41\n"))
    assert names(dialog) == ["zip", "age"]
    assert first_row(dialog) == ["01234", "36"]
    assert dialog.side.form.value().delimiter == ";"
    assert dialog.open_button.isEnabled()


def test_an_error_names_its_line_and_the_dialog_stays(opened: Callable[..., ImportTableDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,b\n1,2\n3,4,5\n"))
    assert dialog.note.label.text().startswith("Line 3 has 3 cells")
    assert first_row(dialog) == ["1", "2"]
    assert not dialog.open_button.isEnabled()
    assert dialog.isVisible()


def test_a_missing_file_is_told_in_the_dialog(opened: Callable[..., ImportTableDialog], tmp_path: Path) -> None:
    dialog = opened(tmp_path / "missing.csv")
    assert "There is no file" in dialog.note.label.text()


def test_what_was_normalised_is_shown(opened: Callable[..., ImportTableDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,a\n 1 ,2\n3,4\n"))
    assert "is called" in dialog.note.label.text()
    assert "lost white space" in dialog.note.label.text()


def test_open_brings_the_table_with_the_chosen_types(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], document: Document, tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "age,day\n36,2024-01-31\n41,2024-02-01\n"))
    pick_type(dialog, "age", ColumnType.CATEGORY)
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert [column.type for column in document.project.schema.columns] == [ColumnType.CATEGORY, ColumnType.DATE]
    assert document.table is not None
    assert document.table.n_rows == 2


def test_an_arx_project_opens_with_its_roles_hierarchies_and_goals(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], document: Document, tmp_path: Path
) -> None:
    dialog = opened(write_project(tmp_path / "clinic.deid"))
    assert names(dialog)[:2] == ["name", "age"]
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert document.project.name == "Clinic"
    assert set(document.project.hierarchies) == {"age", "zip"}


def test_an_error_deep_in_the_file_comes_back_into_the_dialog(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], document: Document, tmp_path: Path
) -> None:
    rows = "".join(f"{number},x\n" for number in range(5000))
    dialog = opened(write(tmp_path, f"a,b\n{rows}1,2,3\n"))
    assert dialog.open_button.isEnabled()
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert "Line 5,002 " in dialog.note.label.text()
    assert dialog.isVisible()
    assert document.table is None
    assert document.messages.open == ()


def test_a_table_of_a_database_is_chosen_and_opened(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], document: Document, tmp_path: Path
) -> None:
    pytest.importorskip("sqlalchemy", reason="the extra for databases is not installed")
    with sqlite3.connect(tmp_path / "people.db") as base:
        base.execute("CREATE TABLE patients (name TEXT, age INTEGER)")
        base.execute("INSERT INTO patients VALUES ('Ada', 36)")
    base.close()
    dialog = opened("")
    dialog.source.setText(f"sqlite:///{tmp_path / 'people.db'}")
    qtbot.keyClick(dialog.source, Qt.Key.Key_Return)
    assert [dialog.side.part.itemText(place) for place in range(dialog.side.part.count())] == ["patients"]
    assert first_row(dialog) == ["Ada", "36"]
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert document.table is not None
    assert document.table.names == ("name", "age")


def test_a_long_load_shows_progress_and_can_be_cancelled(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    started, pause = threading.Event(), threading.Event()

    def slow(_room: object, _source: object, progress: Progress, **_choices: object) -> None:
        started.set()
        while True:
            progress(0.5, "Reading")
            pause.wait(0.01)

    monkeypatch.setattr(opening, "new_project", slow)
    document = Document()
    dialog = ImportTableDialog(document, str(resource_path("samples", "lecture.csv")))
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    qtbot.waitUntil(dialog.open_button.isEnabled)
    dialog.layout().activate()
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(started.is_set)
    qtbot.waitUntil(lambda: dialog.bar.value() == 500)
    assert dialog.bar.text() == "Reading"
    with qtbot.waitSignal(document.jobs.finished):
        qtbot.mouseClick(dialog.buttons.buttons()[1], Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert dialog.open_button.isEnabled()
    dialog.reject()
    assert not dialog.isVisible()
    assert document.table is None
    document.close()


def test_cells_below_the_preview_that_do_not_fit_are_told_after_opening(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], document: Document, tmp_path: Path
) -> None:
    numbers = "".join(f"{number}\n" for number in range(1000))
    dialog = opened(write(tmp_path, f"age\n{numbers}old\n"))
    told: list[OpenedProject] = []
    document.opened.connect(told.append)
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert told[0].notes == ("1 cell of “age” does not fit the type integer (row 1001).",)
    assert document.table is not None
    assert document.table.column("age").texts()[1000] == "old"


def test_browse_takes_another_file(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = resource_path("samples", "lecture.csv")
    folders: list[str] = []

    def ask(_parent: object, folder: str, then: Callable[[Path], None], tables_only: bool) -> None:
        folders.append(folder)
        then(other)

    monkeypatch.setattr(file_dialogs, "ask_open", ask)
    dialog = opened(write(tmp_path, "a;b\n1;2\n"))
    qtbot.mouseClick(dialog.browse_button, Qt.MouseButton.LeftButton)
    assert folders == [str(tmp_path)]
    assert dialog.source.text() == str(other)
    assert names(dialog) == ["Zip", "Age", "Nationality", "Disease"]
    assert dialog.side.form.value().delimiter == ","


def test_a_file_dropped_on_the_dialog_is_read_instead(opened: Callable[..., ImportTableDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a;b\n1;2\n"))
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(resource_path("samples", "lecture.csv")))])
    at = dialog.source.mapTo(dialog, dialog.source.rect().center())
    how = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(dialog.windowHandle(), QDragEnterEvent(at, *how))
    QApplication.sendEvent(dialog.windowHandle(), QDropEvent(QPointF(at), *how))
    assert names(dialog) == ["Zip", "Age", "Nationality", "Disease"]


def test_the_preview_model_keeps_qts_rules(
    opened: Callable[..., ImportTableDialog], qtmodeltester: ModelTester
) -> None:
    dialog = opened(resource_path("samples", "lecture.csv"))
    qtmodeltester.check(dialog.model, force_py=True)


def test_another_name_says_how_to_look_into_it(opened: Callable[..., ImportTableDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,b\n1,2\n"))
    (tmp_path / "other.csv").write_text("c;d\n1;2\n")
    dialog.source.setText(str(tmp_path / "other.csv"))
    assert not dialog.open_button.isEnabled()
    assert dialog.note.label.text() == "Press Return to look into it."
    dialog.connect_button.click()
    assert dialog.open_button.isEnabled()
    assert "read without repairs" in dialog.note.label.text()
