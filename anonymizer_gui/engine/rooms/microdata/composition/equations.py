"""What several releases say about one set of sensitive columns, as sums of whole numbers that are not known.

The unknown numbers are how many people of a cell have a value. Added up over the cells of a class they give the
published count of that value in the class; added up over the values they give the size of the cell.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.data.tables.normalisation import fold_text
from anonymizer_gui.engine.rooms.microdata.composition.published_view import (
    Bools,
    ClassIntersections,
    Ints,
    PublishedView,
    ValueCombinations,
)

MAX_PAIRS = 50_000_000
"""So many values of cells are looked at; beyond, cells are left out and nobody in them is called safe."""
_PAIRS_AT_ONCE = 1 << 22
NO_LIMIT = np.iinfo(np.int64).max // 4


@dataclass(frozen=True, slots=True, eq=False)
class PublishedCounts:
    """The published counts of all classes of all releases, numbered through; sorted by class, then value."""

    node: Ints
    value: Ints
    counts: Ints
    is_counted: Bools
    """Where the rows were counted; elsewhere it is only known that the class holds the value."""
    n_nodes: int
    n_values: int

    def starts(self) -> Ints:
        """Where the entries of each class begin; one more than classes."""
        return np.searchsorted(self.node, np.arange(self.n_nodes + 1)).astype(np.int64)

    def find(self, node: Ints, value: Ints) -> Ints:
        """Give the entry of each class and value, -1 where a class does not hold the value."""
        if not len(self.node):
            return np.full(len(node), -1, dtype=np.int64)
        known = self.node * self.n_values + self.value
        asked = node * self.n_values + value
        place = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        return np.where(known[place] == asked, place, -1).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class LinearSystem:
    """The equations for one set of columns.

    `classes` gives for each release of the system the class of every cell among the numbered-through ones, or -1.
    `parts` gives for each column the code of every value, `labels` what the codes mean.
    """

    columns: tuple[str, ...]
    releases: tuple[int, ...]
    cell_of: Ints
    """For every cell of all releases its cell here, -1 for people in none of these releases."""
    sizes: Ints
    classes: tuple[Ints, ...]
    offsets: tuple[int, ...]
    entries: PublishedCounts
    labels: tuple[tuple[str, ...], ...]
    parts: tuple[Ints, ...]
    value_of_entry: tuple[Ints, ...]
    """For each release of the system the value of every entry of what it holds."""
    published: tuple[int, ...]
    """The places of the releases that were published as they are, not joined from others."""

    def __len__(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True, slots=True, eq=False)
class CountSums:
    """Unknown numbers, one per cell and value that all classes of the cell hold, and the sums known of them.

    Number i adds to the sums `links[starts[i]:starts[i + 1]]`; the first of them is its cell, the others are entries,
    which come after the cells. Every sum is between `least` and `most`.
    """

    cell: Ints
    value: Ints
    starts: Ints
    links: Ints
    least: Ints
    most: Ints
    left_out: Bools
    """Cells that hold too many values to be looked at."""

    def __len__(self) -> int:
        return len(self.cell)

    def link_owner(self) -> Ints:
        """Give the number each link belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))


