"""The command `trees`: its JSON, its exit codes, roles and folders, and what `verify` says of a release."""

import json
from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main

KEYS = ["records", "vertices", "suppressed", "smallest_class", "lm", "disassociated"]
STUDENTS = str(resource_path("samples", "students.json"))
HOSPITALS = str(resource_path("samples", "two_hospitals.xml"))
KNOWN = ("@sex", "@born", "stay/@hospital", "stay/reason", "stay/treatment/@drug")


def called(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["trees", *map(str, words)])
    told = capsys.readouterr()
    return code, told.out, told.err


def told(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    code, out, err = called(capsys, *words, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.fixture
def roles(tmp_path: Path) -> Path:
    """Write the roles of the hospitals."""
    path = tmp_path / "roles.json"
    path.write_text(json.dumps({f"patient/{name}": "quasi-identifier" for name in KNOWN}), encoding="utf-8")
    return path


def test_suggested_roles_are_written_and_used(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    roles, out = tmp_path / "roles.json", tmp_path / "out.json"
    code, _, err = called(capsys, STUDENTS, "--roles", roles, "--suggest", "-o", out)
    assert code == 0
    assert "courses[].grade: sensitive." in err
    assert json.loads(roles.read_text(encoding="utf-8"))["name"] == "identifier"
    numbers = told(capsys, STUDENTS, "--roles", roles, "--k", "5", "--l", "2", "-o", out)
    assert list(numbers) == KEYS
    assert numbers["records"] == 400
    assert numbers["smallest_class"] >= 5
    assert main(["verify", str(out)]) == 0
    assert len(json.loads(out.read_text(encoding="utf-8"))) == 400


def test_the_example_of_the_hospitals(capsys: pytest.CaptureFixture[str], tmp_path: Path, roles: Path) -> None:
    out = tmp_path / "out.xml"
    numbers = told(capsys, HOSPITALS, "--roles", roles, "--k", "3", "--m", "2", "--n", "1", "-o", out)
    assert numbers == {
        "records": 12, "vertices": 60, "suppressed": 0, "smallest_class": 3, "lm": 0.0, "disassociated": 1,
    }  # fmt: skip
    assert '<detached path="patient/stay/treatment">' in out.read_text(encoding="utf-8")
    assert main(["verify", str(out)]) == 0


def test_few_labels_and_diversity_together(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    roles, out = tmp_path / "roles.json", tmp_path / "out.json"
    assert called(capsys, STUDENTS, "--roles", roles, "--suggest", "-o", out)[0] == 0
    words = (STUDENTS, "--roles", roles, "--k", "5", "--l", "2", "--m", "2", "--n", "1", "-o", out)
    code, text, _ = called(capsys, *words)
    assert code == 0
    assert "l-diversity of every pattern" in text
    assert "counted again, 2" in text
    assert main(["verify", str(out)]) == 0
    capsys.readouterr()
    assert list(told(capsys, *words)) == KEYS


def test_a_folder_of_files_leaves_as_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    for at in range(4):
        (folder / f"Zoe{at}.json").write_text(json.dumps({"sex": "FM"[at % 2]}), encoding="utf-8")
    roles, out = tmp_path / "roles.json", tmp_path / "out.jsonl"
    roles.write_text('{"sex": "QI"}', encoding="utf-8")
    assert told(capsys, folder, "--roles", roles, "--k", "2", "-o", out)["records"] == 4
    assert sorted(out.read_text(encoding="utf-8").splitlines()) == ['{"sex": "F"}'] * 2 + ['{"sex": "M"}'] * 2
    for beside in (f"{out.name}.release.json", f"{out.name}.report.html"):
        assert "Zoe" not in (tmp_path / beside).read_text(encoding="utf-8"), "the name of a file may name a person"
    assert main(["verify", str(out)]) == 0
    assert "not there as it was" not in capsys.readouterr().err


def test_what_has_no_role_is_removed_and_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    roles, out = tmp_path / "roles.json", tmp_path / "out.xml"
    roles.write_text('{"patient/@sex": "QI", "patient/stay": "remove"}', encoding="utf-8")
    code, _, err = called(capsys, HOSPITALS, "--roles", roles, "--k", "3", "-o", out)
    assert code == 0
    assert "Removed, for they have no role: patient/@born" in err
    assert "stay" not in out.read_text(encoding="utf-8")


def test_hierarchies_are_found_by_the_last_step(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, roles: Path
) -> None:
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "born.csv").write_text("1961;sixties;*\n1962;sixties;*\n", encoding="utf-8")
    out = tmp_path / "out.xml"
    code, text, _ = called(
        capsys, HOSPITALS, "--roles", roles, "--k", "12", "-o", out, "--hierarchies", tmp_path / "trees"
    )
    assert code == 0
    assert "counted again, 12" in text
    assert out.read_text(encoding="utf-8").count('born="sixties"') == 12


@pytest.mark.parametrize(
    ("content", "words", "sentence"),
    [
        (None, (), "No roles are given."),
        ("[]", (), "no object of paths and roles"),
        ('{"x": "QI"}', (), "There is no path “x”."),
        ('{"patient/@sex": "secret"}', (), "a role that nobody knows"),
        ('{"patient/stay": "QI"}', (), "holds other paths"),
        ('{"patient/@sex": "public"}', (), "No path is a quasi-identifier."),
        ('{"patient/@sex": "QI"}', ("--l", "6", "--m", "2"), "l"),
        ('{"patient/@sex": "QI"}', ("--n", "1"), "belong to k^(m,n)"),
        ('{"patient/@sex": "QI"}', ("--m", "4"), "m"),
        ('{"patient/@sex": "QI"}', ("--seed", "-1"), "A seed is at least 0."),
        ('{"patient/@sex": "QI"}', ("--suggest",), "--suggest writes a new file"),
    ],
)
def test_a_wrong_call_gives_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str | None, words: tuple[str, ...], sentence: str
) -> None:
    path = tmp_path / "roles.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
        words = ("--roles", str(path), *words)
    code, _, err = called(capsys, HOSPITALS, *words, "-o", tmp_path / "out.xml")
    assert code == 2
    assert sentence in err
    assert "Traceback" not in err


def test_what_cannot_be_reached_ends_with_one(capsys: pytest.CaptureFixture[str], tmp_path: Path, roles: Path) -> None:
    code, _, err = called(capsys, HOSPITALS, "--roles", roles, "--k", "50", "-o", tmp_path / "out.xml")
    assert code == 1
    assert "only 12 records" in err
