"""Full and read-only disks, as the system itself refuses them: nothing changes, and a sentence says why."""

import errno
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import AnonymizerError, UnwritableFile
from anonymizer_gui.engine.projects.project_file import load_project, save_project
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate, prepare_candidate
from anonymizer_gui.engine.storage.saving import StagedFiles
from tests.engine.rooms.microdata.killing import KEY
from tests.engine.rooms.microdata.making import hospital_project, hospital_release

PAGE = 4096
PAGES = 48
WHOLE = ["out.csv", "out.csv.inside.json", "out.csv.release.json", "out.csv.report.html"]


def mount(*words: str) -> bool:
    try:
        return subprocess.run(["mount", *words], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a disk of some pages, mounted for this test."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if not mount("-t", "tmpfs", "-o", f"size={PAGES * PAGE}", "tmpfs", str(folder)):
        pytest.skip("only an administrator can mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def prepared(ledger: Path | None = None, rows: int = 40) -> ReleaseCandidate:
    release, original = hospital_release(rows)
    return prepare_candidate(release, original, Safeguards(KEY, ReleaseLedger(ledger) if ledger else None))


def fill(disk: Path, free: int) -> None:
    """Leave this many pages of a disk free."""
    (disk / "filler").write_bytes(b"x" * (PAGE * (os.statvfs(disk).f_bavail - free)))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "filler"}


@pytest.mark.parametrize("name", ["out.csv", "out.xlsx", "out.parquet"])
def test_a_release_larger_than_the_disk_leaves_the_old_one(tiny_disk: Path, name: str) -> None:
    (tiny_disk / name).write_text("old")
    fill(tiny_disk, free=4)
    with pytest.raises(UnwritableFile, match=r"could not be written: the disk is full\."):
        export(prepared(rows=8000), tiny_disk / name)
    assert contents(tiny_disk) == {name: b"old"}


def test_a_project_larger_than_the_disk_leaves_the_old_one(tiny_disk: Path) -> None:
    path = tiny_disk / "p.anon"
    save_project(hospital_project(), path)
    before = contents(tiny_disk)
    fill(tiny_disk, free=3)
    with pytest.raises(UnwritableFile, match="the disk is full"):
        save_project(hospital_project(name="n" * 4 * PAGE), path)
    assert contents(tiny_disk) == before
    assert load_project(path).name == "hospital"


def test_wherever_the_disk_gets_full_all_files_are_new_or_all_are_old(tiny_disk: Path) -> None:
    path, ledger = tiny_disk / "out.csv", tiny_disk / "ledger.sqlite"
    export(prepared(rows=60), path)
    before = contents(tiny_disk)
    outcomes: list[AnonymizerError] = []
    for free in range(PAGES):
        fill(tiny_disk, free)
        ready = prepared(ledger)
        try:
            export(ready, path)
        except AnonymizerError as error:
            outcomes.append(error)
            assert {name: data for name, data in contents(tiny_disk).items() if "ledger" not in name} == before
            assert ReleaseLedger(ledger).entries() == ()
            ledger.unlink(missing_ok=True)
        else:
            assert verify_release(path).holds
            break
        (tiny_disk / "filler").unlink()
    assert {"full" in error.message for error in outcomes} == {True}
    assert contents(tiny_disk)["out.csv"] != before["out.csv"]


def test_a_read_only_disk_is_told_and_untouched(tiny_disk: Path) -> None:
    (tiny_disk / "out.csv").write_text("old")
    assert mount("-o", "remount,ro", str(tiny_disk))
    with pytest.raises(UnwritableFile, match=r"could not be written: the disk is read-only\."):
        export(prepared(), tiny_disk / "out.csv")
    with pytest.raises(UnwritableFile, match="the disk is read-only"):
        save_project(hospital_project(), tiny_disk / "p.anon")
    assert contents(tiny_disk) == {"out.csv": b"old"}


@pytest.mark.skipif(os.name == "nt" or not os.geteuid(), reason="folders refuse nothing to an administrator")
def test_a_read_only_folder_is_told_and_untouched(tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("old")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UnwritableFile, match="the folder does not allow it"):
            export(prepared(), tmp_path / "out.csv")
        assert contents(tmp_path) == {"out.csv": b"old"}
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("code", [errno.EACCES, errno.EPERM])
def test_a_folder_that_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    def refuse(*_arguments: object, **_more: object) -> int:
        raise OSError(code, os.strerror(code))

    (tmp_path / "out.csv").write_text("old")
    ready = prepared()
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(UnwritableFile, match="the folder does not allow it"):
        export(ready, tmp_path / "out.csv")
    monkeypatch.undo()
    assert contents(tmp_path) == {"out.csv": b"old"}


class Refusals:
    """Makes the system refuse one step of those that move files, or every one from there on."""

    STEPS = ("replace", "link", "chmod", "fsync", "unlink")

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, at: int, *, for_good: bool = False, error: BaseException | None = None
    ) -> None:
        self.steps, self._at, self._for_good = 0, at, for_good
        self._error = error or OSError(errno.EIO, os.strerror(errno.EIO))
        self._monkeypatch = monkeypatch

    def begin(self) -> None:
        for name in self.STEPS:
            self._monkeypatch.setattr(os, name, self._counted(getattr(os, name)))

    def _counted(self, step: Callable[..., None]) -> Callable[..., None]:
        def counted(*arguments: object, **more: object) -> None:
            self.steps += 1
            if self.steps == self._at or (self._for_good and self.steps > self._at):
                raise self._error
            step(*arguments, **more)

        return counted


