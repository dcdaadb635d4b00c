"""How the program is cut into modules, in numbers that may fall and never rise; printed in the run."""

import ast
import sys
from collections import Counter
from pathlib import Path

import anonymizer_gui

PACKAGE = Path(anonymizer_gui.__file__).parent
MOST = {"files of code": 651, "lines of code": 131_000, "import lines": 10_900, "found": 875, "told": 445}
"""On the way to 650 files, 118,000 lines, 8,000 import lines, 200 names `found` and 60 `told`."""
OWN_FILES = {"algorithms/mondrian": 2, "composition/": 8}
"""How many files of the microdata room are a thing's own, by how their paths begin."""


def measured() -> Counter[str]:
    """Count files, lines, import lines, and variables and parameters whose name says nothing."""
    counts: Counter[str] = Counter()
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        counts["files of code"] += 1
        counts["lines of code"] += len(text.splitlines())
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                counts["import lines"] += (node.end_lineno or node.lineno) - node.lineno + 1
            elif isinstance(node, ast.arg):
                counts[node.arg] += 1
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                counts[node.id] += 1
    return counts


def test_modules_get_fewer_and_names_better() -> None:
    counts = measured()
    shown = {name: counts[name] for name in MOST}
    sys.stdout.write(f"\nThe program in numbers: {shown}\n")
    assert {name: count for name, count in shown.items() if count > MOST[name]} == {}


def test_what_the_literature_calls_one_thing_is_a_few_files() -> None:
    room = PACKAGE / "engine" / "rooms" / "microdata"
    files = [path.relative_to(room).as_posix() for path in room.rglob("*.py") if path.name != "__init__.py"]
    own = {begins: sum(file.startswith(begins) for file in files) for begins in OWN_FILES}
    assert all(own.values())
    assert {begins: count for begins, count in own.items() if count > OWN_FILES[begins]} == {}
