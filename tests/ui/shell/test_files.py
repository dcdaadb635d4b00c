"""Opening, saving, dropping, closing, and coming back as it was."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLineEdit, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.dialogs import file_dialogs
from anonymizer_gui.ui.dialogs.file_dialogs import UnsavedChoice
from anonymizer_gui.ui.hierarchies.sources import FolderImportDialog
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document

ON_THE_PAGE = QPoint(300, 300)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> list[UnsavedChoice]:
    """Answer the question about unsaved changes with what is put into the list."""
    answers: list[UnsavedChoice] = []
    monkeypatch.setattr(file_dialogs, "ask_unsaved", lambda _parent, _name, then, _running="": then(answers.pop(0)))
    return answers


def test_the_title_shows_the_name_and_whether_it_is_saved(window: MainWindow, tmp_path: Path) -> None:
    assert window.windowTitle() == "Untitled[*] – Anonymizer"
    window.document.edit("Name it", name="x")
    assert window.isWindowModified()
    window.document.save(tmp_path / "study.anon")
    assert window.windowTitle() == "study[*] – Anonymizer"
    assert not window.isWindowModified()


def test_a_table_without_a_project_file_gives_its_name_to_the_title(qtbot: QtBot, window: MainWindow) -> None:
    window.document.open_table(str(resource_path("samples", "lecture.csv")))
    qtbot.waitUntil(lambda: window.windowTitle() == "lecture[*] – Anonymizer")


def test_closing_with_changes_asks_and_discard_closes(
    qtbot: QtBot, window: MainWindow, patient: list[UnsavedChoice]
) -> None:
    window.document.edit("Name it", name="x")
    patient.append(UnsavedChoice.DISCARD)
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())


def test_closing_with_changes_asks_and_cancel_stays(
    qtbot: QtBot, window: MainWindow, patient: list[UnsavedChoice]
) -> None:
    window.document.edit("Name it", name="x")
    patient.append(UnsavedChoice.CANCEL)
    window.close()
    QApplication.processEvents()
    assert window.isVisible()
    window.document.undo_stack.setClean()


def test_closing_while_something_runs_asks_and_stops_it(
    qtbot: QtBot, make_window: Callable[[Document], MainWindow]
) -> None:
    document = Document()
    window = make_window(document)
    pause = threading.Event()

    def work(progress: Progress) -> None:
        while True:
            progress(0.5)
            pause.wait(0.01)

    job = document.jobs.start("Protect", work)
    window.close()
    box = window.findChild(QMessageBox, "still_working")
    assert box.text() == "“Protect” is still running."
    assert window.isVisible()
    qtbot.mouseClick(box.defaultButton(), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert job.is_cancelled


def test_closing_without_changes_asks_nothing(window: MainWindow, patient: list[UnsavedChoice]) -> None:
    assert window.close()
    assert patient == []


def test_save_in_the_question_saves_then_goes_on(
    qtbot: QtBot, window: MainWindow, patient: list[UnsavedChoice], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_dialogs, "ask_save", lambda _parent, _suggestion, then: then(tmp_path / "p.anon"))
    window.document.edit("Name it", name="x")
    patient.append(UnsavedChoice.SAVE)
    window.close()
    assert (tmp_path / "p.anon").exists()
    qtbot.waitUntil(lambda: not window.isVisible())


def test_the_first_save_tells_once_that_hierarchies_are_in_the_file(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_dialogs, "ask_save", lambda _parent, _suggestion, then: then(tmp_path / "p.anon"))
    schema = Schema((ColumnSchema("zip", role=Role.QI),))
    told = []
    for hierarchies in ({}, {"zip": Hierarchy.from_nested({"*": ["13053"]})}):
        window.document.new()
        window.document.edit("Decide", schema=schema, hierarchies=hierarchies)
        window.files.save()
        told.append([message.hint for message in window.document.messages.open])
        window.document.messages.clear_all()
    window.files.save()
    assert told == [[], ["Keep it as safe as the table."]]
    assert window.document.messages.open == ()


def test_saving_tells_which_hierarchies_are_not_in_the_file_until_they_are(window: MainWindow, tmp_path: Path) -> None:
    columns = (ColumnSchema("zip", role=Role.QI), ColumnSchema("town"))
    tree = Hierarchy.from_nested({"*": ["13053"]})
    window.document.edit("Decide", schema=Schema(columns), hierarchies={"zip": tree, "town": tree})
    assert window.document.save(tmp_path / "p.anon")
    told = []
    for role in (Role.EI, Role.QI):
        window.document.edit("Tag", schema=window.document.project.schema.with_roles({"town": role}))
        window.files.save()
        told.append([message.text for message in window.document.messages.open])
    assert told == [["The hierarchies of identifiers are not saved: town."], []]


def test_a_save_that_fails_keeps_the_window_open(
    window: MainWindow, patient: list[UnsavedChoice], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_dialogs, "ask_save", lambda _parent, _suggestion, then: then(tmp_path / "no" / "p.anon"))
    window.document.edit("Name it", name="x")
    patient.append(UnsavedChoice.SAVE)
    window.close()
    assert window.isVisible()
    assert "could not be written" in window.message_bar.strips()[0].text.text()
    window.document.undo_stack.setClean()


def test_the_question_about_changes_has_three_answers(qtbot: QtBot, window: MainWindow) -> None:
    answers: list[UnsavedChoice] = []
    for button in (
        QMessageBox.StandardButton.Save,
        QMessageBox.StandardButton.Discard,
        QMessageBox.StandardButton.Cancel,
    ):
        file_dialogs.ask_unsaved(window, "Study", answers.append)
        box = window.findChild(QMessageBox, "unsaved_changes")
        qtbot.mouseClick(box.button(button), Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: window.findChild(QMessageBox, "unsaved_changes") is None)
    assert answers == [UnsavedChoice.SAVE, UnsavedChoice.DISCARD, UnsavedChoice.CANCEL]


def test_a_saved_project_is_among_the_recent_ones_and_opens_from_there(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.document.edit("Name it", name="Study")
    window.document.save(tmp_path / "first.anon")
    window.files.save()
    window.document.new()
    window.settings.change(recent=(*window.settings.preferences.recent, str(tmp_path / "missing.anon")))
    window.recent.fill()
    entries = {action.text(): action for action in window.recent.actions()}
    assert entries["first.anon"].toolTip() == str((tmp_path / "first.anon").resolve())
    assert not entries["missing.anon"].isEnabled()
    entries["first.anon"].trigger()
    assert window.document.project.name == "Study"
    entries["Clear"].trigger()
    assert window.settings.preferences.recent == ()


def drop(window: MainWindow, *paths: Path, at: QPoint = ON_THE_PAGE) -> str:
    """Drag files over the window, as the desktop does, and let them go; give what the window said meanwhile."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    how = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    handle = window.windowHandle()
    QApplication.sendEvent(handle, QDragEnterEvent(at, *how))
    assert window.drops.hint.isVisible()
    words = window.drops.hint.words
    QApplication.sendEvent(handle, QDragMoveEvent(at, *how))
    QApplication.sendEvent(handle, QDropEvent(QPointF(at), *how))
    assert not window.drops.hint.isVisible()
    return words


