"""A run on an engine that is killed at any moment leaves nothing under its name; the next one sweeps what is left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT

SAMPLE = ROOT / "resources" / "samples" / "hospital.anon"
pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system kills no groups of processes")


def started(target: Path, spill: Path) -> "subprocess.Popen[bytes]":
    """Start a run."""
    words = ["run", str(SAMPLE), "--engine", "duckdb", "--spill", str(spill), "-o", str(target)]
    return subprocess.Popen(
        [sys.executable, "-m", "anonymizer_gui", *words], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )


@pytest.mark.parametrize("moment", ["spill/*", ".out.*.partial.parquet"])
def test_a_killed_run_leaves_nothing_and_is_swept(tmp_path: Path, moment: str) -> None:
    spill, target = tmp_path / "spill", tmp_path / "out.parquet"
    spill.mkdir()
    process = started(target, spill)
    until = time.monotonic() + 60
    while not list(tmp_path.glob(moment)) and time.monotonic() < until:
        time.sleep(0.01)  # a folder tells nobody that it is there
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not target.exists()
    assert list(spill.iterdir())
    assert started(target, spill).wait(120) == 0
    assert not list(spill.iterdir())
    left = {path.name for path in tmp_path.iterdir()} - {"spill"}
    assert left == {f"out.parquet{suffix}" for suffix in ("", ".inside.json", ".release.json", ".report.html")}
