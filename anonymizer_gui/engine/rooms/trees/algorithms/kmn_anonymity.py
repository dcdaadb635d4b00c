"""K^(m,n)-anonymity by generalisation and structural disassociation."""

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.trees.trees import ROOT, Ints
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.trees.algorithms.contract import (
    ALGORITHMS,
    Outcome,
    promise_kmn_anonymity,
    promise_kmn_diversity,
    total_loss,
)
from anonymizer_gui.engine.rooms.trees.background_knowledge import (
    PAIRS,
    LabelledRecords,
    Pattern,
    PatternMatch,
    labels_to_withhold,
    pair_keys,
    pattern_supports,
    related_pairs,
    walk_triples,
)
from anonymizer_gui.engine.rooms.trees.encoding import ABSENT, EncodedRecords
from anonymizer_gui.engine.sets.apriori import HierarchyCut, anonymise_without_root
from anonymizer_gui.engine.sets.encoding import DELETED, EncodedTransactions, ItemRecoding, ItemsetDemands


@dataclass(frozen=True, slots=True, eq=False)
class LabelTree:
    """All quasi-identifying labels: record, vertex, quasi-identifier and node of each; `first` begins each tree."""

    held: EncodedRecords
    data: EncodedTransactions
    vertex: Ints
    leaf: Ints
    first: list[int]

    def known(self, value: Ints) -> LabelledRecords:
        """Give the labels as patterns are found in them, published as these nodes; deleted ones are left out."""
        trees = self.held.trees
        is_root = np.isin(trees.branch_of, [*trees.spine, *trees.above_spine])
        parent = np.where(trees.parent_of >= 0, trees.parent_of, 0)
        parent = np.where((trees.parent_of < 0) | is_root | is_root[parent], ROOT, parent)
        vertex = np.where(is_root[self.vertex] | (value == DELETED), ROOT, self.vertex)
        return LabelledRecords(self.data.basket_of, vertex, value, parent, len(trees), len(self.data.tree))

    def codes(self, became: Ints) -> tuple[Ints, ...]:
        """Give the code of each vertex for each quasi-identifier."""
        found = []
        for number in range(len(self.held.known)):
            own = self.leaf == number
            codes = np.full(len(self.held.trees.vertices), ABSENT, dtype=np.int64)
            nodes = became[own]
            topmost = self.held.domains[number].tree.topmost_of_label
            inner = np.where(nodes == DELETED, 0, nodes - self.first[number])
            codes[self.vertex[own]] = np.where(nodes == DELETED, ABSENT, topmost[inner])
            found.append(codes)
        return tuple(found)


def join_label_trees(held: EncodedRecords) -> LabelTree:
    """Put all labels under one tree; what a node costs is its LM in the tree of its path."""
    names, parents, costs, first = ["*"], [-1], [1.0], list[int]()
    vertices, numbers, nodes = list[Ints](), list[Ints](), list[Ints]()
    for number, (leaf, domain) in enumerate(zip(held.known, held.domains, strict=True)):
        start, tree = len(names), domain.tree
        first.append(start)
        names += [f"{number}\x1f{label}" for label in tree.labels]
        parents += [0 if parent < 0 else int(parent) + start for parent in tree.parents.tolist()]
        costs += tree.loss.tolist()
        vertices.append(leaf.holders)
        numbers.append(np.full(len(leaf.holders), number, dtype=np.int64))
        nodes.append(domain.codes + start)
    tree = Hierarchy(names, parents)
    leaf_of = np.cumsum(tree.is_leaf) - 1
    vertex = np.concatenate(vertices)
    records = held.trees.record_of[vertex]
    leaves = leaf_of[np.concatenate(nodes)].astype(np.int32)
    data = EncodedTransactions(tree, len(held.trees), records, leaves, np.arange(len(vertex)), costs=np.array(costs))
    return LabelTree(held, data, vertex, np.concatenate(numbers), first)


@dataclass(slots=True)
class Disassociation:
    """Cuts relations until no pattern with one is too rare; a value is made coarser where that costs less."""

    known: LabelledRecords
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
        pairs = related_pairs(self.known)
        keys = pair_keys(self.known, pairs)
        found, counts = pattern_supports(keys, self.known.record[pairs.upper], self.known.n_records)
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
        for each in walk_triples(self.known, self.n, progress):
            records.setdefault(each.pattern, set()).add(each.record)
        rare = {pattern for pattern, some in records.items() if len(some) < self.wanted.k}
        if not rare:
            return False
        for each in [one for one in walk_triples(self.known, self.n, progress) if one.pattern in rare]:
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


def _first(found: PatternMatch) -> tuple[int, int]:
    """Give the two labels of the first relation of a pattern."""
    bit = next(at for at in range(len(PAIRS)) if found.pattern[1] >> at & 1)
    return found.labels[PAIRS[bit][0]], found.labels[PAIRS[bit][1]]


