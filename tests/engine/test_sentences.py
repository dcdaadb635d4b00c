"""What the engine says to people is said with its values, never as text that was put together already."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.spoken import ENGINE, WORKSPACE, Spoken, calls, files, let_go, parsed, said, spoken, text_of

MAKERS = {"join", "format", "strip", "rstrip", "lower", "upper", "capitalize", "replace"}


@pytest.fixture(scope="module", autouse=True)
def source_let_go() -> Iterator[None]:
    """Keep no source in memory."""
    yield
    let_go()


def is_made(node: ast.expr) -> bool:
    """Tell whether a text is put together in a way that forgets its parts."""
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
        return any(text_of(part) or is_made(part) for part in (node.left, node.right))
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MAKERS


def is_sentence(node: ast.JoinedStr) -> bool:
    """Tell whether an f-string reads like something said: it quotes a name, or has words and a full stop."""
    text = "".join(text_of(part) for part in node.values)
    return "“" in text or bool(re.search(r"[a-z] .*[a-z)]\.$", text))


def made(found: Iterator[Spoken]) -> list[str]:
    return sorted({each.place for each in found for node in each.meant() if is_made(node)})


def test_no_sentence_is_put_together_before_it_is_said() -> None:
    assert made(spoken(ENGINE, WORKSPACE)) == []


def test_no_text_of_the_engine_reads_like_a_sentence_without_being_said() -> None:
    nodes = [(path, node) for path in files(ENGINE, WORKSPACE) for node in ast.walk(parsed(path))]
    strings = [(path, node) for path, node in nodes if isinstance(node, ast.JoinedStr)]
    assert [f"{path.name}:{node.lineno}" for path, node in strings if is_sentence(node)] == []


def test_a_pattern_with_values_stands_where_it_is_said() -> None:
    patterns = [each for each in said(ENGINE, WORKSPACE) if not isinstance(each.around, ast.Call)]
    assert len(patterns) > 200
    composed = [
        each.place
        for each in patterns
        if each.path.name != "messages.py" and not all(text_of(node) for node in each.meant())
    ]
    assert composed == []


def test_a_word_of_the_program_inside_a_sentence_is_said_itself() -> None:
    """What is given as a plain text belongs to the user and is not translated, so it can be no text of ours."""
    given = [
        (Spoken(path, keyword.value, around), keyword.arg)
        for path in files(ENGINE, WORKSPACE)
        for call, around in calls(path)
        if isinstance(call.func, ast.Name) and call.func.id == "message"
        for keyword in call.keywords
    ]
    assert len(given) > 300
    assert [each.place for each, name in given if name != "command" and any(map(text_of, each.meant()))] == []
