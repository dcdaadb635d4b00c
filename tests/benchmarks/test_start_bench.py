"""What it takes the window to appear, against an empty window of Qt in the same run, in CPU time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EMPTY = """
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.show()
app.processEvents()
"""
OURS = """
from PySide6.QtWidgets import QApplication
from anonymizer_gui.ui import app as program
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.settings import Settings
app = QApplication([])
program.name_application(app)
session = program.Session(app, Settings(), Document())
session.window.show()
app.processEvents()
"""
MOST = 2.5
ROUNDS = 6


def seconds(program: str) -> float:
    """Give the CPU time of a start in a process of its own; other programs on the machine do not count."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    resource = pytest.importorskip("resource", reason="the CPU time of other processes is not told here")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


@pytest.mark.bench
def test_the_window_appears_in_about_twice_the_time_of_an_empty_one() -> None:
    rounds = [(seconds(EMPTY), seconds(OURS)) for _ in range(ROUNDS)]
    empty, ours = (min(times) for times in zip(*rounds, strict=True))
    sys.stdout.write(f"\nempty window {empty:.2f} s, ours {ours:.2f} s of CPU, ratio {ours / empty:.2f}\n")
    assert ours < MOST * empty