def linear_system(
    cells: ClassIntersections,
    releases: Sequence[PublishedView],
    columns: Sequence[str],
    among: Sequence[int] | None = None,
) -> LinearSystem | None:
    """Set up the equations of the releases that publish all these columns; None when none does."""
    which = range(len(releases)) if among is None else among
    held = [(number, found) for number in which if (found := releases[number].holding(columns)) is not None]
    if not held:
        return None
    values, parts, labels = _numbered([combinations for _, combinations in held], columns)
    of_cells = [cells.classes[number] for number, _ in held]
    inside = np.flatnonzero(np.max(of_cells, axis=0) >= 0)
    alike = group_rows([classes[inside] + 1 for classes in of_cells], len(inside))
    cell_of = np.full(len(cells), -1, dtype=np.int64)
    cell_of[inside] = alike.ids
    sizes = np.bincount(alike.ids, weights=cells.sizes[inside], minlength=len(alike)).astype(np.int64)
    n_classes = [releases[number].n_classes() for number, _ in held]
    offsets = np.concatenate([[0], np.cumsum(n_classes)]).astype(np.int64)
    first = inside[alike.first_rows]
    nodes = tuple(
        np.where(classes[first] >= 0, classes[first] + offset, -1)
        for classes, offset in zip(of_cells, offsets[:-1], strict=True)
    )
    entries = _entries([combinations for _, combinations in held], values, offsets, len(parts[0]))
    return LinearSystem(
        tuple(columns),
        tuple(number for number, _ in held),
        cell_of,
        sizes,
        nodes,
        tuple(offsets[:-1].tolist()),
        entries,
        labels,
        parts,
        tuple(values),
        tuple(place for place, (number, _) in enumerate(held) if not releases[number].is_joined),
    )


def _numbered(
    held: Sequence[ValueCombinations], columns: Sequence[str]
) -> tuple[list[Ints], tuple[Ints, ...], tuple[tuple[str, ...], ...]]:
    """Number the combinations of the columns over all releases: for each release those of its entries, and what
    each combination means."""
    codes, labels = [], []
    for name in columns:
        texts = [
            np.array([fold_text(label) for label in values.labels[values.columns.index(name)]], dtype=object)
            for values in held
        ]
        number, known = pd.factorize(np.concatenate(texts)) if texts else (np.empty(0, dtype=np.int64), np.empty(0))
        place = np.split(number.astype(np.int64), np.cumsum([len(part) for part in texts])[:-1])
        codes.append(
            np.concatenate(
                [new[values.codes[values.columns.index(name)]] for new, values in zip(place, held, strict=True)]
            )
        )
        labels.append(tuple(str(text) for text in known))
    alike = group_rows(codes, len(codes[0]))
    ends = np.cumsum([len(values.classes) for values in held])[:-1]
    return np.split(alike.ids, ends), tuple(part[alike.first_rows] for part in codes), tuple(labels)


