"""The builder that groups values by how they begin: words or characters they share."""

import re
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.params import Choice, Int, ListOf, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.builders.assembly import Level, assemble, used_values, values_of
from anonymizer_gui.engine.hierarchy.builders.builder import BUILDERS, MOST_LEVELS, Builder
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_WORD = re.compile(r"[^\s\-_/.,:;]+[\s\-_/.,:;]*")
_MORE = "…"


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Prefix(Builder):
    """Values with the same beginning form a group."""

    name: ClassVar[str] = "prefix"
    title: ClassVar[str] = "Common beginning"
    summary: ClassVar[str] = (
        "Groups values that begin with the same words or characters; for codes such as ICD, and names."
    )

    by: str = param(
        Choice({"words": "words", "characters": "characters"}),
        default="words",
        label="Compare",
        help="What the beginning is counted in; words end at blanks, hyphens, slashes, dots and commas.",
    )
    lengths: tuple[int, ...] = param(
        ListOf(Int(low=1), MOST_LEVELS),
        default=(1,),
        label="Lengths",
        help="How many words or characters count at each level; longer beginnings are lower levels.",
    )

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Group the values by their beginnings, the longest first."""
        values = values_of(column, progress)
        lengths = sorted(set(self.lengths), reverse=True)
        levels = (Level([self._group(value, length) for value in values]) for length in lengths)
        return assemble(values, levels, column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether first words are shared: at least twice as many values as first words, and more than one."""
        values = used_values(column)
        first = {_words(value, 1) for value in values}
        return 1 < len(first) <= len(values) / 2

    def _group(self, value: str, length: int) -> str:
        """Name the group of a value; one that is no longer than its beginning stays alone until the last level."""
        beginning = _words(value, length) if self.by == "words" else value[:length]
        return value if beginning == value and length > min(self.lengths) else beginning + _MORE


def _words(value: str, count: int) -> str:
    """Give the first words with what stands between them; all of a value that has none."""
    found = [match.end() for match in _WORD.finditer(value)][:count]
    return value[: found[-1]].rstrip(" -_/.,:;\t") or value if found else value
