"""Whom rows are about: how many different people a group has, and with which sensitive values they count.

This is the one place that says what counting people means; the recount says the same in code of its own.

- A group has as many people as there are different persons in it. Rows without an id add nobody to a group that has
  somebody, for they may be about the same people; a group of such rows only counts as one person.
- Of a sensitive column everybody counts once in a group. Who has several values there counts with the one that most
  people of the group have, which makes that one as common as can be; of equally frequent ones with the first by its
  text, missing last. Who has no value but those left out does not count.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.data.tables.dictionary_encoding import text_order
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, number_rows
from anonymizer_gui.engine.data.tables.table import MISSING, Column

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

NOBODY = 0
"""The number of the person that rows without an id are about."""


@dataclass(frozen=True, slots=True, eq=False)
class PersonMarks:
    """A mark for every row; rows about the same person with the same sensitive values have the same mark.

    `person` gives the person of every mark, in rising order, `values` its value of each sensitive column, `rank` the
    place of every value among equally frequent ones.
    """

    of_row: Ints
    person: Ints
    values: Mapping[str, Ints]
    rank: Mapping[str, Ints]

    def __len__(self) -> int:
        return len(self.person)

    @classmethod
    def of(cls, persons: Ints, sensitive: Mapping[str, Column]) -> "PersonMarks":
        """Mark rows of these persons by the columns that matter."""
        codes = {name: column.codes.astype(np.int64) for name, column in sensitive.items()}
        first, of_row = number_rows([persons, *codes.values()])
        values = {name: column[first] for name, column in codes.items()}
        return cls(of_row, persons[first], values, {name: _ranks(column.labels) for name, column in sensitive.items()})


@dataclass(frozen=True, eq=False)
class PersonGroups:
    """Who is in each group: one entry per group and mark, sorted by both."""

    marks: PersonMarks
    n_groups: int
    groups: Ints
    entries: Ints

    @classmethod
    def count(cls, marks: PersonMarks, group_of_row: Ints, n_groups: int) -> "PersonGroups":
        """Find who is in the group of each row."""
        return cls._of(marks, group_of_row, marks.of_row, n_groups)

    @property
    def n_people(self) -> int:
        """How many different people there are in all groups together."""
        return int(np.count_nonzero(np.unique(self.marks.person) != NOBODY))

    def regrouped(self, group_of_row: Ints, n_groups: int) -> "PersonGroups":
        """Give the same people in other groups of the rows."""
        return self.count(self.marks, group_of_row, n_groups)

    def merged(self, group_of: Ints, n_groups: int) -> "PersonGroups":
        """Put groups together that fall into the same coarser group."""
        return self._of(self.marks, group_of[self.groups], self.entries, n_groups)

    def only(self, number: Ints, n_groups: int) -> "PersonGroups":
        """Keep the groups that have a new number (others: -1)."""
        kept = number[self.groups] >= 0
        return self._of(self.marks, number[self.groups[kept]], self.entries[kept], n_groups)

    def of_units(self, units: npt.NDArray[np.int32]) -> "PersonGroups":
        """Give some groups, renumbered in the order given."""
        begin, lengths = self._starts[units], self._starts[units + 1] - self._starts[units]
        before = np.cumsum(lengths) - lengths
        places = np.repeat(begin - before, lengths) + np.arange(int(lengths.sum()))
        return PersonGroups(self.marks, len(units), np.repeat(np.arange(len(units)), lengths), self.entries[places])

    @cached_property
    def sizes(self) -> Ints:
        """How many different people each group has."""
        return self._people(self.groups, self.n_groups)

    def histogram(self, name: str, left_out: int = -1) -> Histogram:
        """Count the people of each group by the value they count with, one value being left out (-1: none)."""
        return self._histogram(self.groups, self.n_groups, name, left_out)

    def cut_by_others(self, name: str, left_out: int = -1) -> tuple[Histogram, Ints]:
        """Count the same in the pieces that the other sensitive columns cut the groups into; and the piece's group."""
        key = self.groups
        for other, values in self.marks.values.items():
            if other != name:
                key = pd.factorize(key)[0].astype(np.int64) * len(self.marks.rank[other]) + values[self.entries]
        piece, pieces = pd.factorize(key)
        group_of = np.zeros(len(pieces), dtype=np.int64)
        group_of[piece] = self.groups
        return self._histogram(piece.astype(np.int64), len(pieces), name, left_out), group_of

    @classmethod
    def _of(cls, marks: PersonMarks, groups: Ints, entries: Ints, n_groups: int) -> "PersonGroups":
        key = np.unique(groups * len(marks) + entries)
        return cls(marks, n_groups, key // max(len(marks), 1), key % max(len(marks), 1))

    @cached_property
    def _starts(self) -> Ints:
        return np.searchsorted(self.groups, np.arange(self.n_groups + 1)).astype(np.int64)

    def _people(self, group: Ints, n_groups: int) -> Ints:
        person = self.marks.person[self.entries]
        another = np.ones(len(group), dtype=np.bool_)
        another[1:] = (group[1:] != group[:-1]) | (person[1:] != person[:-1])
        known = np.bincount(group[another & (person != NOBODY)], minlength=n_groups)
        return np.maximum(known, np.bincount(group, minlength=n_groups) > 0).astype(np.int64)

    def _histogram(self, group: Ints, n_groups: int, name: str, left_out: int) -> Histogram:
        person, value = self.marks.person[self.entries], self.marks.values[name][self.entries]
        known = person != NOBODY
        has_somebody = np.bincount(group[known], minlength=n_groups) > 0
        kept = (known | ~has_somebody[group]) & (value != left_out)
        group, person, value = group[kept], person[kept], value[kept]
        rank = self.marks.rank[name]
        first, _ = number_rows([group, person, value])
        group, person, value = group[first], person[first], value[first]
        chosen = _weakest(group, person, value, rank)
        return Histogram.count(group[chosen], n_groups, value[chosen], len(rank))


def _weakest(group: Ints, person: Ints, value: Ints, rank: Ints) -> Bools:
    """Choose one value of everybody in a group: the one most people there have. Entries are sorted by all three."""
    again = (group[1:] == group[:-1]) & (person[1:] == person[:-1])
    several = np.zeros(len(group), dtype=np.bool_)
    several[1:] |= again
    several[:-1] |= again
    chosen = np.asarray(~several)
    if not again.any():
        return chosen
    _, place, having = np.unique(group * len(rank) + value, return_inverse=True, return_counts=True)
    mine = np.flatnonzero(several)
    order = mine[np.lexsort((rank[value[mine]], -having[place.reshape(-1)[mine]], person[mine], group[mine]))]
    foremost = np.ones(len(order), dtype=np.bool_)
    foremost[1:] = (group[order[1:]] != group[order[:-1]]) | (person[order[1:]] != person[order[:-1]])
    chosen[order[foremost]] = True
    return chosen


def _ranks(labels: tuple[str, ...]) -> Ints:
    """Give every label its place by its text; missing comes last."""
    rank = np.empty(len(labels), dtype=np.int64)
    rank[text_order(labels)] = np.arange(len(labels))
    return np.where(np.fromiter((label == MISSING for label in labels), np.bool_, len(labels)), len(labels), rank)
