"""Looks for people in what leaves: whole identifiers of anybody, parts of one's own, and texts that look like one.

Words are compared whole and without case, so “eric” is not found inside “American”; numbers without their separators.
What many rows show by chance, such as an occupation that is somebody's surname, is no finding.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.room import Finding

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d(?:[ ./-]?\d){6,}")
_SHORTEST_WORD = 3
_LETTERS_ALONE = 6
"""So long a single word must be to point to a person wherever it stands."""
_DIGITS_ALONE = 7
_MOST_ROWS = 1000
_CHANCE = 5
"""So many times as often as chance explains must parts of an identifier stand in their own row, and in so many times
as many rows as people are called so a single word is one of the language."""
_COMMON = 0.5
"""A word that would stand in its own row so often by chance is judged alone; the rarer ones are judged together."""
_AT_ONCE = 1 << 16
# Each pattern with a sign that must be there, which is found much faster.
_PATTERNS: Mapping[str, tuple[str, re.Pattern[str]]] = {
    "an e-mail address": ("@", re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)*\.[A-Za-z]{2,}")),
    "a social security number": ("-", re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")),
    "a bank account (IBAN)": ("", re.compile(r"(?<!\w)[A-Z]{2}\d{2}( ?[A-Z0-9]{4}){3,7}( ?[A-Z0-9]{1,3})?(?!\w)")),
    "a phone number": ("+", re.compile(r"(?<![\w+])\+\d{1,3}[ /.-]?\(?\d{1,4}\)?([ /.-]?\d{2,4}){2,4}(?!\w)")),
}


@dataclass(frozen=True, slots=True, eq=False)
class _Spelled:
    """The distinct labels of a column as words, and as numbers without separators."""

    words: list[tuple[str, ...]]
    numbers: list[frozenset[str]]


def find_identifiers(
    leaving: Table,
    rows: npt.NDArray[np.int64],
    identifiers: Sequence[Column],
    unchanged: Iterable[str],
    progress: Progress = SILENT,
) -> Iterator[Finding]:
    """Find identifiers in the columns that leave; `identifiers` are whole columns of the original.

    `rows` gives the original row of each row that leaves; `unchanged` names the columns published as they are, in
    which texts that look like an identifier are found, too.
    """
    spelled = [_spelled(column) for column in identifiers]
    plain = set(unchanged)
    for place, column in enumerate(leaving.columns):
        part = progress.sub(place / len(leaving.columns), (place + 1) / len(leaving.columns))
        shown = _spelled(column)
        for raw, known in zip(identifiers, spelled, strict=True):
            part(0.0, "Looking for identifiers")
            yield from _of_anybody(column, shown, raw, known, rows)
            yield from _parts_of_ones_own(column, shown, raw, known, rows, part)
        if column.name in plain:
            yield from _patterns(column, rows)


def _spelled(column: Column) -> _Spelled:
    words, numbers = [], []
    for label in column.labels:
        text = "" if label == MISSING else label.casefold()
        words.append(tuple(_WORD.findall(text)))
        numbers.append(frozenset(re.sub(r"\D", "", found) for found in _NUMBER.findall(text)))
    return _Spelled(words, numbers)


def _of_anybody(
    column: Column, shown: _Spelled, raw: Column, known: _Spelled, rows: npt.NDArray[np.int64]
) -> Iterator[Finding]:
    """Find whole identifiers, of whichever row, that cannot be there by chance."""
    telling = {words for words in known.words if _is_telling(words)}
    telling -= _of_the_language(column, shown, raw, known, {words[0] for words in telling if len(words) == 1})
    numbers = {number for found in known.numbers for number in found}
    firsts, longest = {words[0] for words in telling}, max((len(words) for words in telling), default=0)
    hits = [
        bool(numbers & found) or _holds_one(words, telling, firsts, longest)
        for words, found in zip(shown.words, shown.numbers, strict=True)
    ]
    yield from _finding(
        column, hits, rows, "“{column}” shows a value of the identifier “{name}” in {rows:row|rows}.", raw.name
    )


def _of_the_language(
    column: Column, shown: _Spelled, raw: Column, known: _Spelled, singles: set[str]
) -> set[tuple[str, ...]]:
    """Find single words that many more rows show than people are called so, such as a state that is a first name."""
    called = _rows_of_words(raw.codes, known.words, singles)
    showing = _rows_of_words(column.codes, shown.words, singles)
    return {(word,) for word in singles if showing.get(word, 0.0) > _CHANCE * called.get(word, 0.0)}


def _is_telling(words: tuple[str, ...]) -> bool:
    """Whether an identifier points to a person wherever it stands: several words, a long word, or a long number."""
    letters = sum(len(word) for word in words)
    if len(words) > 1:
        return letters > _LETTERS_ALONE and not all(word.isdigit() for word in words)
    return bool(words) and letters >= (_DIGITS_ALONE if words[0].isdigit() else _LETTERS_ALONE)


def _holds_one(words: tuple[str, ...], telling: set[tuple[str, ...]], firsts: set[str], longest: int) -> bool:
    return any(
        words[start : start + length] in telling
        for start, word in enumerate(words)
        if word in firsts
        for length in range(1, min(longest, len(words) - start) + 1)
    )


def _parts_of_ones_own(
    column: Column,
    shown: _Spelled,
    raw: Column,
    known: _Spelled,
    rows: npt.NDArray[np.int64],
    progress: Progress,
) -> Iterator[Finding]:
    """Find words of a row's own identifier in its cells, in either direction, beyond what chance explains."""
    if not len(column) or column.name == raw.name:
        return
    vocabulary = {word for words in known.words for word in words if _counts(word)}
    in_cells = [frozenset(word for word in words if word in vocabulary) for words in shown.words]
    in_names = [frozenset(word for word in words if _counts(word)) for words in known.words]
    own, cells = raw.codes[rows], column.codes
    could = np.flatnonzero(np.array([bool(words) for words in in_cells])[cells])
    pairs = group_rows([own[could], cells[could]], len(could))
    first = could[pairs.first_rows]
    shared = _shared(own[first], cells[first], in_names, in_cells, progress)
    seen = Counter[str]()
    for place, words in shared.items():
        seen.update(dict.fromkeys(words, int(pairs.sizes[place])))
    telling = _beyond_chance(seen, _expected(in_cells, in_names, own, cells))
    is_hit = np.zeros(len(pairs), dtype=np.bool_)
    is_hit[[place for place, words in shared.items() if words & telling]] = True
    found = could[is_hit[pairs.ids]]
    if len(found):
        sentence = message(
            "“{column}” shows a part of the identifier “{name}” of its own row in {rows:row|rows}.",
            column=column.name, name=raw.name, rows=len(found),
        )  # fmt: skip
        yield Finding(sentence, column.name, tuple(rows[found[:_MOST_ROWS]].tolist()))


