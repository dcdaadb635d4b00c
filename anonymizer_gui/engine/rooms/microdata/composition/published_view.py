"""What a release tells of its people: who is in which class, and how often each sensitive value is in each class."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of, group_rows, number_rows
from anonymizer_gui.engine.data.tables.table import Table

Ints = npt.NDArray[np.int64]

Bools = npt.NDArray[np.bool_]

Keys = npt.NDArray[np.bytes_]

KEY_BYTES = 16


@dataclass(frozen=True, slots=True, eq=False)
class ValueCombinations:
    """How often each combination of sensitive values is in each class: one entry per class and combination.

    `codes` gives for each column the value of every entry, a place in its `labels`. Without `counts` it is only known
    which values a class holds.
    """

    columns: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    classes: Ints
    codes: tuple[Ints, ...]
    counts: Ints | None


@dataclass(frozen=True, slots=True)
class ValueOrder:
    """How far the values of a column are apart: the place of each label in their order, and in a tree, if there is one.

    `parents` gives for every point of the tree the one above it, `leaves` the point of every label.
    """

    rank: tuple[int, ...]
    parents: tuple[int, ...] = ()
    leaves: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class LinkedRows:
    """Rows that carry a pseudonym the same person has in other releases: its mark, the class, the entry of each row."""

    marks: Keys
    classes: Ints
    entries: Ints
    """The combination of sensitive values of each row: a place in the release's `values[0]`."""


@dataclass(frozen=True, slots=True, eq=False)
class PublishedView:
    """One release as an attacker sees it who knows everybody's class.

    `keys` and `classes` hold the person and the class of every row whose person is known; `values` the sensitive
    values of the classes (several when only single columns are known); `goals` what was promised, as plain data.
    """

    name: str
    keys: Keys
    classes: Ints
    values: tuple[ValueCombinations, ...] = ()
    goals: tuple[Mapping[str, Json], ...] = ()
    key_check: str = ""
    """Tells whether two releases have their keys from the same secret."""
    matched_by: tuple[str, ...] = ()
    """The identifying columns the keys were made from."""
    orders: Mapping[str, ValueOrder] = field(default_factory=dict)
    """How far values are apart, for goals that measure distances by order or hierarchy."""
    links: Mapping[str, LinkedRows] = field(default_factory=dict)
    """Rows by the pseudonyms that link this release to others, for each such column."""
    is_joined: bool = False
    """Whether it was never published so, but can be put together from others."""
    known: Ints | None = None
    """Of a release that is at hand: the entry of `values[0]` that each row of `keys` has."""

    def holding(self, columns: Iterable[str]) -> ValueCombinations | None:
        """Give the values that tell of all these columns at once."""
        wanted = set(columns)
        return next((values for values in self.values if wanted <= set(values.columns)), None)

    def columns(self) -> tuple[str, ...]:
        """Name the sensitive columns."""
        return tuple(dict.fromkeys(name for values in self.values for name in values.columns))

    def n_classes(self) -> int:
        """Count the classes."""
        known = [self.classes, *(values.classes for values in self.values)]
        return max((int(classes.max(initial=-1)) + 1 for classes in known), default=0)

    def can_meet(self, other: "PublishedView", people: int) -> bool:
        """Tell whether the same person would have the same key in both; that some people have proves it."""
        return self.key_check == other.key_check and (people > 0 or self.matched_by == other.matched_by)


def published_view(
    name: str,
    published: Table,
    qis: Sequence[str],
    sas: Sequence[str],
    keys: Keys,
    marks: Mapping[str, Keys] | None = None,
) -> PublishedView:
    """Take from a published table what it shows; `keys` holds the person of each row, empty where nobody is known.

    `marks` holds for columns of pseudonyms that other releases have, too, a mark of each row's.
    """
    classes = classes_of(published, qis).ids
    columns = [published.column(sa).compact() for sa in sas]
    values, entry = count_combinations(classes, [column.codes.astype(np.int64) for column in columns])
    held = ValueCombinations(tuple(sas), tuple(column.labels for column in columns), *values)
    order = _sorted(keys, classes)
    links = {}
    for column, mark in (marks or {}).items():
        at = _sorted(mark, classes)
        links[column] = LinkedRows(mark[at], classes[at], entry[at])
    return PublishedView(
        name,
        keys[order].astype(f"S{KEY_BYTES}"),
        classes[order],
        (held,) if sas else (),
        links=links,
        known=entry[order] if sas else None,
    )


def _sorted(keys: Keys, classes: Ints) -> Ints:
    """Give the rows that have a key, by it: the order of the rows would tell about the file."""
    known = np.flatnonzero(keys != b"")
    order: Ints = known[np.lexsort((classes[known], keys[known]))]
    return order


def count_combinations(classes: Ints, codes: Sequence[Ints]) -> tuple[tuple[Ints, tuple[Ints, ...], Ints], Ints]:
    """Count the combinations of values in each class; give classes, codes and counts, and the entry of each row."""
    alike = group_rows([classes, *codes], len(classes))
    first = alike.first_rows
    order = np.lexsort((*(part[first] for part in reversed(codes)), classes[first]))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    at = first[order]
    return (classes[at], tuple(part[at] for part in codes), alike.sizes[order]), place[alike.ids]


@dataclass(frozen=True, slots=True, eq=False)
class ClassIntersections:
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


