"""Whatever is read is an ordinary file of a reasonable size: devices never end, and pipes keep one waiting."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import AnonymizerError, UnreadableFile
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io import parts, preview, read_table, sniff
from anonymizer_gui.engine.hierarchy.files import read_hierarchies, read_hierarchy, repair_hierarchy
from anonymizer_gui.engine.projects.project_file import load_project
from anonymizer_gui.engine.releases.certificate import read_certificate
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import all_rooms, likely_rooms, room_of
from anonymizer_gui.engine.storage.keys import read_key
from anonymizer_gui.engine.storage.safe_open import open_regular, read_regular
from anonymizer_gui.engine.storage.sources import Source, checksum

READERS: dict[str, Callable[[Path], object]] = {
    "table": read_table,
    "sniffed": sniff,
    "parts": parts,
    "hierarchy": read_hierarchy,
    "repaired hierarchy": repair_hierarchy,
    "project": load_project,
    "key": read_key,
    "certificate": read_certificate,
    "verified release": lambda path: verify_release(path, path),
    "ledger": lambda path: ReleaseLedger(path).entries(),
    "checksum": checksum,
}
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")


def made_of(path: Path, kind: str) -> Path:
    """Make something that is no ordinary file."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    return path


@pytest.mark.parametrize("what", READERS)
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_ordinary_file_is_refused_at_once(tmp_path: Path, what: str, kind: str) -> None:
    path = made_of(tmp_path / "thing.csv", kind)
    with pytest.raises(AnonymizerError, match=r"not an ordinary file|is a folder"):
        READERS[what](path)


@pytest.mark.parametrize("role", [f"{room.name} {role}" for room in all_rooms() for role in room.roles])
@pytest.mark.parametrize("kind", ["pipe", "device"])
@pytest.mark.parametrize("suffix", [".csv", ".gml", ".xlsx"])
def test_no_room_reads_what_is_no_ordinary_file(tmp_path: Path, role: str, kind: str, suffix: str) -> None:
    path = made_of(tmp_path / f"thing{suffix}", kind)
    room, _, name = role.partition(" ")
    with pytest.raises(AnonymizerError, match="not an ordinary file"):
        room_of(room).read(name, Source(str(path)), SILENT)


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_whose_a_thing_may_be_is_told_without_waiting_for_it(tmp_path: Path, kind: str) -> None:
    assert "microdata" in likely_rooms(made_of(tmp_path / "thing.csv", kind))


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_folder_of_hierarchies_takes_no_such_file(tmp_path: Path, kind: str) -> None:
    if kind == "pipe":
        os.mkfifo(tmp_path / "age.csv")
    else:
        (tmp_path / "age.csv").symlink_to("/dev/zero")
    assert [match.state for match in read_hierarchies(tmp_path, ["age"]).matches] == ["missing"]


def test_a_preview_of_a_pipe_is_a_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "t.csv")
    assert preview(tmp_path / "t.csv").error is not None


def test_no_more_is_read_than_is_reasonable(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"abcd")
    assert read_regular(tmp_path / "f", 4) == b"abcd"
    with pytest.raises(UnreadableFile, match="larger than"):
        read_regular(tmp_path / "f", 3)


def test_a_file_that_is_replaced_by_a_pipe_meanwhile_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x")
    before = path.stat()
    path.unlink()
    os.mkfifo(path)
    monkeypatch.setattr(os, "stat", lambda _path: before)
    with pytest.raises(UnreadableFile, match="not an ordinary file"):
        open_regular(path)


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "no/such/file"])
def test_a_name_that_cannot_be_used_is_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableFile):
        open_regular(tmp_path / name)