def placing(monkeypatch: pytest.MonkeyPatch, refusals: Refusals) -> None:
    """Let the refusals begin when everything is written and is to be put in its place."""
    place = StagedFiles.place

    def refused(staged: StagedFiles) -> None:
        refusals.begin()
        place(staged)

    monkeypatch.setattr(StagedFiles, "place", refused)


@pytest.mark.parametrize("for_good", [False, True])
@pytest.mark.parametrize("was_there", [False, True])
def test_an_error_at_any_step_of_putting_in_place_leaves_a_release_with_its_certificate(
    tmp_path: Path, for_good: bool, was_there: bool
) -> None:
    path = tmp_path / "out.csv"
    old, new = prepared(rows=60), prepared()
    told = []
    for step in range(1, 100):
        for file in tmp_path.iterdir():
            file.unlink()
        if was_there:
            export(old, path)
        before = contents(tmp_path)
        with pytest.MonkeyPatch.context() as monkeypatch:
            refusals = Refusals(monkeypatch, step, for_good=for_good)
            placing(monkeypatch, refusals)
            error = outcome(new, path)
        if refusals.steps < step:
            break
        told.append(error)
        after = contents(tmp_path)
        assert was_there or error is None or not path.exists() or for_good
        assert not path.exists() or verify_release(path).holds, step
        if error is not None and not for_good:
            assert after == before, step
    assert not for_good or any(error and "“out.csv” is the new one already" in error for error in told)
    assert any(error and error.startswith("“out.csv” could not be written: Input/output error.") for error in told)


def test_a_stop_at_any_step_of_putting_in_place_leaves_a_release_with_its_certificate(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    old, new = prepared(rows=60), prepared()
    stops = []
    for step in range(1, 100):
        export(old, path)
        with pytest.MonkeyPatch.context() as monkeypatch:
            refusals = Refusals(monkeypatch, step, error=KeyboardInterrupt())
            placing(monkeypatch, refusals)
            try:
                export(new, path)
            except KeyboardInterrupt:
                stops.append(step)
        assert verify_release(path).holds, step
        assert sorted(contents(tmp_path)) == WHOLE, step
        if refusals.steps < step:
            break
    assert len(stops) > 9


def outcome(ready: ReleaseCandidate, path: Path) -> str | None:
    try:
        export(ready, path)
    except UnwritableFile as error:
        return error.message
    return None


def test_a_disk_without_links_keeps_the_waiting_certificate_of_the_release_it_has_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_more: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    replace, path = os.replace, tmp_path / "out.csv"

    def refuse_certificate(source: Path, target: Path) -> None:
        refuse() if target.name.endswith(".json") else replace(source, target)

    export(prepared(rows=60), path)
    ready = prepared()
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(os, "replace", refuse_certificate)
    told = outcome(ready, path)
    monkeypatch.undo()
    assert told is not None
    assert "“out.csv” is the new one already. “out.csv.inside.json.new” beside it belongs to it." in told
    assert told.endswith("“out.csv.release.json.new” beside it belongs to it.")
    assert verify_release(path).holds
    export(ready, path)
    assert sorted(contents(tmp_path)) == WHOLE
