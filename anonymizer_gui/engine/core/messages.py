"""Sentences for people: plain English text that remembers how it was put together, so that it can be said anew.

>>> told = message("Reading {rows:row|rows} of “{name}”", rows=2000, name="a.csv")
>>> print(told)
Reading 2,000 rows of “a.csv”
>>> told.pattern, told.values["rows"]
('Reading {rows:row|rows} of “{name}”', 2000)

Numbers are given as numbers, never as text; a sentence or a word of the program inside another one is a sentence
itself, and what is given as a plain text belongs to the user: a name, a path, a cell. It is never translated.
"""

import re
import string
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any


class Message(str):
    """The finished English text; it knows its pattern with {places} and the values that stand there.

    What `str` makes of it (`+`, `strip`, an f-string) is a plain text again: put sentences together with `say`.
    """

    pattern: str = ""
    values: Mapping[str, object] = {}


class MessageFormatter(string.Formatter):
    """Puts values into {places}; how numbers and sentences are written may depend on the language."""

    def number(self, text: str) -> str:
        """Write a number or a share that is given the English way."""
        return text

    def sentence(self, sentence: Message) -> str:
        """Write a sentence that stands inside another."""
        return str(sentence)

    def format_field(self, value: object, format_spec: str) -> str:
        """Write one value; `{rows:row|rows}` puts behind a count its word, `{rows:~has|have}` writes only the word."""
        if isinstance(value, Message):
            return self.sentence(value)
        if isinstance(value, list | tuple):
            return ", ".join(self.format_field(each, format_spec) for each in value)
        one, bar, many = format_spec.partition("|")
        if bar:
            number = self.format_field(value, ",.0f" if isinstance(value, float) else ",") if _counts(value) else value
            word = one.removeprefix("~") if str(number) == "1" else many
            return word if one.startswith("~") else f"{number} {word}"
        written = str(super().format_field(value, format_spec))
        return self.number(written) if _counts(value) else written

    def fill(self, pattern: str, values: Mapping[str, object]) -> str:
        """Give the pattern with the values in their places; one without values is taken as it is."""
        return self.vformat(pattern, (), values) if values else pattern


_ENGLISH = MessageFormatter()
_WIDE = re.compile(r"\d\d\d|[{}]")
"""What no format of a sentence has: a width or precision that fills pages, or a place inside."""


def message(pattern: str, /, **values: object) -> Message:
    """Say a sentence with values in its {places}: `{name}`, `{rows:row|rows}`, `{share:.1%}`; lists get commas.

    The pattern is the key of the translation, so it stands there in full; a word that is declared elsewhere, such as
    the title of a goal, is said without values.
    """
    sentence = Message(_ENGLISH.fill(pattern, values))
    sentence.pattern = pattern
    sentence.values = values
    return sentence


def quote(names: Iterable[str]) -> tuple[Message, ...]:
    """Put names of the user into quotation marks, to stand as a list in a sentence.

    >>> print(message("Not agreed to: {names}.", names=quote(["a", "b"])))
    Not agreed to: “a”, “b”.
    """
    return tuple(message("“{name}”", name=name) for name in names)


def join_messages(*sentences: str) -> Message:
    """Say several sentences of the program one after the other; empty ones are left out.

    >>> print(join_messages(message("It has {rows:row|rows}.", rows=1), "", "Choose another file."))
    It has 1 row. Choose another file.
    """
    parts = {f"part{place}": as_message(each) for place, each in enumerate(sentences) if each}
    return message(" ".join(f"{{{name}}}" for name in parts), **parts)


def as_message(text: str) -> Message:
    """Take a text of the program, with or without values, as a sentence."""
    return text if isinstance(text, Message) else message(text)


def pack_message(value: object) -> Any:
    """Give a sentence, a text, a number or a list of such as a value for JSON; a sentence keeps pattern and values.

    >>> pack_message(message("It has {rows:row|rows}.", rows=1))
    {'pattern': 'It has {rows:row|rows}.', 'values': {'rows': 1}}
    """
    if isinstance(value, Message):
        return {"pattern": value.pattern, "values": {name: pack_message(each) for name, each in value.values.items()}}
    if isinstance(value, list | tuple):
        return [pack_message(each) for each in value]
    # Numbers of arrays are none to JSON.
    return value.item() if hasattr(value, "item") else value


def unpack_message(value: Any) -> Any:
    """Make of JSON again what was packed; lists become tuples.

    It may stand in a file of a stranger: raises ValueError for a pattern that looks into values or fills up memory.
    """
    if isinstance(value, dict):
        if not _is_plain(value["pattern"]):
            raise ValueError("a pattern that is none of ours")
        return message(value["pattern"], **{name: unpack_message(each) for name, each in value["values"].items()})
    return tuple(unpack_message(each) for each in value) if isinstance(value, list) else value


def _is_plain(pattern: str) -> bool:
    """Tell whether a pattern only names its places, with words or a short format for each."""
    places = [(name, how or "", turned) for _, name, how, turned in _ENGLISH.parse(pattern) if name is not None]
    return all(name.isidentifier() and not turned and not _WIDE.search(how) for name, how, turned in places)


def _counts(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
