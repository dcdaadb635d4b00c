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


def test_the_make_targets_of_the_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    documents = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")]
    named = {target for text in documents for target in re.findall(r"\bmake ([a-z-]+)\b(?=[`\s]*[`#(\n]| ARGS)", text)}
    assert {"run", "test", "bench"} <= named
    assert named <= targets
