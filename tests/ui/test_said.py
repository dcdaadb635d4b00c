"""Every sentence said by the engine or the workspace has its line in every language we ship, with the same places."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import anonymizer_gui
from anonymizer_gui.ui import i18n

ROOT = Path(anonymizer_gui.__path__[0])
FILES = sorted(ROOT.rglob("*.py"))
LANGUAGES = [name for name in i18n.LANGUAGES if name != "en"]
LETTER = re.compile(r"[^\W\d_]")


def said(path: Path) -> Iterator[ast.Call]:
    """Find the calls of `say` in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
            yield node


def literals(node: ast.expr) -> list[str] | None:
    """Give the texts an expression can be; nothing when it is no text written there."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if not isinstance(node, ast.IfExp):
        return None
    one, other = literals(node.body), literals(node.orelse)
    return None if one is None or other is None else one + other


def patterns() -> set[str]:
    """Give the patterns of all sentences; one that is nothing but places needs no translation."""
    found = {text for path in FILES for call in said(path) for text in literals(call.args[0]) or ()}
    return {
        pattern for pattern in found if LETTER.search("".join(text for text, *_ in string.Formatter().parse(pattern)))
    }


def places(pattern: str) -> set[tuple[str, str]]:
    """Give the places of a pattern: the name, and how the value is written unless it brings words."""
    parsed = string.Formatter().parse(pattern)
    return {(name, "" if "|" in (spec or "") else spec or "") for _, name, spec, _ in parsed if name}


def test_a_pattern_with_values_stands_where_it_is_said() -> None:
    composed = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in FILES
        for call in said(path)
        if literals(call.args[0]) is None and call.keywords and path.name != "words.py"
    ]
    assert composed == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pattern_has_a_line(language: str) -> None:
    assert sorted(patterns() - set(i18n.translations(language))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_writes_the_same_values_in_the_same_way(language: str) -> None:
    lines = i18n.translations(language)
    assert [each for each in patterns() & set(lines) if places(each) != places(lines[each])] == []
