"""What a crash leaves behind can be taken up again."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.errors import UnwritableFile
from anonymizer_gui.engine.projects import project_file
from anonymizer_gui.engine.projects.history import RunRecord
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.recovery import Recovery, recoverable_projects
from tests.patience import WAIT_S

CRASH = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.recovery import Recovery

app = QCoreApplication([])
recovery = Recovery(Path(sys.argv[1]))
document = Document(inline_jobs=True, recovery=recovery)
document.open_table(sys.argv[2])
document.edit("Name it", name="First")
document.edit("Name it again", name="Nearly lost")
recovery.flush()
print("ready", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill a process that way")
def test_a_killed_program_loses_no_step(qtbot: QtBot, folder: Path, table_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", CRASH, str(folder), str(table_path)]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    crashed = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=WAIT_S)
    assert crashed.stdout.strip() == "ready", crashed.stderr
    assert crashed.returncode == -signal.SIGKILL
    lost = recoverable_projects(folder)
    assert len(lost) == 1
    document = Document(inline_jobs=True)
    document.recover(lost[0])
    assert document.project.name == "Nearly lost"
    assert document.table is not None
    assert document.is_dirty
    assert recoverable_projects(folder) == []
    document.close()


def test_a_program_that_still_runs_has_lost_nothing(qtbot: QtBot, folder: Path) -> None:
    recovery = Recovery(folder)
    document = Document(inline_jobs=True, recovery=recovery)
    document.edit("Name it", name="Alive")
    recovery.flush()
    assert list(folder.glob("*.json"))
    assert recoverable_projects(folder) == []
    document.close()


def test_nothing_stays_behind_after_saving(qtbot: QtBot, folder: Path, tmp_path: Path) -> None:
    document = Document(inline_jobs=True, recovery=Recovery(folder))
    document.edit("Name it", name="Safe")
    document.save(tmp_path / "p.anon")
    assert list(folder.iterdir()) == []
    document.close()


def test_nothing_stays_behind_after_closing(qtbot: QtBot, folder: Path) -> None:
    document = Document(inline_jobs=True, recovery=Recovery(folder))
    document.edit("Name it", name="Given up")
    document.close()
    assert list(folder.iterdir()) == []


def test_others_on_the_machine_cannot_read_it(qtbot: QtBot, folder: Path) -> None:
    recovery = Recovery(folder)
    document = Document(inline_jobs=True, recovery=recovery)
    document.edit("Name it", name="Private")
    recovery.flush()
    files = list(folder.glob("*.json"))
    assert [file.stat().st_mode & 0o077 for file in files] == [0]
    assert folder.stat().st_mode & 0o077 == 0
    document.close()


def test_a_damaged_leftover_is_a_sentence(qtbot: QtBot, folder: Path) -> None:
    folder.mkdir()
    (folder / "1-2.json").write_text(json.dumps({"project": "{broken", "path": ""}))
    document = Document(inline_jobs=True)
    document.recover(recoverable_projects(folder)[0])
    assert "cannot be opened" in document.messages.open[0].text
    document.close()


def test_a_discarded_leftover_is_gone(qtbot: QtBot, folder: Path) -> None:
    folder.mkdir()
    (folder / "1-2.json").write_text("{}")
    recoverable_projects(folder)[0].discard()
    assert recoverable_projects(folder) == []


def test_what_a_killed_program_left_half_written_is_swept(qtbot: QtBot, folder: Path) -> None:
    folder.mkdir()
    (folder / "1-2.part").write_text('{"project": "ha')
    (folder / "3-4.lock").write_text("999999999\npython\nnowhere\n\n\n")
    recovery = Recovery(folder)
    document = Document(inline_jobs=True, recovery=recovery)
    document.edit("Name it", name="Alive")
    recovery.flush()
    assert recoverable_projects(folder) == []
    assert not (folder / "1-2.part").exists()
    assert list(folder.glob("*.json"))
    document.close()


def test_undoing_to_what_is_saved_leaves_nothing_to_restore(qtbot: QtBot, folder: Path) -> None:
    document = Document(inline_jobs=True, recovery=Recovery(folder))
    document.edit("Name it", name="Study")
    document.undo_stack.undo()
    assert list(folder.iterdir()) == []
    document.close()


def test_a_project_that_cannot_be_written_does_not_end_the_recovery(
    qtbot: QtBot, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_kept: object) -> str:
        raise UnwritableFile("A hierarchy has too many levels to be saved.")

    recovery = Recovery(folder)
    document = Document(inline_jobs=True, recovery=recovery)
    monkeypatch.setattr("anonymizer_gui.engine.projects.project_file.project_text", fail)
    document.edit("Name it", name="Too deep")
    recovery.flush()
    monkeypatch.undo()
    document.edit("Name it again", name="Study")
    recovery.flush()
    assert len(list(folder.glob("*.json"))) == 1
    document.close()


def test_steps_in_a_row_are_written_once(qtbot: QtBot, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    text_of = project_file.project_text

    def note(project: Project, folder: Path | None = None, releases: Sequence[RunRecord] = ()) -> str:
        written.append(project.name)
        return text_of(project, folder, releases)

    monkeypatch.setattr(project_file, "project_text", note)
    recovery = Recovery(folder)
    document = Document(inline_jobs=True, recovery=recovery)
    for name in ("First", "Second", "Third"):
        document.edit(f"Name it {name}", name=name)
    recovery.flush()
    assert written == ["Third"]
    document.close()


def test_saving_does_not_wait_for_what_is_being_written(
    qtbot: QtBot, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing, go_on = threading.Event(), threading.Event()
    text_of = project_file.project_text

    def slow(project: Project, folder: Path | None = None, releases: Sequence[RunRecord] = ()) -> str:
        if threading.current_thread() is not threading.main_thread():
            writing.set()
            assert go_on.wait(WAIT_S)
        return text_of(project, folder, releases)

    monkeypatch.setattr(project_file, "project_text", slow)
    recovery = Recovery(folder)
    document = Document(inline_jobs=True, recovery=recovery)
    document.edit("Name it", name="Large")
    qtbot.waitUntil(writing.is_set)
    assert document.save(tmp_path / "p.anon")  # would wait for ever
    go_on.set()
    recovery.flush()
    assert list(folder.iterdir()) == []
    document.close()
