"""A file of another program is dragged into the real window and opens."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.real_window import ROOT, missing_tools, running

PLACES = ((1230, 850), (1235, 845), (1200, 800), (700, 500), (600, 410), (600, 400))


@pytest.mark.skipif(bool(missing_tools()), reason="needs Xvfb and xdotool")
def test_a_project_dragged_from_another_program_opens(tmp_path: Path) -> None:
    samples = ROOT / "resources" / "samples"
    for name in ("lecture.anon", "lecture.csv"):
        shutil.copy(samples / name, tmp_path)
    with running(tmp_path) as window:
        window.focus("Untitled")
        command = [sys.executable, str(Path(__file__).with_name("drag_source.py")), str(tmp_path / "lecture.anon")]
        source = subprocess.Popen(command, env=window.environment)
        try:
            window.focus("drag source")
            window.drag_until(PLACES, "lecture")
        finally:
            source.kill()
            source.wait()
