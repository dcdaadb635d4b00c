"""A project file knows its data again without a digest that others could try guesses against."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.errors import BadProject
from anonymizer_gui.engine.projects.opening import open_project, refuse_incomplete
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.storage.keys import matches_mark, source_mark
from anonymizer_gui.engine.storage.sources import is_network_path


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Save a project about a table; give its place."""
    table = tmp_path / "lecture.csv"
    table.write_bytes(resource_path("samples", "lecture.csv").read_bytes())
    opened = open_project(resource_path("samples", "lecture.anon"), moved_to=str(table))
    save_project(opened.project, tmp_path / "p.anon")
    return tmp_path / "p.anon"


def test_no_digest_of_the_table_is_in_the_file(saved: Path) -> None:
    content, text = saved.with_name("lecture.csv").read_bytes(), saved.read_text(encoding="utf-8")
    for name in ("md5", "sha1", "sha256", "sha512", "blake2b"):
        assert hashlib.new(name, content).hexdigest() not in text
    assert json.loads(text)["sources"]["table"]["mark"]


def test_the_same_table_is_known_again(saved: Path) -> None:
    opened = open_project(saved)
    assert not opened.changed
    assert not [note for note in opened.notes if "another user" in note]
    again = saved.with_name("again.anon")
    save_project(opened.project, again)
    assert again.read_bytes() == saved.read_bytes()


def test_one_other_byte_is_found(saved: Path) -> None:
    table = saved.with_name("lecture.csv")
    table.write_bytes(table.read_bytes().replace(b"Cancer", b"Cancel", 1))
    opened = open_project(saved)
    assert opened.changed == {"table"}
    with pytest.raises(BadProject, match="has changed"):
        refuse_incomplete(opened)


def test_on_another_computer_it_is_said_that_nothing_can_be_compared(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "somebody else"))
    opened = open_project(saved)
    assert not opened.changed
    assert "is “lecture.csv” the file" in opened.notes[-1]
    refuse_incomplete(opened)


def test_a_project_whose_table_is_away_keeps_its_mark(saved: Path) -> None:
    before = json.loads(saved.read_text(encoding="utf-8"))["sources"]["table"]["mark"]
    saved.with_name("lecture.csv").rename(saved.with_name("away.csv"))
    opened = open_project(saved)
    assert opened.obstacle is not None
    save_project(opened.project, saved)
    assert json.loads(saved.read_text(encoding="utf-8"))["sources"]["table"]["mark"] == before


def test_a_checksum_of_an_earlier_version_is_still_compared(saved: Path) -> None:
    entries = json.loads(saved.read_text(encoding="utf-8"))
    source = entries["sources"]["table"]
    del source["mark"]
    for digest, changed in (
        (hashlib.sha256(saved.with_name("lecture.csv").read_bytes()).hexdigest(), set()),
        ("0" * 64, {"table"}),
    ):
        source["sha256"] = digest
        saved.write_text(json.dumps(entries), encoding="utf-8")
        assert open_project(saved).changed == changed


def test_the_secret_is_private_and_stays(own_settings: Path) -> None:
    mark = source_mark("ab")
    assert matches_mark(mark, "ab") is True
    assert matches_mark(mark, "ac") is False
    assert matches_mark("nonsense", "ab") is None
    (secret,) = own_settings.rglob("project-marks.key*")
    assert not os.stat(secret).st_mode & 0o077
    assert source_mark("ab") == mark
    secret.write_bytes(b"short")
    assert source_mark("ab") == ""


def test_no_place_for_a_secret_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert source_mark("ab") == ""
    assert matches_mark("a:b", "ab") is None


@pytest.mark.parametrize(
    ("path", "far"),
    [
        (r"\\elsewhere\share\people.csv", True),
        ("//elsewhere/share/people.csv", True),
        (r"\\house\share\people.csv", False),
        (r"C:\data\people.csv", False),
        ("people.csv", False),
    ],
)
def test_a_share_of_another_computer_is_told_from_the_projects_own(path: str, far: bool) -> None:
    project = Path(r"\\HOUSE\share\p.anon")
    assert is_network_path(path, project, windows=True) == far
    assert not is_network_path(path, project, windows=False)


def test_a_table_on_another_computer_is_not_called_up(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anonymizer_gui.engine.projects.opening.is_network_path", lambda *_: True)
    opened = open_project(saved)
    assert opened.obstacle is not None
    assert "another computer" in opened.obstacle.message
    assert not opened.files
    assert open_project(saved, moved_to=str(saved.with_name("lecture.csv"))).is_complete
