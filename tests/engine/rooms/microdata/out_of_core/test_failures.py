"""What can go wrong while an engine works: nothing lies under the name of the release, and one sentence is said."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import Cancelled
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.projects.project_file import load_project
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.out_of_core import frequency_set
from anonymizer_gui.engine.rooms.microdata.out_of_core.run import OutOfCoreJob, run_out_of_core
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.scale.contract import EngineFailed, find_input
from anonymizer_gui.engine.scale.duckdb_engine import DuckEngine, EngineLimits
from anonymizer_gui.engine.storage.sources import Source
from tests.conftest import ROOT

SAMPLES = ROOT / "resources" / "samples"
SMALL_DISK = 'mount -t tmpfs -o size=24k none "$1" && shift && exec "$@"'


@pytest.fixture(autouse=True)
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count even small tables, as large ones are."""
    monkeypatch.setattr(frequency_set, "MAX_ROWS_FETCHED", 0)


@pytest.fixture
def project() -> Project:
    """Give the hospital sample."""
    found = load_project(SAMPLES / "hospital.anon")
    assert isinstance(found, Project)
    return found.with_sources({"table": Source(str(SAMPLES / "hospital.csv"))})


def run(project: Project, target: Path, progress: Progress, started: list[DuckEngine]) -> None:
    """Run a project on engines that are remembered."""

    def new(place: Path | None) -> DuckEngine:
        started.append(DuckEngine([SAMPLES, *([place] if place else [])], EngineLimits(300 << 20, target.parent)))
        return started[-1]

    run_out_of_core(
        project,
        OutOfCoreJob(find_input(str(SAMPLES / "hospital.csv")), target, new, Safeguards(reason="a test")),
        progress,
    )


@pytest.mark.parametrize(
    "moment", ["Counting combinations", "Adding up", "Writing the release", "Counting the written"]
)
def test_an_engine_that_is_killed_leaves_nothing(project: Project, tmp_path: Path, moment: str) -> None:
    started: list[DuckEngine] = []
    said: list[str] = []

    def kill(_fraction: float, text: str) -> None:
        if text.startswith(moment) and not said:
            said.append(text)
            os.kill(started[-1].process_id, signal.SIGKILL)

    with pytest.raises(EngineFailed, match="ended while it worked"):
        run(project, tmp_path / "out.parquet", Progress(kill), started)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("moment", ["Counting the values", "Writing the release", "Counting the written"])
def test_a_stop_leaves_nothing(project: Project, tmp_path: Path, moment: str) -> None:
    is_stopped = False

    def stop(_fraction: float, text: str) -> None:
        nonlocal is_stopped
        is_stopped = is_stopped or text.startswith(moment)

    with pytest.raises(Cancelled):
        run(project, tmp_path / "out.parquet", Progress(stop, lambda: is_stopped), [])
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_written_by_half_never_gets_its_name(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = DuckEngine.write

    def by_half(engine: DuckEngine, *given: object) -> None:
        honest(engine, *given)  # type: ignore[arg-type]
        target = next(each for each in given if isinstance(each, Path))
        os.truncate(target, target.stat().st_size // 2)

    monkeypatch.setattr(DuckEngine, "write", by_half)
    with pytest.raises(Exception, match=r"cannot read|not the release|does not understand"):
        run(project, tmp_path / "out.parquet", Progress(), [])
    assert not list(tmp_path.iterdir())


def test_two_runs_into_one_folder_and_one_name_do_not_meet(tmp_path: Path) -> None:
    targets = [tmp_path / "one.parquet", tmp_path / "other.parquet", tmp_path / "one.parquet"]
    running = [subprocess.Popen(_call(target, tmp_path), stderr=subprocess.PIPE, text=True) for target in targets]
    ended = [process.communicate()[1] for process in running]
    codes = [process.returncode for process in running]
    assert codes[1] == 0, ended[1]
    assert 0 in (codes[0], codes[2]), ended
    assert verify_release(targets[0]).holds
    assert verify_release(targets[1]).holds
    left = {path.name for path in tmp_path.iterdir() if path.name.startswith((".", "anonymizer-spill", "tmp_"))}
    assert not left


@pytest.mark.skipif(shutil.which("unshare") is None, reason="no small disk can be made")
@pytest.mark.parametrize("full", ["spill", "out"])
def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path, full: str) -> None:
    for name in ("spill", "out"):
        (tmp_path / name).mkdir()
    target = tmp_path / "out" / "release.parquet"
    inside = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", SMALL_DISK, "sh", str(tmp_path / full)]
    call = [*inside, "sh", "-c", '"$@"; code=$?; find "$0" -type f; exit $code', str(tmp_path)]
    ended = subprocess.run([*call, *_call(target, tmp_path / "spill")], capture_output=True, text=True)
    if "unshare" in ended.stderr or "mount:" in ended.stderr:
        pytest.skip("this system lets nobody make a small disk")
    assert ended.returncode == 2
    assert "disk is full" in ended.stderr.lower()
    assert "Traceback" not in ended.stderr
    assert not ended.stdout


def _call(target: Path, spill: Path) -> list[str]:
    words = ["run", str(SAMPLES / "hospital.anon"), "--engine", "duckdb", "--memory", "200MB"]
    return [sys.executable, "-m", "anonymizer_gui", *words, "--spill", str(spill), "-o", str(target)]