def test_a_dropped_project_opens(window: MainWindow) -> None:
    assert drop(window, resource_path("samples", "lecture.anon")) == "Drop to open “lecture.anon”"
    assert window.document.project.name == "lecture"


def test_a_dropped_table_opens_the_import_dialog(qtbot: QtBot, window: MainWindow) -> None:
    drop(window, resource_path("samples", "lecture.csv"))
    window.findChild(QAbstractButton, "room_microdata").click()
    dialog = window.findChild(QDialog, "import_dialog")
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert window.document.table is not None
    assert window.pages.current_name == "data"
    assert [Path(name).name for name in window.settings.preferences.recent] == ["lecture.csv"]


def test_a_file_dropped_on_a_text_field_is_opened_not_typed(
    lecture_document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    window = make_window(lecture_document)
    page = window.show_page("data")
    field = page.findChild(QLineEdit, "find_text")
    at = field.mapTo(window, field.rect().center())
    assert drop(window, resource_path("samples", "hospital.csv"), at=at) == "Drop to open “hospital.csv”"
    assert field.text() == ""
    window.findChild(QAbstractButton, "room_microdata").click()
    assert window.findChild(QDialog, "import_dialog") is not None


def test_several_files_at_once_are_refused_with_a_sentence(window: MainWindow) -> None:
    words = drop(window, resource_path("samples", "lecture.csv"), resource_path("samples", "hospital.csv"))
    assert words == "Drop one file at a time, or a folder of hierarchies."
    assert [message.text for message in window.document.messages.open] == [words]
    assert window.findChild(QDialog, "import_dialog") is None


def test_a_folder_dropped_without_a_table_is_refused_with_a_sentence(window: MainWindow, tmp_path: Path) -> None:
    words = drop(window, tmp_path)
    assert words == f"“{tmp_path.name}” is a folder. Drop a file inside it."
    assert [message.text for message in window.document.messages.open] == [words]


def test_a_hierarchy_named_like_a_column_lands_there_from_any_page(
    lecture_document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    window = make_window(lecture_document)
    lecture_document.edit("take away", hierarchies={})
    window.show_page("data")
    words = drop(window, resource_path("samples", "lecture_hierarchies", "Age.csv"))
    assert words == "Drop to take “Age.csv” as the hierarchy of Age"
    assert window.pages.current_name == "hierarchies"
    assert list(lecture_document.project.hierarchies) == ["Age"]


def test_on_the_hierarchies_page_levels_go_to_the_column_and_a_table_is_opened(
    lecture_document: Document, make_window: Callable[[Document], MainWindow], tmp_path: Path
) -> None:
    window = make_window(lecture_document)
    page = window.show_page("hierarchies")
    page.choose("Age")
    levels = tmp_path / "years.csv"
    levels.write_text(resource_path("samples", "lecture_hierarchies", "Age.csv").read_text(encoding="utf-8"))
    assert drop(window, levels) == "Drop to take “years.csv” as the hierarchy of Age"
    assert drop(window, resource_path("samples", "hospital.csv")) == "Drop to open “hospital.csv”"


def test_a_folder_dropped_with_a_table_shows_the_hierarchies_in_it(
    lecture_document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    window = make_window(lecture_document)
    window.show_page("risk")
    words = drop(window, resource_path("samples", "lecture_hierarchies"))
    assert words == "Drop to look for hierarchies in “lecture_hierarchies”"
    assert window.pages.current_name == "hierarchies"
    assert window.findChild(FolderImportDialog) is not None


def test_dragging_a_file_away_again_leaves_everything_as_it_was(window: MainWindow) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(resource_path("samples", "lecture.anon")))])
    how = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window.windowHandle(), QDragEnterEvent(QPoint(300, 300), *how))
    QApplication.sendEvent(window.windowHandle(), QDragLeaveEvent())
    assert not window.drops.hint.isVisible()
    assert window.document.is_empty