def _shared(
    own: npt.NDArray[Any],
    cells: npt.NDArray[Any],
    in_names: Sequence[frozenset[str]],
    in_cells: Sequence[frozenset[str]],
    progress: Progress,
) -> dict[int, frozenset[str]]:
    """Give the words that identifier and cell share, by place, where there are any."""
    found = {}
    for start in range(0, len(own), _AT_ONCE):
        progress(0.5, "Looking for identifiers")
        part = slice(start, start + _AT_ONCE)
        for place, (name, cell) in enumerate(zip(own[part].tolist(), cells[part].tolist(), strict=True), start):
            if not in_names[name].isdisjoint(in_cells[cell]):
                found[place] = in_names[name] & in_cells[cell]
    return found


def _beyond_chance(seen: Mapping[str, int], expected: Mapping[str, float]) -> set[str]:
    """Give the words that stand in their own rows more often than chance explains.

    A word that does so often is judged alone, so that “will” in every other note does not hide the surnames in some;
    rare words are judged together: one of many meets its row by chance now and then.
    """
    rare = {word for word, times in expected.items() if times < _COMMON}
    told = {word for word in seen if word not in rare and seen[word] > _CHANCE * expected[word]}
    if sum(seen[word] for word in rare & seen.keys()) > _CHANCE * sum(expected[word] for word in rare):
        told |= rare & seen.keys()
    return told


def _counts(word: str) -> bool:
    """Whether a word alone says something; pieces of numbers meet by chance."""
    return len(word) >= _SHORTEST_WORD and not word.isdigit()


def _expected(
    in_cells: Sequence[frozenset[str]],
    in_names: Sequence[frozenset[str]],
    own: npt.NDArray[Any],
    cells: npt.NDArray[Any],
) -> dict[str, float]:
    """Say in how many rows each word would meet itself if cells and identifiers had nothing to do with each other."""
    names, shown = _rows_of_words(own, in_names), _rows_of_words(cells, in_cells)
    return {word: times * names[word] / max(len(own), 1) for word, times in shown.items() if word in names}


def _rows_of_words(
    codes: npt.NDArray[Any], words_of: Sequence[Iterable[str]], among: set[str] | None = None
) -> dict[str, float]:
    """Count the rows that hold each word; only those of `among` where that is given."""
    counted: dict[str, float] = {}
    for words, times in zip(words_of, np.bincount(codes, minlength=len(words_of)).tolist(), strict=True):
        for word in set(words):
            if among is None or word in among:
                counted[word] = counted.get(word, 0.0) + times
    return counted


def _patterns(column: Column, rows: npt.NDArray[np.int64]) -> Iterator[Finding]:
    sentence = "“{column}” holds what looks like {name} in {rows:row|rows}."
    for what, (sign, pattern) in _PATTERNS.items():
        hits = [sign in label and pattern.search(label) is not None for label in column.labels]
        yield from _finding(column, hits, rows, sentence, message(what))


def _finding(
    column: Column, hits: Sequence[bool], rows: npt.NDArray[np.int64], pattern: str, name: str
) -> Iterator[Finding]:
    found = np.flatnonzero(np.array(hits, dtype=np.bool_)[column.codes]) if any(hits) else np.empty(0, dtype=np.int64)
    if len(found):
        sentence = message(pattern, column=column.name, name=name, rows=len(found))
        yield Finding(sentence, column.name, tuple(rows[found[:_MOST_ROWS]].tolist()))
