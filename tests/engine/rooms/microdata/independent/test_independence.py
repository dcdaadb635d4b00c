"""The second opinion shares no code with the first."""

import ast
import sys
from pathlib import Path

from anonymizer_gui.engine.rooms.microdata import independent

FOLDER = Path(independent.__path__[0])
ALLOWED = {f"anonymizer_gui.engine.{word}" for word in ("core.errors", "core.messages", "core.progress")}
READERS = {"openpyxl", "pyarrow"}


def imported(path: Path) -> list[str]:
    """Return the modules a file imports, at any depth."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    return names


def is_shared(name: str) -> bool:
    """Tell whether a module is neither the recount's own nor one that everybody may use."""
    own = name.startswith(independent.__name__) or name in ALLOWED
    return not own and name.partition(".")[0] not in READERS | sys.stdlib_module_names


def test_only_the_standard_library_readers_errors_and_progress_are_used() -> None:
    names = [(path.name, name) for path in sorted(FOLDER.glob("*.py")) for name in imported(path)]
    assert len({file for file, _ in names}) > 10
    assert [f"{file}: {name}" for file, name in names if is_shared(name)] == []
