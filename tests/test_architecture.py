"""The layers of the program: who may import whom."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "anonymizer_gui"
WIDGET_MODULES = {"PySide6.QtWidgets", "PySide6.QtSvgWidgets", "PySide6.QtPrintSupport"}
CLOCKS = {"time", "datetime", "timeit", "signal"}


def imported_names(path: Path) -> set[str]:
    """Return the dotted names a file imports, at any depth."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_no_layer_imports_backwards(tmp_path: Path) -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    command = [linter, "--config", ROOT / "pyproject.toml", "--cache-dir", tmp_path]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def imports_below(folder: Path) -> dict[str, set[str]]:
    """Return what each file below a folder imports, by its path in that folder; a folder without files is an error."""
    files = sorted(folder.rglob("*.py"))
    assert files, folder
    return {path.relative_to(folder).as_posix(): imported_names(path) for path in files}


def test_the_pages_of_a_room_know_no_other_room_of_the_engine() -> None:
    # import-linter has no word for "the room of the same name".
    rooms = "anonymizer_gui.engine.rooms."
    known = {
        path: {name.split(".")[3] for name in names if name.startswith(rooms)}
        for path, names in imports_below(PACKAGE / "ui" / "rooms").items()
    }
    assert any(known.values())
    others = {path: sorted(known[path] - {path.split("/")[0]}) for path in known}
    assert {path: rooms for path, rooms in others.items() if rooms} == {}


def test_the_workspace_imports_no_widgets() -> None:
    widgets = {path: sorted(names & WIDGET_MODULES) for path, names in imports_below(PACKAGE / "workspace").items()}
    assert {path: names for path, names in widgets.items() if names} == {}


@pytest.mark.parametrize(
    ("command", "heavy"),
    [
        ("import anonymizer_gui.__main__", {"PySide6", "matplotlib", "pandas", "numpy"}),
        ("import anonymizer_gui.cli", {"PySide6", "matplotlib"}),
        ("import anonymizer_gui.ui.app", {"matplotlib", "pandas", "numpy", "anonymizer_gui.engine.room"}),
    ],
    ids=["entry point", "command line", "window"],
)
def test_starting_loads_only_what_is_needed(command: str, heavy: set[str]) -> None:
    program = f"import sys; {command}; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not heavy & set(result.stdout.split())


def test_no_search_knows_the_clock() -> None:
    folders = sorted((PACKAGE / "engine" / "rooms").rglob("algorithms"))
    assert len(folders) > 3
    clocks = {
        f"{folder.parent.name}/{path}": sorted({name.split(".")[0] for name in names} & CLOCKS)
        for folder in folders
        for path, names in imports_below(folder).items()
    }
    assert {path: names for path, names in clocks.items() if names} == {}


def independent_halves() -> dict[str, Path]:
    """Give the independent half of every room."""
    rooms = [path for path in (PACKAGE / "engine" / "rooms").iterdir() if (path / "room.py").exists()]
    return {room.name: room / "independent" for room in rooms}


def test_every_room_has_an_independent_half() -> None:
    assert len(independent_halves()) >= 7
    assert [room for room, half in independent_halves().items() if not any(half.glob("[a-z]*.py"))] == []


def test_an_independent_half_shares_no_code_with_what_it_judges() -> None:
    """It may import the standard library, errors, progress and messages, and libraries that read files."""
    core = tuple(f"anonymizer_gui.engine.core.{name}" for name in ("errors", "messages", "progress"))
    shared = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for room, half in independent_halves().items()
        for path in sorted(half.rglob("*.py"))
        for name in imported_names(path)
        if not name.startswith((f"anonymizer_gui.engine.rooms.{room}.independent", *core))
        and name.partition(".")[0] not in {"openpyxl", "pyarrow", "defusedxml", *sys.stdlib_module_names}
    ]
    assert shared == []