def test_a_project_without_its_table_offers_to_locate_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("age,zip\n1,2\n")
    window.document.open_table(table)
    window.document.save(tmp_path / "p.anon")
    moved = table.rename(tmp_path / "moved.csv")
    window.files.open_path(tmp_path / "p.anon")
    monkeypatch.setattr(file_dialogs, "ask_open", lambda _parent, _folder, then, tables_only: then(moved))
    button = next(b for b in window.message_bar.findChildren(QPushButton) if b.text() == "Locate the Table…")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.document.table is not None
    assert window.message_bar.strips() == []


def test_a_project_that_is_open_elsewhere_is_warned_of(window: MainWindow, tmp_path: Path) -> None:
    other = Document(inline_jobs=True)
    other.edit("Name it", name="x")
    other.save(tmp_path / "p.anon")
    window.files.open_path(tmp_path / "p.anon")
    assert "open in another window" in window.message_bar.strips()[0].text.text()
    other.close()


def test_what_reading_repaired_is_told(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,a\n 1 ,2\n")
    window.document.open_table(tmp_path / "t.csv")
    strip = window.message_bar.strips()[0]
    assert "is called" in strip.text.text()
    assert "white space" in strip.details.toPlainText()


def test_size_and_panels_come_back_and_can_be_reset(
    qtbot: QtBot, document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    first = make_window(document)
    first.history.show()
    first.resize(785, 705)
    first.close()
    second = make_window(Document(inline_jobs=True))
    second.restore_layout()
    assert (second.width(), second.height()) == (785, 705)
    assert not second.history.isHidden()
    second.commands.qt["view.reset_layout"].trigger()
    assert second.history.isHidden()
    assert second.height() != 705
    second.close()


def test_the_last_page_returns_with_the_project(
    qtbot: QtBot, document: Document, make_window: Callable[[Document], MainWindow], tmp_path: Path
) -> None:
    document.open_project(resource_path("samples", "lecture.anon"), as_copy=True)
    document.save(tmp_path / "p.anon")
    first = make_window(document)
    first.show_page("hierarchies")
    first.close()
    second = make_window(Document(inline_jobs=True))
    second.files.open_path(tmp_path / "p.anon")
    assert second.pages.current_name == "hierarchies"
    second.close()
