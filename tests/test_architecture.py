"""The layers of the program: who may import whom."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "anonymizer_gui"
WIDGET_MODULES = {"PySide6.QtWidgets", "PySide6.QtSvgWidgets", "PySide6.QtPrintSupport"}


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


@pytest.mark.parametrize("path", sorted((PACKAGE / "ui" / "rooms").glob("*/**/*.py")), ids=lambda path: path.stem)
def test_the_pages_of_a_room_know_no_other_room_of_the_engine(path: Path) -> None:
    # import-linter has no word for "the room of the same name".
    own = path.relative_to(PACKAGE / "ui" / "rooms").parts[0]
    known = {name.split(".")[3] for name in imported_names(path) if name.startswith("anonymizer_gui.engine.rooms.")}
    assert known <= {own}


@pytest.mark.parametrize("path", sorted((PACKAGE / "workspace").rglob("*.py")), ids=lambda path: path.stem)
def test_the_workspace_imports_no_widgets(path: Path) -> None:
    assert not imported_names(path) & WIDGET_MODULES


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


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "engine" / "rooms").rglob("algorithms/**/*.py")), ids=lambda path: path.stem
)
def test_no_search_knows_the_clock(path: Path) -> None:
    assert not {name.split(".")[0] for name in imported_names(path)} & {"time", "datetime", "timeit", "signal"}
