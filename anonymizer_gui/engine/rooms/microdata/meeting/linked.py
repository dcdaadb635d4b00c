"""Releases whose rows can be joined because people keep their pseudonyms: together they are one finer release."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.rooms.microdata.meeting.people_cells import numbered_keys
from anonymizer_gui.engine.rooms.microdata.meeting.shown import (
    KEY_BYTES,
    Bools,
    Combinations,
    Ints,
    Keys,
    Shown,
    combined,
)


@dataclass(frozen=True, slots=True, eq=False)
class JoinedRows:
    """Rows of several releases joined by a pseudonym."""

    releases: tuple[int, ...]
    shown: Shown
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


def joined_by_pseudonyms(releases: Sequence[Shown]) -> list[JoinedRows]:
    """Join the rows of releases as an attacker would, for every column of pseudonyms that several of them share."""
    found = []
    for name in sorted({name for release in releases for name in release.links}):
        which = tuple(number for number, release in enumerate(releases) if name in release.links)
        if len(which) > 1:
            found.append(_joined(which, [releases[number] for number in which], name))
    return found


def _joined(which: tuple[int, ...], linked: Sequence[Shown], name: str) -> JoinedRows:
    rows = [release.links[name] for release in linked]
    marks = _once_each([row.marks for row in rows], [row.classes for row in rows])
    people = _once_each([release.keys for release in linked], [release.classes for release in linked])
    alike = group_rows([classes + 1 for classes in marks.classes], len(marks.classes[0]))
    place = _place([classes[alike.first_rows] for classes in marks.classes], people.classes)
    found = np.flatnonzero(place >= 0)
    values = _values(linked, [row.entries for row in rows], marks, alike.ids)
    last = linked[-1]
    shown = Shown(name, people.names[found], place[found], values, (), last.key_check, last.matched_by, is_joined=True)
    return JoinedRows(which, shown, alike.sizes)


def _once_each(keys: Sequence[Keys], classes: Sequence[Ints]) -> _Once:
    numbers, n_people = numbered_keys(keys)
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


def _values(linked: Sequence[Shown], entries: Sequence[Ints], marks: _Once, classes: Ints) -> tuple[Combinations, ...]:
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
    return (Combinations(columns, tuple(labels), *combined(classes, codes)[0]),)
