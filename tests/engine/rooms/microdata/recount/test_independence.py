"""The second opinion shares no code with the first."""

import ast
import sys
from pathlib import Path

import pytest

from anonymizer_gui.engine.rooms.microdata import recount

FOLDER = Path(recount.__path__[0])
ALLOWED = {"errors", "progress", "words"}
READERS = {"openpyxl", "pyarrow"}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_only_the_standard_library_readers_errors_and_progress_are_used(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            own = name.startswith(recount.__name__) or name in {f"anonymizer_gui.engine.{word}" for word in ALLOWED}
            assert own or name.partition(".")[0] in READERS | sys.stdlib_module_names, name
