"""The whole program: language, theme, errors nobody caught, and what a crash left behind."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.ui import i18n, theme
from anonymizer_gui.ui.app import Session
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.recovery import Recovery, default_folder
from anonymizer_gui.workspace.settings import Settings


@pytest.fixture
def started(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Callable[[], Session]]:
    """Give a function that starts a whole program whose jobs run at once."""
    made: Session | None = None

    def start() -> Session:
        nonlocal made
        made = Session(qapp, Settings(), Document(inline_jobs=True, recovery=Recovery(tmp_path / "recovery")))
        made.start([])
        qtbot.waitUntil(lambda: "protect" in made.window.pages.names())
        return made

    yield start
    assert made is not None
    made.logbook.close()
    made.document.undo_stack.setClean()
    made.window.close()
    made.window.deleteLater()
    i18n.install_language(qapp, "en")
    theme.apply(qapp, "light")
    made.deleteLater()


@pytest.fixture
def session(started: Callable[[], Session]) -> Session:
    """Give a whole program as it is after its start."""
    return started()


def leave_behind(project: Project, path: Path | None) -> None:
    """Leave what a killed program leaves: a file that is locked by nobody."""
    recovery = Recovery(default_folder())
    recovery.note(project, path)
    recovery.flush()
    (file,) = default_folder().glob("*.json")
    shutil.copy(file, file.with_name("killed.json"))
    recovery.clear()


def test_another_language_changes_every_text_at_once(qtbot: QtBot, session: Session) -> None:
    session.document.edit("Name it", name="x")
    session.settings.change(language="de")
    qtbot.waitUntil(lambda: session.window.menuBar().actions()[0].text().replace("&", "") == "Datei")
    assert session.window.rail.item(1).text() == "Daten"
    assert session.document.project.name == "x"
    assert session.window.commands.qt["edit.undo"].isEnabled()


def test_keys_ledger_and_reason_stay_when_the_language_changes(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    session.document.open_project(resource_path("samples", "lecture.anon"), as_copy=True)
    session.document.run()
    page = session.window.show_page("release")
    assert isinstance(page, ReleasePage)
    page.safeguards.new_key(str(tmp_path / "key"))
    page.safeguards.set_ledger_file(str(tmp_path / "ledger.sqlite"))
    page.safeguards.new_signing_key(str(tmp_path / "sign.pem"))
    page.reason.setText("The board agreed.")
    session.settings.change(language="de")
    qtbot.waitUntil(lambda: session.window.menuBar().actions()[0].text().replace("&", "") == "Datei")
    again = session.window.show_page("release")
    assert isinstance(again, ReleasePage)
    assert again is not page
    assert again.reason.text() == "The board agreed."
    labels = (again.safeguards.key_label, again.safeguards.ledger_label, again.safeguards.signing_label)
    assert [Path(label.toolTip()).name for label in labels] == ["key", "ledger.sqlite", "sign.pem"]


def test_another_theme_changes_the_palette(qapp: QApplication, session: Session) -> None:
    session.settings.change(theme="dark")
    assert theme.is_dark()
    session.settings.change(theme="light")
    assert not theme.is_dark()


def test_an_error_nobody_caught_becomes_a_message(session: Session) -> None:
    try:
        raise KeyError("Colin Keane")
    except KeyError:
        session.on_error(*sys.exc_info())
    strip = session.window.message_bar.strips()[0]
    assert "went wrong" in strip.text.text()
    assert "KeyError" in strip.details.toPlainText()
    assert "Colin" not in strip.details.toPlainText()


def test_what_a_crash_left_behind_is_offered_and_taken_up(
    qtbot: QtBot, started: Callable[[], Session], tmp_path: Path
) -> None:
    leave_behind(Project(name="Nearly lost"), tmp_path / "study.anon")
    session = started()
    strip = session.window.message_bar.strips()[0]
    assert "Restore the unsaved changes of “study.anon”" in strip.text.text()
    button = next(b for b in strip.findChildren(QPushButton) if b.text() == "Restore")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert session.document.project.name == "Nearly lost"
    assert session.document.path == tmp_path / "study.anon"
    assert session.window.isWindowModified()


def test_what_was_never_saved_is_offered_by_its_own_name(started: Callable[[], Session]) -> None:
    leave_behind(Project(name="patients"), None)
    session = started()
    assert "“patients”" in session.window.message_bar.strips()[0].text.text()
