"""How many records have each of some values: enrolments per course."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.params import ListOf, Text, param
from anonymizer_gui.engine.data.trees.trees import Trees
from anonymizer_gui.engine.dp.gateway import Ints, draw_lots
from anonymizer_gui.engine.dp.sensitivity import Sensitivity
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE
from anonymizer_gui.engine.rooms.statistics.categories import categories_of
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Step
from anonymizer_gui.engine.rooms.statistics.questions.trees.of_trees import (
    OfTrees,
    entries_of_a_record,
    entry_moved,
    hiding,
    leaf_of,
    refuse_other_lists,
    values_moved,
)
from anonymizer_gui.engine.rooms.statistics.wording import listed, number_in, quoted_word, read_list, unquoted

_ALL = 1 << 31


@dataclass(frozen=True, slots=True)
class _Values(OfTrees):
    """The number of records that have each of some public values at a path."""

    uses_hierarchies: ClassVar[bool] = True
    title: ClassVar[str] = "Records per value"
    verbs: ClassVar[tuple[str, ...]] = ("values",)

    categories: tuple[str, ...] = param(
        ListOf(Text()), default=(), label="Values", help="The values that are counted; without any, those of the tree."
    )

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the values."""
        return categories_of(self.path, self.categories, public).labels


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Values(_Values):
    """A noisy count for each public value; records with more values than the bound are cut."""

    name: ClassVar[str] = "trees-values"
    summary: ClassVar[str] = (
        "How many records have each of some values, such as students per course; long lists are cut."
    )
    usage: ClassVar[str] = "values PATH MOST [A,B,C]"
    example: ClassVar[str] = "values courses[].course 5 Algebra,Topology"
    shape: ClassVar[str] = "trees"

    most: int = entries_of_a_record()
    noise: str = hiding()

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a path, the most values of a record, and values with commas between them."""
        most = number_in(words[1]) if 2 <= len(words) <= 3 else None
        if most is None or most != int(most) or most < 1:
            return None
        return cls(unquoted(words[0]), read_list(words[2]) if len(words) > 2 else (), int(most))

    def words(self) -> tuple[str, ...]:
        """Give the path, the bound and the values."""
        named = [listed(self.categories)] if self.categories else []
        return "values", quoted_word(self.path), str(self.most), *named

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each value."""
        return (Step(self.noise, self.moved(public), len(self.labels(public))),)

    def moved(self, public: Public) -> Sensitivity:
        """Say how far one record moves the counts."""
        return values_moved(public.unit, self.most)

    def counted(self, data: Trees, public: Public) -> tuple[Ints, ...]:
        """Count the records with each value, after long lists were cut."""
        return (_counted(self, data, public, self.most),)


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class SingleValues(_Values):
    """A noisy count for each public value that hides a single entry; nothing has to be cut."""

    name: ClassVar[str] = "single-values"
    summary: ClassVar[str] = "How many records have each of some values, hiding a single entry, such as one enrolment."
    usage: ClassVar[str] = "values PATH [A,B,C]"
    example: ClassVar[str] = "values courses[].course Algebra,Topology"
    shape: ClassVar[str] = "tree-entries"
    why_careful: ClassVar[str] = "Who has many entries is protected less than who has one."

    noise: str = hiding()

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a path, and values with commas between them."""
        if not 1 <= len(words) <= 2:
            return None
        return cls(unquoted(words[0]), read_list(words[1]) if len(words) > 1 else ())

    def words(self) -> tuple[str, ...]:
        """Give the path and the values."""
        return "values", quoted_word(self.path), *([listed(self.categories)] if self.categories else [])

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each value; raises BadParameter for a path through no list, or several."""
        refuse_other_lists(self.path)
        return (Step(self.noise, entry_moved(public.unit, is_histogram=True), len(self.labels(public))),)

    def counted(self, data: Trees, public: Public) -> tuple[Ints, ...]:
        """Count the records with each value."""
        return (_counted(self, data, public, _ALL),)


def _counted(question: _Values, data: Trees, public: Public, most: int) -> Ints:
    """Count records per value; which values of a long list count depends on that record and on chance alone."""
    categories = categories_of(question.path, question.categories, public)
    width, leaf = len(categories.labels), leaf_of(data, question.path)
    if leaf is None or not len(leaf.holders):
        return np.zeros(width, dtype=np.int64)
    cells = categories.places(leaf.column)[leaf.column.codes]
    known = cells != NO_PLACE
    pairs = np.unique(data.record_of[leaf.holders[known]] * width + cells[known])
    order = np.lexsort((draw_lots(len(pairs)), pairs // width))
    records, places = (pairs // width)[order], np.arange(len(pairs))
    begins = np.diff(records, prepend=-1) != 0
    kept = order[places - np.maximum.accumulate(np.where(begins, places, 0)) < most] if len(pairs) else order
    return np.bincount(pairs[kept] % width, minlength=width).astype(np.int64)
