"""Faults put into the program one by one: each must make a test fail. `make mutants` runs all of them.

A mutant that lives shows what no test checks. The list is in `tests/mutant_list.py`; this file places, runs and counts.
"""

import argparse
import ast
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "anonymizer_gui"
ENOUGH = 38
KILLED, LIVED = "killed", "LIVED"
_COPIED = ("anonymizer_gui", "tests", "pyproject.toml", "CHANGELOG.md")
_FAILED = 1
"""What pytest exits with when a test failed, and nothing else was wrong."""
_LONGEST_S = 600
_PARSING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: in `function` of `module`, `old` becomes `new`; at least one of `tests` must fail.

    `function` is a function, a method as `Class.method`, or a class; empty for a line of the module itself.
    """

    name: str
    module: str
    function: str
    old: str
    new: str
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A file of the package, and its text with the fault in it."""

    file: str
    text: str


class DoesNotApply(Exception):
    """The text of a mutant is not there exactly once, or a test of it does not exist."""


def place_of(mutant: Mutant, root: Path = ROOT) -> Place:
    """Find where a mutant belongs: in its module, and where that has moved, wherever its function is.

    Raises DoesNotApply unless the text is there exactly once and Python remains.
    """
    plain = root / mutant.module.replace(".", "/")
    own = [path for path in (plain.with_suffix(".py"), plain / "__init__.py") if path.is_file()]
    found = [place for path in own for place in _places_in(path, mutant, root)]
    if not found:
        found = [place for path in sorted((root / PACKAGE).rglob("*.py")) for place in _places_in(path, mutant, root)]
    if len(found) != 1:
        raise DoesNotApply(f"“{mutant.old}” is {len(found)} times in {mutant.function or mutant.module}")
    try:
        _tree(found[0].text)
    except SyntaxError:
        raise DoesNotApply(f"“{mutant.new}” is no Python there") from None
    return found[0]


def _places_in(path: Path, mutant: Mutant, root: Path) -> Iterator[Place]:
    """Give every text that replacing one occurrence makes."""
    text = path.read_text(encoding="utf-8")
    if mutant.old not in text:
        return
    for start, end in _spans(text, mutant.function):
        at = text.find(mutant.old, start, end)
        while at >= 0:
            changed = text[:at] + mutant.new + text[at + len(mutant.old) :]
            yield Place(path.relative_to(root).as_posix(), changed)
            at = text.find(mutant.old, at + 1, end)


def _spans(text: str, function: str) -> list[tuple[int, int]]:
    """Give from where to where the functions of this name reach; the whole file where none is named."""
    if not function:
        return [(0, len(text))]
    lines = [0]
    for line in text.split("\n"):
        lines.append(lines[-1] + len(line) + 1)
    nodes = _named(_tree(text), "")
    return [(lines[node.lineno - 1], lines[node.end_lineno or -1]) for name, node in nodes if name == function]


def _tree(text: str) -> ast.Module:
    """Parse a file, one at a time: CPython 3.11 counts the depth of all threads' trees in one place, and gives up."""
    with _PARSING:
        return ast.parse(text)


def _named(node: ast.AST, above: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield above + child.name, child
            yield from _named(child, f"{above}{child.name}.")


def refuse_unknown_tests(mutant: Mutant, root: Path = ROOT) -> None:
    """Raise DoesNotApply when a test that should kill a mutant does not exist."""
    for test in mutant.tests:
        file, _, name = test.partition("::")
        path = root / file
        names = dict(_named(_tree(path.read_text(encoding="utf-8")), "")) if path.exists() else {}
        if name.partition("[")[0] not in names:
            raise DoesNotApply(f"there is no test {test}")


class Tries(Protocol):
    """Runs tests, with a fault in the program or without."""

    def passes(self, tests: Sequence[str], *, place: Place | None = None) -> bool:
        """Tell whether all tests passed; raises DoesNotApply when they could not be run."""


class Workshop:
    """Copies of the repository in which mutants are tried; nothing is ever changed in the repository itself."""

    def __init__(self, folder: Path, copies: int, root: Path = ROOT) -> None:
        self._copies: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for number in range(copies):
            copy = folder / str(number)
            copy.mkdir(parents=True)
            for name in _COPIED:
                whole = root / name
                (shutil.copytree if whole.is_dir() else shutil.copy2)(whole, copy / name)
            (copy / "resources").symlink_to(root / "resources")
            self._copies.put(copy)

    def passes(self, tests: Sequence[str], *, place: Place | None = None) -> bool:
        """Run tests in a free copy, with a changed file if there is one; tell whether all of them passed.

        Raises DoesNotApply when pytest could not run them.
        """
        copy = self._copies.get()
        try:
            return _passes(copy, tests, place)
        finally:
            self._copies.put(copy)


def _passes(copy: Path, tests: Sequence[str], place: Place | None) -> bool:
    before = copy / place.file if place else None
    kept = before.read_bytes() if before else b""
    if place and before:
        before.write_text(place.text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    quiet = {"QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(copy)}
    try:
        ended = subprocess.run(
            command, cwd=copy, env={**os.environ, **quiet}, capture_output=True, text=True, timeout=_LONGEST_S
        )
    except subprocess.TimeoutExpired:
        return False
    finally:
        if before:
            before.write_bytes(kept)
    if ended.returncode not in (0, _FAILED):
        raise DoesNotApply(f"pytest ended with {ended.returncode}:\n{ended.stdout[-2000:]}{ended.stderr[-2000:]}")
    return ended.returncode == 0


def tried(mutant: Mutant, workshop: Tries) -> str:
    """Try one mutant: killed, LIVED, or why it does not apply any more."""
    try:
        refuse_unknown_tests(mutant)
        return LIVED if workshop.passes(mutant.tests, place=place_of(mutant)) else KILLED
    except DoesNotApply as error:
        return f"no longer applies: {error}"


def run_all(mutants: Sequence[Mutant], workshop: Tries, copies: int = 2, enough: int = ENOUGH) -> int:
    """Try all mutants and tell about each; 1 when too few were killed or one does not apply, 2 when tests are red."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    try:
        if not workshop.passes(tests):
            sys.stdout.write("The tests fail without any mutant: mend that first.\n")
            return 2
    except DoesNotApply as error:
        sys.stdout.write(f"{error}\n")
        return 1
    ends = []
    with ThreadPoolExecutor(copies) as pool:
        for mutant, end in zip(mutants, pool.map(lambda each: tried(each, workshop), mutants), strict=True):
            sys.stdout.write(f"{mutant.name}: {end}\n")
            sys.stdout.flush()
            ends.append(end)
    sys.stdout.write(f"mutants: {ends.count(KILLED)} of {len(ends)} killed\n")
    return exit_code(ends, enough)


def exit_code(ends: Sequence[str], enough: int) -> int:
    """Give 0 when every mutant applies and enough were killed, otherwise 1."""
    return 0 if ends.count(KILLED) >= enough and all(end in (KILLED, LIVED) for end in ends) else 1


def main() -> int:
    """Try all mutants, or those whose names hold a text."""
    from tests.mutant_list import MUTANTS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only mutants whose name holds one of these texts")
    parser.add_argument("--copies", type=int, default=2, help="how many are tried at a time")
    args = parser.parse_args()
    chosen = [each for each in MUTANTS if not args.names or any(name in each.name for name in args.names)]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        workshop = Workshop(Path(folder), args.copies)
        return run_all(chosen, workshop, args.copies, min(ENOUGH, len(chosen)))


if __name__ == "__main__":
    sys.exit(main())
