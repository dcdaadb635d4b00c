"""A program that is killed while it saves or exports leaves the old file or the whole new one."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from anonymizer_gui.engine.projects.project_file import load_project
from anonymizer_gui.engine.releases.certificate import REPORT_PDF
from anonymizer_gui.engine.releases.interrupted_export import COMPANIONS
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger
from anonymizer_gui.engine.releases.verification import RequiredSigner, verify_release
from anonymizer_gui.engine.storage.sources import checksum

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork and kill a process")
ROOT = Path(__file__).resolve().parents[4]
TARGETS = ["project.anon", "release.csv", "release.xlsx", "release.parquet"]


class Victim:
    """The process that works and is killed, seen from outside."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def work(self, how: str, amount: float) -> tuple[bool, float]:
        """Let it work once; tell whether it was killed, and the seconds it had."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(how, amount, file=self._process.stdin, flush=True)
        end, seconds = self._process.stdout.readline().split()
        return end == "killed", float(seconds)


@contextmanager
def victim(target: Path) -> Iterator[Victim]:
    command = [sys.executable, "-m", "tests.engine.rooms.microdata.killing", str(target)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield Victim(process)
        finally:
            process.send_signal(signal.SIGTERM)


def is_whole(target: Path) -> bool:
    """Tell whether the target is a file that its reader accepts in full."""
    if target.suffix == ".anon":
        return len(load_project(target).hierarchies["zip"].leaf_labels) == 20_000
    known = {entry.sha256 for entry in ReleaseLedger(target.with_name("ledger.sqlite")).entries()}
    found = verify_release(target, wanted=RequiredSigner(is_required=True))
    return found.holds and found.unchecked == () and checksum(target) in known


def kill_at_random(target: Path, times: int) -> None:
    """Kill at moments spread over the time the work takes; the target must be whole each time."""
    moments = random.Random(times)
    with victim(target) as process:
        seconds = process.work("at", 0)[1]
        assert is_whole(target)
        kills, tries = 0, 0
        while kills < times:
            moment = moments.uniform(0, seconds * 1.1)
            killed = process.work("after", moment)[0]
            if not killed and moment < seconds:  # the machine was busy when the time was taken
                seconds = (seconds + moment) / 2
            kills += killed
            tries += 1
            assert is_whole(target)
            assert tries < 20 * times, "it is done before it can be killed"


@pytest.mark.parametrize("name", TARGETS)
def test_a_kill_at_a_random_moment_leaves_a_whole_file(tmp_path: Path, name: str) -> None:
    kill_at_random(tmp_path / name, 4)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", TARGETS)
def test_many_kills_at_random_moments_leave_a_whole_file(tmp_path: Path, name: str) -> None:
    kill_at_random(tmp_path / name, 225)


@pytest.mark.parametrize("name", ["project.anon", "release.csv"])
def test_a_kill_at_any_operation_on_a_file_leaves_nothing_or_a_whole_file(tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    was_there = False
    with victim(target) as process:
        for number in range(1, 200):
            killed, _ = process.work("at", number)
            assert target.exists() or not was_there
            was_there = target.exists()
            assert not was_there or is_whole(target)
            if not killed:
                break
    assert was_there
    assert number > 4


def test_a_kill_after_a_kill_between_release_and_certificate_leaves_a_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "release.csv"
    beside = [target.with_name(target.name + suffix) for suffix in COMPANIONS if suffix != REPORT_PDF]
    with victim(target) as process:
        process.work("at", 0)
        old = {path: path.read_bytes() for path in beside}
        process.work("at", 0)
        new, release = {path: path.read_bytes() for path in beside}, target.read_bytes()
        for number in range(1, 200):
            target.write_bytes(release)
            for path in beside:
                path.write_bytes(old[path])
                path.with_name(path.name + ".new").write_bytes(new[path])
            assert is_whole(target)
            killed, _ = process.work("at", number)
            assert is_whole(target), number
            if not killed:
                break
    assert number > 4
