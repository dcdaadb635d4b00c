"""How many records have a label somewhere below them: students who are enrolled in a course."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.params import Text, param
from anonymizer_gui.engine.data.trees.trees import Trees
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import Sensitivity
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Step
from anonymizer_gui.engine.rooms.statistics.questions.trees.of_trees import (
    OfTrees,
    entry_moved,
    hiding,
    leaf_of,
    number,
    records_moved,
    refuse_no_path,
    refuse_other_lists,
)
from anonymizer_gui.engine.rooms.statistics.wording import quoted_word, unquoted


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Having(OfTrees):
    """The number of records with a label; each counts once, however often it has it."""

    name: ClassVar[str] = "trees-having"
    title: ClassVar[str] = "Records that have a label"
    summary: ClassVar[str] = "How many records have a label anywhere below them, such as students enrolled in a course."
    verbs: ClassVar[tuple[str, ...]] = ("having",)
    usage: ClassVar[str] = "having PATH [VALUE]"
    example: ClassVar[str] = "having courses[].course Algebra"
    shape: ClassVar[str] = "trees"

    value: str = param(Text(empty="any"), default="", label="Value", help="The label; without one, any counts.")
    noise: str = hiding()

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a path and perhaps a value."""
        return cls(*(unquoted(word) for word in words)) if 1 <= len(words) <= 2 else None

    def words(self) -> tuple[str, ...]:
        """Give the path and the value."""
        return "having", quoted_word(self.path), *([quoted_word(self.value)] if self.value else [])

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number."""
        return (Step(self.noise, self.moved(public)),)

    def moved(self, public: Public) -> Sensitivity:
        """Say how far one record moves the number."""
        refuse_no_path(self.path)
        return records_moved(public.unit, 1)

    def counted(self, data: Trees, public: Public) -> tuple[Ints, ...]:
        """Count the records that have it."""
        leaf = leaf_of(data, self.path)
        if leaf is None:
            return number(0)
        wanted = np.array([not self.value or label == self.value for label in leaf.column.labels] or [False])
        return number(len(np.unique(data.record_of[leaf.holders[wanted[leaf.column.codes]]])))


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class SingleHaving(Having):
    """The number of records with a label, hiding one entry of a list."""

    name: ClassVar[str] = "single-having"
    summary: ClassVar[str] = "How many records have a label, hiding only a single entry, such as one enrolment."
    shape: ClassVar[str] = "tree-entries"
    why_careful: ClassVar[str] = "Who has many entries is protected less than who has one."

    def moved(self, public: Public) -> Sensitivity:
        """Say how far one entry moves the number; raises BadParameter for a path through no list, or several."""
        refuse_other_lists(self.path)
        return entry_moved(public.unit)
