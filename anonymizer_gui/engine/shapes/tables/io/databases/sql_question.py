"""Understands a question to a database before it is asked: exactly one SELECT that calls nothing but known functions.

What a server would read in another way than this code does (escapes in texts, comments that run, quotes of other
dialects) is refused, so that nothing can hide in it. The server's own read-only transaction is the wall behind.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.shapes.tables.io.databases.sql_words import BEFORE_PARENTHESES, FORBIDDEN, FUNCTIONS

LONGEST = 100_000
_COMMON = r"""
    (?P<space>(?:\s+|--[^\r\n]*|/\*(?![!+])(?:(?!/\*|\*/)[^\\])*\*/)+)
    |(?P<text>'(?:[^'\\\0]|'')*')
    |(?P<word>[^\W\d][\w$]*)
    |(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w$]))
    |(?P<name>{names})
    |(?P<sign>(?!/\*|\*/|--){signs})
"""
_DOUBLE, _BACK = r'"(?:[^"\\\0]|"")+"', r"`(?:[^`\\\0]|``)+`"
_DIALECTS = {
    "sqlite": (f"{_DOUBLE}|{_BACK}", r"[-+*/%=<>!|&~,.();]"),
    "postgresql": (_DOUBLE, r"[-+*/%=<>!|&~,.();:@#?^\[\]]"),
    "mysql": (f"{_DOUBLE}|{_BACK}", r"[-+*/%=<>!|&~,.();^]"),
}
_TOKENS = {
    dialect: re.compile(_COMMON.format(names=names, signs=signs), re.VERBOSE)
    for dialect, (names, signs) in _DIALECTS.items()
}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the question: its kind, and its text as it was written."""

    kind: str
    text: str

    @property
    def word(self) -> str:
        """The text in lower case, when it is a word without quotation marks."""
        return self.text.lower() if self.kind == "word" else ""


def checked_question(question: str, dialect: str) -> str:
    """Give the question without comments and final semicolon; raises UnreadableFile unless it is one plain SELECT.

    >>> checked_question("SELECT a -- all of them\\n FROM t;", "sqlite")
    'SELECT a FROM t'
    """
    tokens = list(_tokens(question, dialect))
    while tokens and tokens[-1].text in (";", " "):
        tokens.pop()
    meaning = [token for token in tokens if token.kind != "space"]
    if not meaning or meaning[0].word not in ("select", "with"):
        raise UnreadableFile("Only a SELECT can be asked.", "Begin the query with SELECT or WITH.")
    _check_words(meaning)
    _check_calls(meaning)
    return "".join(token.text for token in tokens)


def _tokens(question: str, dialect: str) -> Iterator[Token]:
    if len(question) > LONGEST:
        raise UnreadableFile("The query is too long.", "Make a view in the database, and ask for that.")
    pattern, place = _TOKENS[dialect], 0
    while place < len(question):
        found = pattern.match(question, place)
        if found is None:
            raise UnreadableFile(
                message("The query is not understood from “{text}” on.", text=question[place : place + 20]),
                "Only what every database reads in the same way can be asked: no backslashes, no $-quotes.",
            )
        place = found.end()
        kind = found.lastgroup or ""
        yield Token(kind, " " if kind == "space" else found[0])


def _check_words(tokens: list[Token]) -> None:
    depth = 0
    for token, following in zip(tokens, [*tokens[1:], Token("", "")], strict=True):
        depth += (token.text == "(") - (token.text == ")")
        if token.text == ";" or depth < 0:
            raise UnreadableFile("Only one SELECT can be asked.", "Leave out whatever stands behind it.")
        locks = token.word == "for" and following.word in ("update", "share", "no", "key")
        if locks or token.word in FORBIDDEN:
            raise UnreadableFile(
                message("A query with “{word}” can do more than read.", word=token.text),
                "Ask only for rows, with SELECT; put the name of a column in quotation marks.",
            )
    if depth:
        raise UnreadableFile("A parenthesis of the query is not closed.", "Check the query.")


def _check_calls(tokens: list[Token]) -> None:
    """Refuse whatever stands before a parenthesis and is not known to do nothing but compute."""
    depth, is_naming = 0, tokens[0].word == "with"
    for place, token in enumerate(tokens):
        depth += (token.text == "(") - (token.text == ")")
        # WITH gives names to questions first; columns may stand in parentheses behind each.
        is_naming = is_naming and not (depth == 0 and token.word == "select")
        if token.text != "(" or not place:
            continue
        before, earlier = tokens[place - 1], tokens[place - 2] if place > 1 else Token("", "")
        named = (is_naming and depth == 1) or earlier.word == "as" or earlier.text == ")"
        if before.kind == "name" and not named:
            raise _unknown(before)
        is_known = before.word in BEFORE_PARENTHESES or (before.word in FUNCTIONS and earlier.text != ".")
        if before.kind == "word" and not (is_known or named):
            raise _unknown(before)


def _unknown(token: Token) -> UnreadableFile:
    return UnreadableFile(
        message("The query calls “{name}”, which may do more than compute.", name=token.text),
        "Make a view in the database that calls it, and ask for that.",
    )
