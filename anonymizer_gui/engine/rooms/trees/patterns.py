"""What somebody may know of a record: a few labels, and of some which vertex stands above which; who fits it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.trees.trees import ROOT, Ints
from anonymizer_gui.engine.sets.support import Transactions, distinct_pairs

Bits = int
Pattern = tuple[tuple[int, ...], Bits]
"""Values in rising order, and a bit for each pair of them that is related: (0,1), (0,2), (1,2)."""
PAIRS = ((0, 1), (0, 2), (1, 2))
_OFTEN = 256


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Labels of records: the record, the vertex and the value of each, and the parent of every vertex.

    A vertex of the record itself is above all others, so relations to it tell nothing new: its labels have no vertex
    (-1), and neither has a label that was split off. Values are below `top`.
    """

    record: Ints
    vertex: Ints
    value: Ints
    parent: Ints
    n_records: int
    top: int

    def held(self) -> Transactions:
        """Give the values of every record, each once."""
        return distinct_pairs(self.record, self.value.astype(np.int32), self.n_records, self.top)


@dataclass(frozen=True, slots=True, eq=False)
class Related:
    """Pairs of labels that stand in one vertex or one above the other, by the numbers of both: upper first."""

    upper: Ints
    lower: Ints


def related(known: Labelled) -> Related:
    """List all related pairs of labels."""
    size = len(known.parent)
    placed = np.flatnonzero(known.vertex >= 0)
    order = placed[np.argsort(known.vertex[placed], kind="stable")]
    starts = np.searchsorted(known.vertex[order], np.arange(size + 1))
    uppers, lowers = list[Ints](), list[Ints]()
    at, own = known.vertex[order], order
    is_self = True
    while len(own):
        counts = starts[at + 1] - starts[at]
        lower = np.repeat(own, counts)
        begin = np.repeat(np.cumsum(counts) - counts, counts)
        upper = order[np.repeat(starts[at], counts) + np.arange(len(lower)) - begin]
        fits = upper < lower if is_self else np.ones(len(lower), dtype=np.bool_)
        uppers.append(upper[fits])
        lowers.append(lower[fits])
        at, is_self = known.parent[at], False
        own, at = own[at != ROOT], at[at != ROOT]
    return Related(np.concatenate(uppers or [placed[:0]]), np.concatenate(lowers or [placed[:0]]))


def pair_keys(known: Labelled, pairs: Related) -> Ints:
    """Give one number per related pair: its two values in rising order; -1 where both are the same."""
    one, other = known.value[pairs.upper], known.value[pairs.lower]
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.where(low == high, -1, low * known.top + high)


def supports(keys: Ints, records: Ints, n_records: int) -> tuple[Ints, Ints]:
    """Give all different keys but -1, and in how many records each is."""
    fits = keys >= 0
    both = np.unique(keys[fits] * n_records + records[fits])
    return np.unique(both // n_records, return_counts=True)


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern of three labels in one record, with the numbers of these labels."""

    pattern: Pattern
    record: int
    labels: tuple[int, ...]


def triples(known: Labelled, n: int, progress: Progress) -> Iterator[Found]:
    """Walk all patterns of three labels with one up to n relations, record by record."""
    pairs = related(known)
    linked = set(zip(pairs.upper.tolist(), pairs.lower.tolist(), strict=True))
    linked |= {(other, one) for one, other in linked}
    order = np.argsort(known.record, kind="stable")
    starts = np.searchsorted(known.record[order], np.arange(known.n_records + 1)).tolist()
    values = known.value.tolist()
    for record in range(known.n_records):
        if record % _OFTEN == 0:
            progress(record / known.n_records, "Looking at patterns of three labels")
        own = order[starts[record] : starts[record + 1]].tolist()
        labels = sorted((label for label in own if values[label] >= 0), key=values.__getitem__)
        for three in combinations(labels, 3):
            yield from _bits(three, values, linked, n, record)


def _bits(
    three: tuple[int, ...], values: list[int], linked: set[tuple[int, int]], n: int, record: int
) -> Iterator[Found]:
    own = tuple(values[label] for label in three)
    if len(set(own)) < len(own):
        return
    bits = [at for at, (one, other) in enumerate(PAIRS) if (three[one], three[other]) in linked]
    for size in range(1, min(n, len(bits)) + 1):
        for some in combinations(bits, size):
            yield Found((own, sum(1 << bit for bit in some)), record, three)
