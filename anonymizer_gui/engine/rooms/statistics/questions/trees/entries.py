"""How many entries of a list there are in all: enrolments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.data.trees.trees import Trees
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import Sensitivity
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Step
from anonymizer_gui.engine.rooms.statistics.questions.trees.of_trees import (
    OfTrees,
    entries_of_a_record,
    entry_moved,
    hiding,
    leaf_of,
    number,
    records_moved,
    refuse_no_path,
    refuse_other_lists,
)
from anonymizer_gui.engine.rooms.statistics.wording import number_in, quoted_word, unquoted

_ALL = 1 << 31


@dataclass(frozen=True, slots=True)
class _Entries(OfTrees):
    """The number of labels at a path, of each record at most so many."""

    title: ClassVar[str] = "Entries in all"
    verbs: ClassVar[tuple[str, ...]] = ("entries",)

    def in_unit(self) -> Message:
        """Say that entries are counted."""
        return message("entries")


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Entries(_Entries):
    """The number of labels at a path, when a record counts with no more than a public bound."""

    name: ClassVar[str] = "trees-entries"
    summary: ClassVar[str] = (
        "How many labels there are at a path, such as enrolments; a record counts with so many at most."
    )
    usage: ClassVar[str] = "entries PATH MOST"
    example: ClassVar[str] = "entries courses[].course 5"
    shape: ClassVar[str] = "trees"

    most: int = entries_of_a_record()
    noise: str = hiding()

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a path and the most entries of a record."""
        most = number_in(words[1]) if len(words) == 2 else None
        if most is None or most != int(most) or most < 1:
            return None
        return cls(unquoted(words[0]), int(most))

    def words(self) -> tuple[str, ...]:
        """Give the path and the bound."""
        return "entries", quoted_word(self.path), str(self.most)

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number."""
        return (Step(self.noise, self.moved(public)),)

    def moved(self, public: Public) -> Sensitivity:
        """Say how far one record moves the number."""
        refuse_no_path(self.path)
        return records_moved(public.unit, self.most)

    def counted(self, data: Trees, public: Public) -> tuple[Ints, ...]:
        """Count the entries, of each record at most so many."""
        return number(_counted(data, self.path, self.most))


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class SingleEntries(_Entries):
    """The number of labels at a path, hiding one entry; nothing has to be cut."""

    name: ClassVar[str] = "single-entries"
    summary: ClassVar[str] = "How many labels there are at a path, such as enrolments, hiding a single entry."
    usage: ClassVar[str] = "entries PATH"
    example: ClassVar[str] = "entries courses[].course"
    shape: ClassVar[str] = "tree-entries"
    why_careful: ClassVar[str] = "Who has many entries is protected less than who has one."

    noise: str = hiding()

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a path."""
        return cls(unquoted(words[0])) if len(words) == 1 else None

    def words(self) -> tuple[str, ...]:
        """Give the path."""
        return "entries", quoted_word(self.path)

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number; raises BadParameter for a path through no list, or several."""
        refuse_other_lists(self.path)
        return (Step(self.noise, entry_moved(public.unit)),)

    def counted(self, data: Trees, public: Public) -> tuple[Ints, ...]:
        """Count the entries."""
        return number(_counted(data, self.path, _ALL))


def _counted(data: Trees, path: str, most: int) -> int:
    leaf = leaf_of(data, path)
    if leaf is None:
        return 0
    per_record = np.bincount(data.record_of[leaf.holders], minlength=len(data))
    return int(np.minimum(per_record, most).sum())
