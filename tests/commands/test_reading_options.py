"""The command line tells what reading found, takes other options, and calls up no database unasked."""

import json
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from anonymizer_gui.engine.data.tables.io import database_servers
from anonymizer_gui.engine.storage.sources import Address, PasswordNeeded

RUSSIAN = "имя;город\nИван;Москва\nИван;Москва\nМария;Санкт-Петербург\n"


def test_what_reading_found_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("a,b\n 1,x\n1\n", encoding="utf-8")
    assert main(["measure", str(tmp_path / "t.csv"), "--qi", "a"]) == 0
    told = capsys.readouterr().err
    assert "t.csv: 1 cell lost white space around the text." in told
    assert "t.csv: 1 row had too few cells" in told


def test_the_encoding_and_its_doubt_are_told_and_can_be_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.csv").write_bytes(RUSSIAN.encode("koi8-r"))
    assert main(["measure", str(tmp_path / "t.csv"), "--qi", "город"]) == 0
    assert "Cyrillic (KOI8-R)" in capsys.readouterr().err
    assert main(["measure", str(tmp_path / "t.csv"), "--qi", "город", "--read", "encoding=cp1251"]) == 2
    assert main(["measure", str(tmp_path / "t.csv"), "--qi", "x", "--read", "encoding=klingon"]) == 2
    assert main(["measure", str(tmp_path / "t.csv"), "--qi", "x", "--read", "encoding"]) == 2
    assert main(["measure", str(tmp_path / "t.csv"), "--qi", "x", "--read", "colour=red"]) == 2
    assert "The reading of a file has no parameter “colour”." in capsys.readouterr().err


def test_json_says_how_the_table_was_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_bytes(RUSSIAN.encode("cp1251"))
    call = [
        "anonymize",
        str(tmp_path / "t.csv"),
        "--qi",
        "город",
        "--ei",
        "имя",
        "--k",
        "1",
        "-o",
        str(tmp_path / "o.csv"),
    ]
    assert main([*call, "--json", "--read", "encoding=cp1251"]) == 0
    read = json.loads(capsys.readouterr().out)["read"]
    assert read["options"]["encoding"] == "cp1251"
    assert any("Windows-1251" in note for note in read["notes"])


def project_about(path: Path, address: str, role: str = "table") -> Path:
    entries = json.loads(resource_path("samples", "hospital.anon").read_text("utf-8"))
    sources = dict(entries["sources"])
    sources["table"]["path"] = str(resource_path("samples", "hospital.csv"))
    sources[role] = {"path": address, "sha256": "", "options": {"query": "SELECT 1"}}
    path.write_text(json.dumps({**entries, "sources": sources}), encoding="utf-8")
    return path


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[Address]:
    """Remember which servers were called up; none of them lets anybody in."""
    addresses: list[Address] = []

    @contextmanager
    def opened_server(address: Address, *_: object) -> object:  # type: ignore[misc]
        addresses.append(address)
        raise PasswordNeeded(address)
        yield  # a context manager has one

    monkeypatch.setattr(database_servers, "open_server", opened_server)
    return addresses


@pytest.mark.parametrize("role", ["table", "population"])
@pytest.mark.parametrize(
    "address", ["postgresql://ann@host/people", "sqlite:///people.db", "mysql://h/x?local_infile=1"]
)
def test_a_database_a_project_names_is_not_called_up_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], called: list[Address], role: str, address: str
) -> None:
    project = project_about(tmp_path / "p.anon", address, role)
    assert main(["run", str(project), "-o", str(tmp_path / "o.csv")]) == 2
    assert "--allow-database" in capsys.readouterr().err
    assert called == []


def test_a_database_is_called_up_when_that_is_allowed(tmp_path: Path, called: list[Address]) -> None:
    project = project_about(tmp_path / "p.anon", "postgresql://ann@host/people")
    assert main(["run", str(project), "-o", str(tmp_path / "o.csv"), "--allow-database"]) == 2
    assert [address.place for address in called] == ["ann@host/people"]


def test_a_password_in_a_project_is_not_used_and_not_kept(tmp_path: Path, called: list[Address]) -> None:
    from anonymizer_gui.engine.projects.project_file import load_project, save_project

    path = project_about(tmp_path / "p.anon", "postgresql://ann:geheim@host/people")
    assert main(["run", str(path), "-o", str(tmp_path / "o.csv"), "--allow-database"]) == 2
    assert [address.password for address in called] == [""]
    save_project(load_project(path), tmp_path / "again.anon")
    assert "geheim" not in (tmp_path / "again.anon").read_text("utf-8")


class Terminal:
    """A standard input at which somebody sits."""

    def isatty(self) -> bool:
        return True


def test_a_password_is_asked_for_once_at_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, called: list[Address], capsys: pytest.CaptureFixture[str]
) -> None:
    questions: list[str] = []

    def answer(question: str) -> str:
        questions.append(question)
        return "geheim"

    monkeypatch.setattr("getpass.getpass", answer)
    monkeypatch.setattr(database_servers, "_TYPED", {})
    assert main(["measure", "postgresql://ann@host/people", "--qi", "a"]) == 2
    assert questions == []
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert main(["measure", "postgresql://ann@host/people", "--qi", "a"]) == 2
    assert questions == ["Password of ann@host/people: "]
    assert [address.password for address in called] == ["", "", "geheim"]
    assert "geheim" not in "".join(capsys.readouterr())
