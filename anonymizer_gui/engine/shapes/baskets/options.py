"""How baskets are read and written: every choice declared once, kept in the project."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.params import Choice, Text, param
from anonymizer_gui.engine.shapes.tables.io.options import ENCODINGS, Character

LAYOUTS = {
    "lines": "One basket per line",
    "long": "One item per line, with the basket's name",
    "matrix": "A column per item, 0 or how many",
    "column": "A table with a column of items",
    "json": "JSON arrays",
}
_BY_LOOKING = {"": "Found by looking"}


@dataclass(frozen=True, slots=True)
class BasketOptions:
    """How a file is understood; `sniffed` proposes them, the user may change each."""

    title: ClassVar[str] = "The reading of a file"

    layout: str = param(Choice(LAYOUTS), default="lines", label="Layout", help="How baskets stand in the file.")
    separator: str = param(
        Character(), default=",", label="Between items", help="The character between two items of a basket."
    )
    item_column: str = param(
        Text(column=True), default="", label="Column of items", help="The column that holds an item, or all of them."
    )
    basket_column: str = param(
        Text(column=True), default="", label="Column of baskets", help="Lines with the same value are one basket."
    )
    encoding: str = param(
        Choice({**_BY_LOOKING, **ENCODINGS}), default="", label="Encoding", help="How bytes stand for letters."
    )
    header: str = param(
        Choice({**_BY_LOOKING, "yes": "Yes", "no": "No"}),
        default="",
        label="First row has the names",
        help="Otherwise columns are numbered.",
    )
