"""Ordinary obstacles are told in a sentence with exit 2; a release that has left is never called a failure."""

import io
import json
import os
import sys
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main

SAMPLE = str(resource_path("samples", "hospital.csv"))
ROLES = ["--ei", "name,ssn", "--qi", "zip,age,sex", "--sa", "diagnosis", "--k", "5", "--algorithm", "mondrian"]
NO_DEVICES = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")


def anonymize(out: Path, *more: str, table: str = SAMPLE) -> int:
    return main(["anonymize", table, *ROLES, "-o", str(out), *more])


def test_a_seed_below_zero_is_a_wrong_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert anonymize(tmp_path / "o.csv", "--seed", "-1") == 2
    assert "a whole number of at least 0" in capsys.readouterr().err
    entries = json.loads(resource_path("samples", "hospital.anon").read_text("utf-8"))
    (tmp_path / "p.anon").write_text(json.dumps({**entries, "seed": -1}))
    assert main(["run", str(tmp_path / "p.anon"), "-o", str(tmp_path / "o.csv"), "--table", SAMPLE]) == 2
    assert "seed" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="such names are no files on Windows")
def test_names_that_are_not_utf_8_are_read_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/t\xff.csv")
    Path(odd).write_bytes(Path(SAMPLE).read_bytes())
    out = Path(os.fsdecode(os.fsencode(tmp_path) + b"/o\xff.csv"))
    assert anonymize(out, table=odd) == 0
    assert main(["verify", str(out)]) == 0
    assert main(["measure", os.fsdecode(b"no\xff.csv"), "--qi", "a"]) == 2
    assert "\\udcff" in capsys.readouterr().err


DEEP = {
    "levels.csv": "1;" + ";".join(f"g{level}" for level in range(3000)) + ";*\n",
    "tree.txt": "".join("\t" * level + f"g{level}\n" for level in range(3000)),
    "edges.csv": "child,parent\n" + "".join(f"g{level},g{level + 1}\n" for level in range(50_000)),
    "many.csv": "child,parent\n"
    + "".join(f"g{level},g{level + 1}\n" for level in range(950))
    + "".join(f"{value},g0\n" for value in range(60_000)),
    "nested.json": '{"label": "*", "children": [' * 5000 + "]}" * 5000,
    "number.json": '{"label": "*", "children": [' + "1" * 5000 + "]}",
    "end.json": '{"label": "*", "children": [{"label": "1", "interval": {"low": 1' + "0" * 400 + ', "high": 2}}]}',
    "endless.json": '{"label": "*", "children": [{"label": "1", "interval": {"low": 0, "high": 1e999}}]}',
    "twice.json": '{"*": {"a": ["1"], "b": ["1"]}}',
}


@pytest.mark.parametrize("name", DEEP)
def test_a_hierarchy_beyond_reason_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = tmp_path / name
    path.write_text(DEEP[name])
    assert main(["hierarchy", "show", str(path)]) == 2
    assert main(["hierarchy", "convert", str(path), str(tmp_path / "o.json")]) == 2
    assert len(capsys.readouterr().err.splitlines()) <= 6


def test_a_hierarchy_too_deep_for_json_is_written_in_other_formats(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1;" + ";".join(f"g{level}" for level in range(900)) + ";*\n")
    assert main(["hierarchy", "convert", str(tmp_path / "a.csv"), str(tmp_path / "o.json")]) == 2
    assert main(["hierarchy", "convert", str(tmp_path / "a.csv"), str(tmp_path / "o.txt")]) == 0


class Broken(io.StringIO):
    """A stream at whose other end nobody is."""

    def write(self, _text: str) -> int:
        raise BrokenPipeError


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_release_that_has_left_is_no_failure_when_nobody_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", Broken())
    assert anonymize(tmp_path / "o.csv", *more) == 0
    assert "The release has left" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "o.csv")]) == 2
    assert "could not be printed" in capsys.readouterr().err


@NO_DEVICES
@pytest.mark.parametrize("buffering", [1, -1])
def test_a_full_disk_behind_standard_output_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], buffering: int
) -> None:
    with open("/dev/full", "w", buffering, encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert anonymize(tmp_path / "o.csv") == 0
        monkeypatch.undo()
    assert "The release has left" in capsys.readouterr().err
    assert (tmp_path / "o.csv").exists()


def test_closed_streams_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert anonymize(tmp_path / "o.csv") == 0
    assert anonymize(tmp_path / "no such folder" / "o.csv") == 2
    assert sys.stdout is None


def test_a_stream_of_few_letters_gets_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    (tmp_path / "t.csv").write_text("größe,b\n1,x\n1,x\n", encoding="utf-8")
    assert main(["measure", str(tmp_path / "t.csv"), "--qi", "größe", "--sa", "b", "--json"]) == 0
    assert raw.getvalue()


def test_a_mapping_that_cannot_be_written_does_not_hide_that_the_release_has_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    more = ["--pseudonym", "ssn=keyed", "--key", str(tmp_path / "key"), "--mapping", str(tmp_path / "folder")]
    assert anonymize(tmp_path / "o.csv", *more) == 4
    assert "The release has left, but not what was to be written beside it." in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "o.csv")]) == 0
