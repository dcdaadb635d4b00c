"""Folders of records, one object in each file: dropped, or asked for where a file has others beside it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox, QPushButton

from anonymizer_gui.ui.room_view import view_of
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.shell.open_save import likely_rooms
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "records"
    made.mkdir()
    for number in range(3):
        (made / f"r{number}.json").write_text(f'{{"age": {30 + number}, "city": "Kiel"}}', encoding="utf-8")
    return made


@pytest.mark.parametrize(("button", "records"), [("all_files", 3), ("only_this_file", 1)])
def test_a_file_with_others_beside_it_may_stand_for_all(
    button: str, records: int, folder: Path, document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    window = make_window(document)
    view_of("trees").open_source(window, str(folder / "r1.json"))
    box = window.findChild(QMessageBox, "folder_question")
    assert box is not None
    assert "3 files" in box.text()
    pressed = box.findChild(QPushButton, button)
    assert pressed is not None
    pressed.click()
    assert len(document.files["table"]) == records


def test_a_folder_opens_in_the_room_of_trees_without_a_question(
    folder: Path, document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    window = make_window(document)
    window.files.open_path(folder)
    assert document.room == "trees"
    assert len(document.files["table"]) == 3
    assert window.findChild(QMessageBox, "folder_question") is None


def test_a_folder_of_something_else_is_no_folder_of_records(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    assert [view.name for view in likely_rooms(str(tmp_path))] == ["microdata"]
