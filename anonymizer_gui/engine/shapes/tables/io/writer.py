"""What every writer does, and what all writers share on the way from a table to cells."""

import re
from pathlib import Path
from typing import ClassVar, Protocol

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.shapes.tables.io.options import WriteOptions
from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, Table

_FORMULA_START = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_PLAIN_NUMBER = re.compile(r"[-+](\d[\d.,  ]*|[.,]\d+)([eE][-+]?\d+)?%?")


class Writer(Protocol):
    """Writes tables of one format; found by the registry."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]

    def write(self, table: Table, path: Path, options: WriteOptions, progress: Progress) -> None:
        """Write the table to the path as it is, over what was there; same table, same bytes."""


WRITERS: Registry[Writer] = Registry("table writer", __package__)


NOT_TRUTHFUL = "not truthful"
"""What heads, reports and names of files say where cells are noise, swapped or made up."""


def disarmed(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would take for a formula; numbers stay.

    >>> disarmed("=1+1"), disarmed("-5")
    ("'=1+1", '-5')
    """
    if text.startswith(_FORMULA_START) and not _PLAIN_NUMBER.fullmatch(text):
        return "'" + text
    return text


def written_labels(column: Column, options: WriteOptions) -> list[str]:
    """Give the text that is written for every label of a column."""
    texts = [options.missing if label == MISSING else label for label in column.labels]
    return [disarmed(text) for text in texts] if options.escape_formulas else texts


def written_names(table: Table, options: WriteOptions) -> list[str]:
    """Give the names of the columns as they are written."""
    return [written_name(name, options) for name in table.names]


def written_name(name: str, options: WriteOptions) -> str:
    """Give the head of a column as it is written; one whose cells are not true says so."""
    head = f"{name} ({NOT_TRUTHFUL})" if name in options.untruthful else name
    return disarmed(head) if options.escape_formulas else head
