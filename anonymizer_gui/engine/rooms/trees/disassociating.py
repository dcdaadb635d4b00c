"""Structural disassociation: relations that betray somebody are cut; the lower vertex hangs on the record then."""

from dataclasses import dataclass, field, replace

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.trees.trees import ROOT, Ints
from anonymizer_gui.engine.rooms.trees.patterns import (
    PAIRS,
    Found,
    Labelled,
    Pattern,
    pair_keys,
    related,
    supports,
    triples,
)
from anonymizer_gui.engine.sets.apriori import HierarchyCut
from anonymizer_gui.engine.sets.encoding import DELETED, EncodedTransactions, ItemsetDemands


@dataclass(slots=True)
class Apart:
    """Cuts relations until no pattern with one is too rare; a value is made coarser where that costs less."""

    known: Labelled
    data: EncodedTransactions
    wanted: ItemsetDemands
    n: int
    cutting: HierarchyCut
    detached: set[int] = field(default_factory=set)
    split: set[int] = field(default_factory=set)
    """Labels that left their vertex."""
    _counts: Ints | None = None

    def run(self, progress: Progress) -> None:
        """Go on until nothing is left to do."""
        changed = True
        while changed:
            progress(0.1, "Looking at relations")
            changed = self._pairs(progress)
            if not changed and self.wanted.m > 2:
                changed = self._triples(progress)

    def _pairs(self, progress: Progress) -> bool:
        pairs = related(self.known)
        keys = pair_keys(self.known, pairs)
        found, counts = supports(keys, self.known.record[pairs.upper], self.known.n_records)
        rare = found[counts < self.wanted.k]
        if not len(rare):
            return False
        progress.check()
        places = np.flatnonzero(np.isin(keys, rare))
        if not self._raised(keys[places], progress):
            for place in places.tolist():
                self._cut(int(pairs.upper[place]), int(pairs.lower[place]))
            self._renewed()
        return True

    def _raised(self, keys: Ints, progress: Progress) -> bool:
        """Make values coarser where that loses less than cutting all relations they are rare in."""
        often = dict(zip(*(each.tolist() for each in np.unique(keys, return_counts=True)), strict=True))
        relations: dict[int, int] = {}
        for key, count in often.items():
            for value in divmod(key, self.known.top):
                relations[value] = relations.get(value, 0) + count
        done = False
        for value, count in sorted(relations.items(), key=lambda each: (-each[1], each[0])):
            parent = int(self.data.tree.parents[value])
            if parent > 0 and value in self.cutting.cut and self.cutting.price(parent) < count:
                self.cutting.raise_to(parent)
                done = True
        if done:
            became = self.cutting.cut[self.data.leaves]
            self.known = replace(self.known, value=np.where(self.known.value == DELETED, DELETED, became))
        return done

    def _triples(self, progress: Progress) -> bool:
        records: dict[Pattern, set[int]] = {}
        for each in triples(self.known, self.n, progress):
            records.setdefault(each.pattern, set()).add(each.record)
        rare = {pattern for pattern, some in records.items() if len(some) < self.wanted.k}
        if not rare:
            return False
        for each in [one for one in triples(self.known, self.n, progress) if one.pattern in rare]:
            self._cut(*_first(each))
        self._renewed()
        return True

    def _cut(self, one: int, other: int) -> None:
        """Cut the relation of two labels, unless that was done: the lower vertex goes, or the rarer label."""
        above, below = int(self.known.vertex[one]), int(self.known.vertex[other])
        if one in self.split or other in self.split:
            return
        if above == below:
            often = self._often()
            rarer = one if often[self.known.value[one]] < often[self.known.value[other]] else other
            self.split.add(rarer)
            return
        lower = below if self._is_below(below, above) else above
        if not self._is_parted(lower, below if lower == above else above):
            self.detached.add(lower)

    def _often(self) -> Ints:
        if self._counts is None:
            self._counts = np.bincount(self.known.value[self.known.value >= 0], minlength=self.known.top)
        return self._counts

    def _is_below(self, vertex: int, other: int) -> bool:
        at = vertex
        while at not in (ROOT, other):
            at = int(self.known.parent[at])
        return at == other

    def _is_parted(self, lower: int, upper: int) -> bool:
        """Tell whether a vertex was detached on the way between two."""
        at = lower
        while at not in (ROOT, upper):
            if at in self.detached:
                return True
            at = int(self.known.parent[at])
        return False

    def _renewed(self) -> None:
        self._counts = None
        parent, vertex = self.known.parent.copy(), self.known.vertex.copy()
        parent[list(self.detached)] = ROOT
        vertex[list(self.split)] = ROOT
        self.known = replace(self.known, parent=parent, vertex=vertex)


def _first(found: Found) -> tuple[int, int]:
    """Give the two labels of the first relation of a pattern."""
    bit = next(at for at in range(len(PAIRS)) if found.pattern[1] >> at & 1)
    return found.labels[PAIRS[bit][0]], found.labels[PAIRS[bit][1]]
