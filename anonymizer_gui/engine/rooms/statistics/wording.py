"""Words of a question as one types them: quoted where they hold blanks, lists with commas between."""

import re
from collections.abc import Iterable, Sequence

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message

_WORD = re.compile(r'(?:"[^"]*"|[^\s"])+')
_PLAIN = re.compile(r'[^\s",]+')
KEYWORDS = ("for", "with")


def split_words(text: str) -> list[str]:
    """Part a text at its blanks, but not between quotation marks, which stay.

    >>> split_words('mean "net income" 0 100')
    ['mean', '"net income"', '0', '100']
    """
    if text.count('"') % 2:
        raise BadParameter(message("A quotation mark is missing in “{text}”.", text=text[:80]), "Close what is quoted.")
    return _WORD.findall(text)


def unquoted(word: str) -> str:
    """Take a word without its quotation marks."""
    return word.replace('"', "")


def quoted_word(word: str) -> str:
    """Put a word into quotation marks where it would not be read as one otherwise."""
    return word if re.fullmatch(r'[^\s"]+', word) and word not in KEYWORDS else f'"{word}"'


def listed(items: Iterable[str]) -> str:
    """Write a list as one word."""
    return ",".join(item if _PLAIN.fullmatch(item) else f'"{item}"' for item in items)


def read_list(word: str) -> tuple[str, ...]:
    """Read a list; commas between quotation marks belong to an item.

    >>> read_list('a,"b, c",d')
    ('a', 'b, c', 'd')
    """
    items = re.findall(r'(?:"[^"]*"|[^",])+', word)
    return tuple(unquoted(item).strip() for item in items if unquoted(item).strip())


def number_in(word: str) -> float | None:
    """Read a number; nothing when it is none."""
    try:
        number = float(word)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def read_bounds(words: Sequence[str]) -> tuple[str, float, float] | None:
    """Read a column and two bounds; nothing when the words are something else."""
    if len(words) != 3:
        return None
    low, high = number_in(words[1]), number_in(words[2])
    return None if low is None or high is None else (unquoted(words[0]), low, high)


def shortest(number: float) -> str:
    """Write a number as one would type it."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)
