"""Patterns an attacker may know, who fits, what all who fit have in common.

A pattern tells a sensitive value when everybody who fits it has one of fewer than l values: in the record, or at the
vertices in line with a label of the pattern. Where it does, that path is withheld from all who fit, so that a missing
label tells that there were too few values and not which; after Xu, Wang, Fu and Yu, (h, k, p)-coherence, KDD 2008.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.data.trees.trees import ROOT, Ints, Leaf
from anonymizer_gui.engine.rooms.trees.encoding import EncodedRecords
from anonymizer_gui.engine.sets.support import Transactions, distinct_pairs, enumerate_itemsets

Bits = int

Pattern = tuple[tuple[int, ...], Bits]
"""Values in rising order, and a bit for each pair of them that is related: (0,1), (0,2), (1,2)."""

PAIRS = ((0, 1), (0, 2), (1, 2))

_OFTEN = 256


@dataclass(frozen=True, slots=True, eq=False)
class LabelledRecords:
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
class RelatedPairs:
    """Pairs of labels that stand in one vertex or one above the other, by the numbers of both: upper first."""

    upper: Ints
    lower: Ints


def related_pairs(known: LabelledRecords) -> RelatedPairs:
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
    return RelatedPairs(np.concatenate(uppers or [placed[:0]]), np.concatenate(lowers or [placed[:0]]))


def pair_keys(known: LabelledRecords, pairs: RelatedPairs) -> Ints:
    """Give one number per related pair: its two values in rising order; -1 where both are the same."""
    one, other = known.value[pairs.upper], known.value[pairs.lower]
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.where(low == high, -1, low * known.top + high)


def pattern_supports(keys: Ints, records: Ints, n_records: int) -> tuple[Ints, Ints]:
    """Give all different keys but -1, and in how many records each is."""
    fits = keys >= 0
    both = np.unique(keys[fits] * n_records + records[fits])
    return np.unique(both // n_records, return_counts=True)


@dataclass(frozen=True, slots=True)
class PatternMatch:
    """A pattern of three labels in one record, with the numbers of these labels."""

    pattern: Pattern
    record: int
    labels: tuple[int, ...]


def walk_triples(known: LabelledRecords, n: int, progress: Progress) -> Iterator[PatternMatch]:
    """Walk all patterns of three labels with one up to n relations, record by record."""
    pairs = related_pairs(known)
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
) -> Iterator[PatternMatch]:
    own = tuple(values[label] for label in three)
    if len(set(own)) < len(own):
        return
    bits = [at for at, (one, other) in enumerate(PAIRS) if (three[one], three[other]) in linked]
    for size in range(1, min(n, len(bits)) + 1):
        for some in combinations(bits, size):
            yield PatternMatch((own, sum(1 << bit for bit in some)), record, three)


_TELLING_OFTEN = 2000

_EVERYWHERE = -1
"""The place of a pattern that stands for the whole record."""

Spots = Callable[[int], Sequence[Iterable[int]]]
"""The vertices of a record at which each label of a pattern stands."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchingRecords:
    """The records that fit a pattern of `size` labels, and where its labels stand in each."""

    records: Sequence[int]
    size: int
    spots: Spots


class SensitivePath:
    """A sensitive path: what it says in every record, and in line with every vertex, of what is not withheld."""

    def __init__(self, held: EncodedRecords, leaf: Leaf, parent: Ints) -> None:
        self._record_of, self._parent = held.trees.record_of, parent
        texts = leaf.column.texts().tolist()
        self._values = {
            vertex: int(code)
            for vertex, code, text in zip(leaf.holders.tolist(), leaf.column.codes.tolist(), texts, strict=True)
            if text != MISSING
        }
        self._is_of_record = leaf.branch in held.trees.spine
        self._inside: dict[int, set[int]] = {}
        self._below: dict[int, set[int]] = {}
        for vertex in self._values:
            self._inside.setdefault(int(self._record_of[vertex]), set()).add(vertex)
            at = ROOT if self._is_of_record else vertex
            while at != ROOT:
                self._below.setdefault(at, set()).add(vertex)
                at = int(parent[at])
        self.withheld: set[int] = set()

    def __len__(self) -> int:
        """How many labels there are."""
        return len(self._values)

    def places(self, size: int) -> range:
        """Give the places of a pattern where the path may be: everywhere, and at each label."""
        return range(_EVERYWHERE, _EVERYWHERE + 1 if self._is_of_record else size)

    def holders(self, fit: MatchingRecords, record: int, place: int) -> set[int]:
        """Give the vertices that hold a label of the path: of the record, or in line with a label of the pattern."""
        if place == _EVERYWHERE:
            return self._inside.get(record, set()) - self.withheld
        found = set[int]()
        for vertex in fit.spots(record)[place]:
            if vertex != ROOT:
                found |= self._below.get(vertex, set()) | self._above(vertex)
        return found - self.withheld

    def said(self, fit: MatchingRecords, record: int, place: int) -> set[int]:
        """Give the values that these vertices hold."""
        return {self._values[vertex] for vertex in self.holders(fit, record, place)}

    def withhold(self, fit: MatchingRecords, place: int) -> None:
        """Withhold the path from all who fit."""
        for record in fit.records:
            self.withheld |= self.holders(fit, record, place)

    def _above(self, vertex: int) -> set[int]:
        found, at = set[int](), vertex
        while at != ROOT:
            if at in self._values:
                found.add(at)
            at = int(self._parent[at])
        return found


