"""What the README tells people to type works."""

import re
import shlex
from pathlib import Path

import pytest

from anonymizer_gui.__main__ import main

ROOT = Path(__file__).resolve().parent.parent


def readme_commands() -> list[str]:
    """Return the calls of the program without a window, one line each."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Use without a window")[2]
    block = section.partition("```")[2].partition("```")[0]
    return re.sub(r"\\\n\s*", "", block).strip().splitlines()


@pytest.mark.parametrize("command", readme_commands(), ids=lambda command: command.split()[1])
def test_a_command_of_the_readme_works(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "resources").symlink_to(ROOT / "resources")
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(command)
    assert program == "anonymizer-gui"
    assert main(arguments) == 0


def test_the_python_of_the_readme_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 2
    (tmp_path / "resources").symlink_to(ROOT / "resources")
    monkeypatch.chdir(tmp_path)
    known: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), known)
    told = capsys.readouterr().out.splitlines()
    assert "k-anonymity: 4, holds" in told
    assert "The release is what its certificate says." in told
    assert told[-1].startswith("12 rows, k = 4, loss ")
    assert sorted(path.name for path in tmp_path.glob("lecture*")) == [
        "lecture_out.csv",
        "lecture_out.csv.inside.json",
        "lecture_out.csv.release.json",
        "lecture_out.csv.report.html",
    ]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_python_of_the_help_works(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "resources" / "help" / language / "python.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    known: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(block, "python.md", "exec"), known)
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("12 rows, k = 3, loss ")
    assert "20-39  Kiel    3" in told
    assert "True" in told
    assert [line.split()[0] for line in told if re.fullmatch(r"\d 0\.\d{3}", line)] == ["2", "3", "6"]
    assert told[-2].endswith(".")
    assert (tmp_path / "patients_out.csv").exists()


def test_the_files_a_new_room_brings_are_those_of_the_first_one() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a room")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    named = [name.replace("/x", "/microdata") for row in rows for name in row.split("`")[1::2]]
    known = {name: re.split(r"<|\*|\.\.\.", name)[0] for name in named}
    folders = (ROOT, ROOT / "anonymizer_gui")
    missing = [name for name, place in known.items() if not any((folder / place).exists() for folder in folders)]
    # The first room has several commands and none of its name, and its shape is called tables.
    assert missing == ["engine/data/y/", "commands/microdata.py"]


def test_the_make_targets_of_the_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    documents = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")]
    named = {target for text in documents for target in re.findall(r"\bmake ([a-z-]+)\b(?=[`\s]*[`#(\n]| ARGS)", text)}
    assert {"run", "test", "bench"} <= named
    assert named <= targets


def test_the_house_of_the_readme_is_the_one_that_stands() -> None:
    house = (ROOT / "README.md").read_text(encoding="utf-8").partition("## The house")[2].partition("## Develop")[0]
    package = ROOT / "anonymizer_gui"
    shown = set(re.findall(r"\b(?:engine|ui|workspace|commands|cli)(?:/[a-z_]+)*(?:\.py|/)", house))
    assert [place for place in shown if not (package / place).exists()] == []
    folders = {f"engine/{path.name}/" for path in (package / "engine").iterdir() if (path / "__init__.py").exists()}
    assert folders - shown - {"engine/rooms/"} == set()
