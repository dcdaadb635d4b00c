"""The window is there before the engine is loaded."""

import os
import subprocess
import sys
from pathlib import Path

from tests.patience import WAIT_S

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from anonymizer_gui.ui import app as program
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.settings import Settings

app = QApplication([])
program.name_application(app)
session = program.Session(app, Settings(), Document())
session.window.show()
print("shown with", *sorted({"numpy", "pandas", "matplotlib", "pyarrow", "opendp"} & set(sys.modules)))
session.start([])


def look():
    if len(session.window.rail.names()) > 1:
        print("steps", *session.window.rail.names())
        session.window.close()
        app.quit()


timer = QTimer(interval=20)
timer.timeout.connect(look)
timer.start()
app.exec()
"""


def test_the_window_shows_without_the_engine_and_the_steps_follow() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=WAIT_S, check=True
    )
    shown, steps = done.stdout.strip().splitlines()
    assert shown.strip() == "shown with"
    assert steps.startswith("steps welcome data hierarchies")