def labels_to_withhold(
    held: EncodedRecords, known: LabelledRecords, least: int, m: int, n: int, progress: Progress
) -> tuple[frozenset[int], ...]:
    """Find for each sensitive path the vertices that must not tell theirs, so that no pattern tells a value."""
    secrets = [SensitivePath(held, leaf, known.parent) for leaf in held.sensitive]
    before = -1
    while before != sum(len(secret.withheld) for secret in secrets):
        before = sum(len(secret.withheld) for secret in secrets)
        for at, fit in enumerate(walk_patterns(known, m, n, progress)):
            if at % _TELLING_OFTEN == 0:
                progress(0.5, "Looking at what patterns tell")
            for secret in secrets:
                _keep_quiet(secret, fit, least)
    return tuple(frozenset(secret.withheld) for secret in secrets)


def _keep_quiet(secret: SensitivePath, fit: MatchingRecords, least: int) -> None:
    for place in secret.places(fit.size):
        if _is_told(secret, fit, place, least - 1):
            secret.withhold(fit, place)


def _is_told(secret: SensitivePath, fit: MatchingRecords, place: int, most: int) -> bool:
    """Tell whether everybody who fits and has a value has one of at most so many: tried from the first of them on."""

    def is_met(chosen: frozenset[int], begin: int) -> bool:
        for at in range(begin, len(fit.records)):
            own = secret.said(fit, fit.records[at], place)
            if own and not own & chosen:
                return len(chosen) < most and any(is_met(chosen | {value}, at + 1) for value in sorted(own))
        return bool(chosen)

    return is_met(frozenset(), 0)


def walk_patterns(known: LabelledRecords, m: int, n: int, progress: Progress) -> Iterator[MatchingRecords]:
    """Walk all patterns of up to m labels and n relations."""
    yield from _sets(known, m, progress)
    if n and m > 1:
        yield from _linked_pairs(known)
    if n and m > 2:
        yield from _linked_triples(known, n, progress)


def _sets(known: LabelledRecords, m: int, progress: Progress) -> Iterator[MatchingRecords]:
    stays = known.value >= 0
    record, value, vertex = (each[stays] for each in (known.record, known.value, known.vertex))
    at: dict[tuple[int, int], list[int]] = {}
    for key, own in zip(zip(record.tolist(), value.tolist(), strict=True), vertex.tolist(), strict=True):
        at.setdefault(key, []).append(own)
    held = distinct_pairs(record, value.astype(np.int32), known.n_records, known.top)
    empty = np.empty(0, dtype=np.int64)
    for size in range(1, m + 1):
        parts = list(enumerate_itemsets(held, size, progress))
        keys = np.concatenate([empty, *(some for some, _ in parts)])
        owners = np.concatenate([empty, *(some for _, some in parts)])
        for group in _groups(keys):
            values = held.members(keys[group[:1]], size)[0].tolist()
            yield MatchingRecords(owners[group].tolist(), size, _spots_of(at, values))


def _spots_of(at: Mapping[tuple[int, int], list[int]], values: list[int]) -> Spots:
    return lambda record: [at[record, value] for value in values]


def _groups(keys: Ints) -> Iterator[Ints]:
    """Give the places of every key, those of one after those of the other."""
    order = np.argsort(keys, kind="stable")
    ends = np.flatnonzero(np.diff(keys[order])) + 1
    yield from np.split(order, ends) if len(order) else ()


def _linked_pairs(known: LabelledRecords) -> Iterator[MatchingRecords]:
    pairs = related_pairs(known)
    keys = pair_keys(known, pairs)
    there = np.flatnonzero(keys >= 0)
    for group in _groups(keys[there]):
        found: dict[int, tuple[set[int], ...]] = {}
        for place in there[group].tolist():
            labels = sorted((int(pairs.upper[place]), int(pairs.lower[place])), key=known.value.__getitem__)
            _join(found, known, int(known.record[labels[0]]), labels)
        yield MatchingRecords(list(found), 2, found.__getitem__)


def _linked_triples(known: LabelledRecords, n: int, progress: Progress) -> Iterator[MatchingRecords]:
    patterns: dict[object, dict[int, tuple[set[int], ...]]] = {}
    for each in walk_triples(known, n, progress):
        _join(patterns.setdefault(each.pattern, {}), known, each.record, each.labels)
    for found in patterns.values():
        yield MatchingRecords(list(found), 3, found.__getitem__)


def _join(found: dict[int, tuple[set[int], ...]], known: LabelledRecords, record: int, labels: Sequence[int]) -> None:
    spots = found.setdefault(record, tuple(set[int]() for _ in labels))
    for own, label in zip(spots, labels, strict=True):
        own.add(int(known.vertex[label]))
