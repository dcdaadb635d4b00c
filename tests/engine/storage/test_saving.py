"""A file is replaced whole or not at all."""

import errno
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import UnreadableFile, UnwritableFile
from anonymizer_gui.engine.projects.project_file import load_project, save_project
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.storage.saving import StagedFiles, replace_file, sweep_abandoned, write_text

ROOT = Path(__file__).resolve().parents[3]


def test_a_text_is_written_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "größer\n")
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "größer\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO])
def test_a_failing_disk_keeps_the_old_file_and_says_why(tmp_path: Path, code: int) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")

    def fail(path: Path) -> None:
        path.write_text("half")
        raise OSError(code, os.strerror(code))

    with pytest.raises(UnwritableFile, match="could not be written"):
        replace_file(target, fail)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.csv", "old")]


def test_a_file_that_fails_its_check_is_never_seen(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")

    def refuse(path: Path) -> None:
        assert path.suffix == ".csv"
        raise UnwritableFile("It is not what was meant.")

    with pytest.raises(UnwritableFile, match="not what was meant"):
        replace_file(target, lambda path: path.write_text("new") and None, refuse)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.csv", "old")]


def test_a_folder_that_vanishes_meanwhile_is_told(tmp_path: Path) -> None:
    target = tmp_path / "folder" / "a.csv"
    target.parent.mkdir()

    def refuse(_path: Path) -> None:
        shutil.rmtree(target.parent)
        raise UnreadableFile("“.a.00000000.partial.csv” cannot be read.")

    with pytest.raises(UnwritableFile, match=r"“a\.csv” could not be written: the folder does not exist\."):
        replace_file(target, lambda path: path.write_text("new") and None, refuse)


def test_a_folder_that_is_not_there_is_named_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="folder does not exist"):
        write_text(tmp_path / "none" / "a.txt", "x")


WRITER = """
import sys
from pathlib import Path
from anonymizer_gui.engine.storage.saving import replace_file

def write(path):
    path.write_text("half")
    print(path.name, flush=True)
    sys.stdin.readline()

replace_file(Path(sys.argv[1]), write)
"""


@contextmanager
def another_program_writing(target: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a program that is in the middle of writing a file; give it and the name it writes under."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, target], cwd=ROOT, stdin=pipe, stdout=pipe, text=True
    ) as other:
        assert other.stdout is not None
        try:
            yield other, other.stdout.readline().strip()
        finally:
            other.kill()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_a_killed_program_has_left_is_swept_by_the_next_one_at_once(tmp_path: Path) -> None:
    with another_program_writing(tmp_path / "a.csv") as (other, partial):
        other.kill()
        other.wait()
        assert names(tmp_path) == [partial]
    write_text(tmp_path / "a.csv", "x")
    assert names(tmp_path) == ["a.csv"]


def test_what_a_killed_program_has_left_is_swept_on_opening(tmp_path: Path) -> None:
    save_project(Project(), tmp_path / "p.anon")
    with another_program_writing(tmp_path / "p.anon") as (other, _partial):
        other.kill()
        other.wait()
        assert len(names(tmp_path)) == 2
    load_project(tmp_path / "p.anon")
    assert names(tmp_path) == ["p.anon"]


@pytest.mark.skipif(os.name == "nt", reason="both write the same file, which only other systems allow")
def test_what_a_living_program_writes_is_never_swept(tmp_path: Path) -> None:
    with another_program_writing(tmp_path / "a.csv") as (other, partial):
        os.utime(tmp_path / partial, (time.time() - 3600,) * 2)
        write_text(tmp_path / "a.csv", "x")
        assert names(tmp_path) == [partial, "a.csv"]
        other.communicate("\n")
    assert (tmp_path / "a.csv").read_text() == "half"
    assert names(tmp_path) == ["a.csv"]


@pytest.mark.skipif(os.name == "nt", reason="an open file could not be replaced there, so nothing guards its old one")
def test_the_old_file_a_living_program_may_need_again_is_never_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = [tmp_path / "a.csv", tmp_path / "b.csv"]
    move = Path.replace

    def swept_then_full(self: Path, target: Path) -> Path:
        for path in targets:
            sweep_abandoned(path)
        if target == targets[1]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return move(self, target)

    for path in targets:
        path.write_text("old")
    with StagedFiles() as staged:
        for path in targets:
            staged.add_text(path, "new")
        monkeypatch.setattr(Path, "replace", swept_then_full)
        with pytest.raises(UnwritableFile, match="disk is full"):
            staged.place()
    assert [path.read_text() for path in targets] == ["old", "old"]
    assert names(tmp_path) == ["a.csv", "b.csv"]


def test_where_locks_are_not_known_age_tells_whose_a_leftover_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")

    def unknown(*_arguments: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", unknown)
    old, young = tmp_path / ".a.00000000.partial.csv", tmp_path / ".a.11111111.partial.csv"
    old.touch()
    young.touch()
    os.utime(old, (time.time() - 3600,) * 2)
    write_text(tmp_path / "a.csv", "x")
    assert names(tmp_path) == [young.name, "a.csv"]


def test_files_that_only_look_alike_are_not_swept(tmp_path: Path) -> None:
    alike = [".a.csv", ".a.notes.partial.csv", ".b.00000000.partial.csv", "a.00000000.partial.csv"]
    for name in alike:
        (tmp_path / name).touch()
    write_text(tmp_path / "a.csv", "x")
    assert names(tmp_path) == sorted([*alike, "a.csv"])


def test_two_programs_cannot_write_one_named_file_at_a_time(tmp_path: Path) -> None:
    target, waiting = tmp_path / "a.json", tmp_path / "a.json.new"
    with StagedFiles() as first, StagedFiles() as second:
        first.add_text(target, "first", beside=waiting)
        with pytest.raises(UnwritableFile, match="another program is writing it"):
            second.add_text(target, "second", beside=waiting)
        first.place()
    assert target.read_text() == "first"


def test_a_link_is_followed_to_the_file_it_names(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "a.txt", tmp_path / "link.txt"
    target.write_text("old")
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("this user may not make links")
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such modes")
def test_a_replaced_file_stays_as_open_as_it_was_and_a_private_one_is_its_owners(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch(0o644)
    (tmp_path / "a.txt").chmod(0o640)
    write_text(tmp_path / "a.txt", "x")
    write_text(tmp_path / "b.txt", "x", private=True)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a.txt", "b.txt")] == [0o640, 0o600]
