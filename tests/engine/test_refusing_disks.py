"""Full and read-only disks, as the system itself refuses them: nothing changes, and a sentence says why."""

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from anonymizer_gui.engine.errors import AnonymizerError, UnwritableFile
from anonymizer_gui.engine.export import Prepared, Safeguards, export, prepare
from anonymizer_gui.engine.ledger import Ledger
from anonymizer_gui.engine.project_file import load_project, save_project
from anonymizer_gui.engine.verify import verify
from tests.engine.killing import KEY
from tests.engine.making import hospital_project, hospital_release

PAGE = 4096
PAGES = 48


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


def prepared(ledger: Path | None = None, rows: int = 40) -> Prepared:
    release, original = hospital_release(rows)
    return prepare(release, original, Safeguards(KEY, Ledger(ledger) if ledger else None))


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
            assert Ledger(ledger).entries() == ()
            ledger.unlink(missing_ok=True)
        else:
            assert verify(path).holds
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
