"""A file is replaced whole or not at all."""

import errno
import os
import time
from pathlib import Path

import pytest

from anonymizer_gui.engine.errors import UnwritableFile
from anonymizer_gui.engine.saving import replace_file, write_text


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


def test_a_folder_that_is_not_there_is_named_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="folder does not exist"):
        write_text(tmp_path / "none" / "a.txt", "x")


def test_leftovers_of_a_killed_run_are_swept_but_not_those_of_a_running_one(tmp_path: Path) -> None:
    old, young = tmp_path / ".a.00000000.partial.csv", tmp_path / ".a.11111111.partial.csv"
    old.touch()
    young.touch()
    os.utime(old, (time.time() - 3600,) * 2)
    write_text(tmp_path / "a.csv", "x")
    assert sorted(p.name for p in tmp_path.iterdir()) == [young.name, "a.csv"]
