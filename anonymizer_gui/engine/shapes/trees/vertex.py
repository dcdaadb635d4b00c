"""A vertex of a record: its labels and children in the order of the file, whether that was JSON or XML."""

import unicodedata
from dataclasses import dataclass
from typing import TypeAlias

from anonymizer_gui.engine.shapes.tables.table import MISSING

OBJECT, VALUE, ARRAY = "object", "value", "array"
"""What a vertex was: an object or element, a bare value in a list, a list in a list."""
TEXT, TAIL = "#text", "#tail"
"""The labels of an XML element for the text inside and after it."""


class Number(str):
    """A number as it is spelt in JSON: nothing is rounded, however many digits it has."""

    __slots__ = ()


Scalar: TypeAlias = str | bool | None
Part: TypeAlias = "tuple[str, Scalar | Vertex | list[Vertex]]"


@dataclass(slots=True)
class Vertex:
    """An object or element: parts are labels (a scalar), one child (a vertex) or a list of children, in order."""

    parts: list[Part]
    form: str = OBJECT
    tag: str = ""
    """The name of an XML element that is a record."""


def text_of(value: Scalar) -> str:
    """Give a scalar as the text it is compared by: null and nothing are missing, spaces around and forms are one.

    >>> text_of(Number("1.50")), text_of(True), text_of(None), text_of(" a ")
    ('1.50', 'true', '(missing)', 'a')
    """
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value).strip()
    return (text if text.isascii() else unicodedata.normalize("NFC", text)) or MISSING


def type_of(value: Scalar) -> str:
    """Name the type of a scalar in the words of JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, Number) else "text"
