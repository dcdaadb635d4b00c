"""The tour: every stop on screen, and the same walk as pictures from a process of its own."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDockWidget, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui.app import Session
from anonymizer_gui.ui.release.verify_dialog import VerifyDialog
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.tour.panel import TourPanel, all_tour_steps
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.messages import Severity
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


def test_the_tour_tells_its_story_in_the_real_window(session: Session, qtbot: QtBot) -> None:
    panel = TourPanel(session.window)
    panel.begin()
    seen, told = {}, {}
    for step in all_tour_steps():
        seen[step.name] = session.window.pages.current_name
        told[step.name] = panel.sentence.text()
        assert not [message for message in session.document.messages.open if message.tone is Severity.ERROR]
        if step.points_at:
            assert panel.frame.isVisible(), step.name
        if step.name == "verify":
            assert "is what its certificate says" in verdict(session)
        if step.name == "tampered":
            assert "is not what its certificate says" in verdict(session)
        if step.name == "release":
            assert session.document.selected.measured.k >= 5
            assert len(session.document.releases) > 4
        qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
    assert list(seen.values())[:20] == [
        "welcome", "data", "data", "hierarchies", "hierarchies",
        "protect", "protect", "risk", "protect", "risk",
        "compare", "compare", "compare", "compare", "risk", "utility",
        "release", "release", "release", "release",
    ]  # fmt: skip
    assert [seen[name] for name in ("hybrid", "hybrid_alone", "hybrid_together")] == ["data", "protect", "protect"]
    assert re.search(r"finds [1-9]\d* of 1,152 customers", told["hybrid_alone"])
    assert "finds 0 of 1,152 customers" in told["hybrid_together"]
    assert len(seen) > 20, "the other rooms have chapters, too"
    assert "one row of 2,000 fits. Now we know her diagnosis, too: Pneumonia." in told["neighbour"]
    assert re.search(r"(\d+) rows move with it: “Eastern Europe” has (\d+) instead of (\d+)", told["drag"])
    assert re.search(r"[1-9]\d* people’s diagnoses are known", told["attack"])
    assert "It finds out about nobody" in told["attack_again"]
    assert "the loss rises from" in told["curve"]
    assert session.window.findChild(TourPanel) is None or not panel.isVisible()
    assert not session.document.is_dirty
    assert not list(Path(tempfile.gettempdir()).glob("anonymizer-tour-*"))


def verdict(session: Session) -> str:
    (dialog,) = [each for each in session.window.findChildren(VerifyDialog) if each.isVisible()]
    return " ".join(label.text() for label in dialog.verdict.findChildren(QLabel))


@pytest.fixture
def working(qtbot: QtBot, qapp: object, tmp_path: Path) -> Iterator[Session]:
    """A window whose jobs take their time."""
    made = Session(qapp, Settings(tmp_path / "settings.json"), Document())  # type: ignore[arg-type]
    made.window.load_pages()
    qtbot.addWidget(made.window)
    made.window.show()
    yield made
    made.window.close()
    made.document.close()


def go_through(qtbot: QtBot, panel: TourPanel, stops: int) -> None:
    for step in all_tour_steps()[:stops]:
        qtbot.waitUntil(panel.next_button.isEnabled)
        if step.tell is not None:
            qtbot.waitUntil(lambda step=step: len(panel.sentence.text()) > len(step.sentence) + 60)
        panel.next_button.click()


def test_the_way_on_opens_when_the_work_is_done(qtbot: QtBot, working: Session) -> None:
    panel = TourPanel(working.window)
    panel.begin()
    go_through(qtbot, panel, 7)
    qtbot.waitUntil(lambda: "people’s diagnoses are known" in panel.sentence.text())
    panel.end_button.click()
    assert working.document.is_empty


def test_a_window_closed_while_the_tour_works_asks_nothing(qtbot: QtBot, working: Session) -> None:
    panel = TourPanel(working.window)
    panel.begin()
    go_through(qtbot, panel, 6)
    assert panel.is_busy
    working.window.close()
    qtbot.waitUntil(lambda: not working.window.isVisible())
    assert not [each for each in working.window.findChildren(QMessageBox) if each.isVisible()]


def test_a_node_that_was_dragged_goes_back_when_its_stop_is_left(session: Session, qtbot: QtBot) -> None:
    panel = TourPanel(session.window)
    panel.begin()
    for step in all_tour_steps()[:4]:
        before = session.document.project.hierarchies.get("nationality") if step.name != "welcome" else None
        qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
    assert session.document.project.hierarchies["nationality"] != before
    qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
    assert session.document.project.hierarchies["nationality"] == before
    assert not session.document.undo_stack.undoText().startswith("Move")


def test_a_window_closed_in_the_middle_of_the_tour_asks_nothing(session: Session, qtbot: QtBot) -> None:
    panel = TourPanel(session.window)
    panel.begin()
    for _ in range(5):
        qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
    assert session.document.is_dirty
    assert session.window.close()
    assert not [each for each in session.window.findChildren(QMessageBox) if each.isVisible()]


def test_the_tour_goes_back_points_at_things_plays_and_ends_cleanly(session: Session, qtbot: QtBot) -> None:
    panel = TourPanel(session.window)
    panel.begin()
    assert not panel.back_button.isEnabled()
    qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
    assert panel.frame.isVisible()
    for _ in range(2):
        qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
    assert session.window.pages.current_name == "hierarchies"
    qtbot.mouseClick(panel.back_button, Qt.MouseButton.LeftButton)
    assert session.window.pages.current_name == "data"
    assert "(3 of" in panel.sentence.text()
    page = session.window.pages.page("data")
    assert isinstance(page, DataPage)
    assert page.view.model().rowCount() == 1  # her row alone, as the sentence says
    qtbot.mouseClick(panel.play_button, Qt.MouseButton.LeftButton)
    assert panel.play_button.text() == "Pause"
    qtbot.mouseClick(panel.end_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.window.findChild(QDockWidget, "tour") is None)
    assert session.document.is_empty
    assert not session.document.is_dirty


def test_back_from_the_first_stop_of_a_chapter_opens_the_sample_before_it_anew(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("welcome", "data", "neighbour", "survey")
    few = tuple(step for name in names for step in all_tour_steps() if step.name == name)
    assert [step.name for step in few] == list(names)
    monkeypatch.setattr("anonymizer_gui.ui.tour.panel.all_tour_steps", lambda: few)
    panel, window = TourPanel(session.window), session.window
    panel.begin()
    for _ in few[1:]:
        qtbot.waitUntil(panel.next_button.isEnabled)
        qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(panel.next_button.isEnabled)
    assert window.document.room == "survey"
    assert panel.next_button.text() == "Finish"
    qtbot.mouseClick(panel.back_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(panel.next_button.isEnabled)
    assert (window.document.room, window.pages.current_name) == ("microdata", "data")
    assert window.document.project.name == "hospital"
    assert "(2 of 4)" in panel.sentence.text()
    for _ in few[2:]:  # and from there the way is as it was
        qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(panel.next_button.isEnabled)
    assert window.document.room == "survey"
    qtbot.mouseClick(panel.next_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.findChild(QDockWidget, "tour") is None)
    assert window.document.is_empty
    assert not window.document.messages.open


SOME_STOPS = ("welcome", "data", "neighbour", "hierarchies", "survey", "baskets", "baskets_attack", "graphs")
SHORTER = """
import sys
from anonymizer_gui.__main__ import main
from anonymizer_gui.ui.tour import panel as tour
every, some = tour.all_tour_steps, sys.argv[1].split(",")
tour.all_tour_steps = lambda: tuple(step for step in every() if step.name in some)
sys.exit(main(["demo", *sys.argv[2:]]))
"""


def written_by(command: list[str], stops: Sequence[str], folder: Path) -> None:
    """Let a process of its own write the walk as pictures, still and moving, and look at them."""
    moving = folder / "tour.gif"
    options = ["--size", "1024x700", "--theme", "dark", "--language", "de"]
    words = [sys.executable, *command, "--screenshots", str(folder), "--animation", str(moving), *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pictures = sorted(folder.glob("*.png"))
    assert [path.stem for path in pictures] == [f"{i:02d}_{name}" for i, name in enumerate(stops, start=1)]
    for path in pictures:
        image = QImage(str(path))
        assert (image.width(), image.height()) == (1024, 700)
        assert image.pixelColor(3, 697).lightness() < 90
    index = (folder / "index.md").read_text(encoding="utf-8")
    assert index.count("![") == len(pictures)
    with Image.open(moving) as frames:
        assert frames.n_frames == len(pictures)  # type: ignore[attr-defined]
        assert frames.size[0] == 1024
        assert frames.size[1] > 700, "a caption stands under the window"


def test_a_walk_is_written_as_pictures_still_and_moving_without_a_display(tmp_path: Path) -> None:
    written_by(["-c", SHORTER, ",".join(SOME_STOPS)], SOME_STOPS, tmp_path)


@pytest.mark.soak
def test_the_whole_walk_is_written_as_pictures_still_and_moving_without_a_display(tmp_path: Path) -> None:
    written_by(["-m", "anonymizer_gui", "demo"], [step.name for step in all_tour_steps()], tmp_path)


def test_an_animation_of_an_unknown_kind_is_refused() -> None:
    done = walk("--animation", "tour.mp4")
    assert done.returncode == 2
    assert "must end in .gif, .png or .webp" in done.stderr


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
