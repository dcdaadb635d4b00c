"""How long the window takes to appear, against an empty window of Qt in the same run."""

import os
import subprocess
import sys
import time
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


def seconds(program: str) -> float:
    """Give the shortest of several starts."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times = []
    for _ in range(6):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True, timeout=60)
        times.append(time.perf_counter() - begun)
    return min(times)


@pytest.mark.bench
def test_the_window_appears_in_about_twice_the_time_of_an_empty_one() -> None:
    empty, ours = seconds(EMPTY), seconds(OURS)
    sys.stdout.write(f"\nempty window {empty:.2f} s, ours {ours:.2f} s, ratio {ours / empty:.2f}\n")
    assert ours < MOST * empty
