"""Entries, records, values along a path."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Int, ListOf, Text, param
from anonymizer_gui.engine.data.trees.trees import Leaf, Trees
from anonymizer_gui.engine.dp.gateway import Ints, draw_lots
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit, Sensitivity
from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE
from anonymizer_gui.engine.rooms.statistics.public_domains import categories_of
from anonymizer_gui.engine.rooms.statistics.question import (
    NOISES,
    QUESTIONS,
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Question,
    Step,
    join_list,
    parse_number,
    quote_word,
    split_list,
    unquote,
)

_SPELT = re.compile(r'\["(?:[^"\\]|\\.)*"\]')


@dataclass(frozen=True, slots=True)
class PathQuestion(Question):
    """A question about one path of labels; a path that no record has counts nothing, for that is private, too."""

    path: str = param(Text(), default="", label="Path", help="The path of the labels, such as courses[].course.")

    def columns(self) -> tuple[str, ...]:
        """Name nothing: whether any record has a path is private."""
        return ()

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell the number, or one for each label."""
        labels = self.labels(public)
        if labels:
            return AnswerValue(values=tuple(zip(labels, noisy[0].tolist(), strict=True)))
        return AnswerValue(int(noisy[0][0]))

    def in_unit(self) -> Message:
        """Say that records are counted."""
        return message("records")


def noise_parameter() -> Any:
    """Declare the noise, the last field of every question about nested records."""
    return param(NOISES, default="laplace", label="Noise", help="What hides a single record or entry.")


def entries_of_a_record() -> Any:
    """Declare the bound that questions about whole records need."""
    return param(
        Int(low=1, high=10_000), default=5, label="Entries of a record", help="More entries of a record are left out."
    )


def labels_at(data: Trees, path: str) -> Leaf | None:
    """Find the labels of a path; nothing where no record has any."""
    return data.leaf_of.get(path)


def single_number(count: int) -> tuple[Ints, ...]:
    """Give one number as the only step."""
    return (np.array([count], dtype=np.int64),)


def count_lists(path: str) -> int:
    """Count the lists a path leads through, by its words alone: the data is not asked.

    In JSON a list has brackets; in XML every element below the record may be there several times.

    >>> count_lists("student.courses[].course"), count_lists("name"), count_lists("student/course/book/@price")
    (1, 0, 2)
    """
    if "/" in path:
        return len(path.split("/")) - 2
    return _SPELT.sub("x", path).count("[]")


def refuse_no_path(path: str) -> None:
    """Raise BadParameter when a question names no path: it would count nothing, and cost all the same."""
    if not path:
        raise BadParameter("The question names no column.", "Choose the column it is about.")


def refuse_other_lists(path: str) -> None:
    """Raise BadParameter unless a path leads through exactly one list, whose entries are what is hidden."""
    if count_lists(path) != 1:
        raise BadParameter(
            message("“{path}” does not lead through exactly one list, whose entries could be hidden.", path=path),
            "Ask about a path such as courses[].course, or protect whole records.",
        )


def record_sensitivity(unit: PrivacyUnit, most: int) -> Sensitivity:
    """Say how far one record moves a number to which it adds at most so many.

    >>> record_sensitivity(PrivacyUnit(), 5).l1
    5
    """
    why = message("One record has at most {most:entry|entries} that count.", most=most)
    return Sensitivity(most, most * most, most, unit.kind is not Neighbours.CHANGE, why)


def values_sensitivity(unit: PrivacyUnit, most: int) -> Sensitivity:
    """Say how far one record moves the counts of values, of which it has at most so many different ones."""
    if unit.kind is Neighbours.CHANGE:
        why = message("A changed record loses up to {most:value|values} and gets as many.", most=most)
        return Sensitivity(2 * most, 2 * most, 1, False, why)
    why = message("One record more or less changes {most:count|counts} by 1.", most=most)
    return Sensitivity(most, most, 1, True, why)


def entry_sensitivity(unit: PrivacyUnit, *, is_histogram: bool = False) -> Sensitivity:
    """Say how far a single entry moves the numbers: one of them by 1, two where it is exchanged."""
    if unit.kind is Neighbours.CHANGE and is_histogram:
        return Sensitivity(2, 2, 1, False, message("An exchanged entry leaves one count and enters another."))
    return Sensitivity(1, 1, 1, unit.kind is not Neighbours.CHANGE, message("One entry changes one count by 1."))


_ALL = 1 << 31


