"""What a crash leaves behind can be taken up again."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.recovery import Recovery, lost_projects

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
    crashed = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert crashed.stdout.strip() == "ready", crashed.stderr
    assert crashed.returncode == -signal.SIGKILL
    lost = lost_projects(folder)
    assert len(lost) == 1
    document = Document(inline_jobs=True)
    document.recover(lost[0])
    assert document.project.name == "Nearly lost"
    assert document.table is not None
    assert document.is_dirty
    assert lost_projects(folder) == []
    document.close()


def test_a_program_that_still_runs_has_lost_nothing(qtbot: QtBot, folder: Path) -> None:
    recovery = Recovery(folder)
    document = Document(inline_jobs=True, recovery=recovery)
    document.edit("Name it", name="Alive")
    recovery.flush()
    assert list(folder.glob("*.json"))
    assert lost_projects(folder) == []
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
    document.recover(lost_projects(folder)[0])
    assert "cannot be opened" in document.messages.open[0].text
    document.close()


def test_a_discarded_leftover_is_gone(qtbot: QtBot, folder: Path) -> None:
    folder.mkdir()
    (folder / "1-2.json").write_text("{}")
    lost_projects(folder)[0].discard()
    assert lost_projects(folder) == []
