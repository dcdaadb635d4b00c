"""Frequent item sets and rules before and after; the cut."""

import itertools
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.attack import as_transactions
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.sets.support import Ints, Transactions, count_support

Side = Literal["above", "published", "below"]

_OFTEN = 64


@dataclass(frozen=True, slots=True)
class CutNode:
    """A node of the tree, its parent before it; how many baskets held something of it, and are published with it."""

    label: str
    parent: int
    side: Side
    before: int
    after: int

    @property
    def is_gone(self) -> bool:
        """Whether it would be published and was deleted from every basket that had it."""
        return self.side == "published" and self.before > 0 and self.after == 0


@dataclass(frozen=True, slots=True)
class CutView:
    """The first nodes of a tree, parents before their children, with the side of the cut each is on."""

    nodes: tuple[CutNode, ...]
    all: int
    """How many nodes the tree has."""
    is_one: bool
    """Whether one cut goes through the tree; with local clustering each group of baskets has its own."""


def view_cut(release: Release, most: int, progress: Progress = SILENT) -> CutView:
    """Look at the tree of a release, node by node."""
    data, cut = release.data, release.recoding.cut
    tree = data.tree
    after = np.bincount(release.recoding.held(data).values, minlength=len(tree))
    published = set((np.unique(cut) if cut is not None else np.flatnonzero(after)).tolist())
    nodes: list[CutNode] = []
    for node in range(min(len(tree), most)):
        if node % _OFTEN == 0:
            progress(node / len(tree), "Counting the tree")
        parent = int(tree.parents[node])
        is_below = cut is not None and parent >= 0 and nodes[parent].side != "above"
        side: Side = "below" if is_below else "published" if node in published else "above"
        before = int(np.unpackbits(data.bits(node)).sum())
        nodes.append(CutNode(tree.labels[node], parent, side, before, int(after[node])))
    return CutView(tuple(nodes), len(tree), cut is not None)


USUAL_SHARE = 0.01

USUAL_CONFIDENCE = 0.3

_LONGEST = 2


@dataclass(frozen=True, slots=True)
class SupportError:
    """A frequent set: its support before, and what somebody would estimate from the release."""

    items: tuple[str, ...]
    before: int
    after: float

    @property
    def error(self) -> float:
        """The error, as a share of the support before."""
        return abs(self.after - self.before) / self.before


@dataclass(frozen=True, slots=True)
class AssociationRule:
    """Whoever has one has the other with this confidence, before and as far as the release tells."""

    one: str
    other: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Utility:
    """Frequent sets with their errors, and association rules before and after."""

    sets: tuple[SupportError, ...]
    rules: tuple[AssociationRule, ...]
    kept: int
    """Rules that are still found with at least the same least confidence."""

    @property
    def mean_error(self) -> float:
        """The mean error of the supports of frequent sets."""
        return sum(each.error for each in self.sets) / len(self.sets) if self.sets else 0.0


def measure_utility(
    release: Release,
    baskets: Baskets,
    progress: Progress = SILENT,
    share: float = USUAL_SHARE,
    confidence: float = USUAL_CONFIDENCE,
) -> Utility:
    """Compare frequent sets of up to two items and the rules between them, before and after.

    An item inside a group is taken to be as frequent as the others of it: support of the group over its leaves.
    """
    least = max(int(share * len(baskets)), 2)
    held = as_transactions(baskets)
    found: dict[tuple[int, ...], tuple[int, float]] = {}
    for size in range(1, _LONGEST + 1):
        progress((size - 1) / (_LONGEST + 1), "Looking for frequent sets")
        keys, counts = count_support(held, size, progress)
        often = counts >= least
        members, counts = held.members(keys[often], size), counts[often]
        estimates = _estimates(release, baskets, members, progress)
        for row, before, after in zip(members.tolist(), counts.tolist(), estimates, strict=True):
            found[tuple(row)] = (before, after)
    sets = tuple(
        SupportError(tuple(baskets.items[code] for code in codes), before, after)
        for codes, (before, after) in sorted(found.items(), key=lambda each: -each[1][0])
    )
    rules = tuple(_rules(found, baskets, confidence))
    return Utility(sets, rules, sum(rule.after >= confidence for rule in rules))


def _estimates(release: Release, baskets: Baskets, members: Ints, progress: Progress) -> list[float]:
    """Estimate the support of sets of items from what they were published as; deleted items count as gone.

    Where groups of baskets have cuts of their own, an item is looked for in each node above it that was published.
    """
    tree, published = release.data.tree, release.published
    code_of = {label: code for code, label in enumerate(published.items)}
    held = as_transactions(published)
    known = {size: dict(_pairs(held, size, progress)) for size in range(1, _LONGEST + 1)}
    found_as: list[list[tuple[int, float]]] = []
    for item in baskets.items:
        node = tree.leaf_number.get(item)
        above = [] if node is None else [int(each) for each in tree.path(int(tree.leaves[node]))]
        shares = {item: 1.0} | {tree.labels[each]: 1.0 / float(tree.leaf_counts[each]) for each in above}
        found_as.append([(code_of[label], share) for label, share in shares.items() if label in code_of])
    return [_estimate([found_as[code] for code in row], known, held.top) for row in members.tolist()]


def _pairs(held: Transactions, size: int, progress: Progress) -> list[tuple[int, int]]:
    keys, counts = count_support(held, size, progress)
    return list(zip(keys.tolist(), counts.tolist(), strict=True))


def _estimate(found_as: list[list[tuple[int, float]]], known: dict[int, dict[int, int]], top: int) -> float:
    """Add up what each way to publish the items tells of them."""
    total = 0.0
    for way in itertools.product(*found_as):
        distinct = sorted({code for code, _ in way})
        key = 0
        for code in distinct:
            key = key * top + code
        total += known[len(distinct)].get(key, 0) * math.prod(share for _, share in way)
    return total


def _rules(
    found: dict[tuple[int, ...], tuple[int, float]], baskets: Baskets, confidence: float
) -> list[AssociationRule]:
    rules = []
    for codes, (before, after) in found.items():
        if len(codes) != _LONGEST:
            continue
        for one, other in (codes, codes[::-1]):
            alone, alone_after = found[(one,)]
            if before / alone >= confidence:
                later = min(after / alone_after, 1.0) if alone_after else 0.0
                rules.append(AssociationRule(baskets.items[one], baskets.items[other], before / alone, later))
    return sorted(rules, key=lambda rule: -rule.before)