def _entries(
    held: Sequence[ValueCombinations], values: Sequence[Ints], offsets: Ints, n_values: int
) -> PublishedCounts:
    """Add up the entries of each release that are alike in the columns looked at."""
    node = np.concatenate([part.classes + offset for part, offset in zip(held, offsets[:-1], strict=True)])
    value = np.concatenate(values)
    counts = np.concatenate([np.zeros_like(part.classes) if part.counts is None else part.counts for part in held])
    is_counted = np.concatenate([np.full(len(part.classes), part.counts is not None) for part in held])
    key, place = np.unique(node * n_values + value, return_inverse=True)
    total = np.bincount(place, weights=counts, minlength=len(key)).astype(np.int64)
    counted = np.zeros(len(key), dtype=np.bool_)
    counted[place] = is_counted
    return PublishedCounts(key // max(n_values, 1), key % max(n_values, 1), total, counted, int(offsets[-1]), n_values)


def count_sums(system: LinearSystem, slack: Ints, progress: Progress = SILENT) -> CountSums:
    """List the values every cell may have and what they add up to.

    `slack` gives for each class by how much its counts may differ from what the people had in other releases: values
    may have been corrected in between.
    """
    found = [*_pairs(system, slack, progress)]
    cell, value = (np.concatenate([part[i] for part in found]) for i in (0, 1))
    left_out = np.ones(len(system), dtype=np.bool_)
    for _, _, _, looked_at in found:
        left_out[looked_at] = False
    n_links = 1 + np.sum(
        [np.concatenate([part[2][i] for part in found]) >= 0 for i in range(len(system.classes))], axis=0
    )
    starts = np.concatenate([[0], np.cumsum(n_links)]).astype(np.int64)
    links = np.empty(int(starts[-1]), dtype=np.int64)
    links[starts[:-1]] = cell
    place = starts[:-1] + 1
    for i in range(len(system.classes)):
        entry = np.concatenate([part[2][i] for part in found])
        there = entry >= 0
        links[place[there]] = entry[there] + len(system)
        place = place + there
    least, most = _limits(system, slack, left_out)
    return CountSums(cell, value, starts, links, least, most, left_out)


def _limits(system: LinearSystem, slack: Ints, left_out: Bools) -> tuple[Ints, Ints]:
    """Give the bounds of the size of every cell and of every published count."""
    entries = system.entries
    loose = slack[entries.node]
    unseen = np.zeros(entries.n_nodes, dtype=np.int64)
    for classes in system.classes:
        there = (classes >= 0) & left_out
        np.add.at(unseen, classes[there], system.sizes[there])
    least = np.where(entries.is_counted, entries.counts - loose - unseen[entries.node], 0)
    most = np.where(entries.is_counted & (loose < NO_LIMIT), entries.counts + loose, NO_LIMIT)
    people = np.where(left_out, 0, system.sizes)
    return np.concatenate([people, np.maximum(least, 0)]), np.concatenate([system.sizes, most])


def _pairs(system: LinearSystem, slack: Ints, progress: Progress) -> Iterator[tuple[Ints, Ints, list[Ints], Ints]]:
    """Give cells with the values that all their classes hold, and the entries of these in each release."""
    starts = system.entries.starts()
    base, lengths = _shortest(system, slack, np.diff(starts))
    looked_at = _affordable(lengths)
    ends = np.cumsum(lengths[looked_at])
    done = 0
    while done < len(looked_at) or not done:
        reached = int(ends[done - 1]) if done else 0
        progress(reached / max(int(ends[-1]) if len(ends) else 1, 1), "Comparing with earlier releases")
        stop = max(int(np.searchsorted(ends, reached + _PAIRS_AT_ONCE, side="right")), done + 1)
        some = looked_at[done:stop]
        yield _held_by_all(system, slack, some, base[some], starts, lengths[some])
        done = stop


def _affordable(lengths: Ints) -> Ints:
    """Choose the cells that are looked at: all, or those of fewest values."""
    if int(lengths.sum()) <= MAX_PAIRS:
        return np.arange(len(lengths))
    order = np.argsort(lengths, kind="stable")
    return np.sort(order[np.cumsum(lengths[order]) <= MAX_PAIRS])


def _shortest(system: LinearSystem, slack: Ints, held: Ints) -> tuple[Ints, Ints]:
    """Choose for every cell the class that holds fewest values, one whose counts are certain if there is."""
    base = np.full(len(system), -1, dtype=np.int64)
    fewest = np.full(len(system), NO_LIMIT, dtype=np.int64)
    for classes in system.classes:
        there = classes >= 0
        length = np.where(there, held[classes] + np.where(slack[classes] > 0, NO_LIMIT // 2, 0), NO_LIMIT)
        better = there & ((length < fewest) | (base < 0))
        base[better], fewest[better] = classes[better], length[better]
    return base, held[base]


def _held_by_all(
    system: LinearSystem, slack: Ints, cells: Ints, base: Ints, starts: Ints, lengths: Ints
) -> tuple[Ints, Ints, list[Ints], Ints]:
    cell = np.repeat(cells, lengths)
    before = np.cumsum(lengths) - lengths
    entry = np.arange(len(cell)) - np.repeat(before - starts[base], lengths)
    value = system.entries.value[entry]
    found: list[Ints] = []
    kept = np.ones(len(cell), dtype=np.bool_)
    for classes in system.classes:
        node = classes[cell]
        there = np.flatnonzero((node >= 0) & kept)
        place = np.full(len(cell), -1, dtype=np.int64)
        place[there] = system.entries.find(node[there], value[there])
        kept[there] &= (place[there] >= 0) | (slack[node[there]] > 0)
        found.append(place)
    return cell[kept], value[kept], [place[kept] for place in found], cells
