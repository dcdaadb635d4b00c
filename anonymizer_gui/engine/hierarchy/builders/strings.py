"""Masking and prefixes."""

import re
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Int, ListOf, Text, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, MOST_LEVELS, Builder
from anonymizer_gui.engine.hierarchy.coverage import LevelGroups, occurring_values, ordered_values, tree_from_levels
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_LONGEST = 24


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class Mask(Builder):
    """Mask one character more at each level, from the right or from the left."""

    name: ClassVar[str] = "mask"
    title: ClassVar[str] = "Mask characters"
    summary: ClassVar[str] = (
        "Hides characters from one end, some more at each level; for postal codes and phone numbers."
    )

    side: str = param(
        Choice({"right": "from the right", "left": "from the left"}),
        default="right",
        label="Mask",
        help="The end whose characters are hidden first.",
    )
    step: int = param(Int(low=1), default=1, label="Characters per level", help="How many more each level hides.")
    levels: int = param(
        Int(low=0), default=0, label="Levels", help="How many levels to make; 0 goes on until everything is hidden."
    )
    mark: str = param(Text(), default="*", label="Mark", help="The character that stands for a hidden one.")
    pad: str = param(
        Choice({"none": "do not fill", "left": "fill on the left", "right": "fill on the right"}),
        default="none",
        label="Short values",
        help="Fill values up to the length of the longest, so that the same places are hidden in all.",
    )
    pad_with: str = param(Text(), default="0", label="Fill with", help="The character that fills short values.")

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Mask the values level by level; raises BadParameter when a mark is not one character."""
        for text in (self.mark, self.pad_with):
            if len(text) != 1:
                raise BadParameter(
                    "The mark and the filling must be one character each.", message("It was {text!r}.", text=text)
                )
        values = ordered_values(column, progress)
        longest = max(map(len, values), default=0)
        padded = [self._padded(value, longest) for value in values]
        hidden = range(self.step, longest, self.step)
        counts = hidden[: self.levels] if self.levels else hidden
        if len(counts) > MOST_LEVELS:
            raise BadParameter(
                message(
                    "Values of {longest:character|characters} make more than {most:level|levels}.",
                    longest=longest,
                    most=MOST_LEVELS,
                ),
                "Mask more characters per level, or make fewer levels.",
            )
        levels = (LevelGroups([self._masked(text, n) for text in padded]) for n in counts)
        return tree_from_levels(values, levels, column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether the values look like codes: short, without blanks, most of them with digits."""
        values = occurring_values(column)
        coded = sum(any(c.isdigit() for c in value) and " " not in value and len(value) <= _LONGEST for value in values)
        return bool(values) and coded >= 0.9 * len(values)

    def _padded(self, value: str, length: int) -> str:
        if self.pad == "none":
            return value
        return value.rjust(length, self.pad_with) if self.pad == "left" else value.ljust(length, self.pad_with)

    def _masked(self, text: str, count: int) -> str:
        hidden = min(count, len(text))
        if self.side == "right":
            return text[: len(text) - hidden] + self.mark * hidden
        return self.mark * hidden + text[hidden:]


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
        values = ordered_values(column, progress)
        lengths = sorted(set(self.lengths), reverse=True)
        levels = (LevelGroups([self._group(value, length) for value in values]) for length in lengths)
        return tree_from_levels(values, levels, column, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether first words are shared: at least twice as many values as first words, and more than one."""
        values = occurring_values(column)
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
