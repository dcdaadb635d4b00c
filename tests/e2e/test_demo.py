"""The tour: every stop on screen, and the same walk as pictures from a process of its own."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDockWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.room import FIRST_ROOM
from anonymizer_gui.ui.app import Session
from anonymizer_gui.ui.tour.panel import TourPanel
from anonymizer_gui.ui.tour.steps import steps
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.messages import Tone
from anonymizer_gui.workspace.settings import Settings


@pytest.fixture
def session(qtbot: QtBot, qapp: object, tmp_path: Path) -> Iterator[Session]:
    """A window whose jobs run at once."""
    made = Session(qapp, Settings(tmp_path / "settings.json"), Document(inline_jobs=True))  # type: ignore[arg-type]
    made.window.load_pages()
    qtbot.addWidget(made.window)
    made.window.show()
    yield made
    made.document.undo_stack.setClean()
    made.window.close()
    made.document.close()


def walk(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "anonymizer_gui", "demo", *options], capture_output=True, text=True, check=False
    )


def test_the_tour_leads_from_the_welcome_page_to_the_release(session: Session, qtbot: QtBot) -> None:
    panel = TourPanel(session.window)
    panel.begin()
    seen = []
    for _ in steps():
        seen.append(session.window.pages.current_name)
        assert not [message for message in session.document.messages.open if message.tone is Tone.ERROR]
        qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
        if session.window.pages.current_name == "release" and session.document.room == FIRST_ROOM:
            assert len(session.document.releases) > 4
            assert session.document.selected is not None
            assert session.document.selected.measured.k >= 5
    assert seen[:11] == [
        "welcome", "data", "hierarchies", "protect", "protect",
        "compare", "compare", "compare", "risk", "utility", "release",
    ]  # fmt: skip
    assert seen[11:], "the other rooms have chapters, too"
    assert session.window.findChild(TourPanel) is None or not panel.isVisible()
    assert not session.document.is_dirty


def test_the_tour_goes_back_points_at_things_plays_and_ends_cleanly(session: Session, qtbot: QtBot) -> None:
    panel = TourPanel(session.window)
    panel.begin()
    assert not panel.back_button.isEnabled()
    qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
    assert panel.frame.isVisible()
    qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
    assert session.window.pages.current_name == "hierarchies"
    qtbot.mouseClick(panel.back_button, Qt.MouseButton.LeftButton)
    assert session.window.pages.current_name == "data"
    assert "(2 of" in panel.sentence.text()
    qtbot.mouseClick(panel.play_button, Qt.MouseButton.LeftButton)
    assert panel.play_button.text() == "Pause"
    qtbot.mouseClick(panel.end_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.window.findChild(QDockWidget, "tour") is None)
    assert session.document.is_empty
    assert not session.document.is_dirty


@pytest.mark.parametrize(("size", "theme"), [("1024x700", "dark")])
def test_the_walk_is_written_as_numbered_pictures_without_a_display(tmp_path: Path, size: str, theme: str) -> None:
    done = walk("--screenshots", str(tmp_path), "--size", size, "--theme", theme, "--language", "de")
    assert done.returncode == 0, done.stderr
    pictures = sorted(tmp_path.glob("*.png"))
    assert [path.stem for path in pictures] == [f"{i:02d}_{step.name}" for i, step in enumerate(steps(), start=1)]
    for path in pictures:
        image = QImage(str(path))
        assert (image.width(), image.height()) == (1024, 700)
        assert image.pixelColor(3, 697).lightness() < 90
    index = (tmp_path / "index.md").read_text(encoding="utf-8")
    assert index.count("![") == len(pictures)


def test_a_folder_that_cannot_be_written_to_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = walk("--screenshots", str(tmp_path / "file" / "below"))
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_size_is_told_with_an_example() -> None:
    done = walk("--screenshots", "nowhere", "--size", "large")
    assert done.returncode == 2
    assert "1280x800" in done.stderr