_LARGER = (1.0, 1.5, 2.0, 3.0)
"""So many times k is tried where sensitive labels would be withheld; what loses least in all is taken."""


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class KmnAnonymity:
    """Labels become groups until any m of them are shared by k records; relations that still betray are cut."""

    name: ClassVar[str] = "few"
    title: ClassVar[str] = "A few labels (k^(m,n)-anonymity)"
    summary: ClassVar[str] = (
        "Rare labels become groups, and where one stands below another betrays somebody, the two are taken apart."
    )
    reference: ClassVar[str] = (
        "after Gkountouna and Terrovitis, Anonymizing collections of tree-structured data, TKDE 2015"
    )
    attacks: ClassVar[str] = (
        "Whoever knows the method knows that a detached vertex stood below another one of its record in a way that "
        "fewer than k shared; below which one is not told. Where l is above 1, a sensitive label that is not there may "
        "have been withheld: all who fit some pattern had fewer than l values, which ones is not told."
    )
    intervals: ClassVar[bool] = False
    expects_patterns: ClassVar[bool] = True

    k: int = param(
        Int(low=1), default=5, label="k", help="Fewest records that fit what is known.", series=(2, 5, 10, 25)
    )
    m: int = param(
        Int(low=1, high=3), default=2, label="m", help="Most labels that somebody may know.", series=(1, 2, 3)
    )
    n: int = param(
        Int(low=0, high=2), default=1, label="n", series=(0, 1, 2),
        help="Most relations between these labels that somebody may know: one stands in the same vertex, or above.",
    )  # fmt: skip
    l: int = param(  # noqa: E741 - what everybody calls it
        Int(low=1, high=5), default=1, label="l", series=(1, 2, 3),
        help="Fewest sensitive values that those who fit what is known leave open, at every path; where there are "
        "fewer, the path is withheld from all of them.",
    )  # fmt: skip
    delete: float = param(
        Float(low=0, high=1), default=0.01, label="Deletions", series=(0.0, 0.01, 0.02, 0.05),
        help="Share of all labels that may be deleted, so that the others stay finer.",
    )  # fmt: skip

    def promised(self, *, has_sensitive: bool) -> tuple[Promise, ...]:
        """Promise enough records, and values that differ among them where some are sensitive."""
        open_values = [promise_kmn_diversity(self.l, self.m, self.n)] if self.l > 1 and has_sensitive else []
        return (promise_kmn_anonymity(self.k, self.m, self.n), *open_values)

    def run(self, held: EncodedRecords, progress: Progress) -> Outcome:
        """Make labels coarser, cut relations, withhold what patterns would tell; raises Infeasible."""
        if self.n >= self.m:
            raise BadParameter("n relations need more than n labels.", "Choose n below m.")
        progress(0.0, "Placing the labels")
        labels = join_label_trees(held)
        if self.l == 1:
            return self._made(labels, self.k, progress.sub(0.05, 1.0))
        return self._least_withheld(labels, progress.sub(0.05, 1.0))

    def _least_withheld(self, labels: LabelTree, progress: Progress) -> Outcome:
        """Try larger k, too, while sensitive labels are withheld: more records fit then, and differ more."""
        made: list[tuple[float, Outcome]] = []
        for at, times in enumerate(_LARGER):
            k = math.ceil(times * self.k)
            try:
                outcome = self._made(labels, k, progress.sub(at / len(_LARGER), (at + 1) / len(_LARGER)))
            except Infeasible:
                if not made:
                    raise
                break
            if made:
                outcome = replace(outcome, notes=(_said(k), *outcome.notes))
            made.append((total_loss(labels.held, outcome), outcome))
            if not any(outcome.withheld):
                break
        return min(made, key=lambda each: each[0])[1]

    def _made(self, labels: LabelTree, k: int, progress: Progress) -> Outcome:
        wanted = ItemsetDemands(k=k, m=self.m)
        recoding = self._coarser(labels, wanted, progress.sub(0.0, 0.6))
        return self._apart(labels, recoding, wanted, progress.sub(0.6, 1.0))

    def _coarser(self, labels: LabelTree, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Make labels coarser without deletions and with them; the way that loses less is taken."""
        tried = [anonymise_without_root(labels.data, wanted, share, progress) for share in sorted({0.0, self.delete})]
        found = [each.recoding for each in tried if each.recoding is not None]
        if found:
            return min(found, key=lambda recoding: recoding.loss(labels.data))
        raise Infeasible(
            message(
                "{share:.2%} of all labels would have to be deleted; the budget is {budget:.2%}.",
                share=tried[-1].needed,
                budget=self.delete,
            ),
            "Allow more deletions, other hierarchies, a smaller k or m.",
            goal="few",
        )

    def _apart(self, labels: LabelTree, recoding: ItemRecoding, wanted: ItemsetDemands, progress: Progress) -> Outcome:
        held = labels.held
        cutting = HierarchyCut(labels.data, wanted, root_allowed=False)
        if recoding.cut is not None:
            cutting.start_at(recoding.cut)
        known = labels.known(recoding.became.astype(np.int64))
        apart = Disassociation(known, labels.data, wanted, self.n, cutting)
        if self.n:
            apart.run(progress)
        became = np.where(recoding.became == DELETED, DELETED, cutting.cut[labels.data.leaves])
        codes = labels.codes(became)
        split = tuple((int(labels.vertex[at]), int(labels.leaf[at])) for at in sorted(apart.split))
        classes = np.zeros(len(held.trees), dtype=np.int64)
        outcome = Outcome(held.kept.copy(), codes, classes, frozenset(apart.detached), split)
        withheld = labels_to_withhold(held, apart.known, self.l, self.m, self.n, progress) if self.l > 1 else ()
        notes = _notes(int(np.count_nonzero(became == DELETED)), held, withheld)
        return replace(outcome, withheld=withheld, notes=notes)


def _said(k: int) -> str:
    return message("Made with k = {k}: fewer sensitive labels are withheld where more records fit.", k=k)


def _notes(deleted: int, held: EncodedRecords, withheld: tuple[frozenset[int], ...]) -> tuple[str, ...]:
    notes = [message("{deleted:label was|labels were} deleted.", deleted=deleted)] if deleted else []
    for leaf, some in zip(held.sensitive, withheld, strict=False):
        if some:
            share = len(some) / len(leaf.holders)
            notes.append(
                message(
                    "{share:.1%} of the labels of “{path}” were withheld, for patterns that would tell them.",
                    share=share,
                    path=leaf.path,
                )
            )
    return tuple(notes)
