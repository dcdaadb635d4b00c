"""After an upgrade the changelog is offered once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from anonymizer_gui import __version__
from anonymizer_gui.ui.app import Session
from anonymizer_gui.ui.dialogs.help_window import HelpWindow
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.json")


@pytest.fixture
def session(qtbot: QtBot, qapp: QApplication, settings: Settings) -> Iterator[Session]:
    """A program of the present version whose settings may be those of an older one."""
    made = Session(qapp, settings, Document(inline_jobs=True))
    qtbot.addWidget(made.window)
    yield made
    made.window.close()
    made.document.close()


def started(session: Session, qtbot: QtBot) -> list[str]:
    session.start([])
    qtbot.waitUntil(lambda: len(session.window.rail.names()) > 1)
    return [message.key for message in session.document.messages.open]


def test_the_changelog_is_offered_after_an_upgrade(session: Session, settings: Settings, qtbot: QtBot) -> None:
    settings.change(seen_version="0.0.1")
    assert started(session, qtbot) == ["news"]
    assert settings.preferences.seen_version == __version__
    session.document.messages.open[0].actions[0][1]()
    shown = session.window.findChild(HelpWindow)
    assert shown is not None
    assert "Changelog" in shown.page.toPlainText()
    shown.close()


@pytest.mark.parametrize("seen", ["", __version__])
def test_nothing_is_said_on_the_first_start_or_the_next(
    session: Session, settings: Settings, qtbot: QtBot, seen: str
) -> None:
    settings.change(seen_version=seen)
    assert started(session, qtbot) == []
    assert settings.preferences.seen_version == __version__
