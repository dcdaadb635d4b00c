"""People by the classes they are in: whoever is in the same class of every release cannot be told apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows, number_rows
from anonymizer_gui.engine.rooms.microdata.meeting.shown import KEY_BYTES, Bools, Ints, Keys, Shown


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """People who are in the same classes of all releases.

    Somebody with several rows counts as several facts: the first row of one release is taken for the first of the
    other. That works where all rows of a person are in one class of each release. Where they are not, nobody can tell
    which row of one release is which of another, and each counts as a fact of its own (`scattered`).
    """

    classes: tuple[Ints, ...]
    """For each release the class of every cell, -1 where its people are not in that release."""
    sizes: Ints
    nameless: Ints
    """How many rows of each cell belong to nobody who is known."""
    cell_of_fact: Ints
    person_of_fact: Ints
    fact_of_row: tuple[Ints, ...]
    """For each release the fact of every row whose person is known."""
    n_people: int
    scattered: int
    """How many people have rows in several classes of one release, and are in another."""

    def __len__(self) -> int:
        return len(self.sizes)

    def people(self, where: Bools) -> int:
        """Count the people in some of the cells; rows of nobody who is known count one each."""
        found = np.zeros(self.n_people, dtype=np.bool_)
        found[self.person_of_fact[where[self.cell_of_fact]]] = True
        return int(np.count_nonzero(found)) + int(self.nameless[where].sum())


def cells_of(releases: Sequence[Shown]) -> Cells:
    """Put everybody of several releases into cells."""
    person_of_row, n_people = numbered_keys([release.keys for release in releases])
    facts, scattered = _facts(releases, person_of_row, n_people)
    numbers = pd.factorize(np.concatenate(facts))[0].astype(np.int64)
    fact_of_row = _parts(numbers, facts)
    n_facts = int(numbers.max(initial=-1)) + 1
    person_of_fact = np.zeros(n_facts, dtype=np.int64)
    where = [np.full(n_facts, -1, dtype=np.int64) for _ in releases]
    for release, fact, person, classes in zip(releases, fact_of_row, person_of_row, where, strict=True):
        person_of_fact[fact] = person
        classes[fact] = release.classes
    return _collected(releases, where, person_of_fact, fact_of_row, n_people, scattered)


def _collected(
    releases: Sequence[Shown],
    where: Sequence[Ints],
    person_of_fact: Ints,
    fact_of_row: tuple[Ints, ...],
    n_people: int,
    scattered: int,
) -> Cells:
    """Group facts of equal classes, and add for every class the rows of people who are not known."""
    rest = [_nameless(release) for release in releases]
    n_facts = len(person_of_fact)
    columns = []
    for number, classes in enumerate(where):
        added = [
            np.flatnonzero(left) if at == number else np.full(np.count_nonzero(left), -1)
            for at, left in enumerate(rest)
        ]
        columns.append(np.concatenate([classes, *added]))
    nameless = np.concatenate([np.zeros(n_facts, dtype=np.int64), *(left[left > 0] for left in rest)])
    alike = group_rows([column + 1 for column in columns], len(nameless))
    facts = np.bincount(alike.ids[:n_facts], minlength=len(alike)).astype(np.int64)
    unknown = np.bincount(alike.ids, weights=nameless, minlength=len(alike)).astype(np.int64)
    return Cells(
        tuple(column[alike.first_rows] for column in columns),
        facts + unknown,
        unknown,
        alike.ids[:n_facts],
        person_of_fact,
        fact_of_row,
        n_people,
        scattered,
    )


def numbered_keys(keys: Sequence[Keys]) -> tuple[list[Ints], int]:
    """Number the people of all releases; a key is two whole numbers, which sort much faster than texts."""
    joined = b"".join(part.astype(f"S{KEY_BYTES}").tobytes() for part in keys)
    halves = np.frombuffer(joined, dtype=np.int64).reshape(-1, 2)
    first, number = number_rows([halves[:, 0], halves[:, 1]])
    return list(_parts(number, keys)), len(first)


def _parts(joined: Ints, like: Sequence[Keys] | Sequence[Ints]) -> tuple[Ints, ...]:
    ends = np.cumsum([len(part) for part in like])
    return tuple(np.split(joined, ends[:-1])) if len(like) else ()


def _facts(releases: Sequence[Shown], person_of_row: Sequence[Ints], n_people: int) -> tuple[list[Ints], int]:
    """Give every row the number of its fact, and count the people whose rows cannot be told apart."""
    ordinals = []
    is_scattered = np.zeros(n_people, dtype=np.bool_)
    appears = np.zeros(n_people, dtype=np.int64)
    for release, person in zip(releases, person_of_row, strict=True):
        order = np.lexsort((release.classes, person))
        begins = np.ones(len(order), dtype=np.bool_)
        begins[1:] = person[order[1:]] != person[order[:-1]]
        differs = ~begins
        differs[1:] &= release.classes[order[1:]] != release.classes[order[:-1]]
        is_scattered[person[order[differs]]] = True
        appears[person[order[begins]]] += 1
        start = np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
        ordinal = np.empty(len(order), dtype=np.int64)
        ordinal[order] = np.arange(len(order)) - start
        ordinals.append(ordinal)
    most = 1 + max((int(ordinal.max(initial=0)) for ordinal in ordinals), default=0)
    is_scattered &= appears > 1
    facts, own = [], n_people * most
    for person, ordinal in zip(person_of_row, ordinals, strict=True):
        fact = person * most + ordinal
        apart = is_scattered[person]
        count = int(np.count_nonzero(apart))
        fact[apart] = np.arange(own, own + count)
        own += count
        facts.append(fact)
    return facts, int(np.count_nonzero(is_scattered))


def _nameless(release: Shown) -> Ints:
    """Count the rows of each class that belong to nobody who is known; none where the rows were not counted."""
    known = np.bincount(release.classes, minlength=release.n_classes())
    for values in release.values:
        if values.counts is not None:
            rows = np.bincount(values.classes, weights=values.counts, minlength=len(known)).astype(np.int64)
            return np.maximum(rows - known, 0)
    return np.zeros(len(known), dtype=np.int64)