def intersect_classes(releases: Sequence[PublishedView]) -> ClassIntersections:
    """Put everybody of several releases into cells."""
    person_of_row, n_people = number_keys([release.keys for release in releases])
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
    releases: Sequence[PublishedView],
    where: Sequence[Ints],
    person_of_fact: Ints,
    fact_of_row: tuple[Ints, ...],
    n_people: int,
    scattered: int,
) -> ClassIntersections:
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
    return ClassIntersections(
        tuple(column[alike.first_rows] for column in columns),
        facts + unknown,
        unknown,
        alike.ids[:n_facts],
        person_of_fact,
        fact_of_row,
        n_people,
        scattered,
    )


def number_keys(keys: Sequence[Keys]) -> tuple[list[Ints], int]:
    """Number the people of all releases; a key is two whole numbers, which sort much faster than texts."""
    joined = b"".join(part.astype(f"S{KEY_BYTES}").tobytes() for part in keys)
    halves = np.frombuffer(joined, dtype=np.int64).reshape(-1, 2)
    first, number = number_rows([halves[:, 0], halves[:, 1]])
    return list(_parts(number, keys)), len(first)


def _parts(joined: Ints, like: Sequence[Keys] | Sequence[Ints]) -> tuple[Ints, ...]:
    ends = np.cumsum([len(part) for part in like])
    return tuple(np.split(joined, ends[:-1])) if len(like) else ()


def _facts(releases: Sequence[PublishedView], person_of_row: Sequence[Ints], n_people: int) -> tuple[list[Ints], int]:
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


def _nameless(release: PublishedView) -> Ints:
    """Count the rows of each class that belong to nobody who is known; none where the rows were not counted."""
    known = np.bincount(release.classes, minlength=release.n_classes())
    for values in release.values:
        if values.counts is not None:
            rows = np.bincount(values.classes, weights=values.counts, minlength=len(known)).astype(np.int64)
            return np.maximum(rows - known, 0)
    return np.zeros(len(known), dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class JoinedRows:
    """Rows of several releases joined by a pseudonym."""

    releases: tuple[int, ...]
    shown: PublishedView
    """The joined release: its classes are those of all the releases at once."""
    sizes: Ints
    """The rows of every joined class."""


@dataclass(frozen=True, slots=True, eq=False)
class _Once:
    """Who is at most once in each of several releases; of others nobody knows which rows belong together."""

    names: Keys
    number_of_row: list[Ints]
    kept: Bools
    classes: list[Ints]
    """For each release the class of everybody who is kept, -1 for those who are not in it."""


def join_by_pseudonyms(releases: Sequence[PublishedView]) -> list[JoinedRows]:
    """Join the rows of releases as an attacker would, for every column of pseudonyms that several of them share."""
    found = []
    for name in sorted({name for release in releases for name in release.links}):
        which = tuple(number for number, release in enumerate(releases) if name in release.links)
        if len(which) > 1:
            found.append(_joined(which, [releases[number] for number in which], name))
    return found


def _joined(which: tuple[int, ...], linked: Sequence[PublishedView], name: str) -> JoinedRows:
    rows = [release.links[name] for release in linked]
    marks = _once_each([row.marks for row in rows], [row.classes for row in rows])
    people = _once_each([release.keys for release in linked], [release.classes for release in linked])
    alike = group_rows([classes + 1 for classes in marks.classes], len(marks.classes[0]))
    place = _place([classes[alike.first_rows] for classes in marks.classes], people.classes)
    found = np.flatnonzero(place >= 0)
    values = _values(linked, [row.entries for row in rows], marks, alike.ids)
    last = linked[-1]
    shown = PublishedView(
        name, people.names[found], place[found], values, (), last.key_check, last.matched_by, is_joined=True
    )
    return JoinedRows(which, shown, alike.sizes)


def _once_each(keys: Sequence[Keys], classes: Sequence[Ints]) -> _Once:
    numbers, n_people = number_keys(keys)
    kept = np.ones(n_people, dtype=np.bool_)
    names = np.zeros(n_people, dtype=f"S{KEY_BYTES}")
    places = []
    for number, key, of_row in zip(numbers, keys, classes, strict=True):
        kept &= np.bincount(number, minlength=n_people) < 2
        place = np.full(n_people, -1, dtype=np.int64)
        place[number], names[number] = of_row, key
        places.append(place)
    return _Once(names[kept], numbers, kept, [place[kept] for place in places])


def _place(known: Sequence[Ints], asked: Sequence[Ints]) -> Ints:
    """Find the joined class of everybody asked for, -1 where no row is in these classes."""
    n_known = len(known[0])
    both = group_rows([np.concatenate(parts) + 1 for parts in zip(known, asked, strict=True)], n_known + len(asked[0]))
    place = np.full(len(both), -1, dtype=np.int64)
    place[both.ids[:n_known]] = np.arange(n_known)
    found: Ints = place[both.ids[n_known:]]
    return found


def _values(
    linked: Sequence[PublishedView], entries: Sequence[Ints], marks: _Once, classes: Ints
) -> tuple[ValueCombinations, ...]:
    """Count the values of the joined classes in the columns that all the releases have; what is newest counts."""
    columns = tuple(name for name in linked[0].columns() if all(release.holding([name]) for release in linked))
    if not columns:
        return ()
    labels, codes = [], []
    for name in columns:
        number_of: dict[str, int] = {}
        code = np.zeros(len(marks.kept), dtype=np.int64)
        for release, entry, number in zip(linked, entries, marks.number_of_row, strict=True):
            held = release.values[0]
            place = held.columns.index(name)
            own = [number_of.setdefault(label, len(number_of)) for label in held.labels[place]]
            code[number] = np.array(own, dtype=np.int64)[held.codes[place][entry]]
        labels.append(tuple(number_of))
        codes.append(code[marks.kept])
    return (ValueCombinations(columns, tuple(labels), *count_combinations(classes, codes)[0]),)
