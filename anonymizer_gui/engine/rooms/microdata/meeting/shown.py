"""What a release tells of its people: who is in which class, and how often each sensitive value is in each class."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of, group_rows
from anonymizer_gui.engine.data.tables.table import Table

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Keys = npt.NDArray[np.bytes_]
KEY_BYTES = 16


@dataclass(frozen=True, slots=True, eq=False)
class Combinations:
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
class Order:
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
class Shown:
    """One release as an attacker sees it who knows everybody's class.

    `keys` and `classes` hold the person and the class of every row whose person is known; `values` the sensitive
    values of the classes (several when only single columns are known); `goals` what was promised, as plain data.
    """

    name: str
    keys: Keys
    classes: Ints
    values: tuple[Combinations, ...] = ()
    goals: tuple[Mapping[str, Json], ...] = ()
    key_check: str = ""
    """Tells whether two releases have their keys from the same secret."""
    matched_by: tuple[str, ...] = ()
    """The identifying columns the keys were made from."""
    orders: Mapping[str, Order] = field(default_factory=dict)
    """How far values are apart, for goals that measure distances by order or hierarchy."""
    links: Mapping[str, LinkedRows] = field(default_factory=dict)
    """Rows by the pseudonyms that link this release to others, for each such column."""
    is_joined: bool = False
    """Whether it was never published so, but can be put together from others."""
    known: Ints | None = None
    """Of a release that is at hand: the entry of `values[0]` that each row of `keys` has."""

    def holding(self, columns: Iterable[str]) -> Combinations | None:
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

    def can_meet(self, other: "Shown", people: int) -> bool:
        """Tell whether the same person would have the same key in both; that some people have proves it."""
        return self.key_check == other.key_check and (people > 0 or self.matched_by == other.matched_by)


def shown_by(
    name: str,
    published: Table,
    qis: Sequence[str],
    sas: Sequence[str],
    keys: Keys,
    marks: Mapping[str, Keys] | None = None,
) -> Shown:
    """Take from a published table what it shows; `keys` holds the person of each row, empty where nobody is known.

    `marks` holds for columns of pseudonyms that other releases have, too, a mark of each row's.
    """
    classes = classes_of(published, qis).ids
    columns = [published.column(sa).compact() for sa in sas]
    values, entry = combined(classes, [column.codes.astype(np.int64) for column in columns])
    held = Combinations(tuple(sas), tuple(column.labels for column in columns), *values)
    order = _sorted(keys, classes)
    links = {}
    for column, mark in (marks or {}).items():
        at = _sorted(mark, classes)
        links[column] = LinkedRows(mark[at], classes[at], entry[at])
    return Shown(
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


def folded(text: str) -> str:
    """Write a name or value as it is compared: capital letters and white space make no other one.

    >>> folded(" Ada  LOVELACE ") == folded("ada lovelace")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def combined(classes: Ints, codes: Sequence[Ints]) -> tuple[tuple[Ints, tuple[Ints, ...], Ints], Ints]:
    """Count the combinations of values in each class; give classes, codes and counts, and the entry of each row."""
    alike = group_rows([classes, *codes], len(classes))
    first = alike.first_rows
    order = np.lexsort((*(part[first] for part in reversed(codes)), classes[first]))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    at = first[order]
    return (classes[at], tuple(part[at] for part in codes), alike.sizes[order]), place[alike.ids]
