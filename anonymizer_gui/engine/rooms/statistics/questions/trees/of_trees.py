"""What questions about nested records share: a path, one step, and how far a record or an entry moves the numbers."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Int, Text, param
from anonymizer_gui.engine.data.trees.trees import Leaf, Trees
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit, Sensitivity
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, Noisy, Question, Told

_SPELT = re.compile(r'\["(?:[^"\\]|\\.)*"\]')


@dataclass(frozen=True, slots=True)
class OfTrees(Question):
    """A question about one path of labels; a path that no record has counts nothing, for that is private, too."""

    path: str = param(Text(), default="", label="Path", help="The path of the labels, such as courses[].course.")

    def columns(self) -> tuple[str, ...]:
        """Name nothing: whether any record has a path is private."""
        return ()

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell the number, or one for each label."""
        labels = self.labels(public)
        if labels:
            return Told(values=tuple(zip(labels, noisy[0].tolist(), strict=True)))
        return Told(int(noisy[0][0]))

    def in_unit(self) -> Message:
        """Say that records are counted."""
        return message("records")


def hiding() -> Any:
    """Declare the noise, the last field of every question about nested records."""
    return param(NOISES, default="laplace", label="Noise", help="What hides a single record or entry.")


def entries_of_a_record() -> Any:
    """Declare the bound that questions about whole records need."""
    return param(
        Int(low=1, high=10_000), default=5, label="Entries of a record", help="More entries of a record are left out."
    )


def leaf_of(data: Trees, path: str) -> Leaf | None:
    """Find the labels of a path; nothing where no record has any."""
    return data.leaf_of.get(path)


def number(count: int) -> tuple[Ints, ...]:
    """Give one number as the only step."""
    return (np.array([count], dtype=np.int64),)


def lists_in(path: str) -> int:
    """Count the lists a path leads through, by its words alone: the data is not asked.

    In JSON a list has brackets; in XML every element below the record may be there several times.

    >>> lists_in("student.courses[].course"), lists_in("name"), lists_in("student/course/book/@price")
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
    if lists_in(path) != 1:
        raise BadParameter(
            message("“{path}” does not lead through exactly one list, whose entries could be hidden.", path=path),
            "Ask about a path such as courses[].course, or protect whole records.",
        )


def records_moved(unit: PrivacyUnit, most: int) -> Sensitivity:
    """Say how far one record moves a number to which it adds at most so many.

    >>> records_moved(PrivacyUnit(), 5).l1
    5
    """
    why = message("One record has at most {most:entry|entries} that count.", most=most)
    return Sensitivity(most, most * most, most, unit.kind is not Neighbours.CHANGE, why)


def values_moved(unit: PrivacyUnit, most: int) -> Sensitivity:
    """Say how far one record moves the counts of values, of which it has at most so many different ones."""
    if unit.kind is Neighbours.CHANGE:
        why = message("A changed record loses up to {most:value|values} and gets as many.", most=most)
        return Sensitivity(2 * most, 2 * most, 1, False, why)
    why = message("One record more or less changes {most:count|counts} by 1.", most=most)
    return Sensitivity(most, most, 1, True, why)


def entry_moved(unit: PrivacyUnit, *, is_histogram: bool = False) -> Sensitivity:
    """Say how far a single entry moves the numbers: one of them by 1, two where it is exchanged."""
    if unit.kind is Neighbours.CHANGE and is_histogram:
        return Sensitivity(2, 2, 1, False, message("An exchanged entry leaves one count and enters another."))
    return Sensitivity(1, 1, 1, unit.kind is not Neighbours.CHANGE, message("One entry changes one count by 1."))
