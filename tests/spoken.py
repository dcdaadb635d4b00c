"""Finds in the source what the program says to people, so that tests can ask for its translation and its form."""

import ast
import builtins
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import anonymizer_gui

ROOT = Path(anonymizer_gui.__path__[0])
ENGINE = ROOT / "engine"
WORKSPACE = ROOT / "workspace"
LETTER = re.compile(r"[^\W\d_]")
ERRORS = "AnonymizerError"
SPEAKERS = {
    "progress", "part", "error", "warning", "info", "success", "start", "Check", "refusal", "bad", "join_messages",
    "as_message",
}  # fmt: skip
"""What is handed to these is read by people; errors are found by their classes."""
SILENT = {"key", "replace_key"}
"""What nobody reads."""


@dataclass(frozen=True)
class Spoken:
    """An expression that is said to people, and the function it stands in."""

    path: Path
    node: ast.expr
    around: ast.AST

    @property
    def place(self) -> str:
        """Where it stands, as file:line."""
        return f"{self.path.relative_to(ROOT).as_posix()}:{self.node.lineno}"

    def meant(self) -> Iterator[ast.expr]:
        """Give the expressions it can be: those of a choice, and what was put into a variable just before."""
        yield from _meant(self.node, self.around, set())


def _meant(node: ast.expr, around: ast.AST, seen: set[str]) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from _meant(node.body, around, seen)
        yield from _meant(node.orelse, around, seen)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _meant(value, around, seen)
    elif isinstance(node, ast.Name) and node.id not in seen:
        for value in _put_into(around).get(node.id, ()):
            yield from _meant(value, around, {*seen, node.id})
    else:
        yield node


@cache
def _put_into(around: ast.AST) -> dict[str, list[ast.expr]]:
    """Give what is put into each variable of a function."""
    found: dict[str, list[ast.expr]] = {}
    for put in (node for node in ast.walk(around) if isinstance(node, ast.Assign)):
        for target in put.targets:
            if isinstance(target, ast.Name):
                found.setdefault(target.id, []).append(put.value)
    return found


@cache
def parsed(path: Path) -> ast.Module:
    """Read a file of source."""
    return ast.parse(path.read_text(encoding="utf-8"))


def files(*folders: Path) -> list[Path]:
    """List the files of source in folders."""
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def let_go() -> None:
    """Forget what was read: millions of nodes that every later test would have looked through for garbage."""
    for kept in (parsed, calls, _put_into, _raised):
        kept.cache_clear()


@cache
def error_names() -> frozenset[str]:
    """Name every kind of error that speaks to people, wherever it is declared."""
    known = {ERRORS}
    classes = [node for path in files(ROOT) for node in ast.walk(parsed(path)) if isinstance(node, ast.ClassDef)]
    while more := {c.name for c in classes if {ast.unparse(base) for base in c.bases} & known} - known:
        known |= more
    return frozenset(known)


@cache
def calls(path: Path) -> tuple[tuple[ast.Call, ast.AST], ...]:
    """Find every call in a file, with the function around it."""
    return tuple(_calls(parsed(path), parsed(path)))


def _calls(node: ast.AST, around: ast.AST) -> Iterator[tuple[ast.Call, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield child, around
        is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        yield from _calls(child, child if is_function else around)


def is_error(call: ast.Call, around: ast.AST) -> bool:
    """Tell whether a call makes an error for people: by its class, or by a variable that holds one and is raised."""
    name = called(call)
    if name in error_names() or (name == "__init__" and owner_of(call) == "super()"):
        return True
    return name[:1].islower() and name not in vars(builtins) and call in _raised(around)


@cache
def _raised(around: ast.AST) -> frozenset[ast.expr | None]:
    return frozenset(node.exc for node in ast.walk(around) if isinstance(node, ast.Raise))


def called(call: ast.Call) -> str:
    """Name what is called; nothing for what has no name, as an entry of a table."""
    if isinstance(call.func, ast.Name):
        return call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def owner_of(call: ast.Call) -> str:
    """Name whose function is called; nothing for one that is nobody's."""
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""


def spoken(*folders: Path) -> Iterator[Spoken]:
    """Find what is handed to errors, progress, messages, jobs and checks.

    The log is for reports of faults and English in every language.
    """
    for path in files(*folders):
        for call, around in calls(path):
            if (called(call) in SPEAKERS or is_error(call, around)) and owner_of(call) != "LOGGER":
                keywords = (keyword.value for keyword in call.keywords if keyword.arg not in SILENT)
                for argument in [*call.args, *keywords]:
                    yield Spoken(path, argument, around)


def said(*folders: Path) -> Iterator[Spoken]:
    """Find the patterns handed to `message`; one without values may be a word that is declared elsewhere."""
    for path in files(*folders):
        for call, around in calls(path):
            if isinstance(call.func, ast.Name) and call.func.id == "message":
                yield Spoken(path, call.args[0], around if call.keywords else call)


def text_of(node: ast.expr) -> str:
    """Give the text that is written there, nothing when it is made in another way."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@cache
def sentences(*folders: Path) -> frozenset[str]:
    """Give every pattern and every finished sentence that can be said; nothing but places needs no translation."""
    patterns = {text_of(node) for each in said(*folders) for node in each.meant()}
    finished = {text_of(node) for each in spoken(*folders) for node in each.meant()}
    return frozenset(text for text in patterns | {text for text in finished if " " in text} if has_words(text))


def has_words(pattern: str) -> bool:
    """Tell whether there are words of its own in a pattern."""
    return bool(LETTER.search("".join(text for text, *_ in string.Formatter().parse(pattern))))


@cache
def written_texts() -> frozenset[str]:
    """Give every text that is written anywhere in the source."""
    nodes = (node for path in files(ROOT) for node in ast.walk(parsed(path)))
    return frozenset(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
