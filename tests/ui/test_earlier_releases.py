"""Releases kept with the project: asked about before they are lost, shown after reopening, made again on demand."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.release.release_history import ReleaseHistoryDialog
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.recovery import Recovery, recoverable_projects


@pytest.fixture
def saved(lecture_document: Document, tmp_path: Path) -> Path:
    """Give a project file that keeps two releases."""
    lecture_document.run(name="first")
    lecture_document.run(name="second")
    lecture_document.save(tmp_path / "study.anon")
    return tmp_path / "study.anon"


def dialog_of(qtbot: QtBot, document: Document) -> ReleaseHistoryDialog:
    dialog = ReleaseHistoryDialog(document)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_a_run_that_is_not_saved_is_a_change(lecture_document: Document, tmp_path: Path) -> None:
    assert not lecture_document.is_dirty
    lecture_document.run()
    assert lecture_document.is_dirty
    lecture_document.save(tmp_path / "p.anon")
    assert not lecture_document.is_dirty
    assert lecture_document.is_decided_as_saved
    lecture_document.finished.rename(lecture_document.releases[0], "better")
    assert lecture_document.is_dirty
    assert lecture_document.is_decided_as_saved


def test_leaving_a_run_behind_asks_first(
    qtbot: QtBot, lecture_document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    window = make_window(lecture_document)
    lecture_document.run()
    window.files.new()
    box = window.findChild(QMessageBox, "unsaved_changes")
    assert isinstance(box, QMessageBox)
    box.reject()
    assert len(lecture_document.releases) == 1


def test_what_is_kept_is_told_and_made_again(
    qtbot: QtBot, saved: Path, document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    window = make_window(document)
    document.open_project(saved)
    assert document.releases == ()
    (told,) = (message for message in document.messages.open if "keeps 2 releases" in message.text)
    told.actions[0][1]()
    dialog = window.findChild(ReleaseHistoryDialog)
    assert isinstance(dialog, ReleaseHistoryDialog)
    assert [dialog.list.item(row, 0).text() for row in range(2)] == ["first", "second"]
    assert "12 rows, k = 4, loss " in dialog.list.item(1, 2).text()
    qtbot.mouseClick(dialog.again, Qt.MouseButton.LeftButton)
    assert [release.name for release in document.releases] == ["second"]
    assert [kept.name for kept in document.finished.earlier] == ["first"]
    assert not [message for message in document.messages.open if "different" in message.text]
    assert not document.is_dirty
    dialog.reject()


def test_what_is_forgotten_is_gone_after_saving(qtbot: QtBot, saved: Path, document: Document) -> None:
    document.open_project(saved)
    dialog = dialog_of(qtbot, document)
    qtbot.mouseClick(dialog.forget, Qt.MouseButton.LeftButton)
    assert document.is_dirty
    document.save(saved)
    document.open_project(saved)
    assert [kept.name for kept in document.finished.earlier] == ["first"]


def test_a_release_that_comes_out_different_is_told(
    qtbot: QtBot, saved: Path, document: Document, tmp_path: Path
) -> None:
    lines = resource_path("samples", "lecture.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "longer.csv").write_text("".join([*lines, *lines[1:]]), encoding="utf-8")
    document.open_project(saved)
    document.join_table(tmp_path / "longer.csv")
    assert len(document.finished.earlier) == 2
    document.finished.make_again(document.finished.earlier[0])
    assert [message for message in document.messages.open if "came out different" in message.text]


def test_releases_survive_a_crash(qtbot: QtBot, tmp_path: Path) -> None:
    recovery, left = Recovery(tmp_path / "recovery"), tmp_path / "left"
    document = Document(inline_jobs=True, recovery=recovery)
    document.open_project(resource_path("samples", "lecture.anon"), as_copy=True)
    document.run(name="not lost")
    recovery.flush()
    left.mkdir()
    for file in (tmp_path / "recovery").glob("*.json"):  # as a killed program leaves them: locked by nobody
        shutil.copy(file, left)
    document.close()
    (lost,) = recoverable_projects(left)
    restored = Document(inline_jobs=True)
    restored.recover(lost)
    assert [kept.name for kept in restored.finished.earlier] == ["not lost"]
    assert restored.is_dirty
    restored.close()


def test_every_page_of_a_release_names_it_and_lets_one_choose(qtbot: QtBot, lecture_document: Document) -> None:
    for name in ("first", "second"):
        lecture_document.run(name=name)
    page = RiskPage(lecture_document)
    qtbot.addWidget(page)
    page.show()
    box = page.chooser.box
    assert [box.itemText(place) for place in range(box.count())] == ["first", "second"]
    assert box.currentText() == "second"
    box.setCurrentIndex(0)
    box.activated.emit(0)
    assert lecture_document.selected.name == "first"
    assert box.currentText() == "first"
    lecture_document.edit("x", suppression=0.5)
    assert "settings changed" in page.chooser.words.text()
