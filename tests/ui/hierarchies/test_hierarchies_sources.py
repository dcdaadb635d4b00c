"""Hierarchies from and to files, folders and the library, and built by rules with a preview."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS
from anonymizer_gui.engine.hierarchy.files import read_hierarchy, write_hierarchy
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.storage.sources import Source
from anonymizer_gui.ui.hierarchies import sources as hierarchy_files
from anonymizer_gui.ui.hierarchies.builder_dialog import BuilderDialog
from anonymizer_gui.ui.hierarchies.library import HierarchyLibrary, LibraryDialog, SaveDialog
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.hierarchies.sources import FolderImportDialog
from anonymizer_gui.workspace.document import Document
from tests.ui.hierarchies.hierarchy_documents import LANDS, load

LEFT = Qt.MouseButton.LeftButton
ZIPS = ["13053", "13055", "13068", "13069", "14850", "14853", "14771", "14772", "15001", "15002"]


@pytest.fixture
def page(qtbot: QtBot, document: Document, tmp_path: Path) -> HierarchiesPage:
    load(document, {"land": ["Italy", "Spain"] * 5, "zip": ZIPS, "sex": ["f", "m"] * 5}, {})
    made = HierarchiesPage(document)
    made.sources.library = HierarchyLibrary(tmp_path / "library")
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    return made


def hierarchies(page: HierarchiesPage) -> dict[str, Hierarchy]:
    return dict(page.document.project.hierarchies)


def messages(page: HierarchiesPage) -> list[str]:
    return [message.text for message in page.document.messages.open]


def test_a_file_is_imported_for_the_column_as_one_step(
    page: HierarchiesPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lands.csv"
    write_hierarchy(LANDS, path)
    monkeypatch.setattr(hierarchy_files, "ask_hierarchy_file", lambda parent, then: then(path))
    page.tools.wanted.emit("import_file")
    assert hierarchies(page) == {"land": LANDS}
    assert page.document.undo_stack.undoText() == "Import lands.csv for land"


def test_a_file_that_is_no_tree_is_refused_with_its_line(page: HierarchiesPage, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("Italy;Europe;*\nItaly;Asia;*\n")
    page.sources.import_file("land", path)
    assert hierarchies(page) == {}
    assert messages(page)[0].lower().count("line 2") == 1


def folder_of(tmp_path: Path) -> Path:
    folder = tmp_path / "trees"
    folder.mkdir()
    write_hierarchy(LANDS, folder / "land.csv")
    (folder / "zip.csv").write_text("13053;130**;*\n13068;130**;*\n")
    (folder / "sex.csv").write_text("f;x;*\nf;y;*\n")
    (folder / "shoe.csv").write_text("a;*\nb;*\n")
    return folder


def test_a_folder_shows_what_matched_before_anything_is_taken_over(page: HierarchiesPage, tmp_path: Path) -> None:
    page.sources.import_folder(folder_of(tmp_path))
    dialog = page.findChild(FolderImportDialog)
    rows = [[dialog.table.item(row, column).text() for column in range(3)] for row in range(3)]
    assert rows == [
        ["land", "land.csv", "fits"],
        ["zip", "zip.csv", "does not fit"],
        ["sex", "sex.csv", "refused"],
    ]
    assert dialog.unused.text() == "Files of no column: shoe.csv"
    assert hierarchies(page) == {}
    dialog.reject()


def test_the_ticked_hierarchies_of_a_folder_are_imported_in_one_step(page: HierarchiesPage, tmp_path: Path) -> None:
    page.sources.import_folder(folder_of(tmp_path))
    dialog = page.findChild(FolderImportDialog)
    dialog.table.item(1, 0).setCheckState(Qt.CheckState.Unchecked)
    assert dialog.buttons.button(dialog.buttons.StandardButton.Ok).text() == "Import 1"
    dialog.buttons.accepted.emit()
    assert set(hierarchies(page)) == {"land"}
    page.document.undo_stack.undo()
    assert hierarchies(page) == {}


def test_a_file_in_which_labels_stand_twice_is_imported_repaired_when_asked(
    page: HierarchiesPage, tmp_path: Path
) -> None:
    path = tmp_path / "lands.csv"
    path.write_text("Italy;Europe;*\nItaly;Asia;*\nSpain;Asia;*\n")
    page.sources.import_file("land", path)
    (message,) = page.document.messages.open
    assert message.details == "“Italy” stands in lines 1, 2 (5 rows)."
    ((title, repair),) = message.actions
    assert (title, hierarchies(page)) == ("Import Repaired", {})
    repair()
    assert hierarchies(page)["land"].leaf_labels == ("Italy", "Spain")
    assert page.document.undo_stack.undoText() == "Import lands.csv for land, repaired"
    assert page.document.messages.open == ()


def test_a_file_that_cannot_be_repaired_offers_nothing(page: HierarchiesPage, tmp_path: Path) -> None:
    path = tmp_path / "lands.csv"
    path.write_text("Italy;Europe;*\nSpain;;*\nPeru;Asia;*\n")
    page.sources.import_file("land", path)
    (message,) = page.document.messages.open
    assert (message.hint, message.actions) == ("Fill the gap.", ())


def test_a_file_of_a_folder_in_which_labels_stand_twice_waits_for_its_tick(
    page: HierarchiesPage, tmp_path: Path
) -> None:
    page.sources.import_folder(folder_of(tmp_path))
    dialog = page.findChild(FolderImportDialog)
    assert dialog.ticked() == ["land", "zip"]
    assert dialog.table.item(2, 3).text().endswith("Tick it to import it repaired.")
    dialog.table.item(2, 0).setCheckState(Qt.CheckState.Checked)
    dialog.buttons.accepted.emit()
    assert hierarchies(page)["sex"].leaf_labels == ("f",)


def test_a_folder_that_cannot_be_read_is_said_in_the_message_bar(page: HierarchiesPage, tmp_path: Path) -> None:
    page.sources.import_folder(tmp_path / "gone")
    assert "gone" in messages(page)[0]


def test_a_hierarchy_is_exported_in_the_format_asked_for(
    page: HierarchiesPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.document.edit("set", hierarchies={"land": LANDS})
    path = tmp_path / "out.txt"
    monkeypatch.setattr(hierarchy_files, "ask_hierarchy_target", lambda parent, name, then: then(path, "tab-tree"))
    page.sources.perform("export_file", "land")
    assert path.read_text().startswith("*\n\tEurope\n")
    assert len(messages(page)) == 1


def test_all_hierarchies_are_exported_into_a_folder(page: HierarchiesPage, tmp_path: Path) -> None:
    flat = Hierarchy.from_nested({"*": ["f", "m"]})
    page.document.edit("set", hierarchies={"land": LANDS, "sex": flat})
    page.sources.export_folder(tmp_path / "out")
    assert read_hierarchy(tmp_path / "out" / "land.csv") == LANDS
    assert read_hierarchy(tmp_path / "out" / "sex.csv") == flat


def test_hierarchies_in_the_folder_of_the_table_do_not_overwrite_it(page: HierarchiesPage, tmp_path: Path) -> None:
    table = tmp_path / "sex.csv"
    table.write_text("the table itself", encoding="utf-8")
    flat = Hierarchy.from_nested({"*": ["f", "m"]})
    page.document.edit("set", hierarchies={"land": LANDS, "sex": flat}, source=Source(str(table)))
    page.sources.export_folder(tmp_path)
    assert table.read_text(encoding="utf-8") == "the table itself"
    assert not (tmp_path / "land.csv").exists()
    assert "would be overwritten" in messages(page)[-1]


def test_the_file_dialog_for_export_offers_every_format(qtbot: QtBot, page: HierarchiesPage) -> None:
    hierarchy_files.ask_hierarchy_target(page, "land", lambda path, name: None)
    dialog = page.findChild(QFileDialog)
    assert any(title.startswith("Level table") for title in dialog.nameFilters())
    assert any(title.startswith("JSON") for title in dialog.nameFilters())
    dialog.reject()


def test_a_saved_hierarchy_is_used_for_another_column(page: HierarchiesPage) -> None:
    page.document.edit("set", hierarchies={"land": LANDS})
    page.sources.perform("library_save", "land")
    save = page.findChild(SaveDialog)
    save.field.setText("Lands of the world / 2024")
    save.buttons.accepted.emit()
    page.document.edit("drop", hierarchies={})
    page.sources.perform("library_open", "land")
    dialog = page.findChild(LibraryDialog)
    assert dialog.list.currentItem().text() == "Lands of the world / 2024"
    assert dialog.words.text() == "depth 3, 5 leaves. Every value of “land” has a place."
    dialog.use.click()
    assert hierarchies(page) == {"land": LANDS}


def test_the_library_says_how_badly_a_hierarchy_fits_and_forgets_it(page: HierarchiesPage) -> None:
    page.sources.library.save("lands", LANDS)
    page.sources.perform("library_open", "zip")
    dialog = page.findChild(LibraryDialog)
    assert "Values of “zip” without a place: 10" in dialog.words.text()
    dialog.remove.click()
    assert page.sources.library.names() == []
    assert not dialog.use.isEnabled()
    dialog.reject()


def test_saving_under_a_name_that_is_taken_says_so(page: HierarchiesPage) -> None:
    page.sources.library.save("land", LANDS)
    page.document.edit("set", hierarchies={"land": LANDS})
    page.sources.perform("library_save", "land")
    dialog = page.findChild(SaveDialog)
    assert dialog.words.text() == "This replaces the one saved under that name."
    dialog.reject()


def builder_for(page: HierarchiesPage, column: str) -> BuilderDialog:
    page.choose(column)
    page.tools.wanted.emit("build")
    return page.findChild(BuilderDialog)


def levels(dialog: BuilderDialog, row: int = 0) -> list[str]:
    model = dialog.preview.level_model
    return [model.index(row, level).data() for level in range(model.columnCount())]


def test_the_builder_opens_with_the_proposal_and_its_levels(page: HierarchiesPage) -> None:
    dialog = builder_for(page, "zip")
    assert dialog.rule.name == "mask"
    assert levels(dialog)[:3] == ["13053", "1305*", "130**"]
    assert dialog.words.text().startswith("depth 4, 10 leaves; classes from level to level: 10 → 5 → 4 → 3 → 1")
    dialog.reject()


def test_the_preview_follows_the_parameters(qtbot: QtBot, page: HierarchiesPage) -> None:
    dialog = builder_for(page, "zip")
    field = dialog.form("mask").fields["step"].widget
    field.clear()
    qtbot.keyClicks(field, "2")
    qtbot.waitUntil(lambda: levels(dialog)[1] == "130**")
    dialog.reject()


def test_a_wrong_parameter_is_said_and_cannot_be_accepted(qtbot: QtBot, page: HierarchiesPage) -> None:
    dialog = builder_for(page, "zip")
    field = dialog.form("mask").fields["step"].widget
    field.clear()
    qtbot.keyClicks(field, "0")
    assert "Characters per level" in dialog.words.text()
    assert not dialog.buttons.button(dialog.buttons.StandardButton.Ok).isEnabled()
    dialog.reject()


def test_what_was_built_becomes_the_hierarchy_in_one_step(page: HierarchiesPage) -> None:
    dialog = builder_for(page, "zip")
    dialog.choose("flat")
    dialog.buttons.accepted.emit()
    assert hierarchies(page)["zip"].height == 1
    page.document.undo_stack.undo()
    assert hierarchies(page) == {}


@pytest.mark.parametrize("name", [kind.name for kind in BUILDERS if kind.name != "automatic"])
def test_every_rule_shows_levels_or_says_why_not(page: HierarchiesPage, name: str) -> None:
    dialog = builder_for(page, "land")
    dialog.choose(name)
    assert dialog.rule.name == name
    assert dialog.words.text()
    dialog.reject()


def test_a_file_dropped_on_the_page_is_imported_for_its_column(page: HierarchiesPage, tmp_path: Path) -> None:
    path = tmp_path / "lands.json"
    write_hierarchy(LANDS, path)
    assert page.words_for_file(path) == "Drop to take “lands.json” as the hierarchy of land"
    page.take_file(path)
    assert hierarchies(page) == {"land": LANDS}
