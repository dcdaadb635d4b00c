"""Finds words in the help: titles before headings before text, every word somewhere on the page."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anonymizer_gui.ui.help_pages import HelpPage

_SIGNS = re.compile(r"\[([^\]]+)\]\([^)]*\)|\\(.)|[*_`#|]")
_TITLE, _HEADING, _TEXT = 100, 10, 1
_MOST = 5
"""So many times a word counts on a page; a long page is no better one."""


@dataclass(frozen=True, slots=True)
class Found:
    """A page on which all words stand: its name, its title, and the first line that has one of them."""

    name: str
    title: str
    line: str


def words_of(typed: str) -> tuple[str, ...]:
    """Give the words somebody looks for, without regard to case and accents.

    >>> words_of(" Größe  k-Anonymity ")
    ('grosse', 'k-anonymity')
    """
    return tuple(_folded(typed).split())


def search(pages: Mapping[str, HelpPage], typed: str) -> list[Found]:
    """List the pages on which every word stands, the best first; equal ones stay in the order of work."""
    words = words_of(typed)
    if not words:
        return []
    scored = []
    for place, (name, page) in enumerate(pages.items()):
        lines = page.read().splitlines()
        score = _score(page.title, lines, words)
        if score:
            scored.append((-score, place, Found(name, page.title, _first_line(lines, words))))
    return [found for _score_of, _place, found in sorted(scored, key=lambda each: each[:2])]


def plain_line(line: str) -> str:
    """Take the signs of Markdown off a line.

    >>> plain_line("- **Risk**: see [All attacks](attacks.md)")
    'Risk: see All attacks'
    """
    return _SIGNS.sub(lambda found: found[1] or found[2] or "", line).strip().removeprefix("- ").strip()


def _score(title: str, lines: Iterable[str], words: tuple[str, ...]) -> int:
    """Add up what speaks for a page; 0 when a word is missing."""
    folded_title = _folded(title)
    texts = [(_HEADING if line.startswith("##") else _TEXT, _folded(plain_line(line))) for line in lines]
    total = 0
    for word in words:
        hits = sorted((weight for weight, text in texts if word in text), reverse=True)[:_MOST]
        in_title = _TITLE * (1 + (word in folded_title.split())) if word in folded_title else 0
        if not hits and not in_title:
            return 0
        total += in_title + sum(hits)
    return total


def _first_line(lines: Iterable[str], words: tuple[str, ...]) -> str:
    """Give the first line with a word in it that is no title and no rule of a table."""
    told = [plain_line(line) for line in lines if not line.startswith("# ")]
    return next((line for line in told if any(word in _folded(line) for word in words)), "")


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))
