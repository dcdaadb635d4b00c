"""Recipes: settings saved without the data and applied to another table."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.ui.dialogs import file_dialogs
from anonymizer_gui.ui.hierarchies.sources import propose_hierarchies
from anonymizer_gui.ui.rooms.microdata.recipes import ApplyRecipeDialog, PublicValuesDialog, apply_recipe, read_recipe
from anonymizer_gui.ui.shell.main_window import MainWindow
from tests.engine.rooms.microdata.making import hospital_project, hospital_rows, hospital_table

OTHER = ("NAME", "Age", "zip code", "disease", "ward")


def other_table() -> tuple[Table, Project]:
    schema = Schema(tuple(ColumnSchema(name) for name in OTHER))
    return Table.from_rows(OTHER, hospital_rows()), Project(schema=schema)


def test_a_recipe_is_saved_without_the_data_and_applied_with_matched_columns(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "recipe.anon"
    monkeypatch.setattr(file_dialogs, "ask_save", lambda _parent, _suggestion, then: then(path))
    monkeypatch.setattr(file_dialogs, "ask_recipe", lambda _parent, _folder, then: then(path))
    window.document.set_table(hospital_table(), hospital_project())
    window.commands.qt["file.save_recipe"].trigger()
    public = window.findChild(PublicValuesDialog)
    assert public is not None
    assert public.ticked() == []
    public.boxes["age"].setChecked(True)
    public.accept()
    text = path.read_text(encoding="utf-8")
    assert '"sources": {}' in text
    assert '"21"' in text
    assert "13051" not in text
    assert "all values of age" in window.document.messages.open[-1].hint
    assert "left out: zip" in window.document.messages.open[-1].hint
    window.document.set_table(*other_table())
    window.commands.qt["file.apply_recipe"].trigger()
    dialog = window.findChild(ApplyRecipeDialog)
    assert dialog is not None
    assert dialog.columns() == {"name": "NAME", "age": "Age", "zip": "", "disease": "disease", "ward": "ward"}
    assert "1 column of" in dialog.note.label.text()
    dialog.boxes["zip"].setCurrentText("zip code")
    assert not dialog.note.isVisible()
    dialog.accept()
    assert window.document.project.schema.names(Role.QI) == ("Age", "zip code")
    assert set(window.document.project.hierarchies) == {"Age"}
    assert window.document.undo_stack.undoText() == "Apply the recipe recipe"
    window.document.undo_stack.undo()
    assert window.document.project.schema.names(Role.QI) == ()


def test_a_recipe_of_rules_is_saved_unasked_and_makes_hierarchies_of_the_other_table(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "recipe.anon"
    monkeypatch.setattr(file_dialogs, "ask_save", lambda _parent, _suggestion, then: then(path))
    trees = propose_hierarchies(hospital_table().columns, hospital_project().schema, SILENT)
    window.document.set_table(hospital_table(), hospital_project(hierarchies=trees))
    window.commands.qt["file.save_recipe"].trigger()
    assert "13051" not in path.read_text(encoding="utf-8")
    assert "no value of the table" in window.document.messages.open[-1].hint
    window.document.set_table(*other_table())
    recipe = read_recipe(window.document, path)
    assert recipe is not None
    apply_recipe(window.document, recipe, {"age": "Age", "zip": "zip code"}, "Apply")
    qtbot.waitUntil(lambda: set(window.document.project.hierarchies) == {"Age", "zip code"})
    assert window.document.project.hierarchies["zip code"] == trees["zip"]
    assert window.document.project.rules == {}


def test_one_column_cannot_take_two_of_the_recipe(qtbot: QtBot) -> None:
    dialog = ApplyRecipeDialog(hospital_project(), other_table()[1].schema)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.boxes["zip"].setCurrentText("Age")
    assert "same column" in dialog.note.label.text()
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def test_a_file_that_is_no_recipe_is_told(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "x.anon").write_text("nothing")
    assert read_recipe(window.document, tmp_path / "x.anon") is None
    assert "cannot be opened" in window.document.messages.open[-1].text
    save_project(room_of("statistics").project(), tmp_path / "y.anon")
    assert read_recipe(window.document, tmp_path / "y.anon") is None
    assert "about a table of people" in window.document.messages.open[-1].text
