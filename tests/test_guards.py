"""The guards of conftest catch what they are there for."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings, QStandardPaths, QTimer
from PySide6.QtWidgets import QDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.qt_guard import QtGuard
from tests.thread_guard import still_running


@pytest.fixture
def guard(qtbot: QtBot) -> Iterator[QtGuard]:
    with pytest.MonkeyPatch.context() as patch:
        yield QtGuard(patch)


def test_a_timer_that_still_runs_is_named_with_its_place(guard: QtGuard) -> None:
    timer = QTimer()
    timer.start(1000)
    leaks = guard.leaks()
    timer.stop()
    assert len(leaks) == 1
    assert "test_guards.py" in leaks[0]
    assert guard.leaks() == []


def test_a_window_that_is_still_there_is_named(guard: QtGuard) -> None:
    window = QWidget(objectName="forgotten")
    leaks = guard.leaks()
    window.deleteLater()
    assert leaks == ["window QWidget 'forgotten' ''"]
    assert guard.leaks() == []


def test_a_window_the_test_gives_to_qtbot_is_no_leak(qtbot: QtBot) -> None:
    qtbot.addWidget(QWidget())


def test_a_thread_that_still_runs_is_found() -> None:
    before = set(threading.enumerate())
    release = threading.Event()
    thread = threading.Thread(target=release.wait, name="forgotten")
    thread.start()
    found = still_running(before, patience=0.01)
    release.set()
    thread.join()
    assert found == [thread]
    assert still_running(before) == []


def test_a_dialog_cannot_wait_for_an_answer(qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    with pytest.raises(pytest.fail.Exception, match=r"QDialog\.exec"):
        dialog.exec()
    with pytest.raises(pytest.fail.Exception, match=r"QMessageBox\.question"):
        QMessageBox.question(dialog, "", "")


def test_settings_go_to_a_folder_of_the_test(qtbot: QtBot, own_settings: object) -> None:
    assert QSettings("anonymizer", "anonymizer").fileName().startswith(str(own_settings))
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
    assert place.startswith(str(own_settings))