@dataclass(frozen=True, slots=True)
class _Entries(PathQuestion):
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
    noise: str = noise_parameter()

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a path and the most entries of a record."""
        most = parse_number(words[1]) if len(words) == 2 else None
        if most is None or most != int(most) or most < 1:
            return None
        return cls(unquote(words[0]), int(most))

    def words(self) -> tuple[str, ...]:
        """Give the path and the bound."""
        return "entries", quote_word(self.path), str(self.most)

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number."""
        return (Step(self.noise, self.moved(public)),)

    def moved(self, public: PublicKnowledge) -> Sensitivity:
        """Say how far one record moves the number."""
        refuse_no_path(self.path)
        return record_sensitivity(public.unit, self.most)

    def counted(self, data: Trees, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the entries, of each record at most so many."""
        return single_number(_counted(data, self.path, self.most))


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

    noise: str = noise_parameter()

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a path."""
        return cls(unquote(words[0])) if len(words) == 1 else None

    def words(self) -> tuple[str, ...]:
        """Give the path."""
        return "entries", quote_word(self.path)

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number; raises BadParameter for a path through no list, or several."""
        refuse_other_lists(self.path)
        return (Step(self.noise, entry_sensitivity(public.unit)),)

    def counted(self, data: Trees, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the entries."""
        return single_number(_counted(data, self.path, _ALL))


def _counted(data: Trees, path: str, most: int) -> int:
    leaf = labels_at(data, path)
    if leaf is None:
        return 0
    per_record = np.bincount(data.record_of[leaf.holders], minlength=len(data))
    return int(np.minimum(per_record, most).sum())


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Having(PathQuestion):
    """The number of records with a label; each counts once, however often it has it."""

    name: ClassVar[str] = "trees-having"
    title: ClassVar[str] = "Records that have a label"
    summary: ClassVar[str] = "How many records have a label anywhere below them, such as students enrolled in a course."
    verbs: ClassVar[tuple[str, ...]] = ("having",)
    usage: ClassVar[str] = "having PATH [VALUE]"
    example: ClassVar[str] = "having courses[].course Algebra"
    shape: ClassVar[str] = "trees"

    value: str = param(Text(empty="any"), default="", label="Value", help="The label; without one, any counts.")
    noise: str = noise_parameter()

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a path and perhaps a value."""
        return cls(*(unquote(word) for word in words)) if 1 <= len(words) <= 2 else None

    def words(self) -> tuple[str, ...]:
        """Give the path and the value."""
        return "having", quote_word(self.path), *([quote_word(self.value)] if self.value else [])

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number."""
        return (Step(self.noise, self.moved(public)),)

    def moved(self, public: PublicKnowledge) -> Sensitivity:
        """Say how far one record moves the number."""
        refuse_no_path(self.path)
        return record_sensitivity(public.unit, 1)

    def counted(self, data: Trees, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the records that have it."""
        leaf = labels_at(data, self.path)
        if leaf is None:
            return single_number(0)
        wanted = np.array([not self.value or label == self.value for label in leaf.column.labels] or [False])
        return single_number(len(np.unique(data.record_of[leaf.holders[wanted[leaf.column.codes]]])))


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class SingleHaving(Having):
    """The number of records with a label, hiding one entry of a list."""

    name: ClassVar[str] = "single-having"
    summary: ClassVar[str] = "How many records have a label, hiding only a single entry, such as one enrolment."
    shape: ClassVar[str] = "tree-entries"
    why_careful: ClassVar[str] = "Who has many entries is protected less than who has one."

    def moved(self, public: PublicKnowledge) -> Sensitivity:
        """Say how far one entry moves the number; raises BadParameter for a path through no list, or several."""
        refuse_other_lists(self.path)
        return entry_sensitivity(public.unit)


@dataclass(frozen=True, slots=True)
class _Values(PathQuestion):
    """The number of records that have each of some public values at a path."""

    uses_hierarchies: ClassVar[bool] = True
    title: ClassVar[str] = "Records per value"
    verbs: ClassVar[tuple[str, ...]] = ("values",)

    categories: tuple[str, ...] = param(
        ListOf(Text()), default=(), label="Values", help="The values that are counted; without any, those of the tree."
    )

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
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
    noise: str = noise_parameter()

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a path, the most values of a record, and values with commas between them."""
        most = parse_number(words[1]) if 2 <= len(words) <= 3 else None
        if most is None or most != int(most) or most < 1:
            return None
        return cls(unquote(words[0]), split_list(words[2]) if len(words) > 2 else (), int(most))

    def words(self) -> tuple[str, ...]:
        """Give the path, the bound and the values."""
        named = [join_list(self.categories)] if self.categories else []
        return "values", quote_word(self.path), str(self.most), *named

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each value."""
        return (Step(self.noise, self.moved(public), len(self.labels(public))),)

    def moved(self, public: PublicKnowledge) -> Sensitivity:
        """Say how far one record moves the counts."""
        return values_sensitivity(public.unit, self.most)

    def counted(self, data: Trees, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the records with each value, after long lists were cut."""
        return (_values_counted(self, data, public, self.most),)


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

    noise: str = noise_parameter()

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a path, and values with commas between them."""
        if not 1 <= len(words) <= 2:
            return None
        return cls(unquote(words[0]), split_list(words[1]) if len(words) > 1 else ())

    def words(self) -> tuple[str, ...]:
        """Give the path and the values."""
        return "values", quote_word(self.path), *([join_list(self.categories)] if self.categories else [])

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each value; raises BadParameter for a path through no list, or several."""
        refuse_other_lists(self.path)
        return (Step(self.noise, entry_sensitivity(public.unit, is_histogram=True), len(self.labels(public))),)

    def counted(self, data: Trees, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the records with each value."""
        return (_values_counted(self, data, public, _ALL),)


def _values_counted(question: _Values, data: Trees, public: PublicKnowledge, most: int) -> Ints:
    """Count records per value; which values of a long list count depends on that record and on chance alone."""
    categories = categories_of(question.path, question.categories, public)
    width, leaf = len(categories.labels), labels_at(data, question.path)
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
