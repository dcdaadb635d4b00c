"""A run on an engine that is killed at any moment leaves nothing under its name; the next one sweeps what is left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.patience import WAIT_S

SAMPLE = ROOT / "resources" / "samples" / "hospital.anon"
pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system kills no groups of processes")


def started(target: Path, spill: Path) -> "subprocess.Popen[bytes]":
    """Start a run."""
    words = ["run", str(SAMPLE), "--engine", "duckdb", "--spill", str(spill), "-o", str(target)]
    return subprocess.Popen(
        [sys.executable, "-m", "anonymizer_gui", *words], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )


def killed_at(moment: str, folder: Path) -> bool:
    """Kill a run as soon as something is there; tell whether it was still running, for a run may be the quicker one."""
    (folder / "spill").mkdir(parents=True)
    process = started(folder / "out.parquet", folder / "spill")
    while not list(folder.glob(moment)) and process.poll() is None:
        time.sleep(0.002)  # a folder tells nobody that it is there
    process.kill()
    return process.wait() == -signal.SIGKILL and not (folder / "out.parquet").exists()


@pytest.mark.parametrize("moment", ["spill/*", ".out.*.partial.parquet"])
def test_a_killed_run_leaves_nothing_and_is_swept(tmp_path: Path, moment: str) -> None:
    folder = next(each for each in (tmp_path / str(turn) for turn in range(20)) if killed_at(moment, each))
    spill, target = folder / "spill", folder / "out.parquet"
    assert not target.exists()
    assert list(spill.iterdir())
    assert started(target, spill).wait(WAIT_S) == 0
    assert not list(spill.iterdir())
    left = {path.name for path in folder.iterdir()} - {"spill"}
    assert left == {f"out.parquet{suffix}" for suffix in ("", ".inside.json", ".release.json", ".report.html")}
