"""What is opened depends on the first word after the program's name."""

import subprocess
import sys
import types

import pytest

from anonymizer_gui import __main__ as entry


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stand in for the command line and the window; collect which of them is called."""
    calls: list[str] = []
    for name in ("anonymizer_gui.cli", "anonymizer_gui.ui.app"):
        module = types.ModuleType(name)
        module.main = lambda _arguments, _printer=None, name=name: calls.append(name.rpartition(".")[2]) or 0  # type: ignore[attr-defined]
        package, _, attribute = name.rpartition(".")
        monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setattr(
            sys.modules.get(package) or __import__(package, fromlist=["_"]), attribute, module, raising=False
        )
    return calls


@pytest.mark.parametrize("arguments", [["list"], ["--help"], ["-h"], ["--version"], ["anonimize", "a.csv"]])
def test_a_word_goes_to_the_command_line(opened: list[str], arguments: list[str]) -> None:
    assert entry.main(arguments) == 0
    assert opened == ["cli"]


@pytest.mark.parametrize("arguments", [[], ["patients.csv"], ["study.anon"], ["-style", "fusion"]])
def test_nothing_or_a_file_opens_the_window(opened: list[str], arguments: list[str]) -> None:
    assert entry.main(arguments) == 0
    assert opened == ["app"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only X11 and Wayland can be without a display")
def test_without_a_display_one_sentence_says_so() -> None:
    command = [sys.executable, "-m", "anonymizer_gui"]
    result = subprocess.run(command, env={}, capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr == entry.NO_DISPLAY + "\n"


def test_no_memory_dump_is_left_by_window_or_command_line() -> None:
    resource = pytest.importorskip("resource", reason="this system has no memory dumps of this sort")
    assert resource.RLIMIT_CORE is not None
    script = (
        "import resource; from anonymizer_gui.__main__ import main; main(['--version']); "
        "print(resource.getrlimit(resource.RLIMIT_CORE))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "(0, 0)"
