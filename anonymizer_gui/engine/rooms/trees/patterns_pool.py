"""Subtrees as numbered patterns: equal ones share a number, so that what two cost to merge is worked out once."""

from collections import Counter
from dataclasses import dataclass, field

from anonymizer_gui.engine.rooms.trees.domains import ABSENT, Domain
from anonymizer_gui.engine.rooms.trees.matching import Pairs, best_pairs
from anonymizer_gui.engine.rooms.trees.placing import Placed, codes_by_vertex

VERTEX = 0.5
"""What the loss of a vertex itself counts beside the labels it takes along."""

_FEW = 4

Labels = tuple[int, ...]
Kids = tuple[tuple[int, tuple[int, ...]], ...]
"""Per branch of children, in order, the patterns of the children."""


@dataclass(slots=True)
class Pool:
    """All patterns seen: `labels` and `kids` by number, what is lost when one is suppressed, and what is lost in it."""

    held: Placed
    labels: list[Labels] = field(default_factory=list)
    kids: list[Kids] = field(default_factory=list)
    branch: list[int] = field(default_factory=list)
    left: list[float] = field(default_factory=list)
    """What is still there to lose: labels and vertices of the subtree, less what is lost already."""
    _numbers: dict[tuple[int, Labels, Kids], int] = field(default_factory=dict)
    _deltas: dict[tuple[int, int, int], float] = field(default_factory=dict)
    _domains: dict[int, tuple[Domain, ...]] = field(default_factory=dict)
    _quasi: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, leaf in enumerate(self.held.known):
            self._quasi[leaf.branch] = (*self._quasi.get(leaf.branch, ()), number)
        self._domains = {
            branch: tuple(self.held.domains[at] for at in numbers) for branch, numbers in self._quasi.items()
        }

    def quasi(self, branch: int) -> tuple[int, ...]:
        """Number the quasi-identifiers of a branch."""
        return self._quasi.get(branch, ())

    def number(self, branch: int, labels: Labels, kids: Kids) -> int:
        """Give the number of a pattern."""
        key = (branch, labels, kids)
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self.labels)
            self.labels.append(labels)
            self.kids.append(kids)
            self.branch.append(branch)
            own = sum(
                1.0 - domain.loss[code]
                for code, domain in zip(labels, self._domains.get(branch, ()), strict=True)
                if code != ABSENT
            )
            self.left.append(VERTEX + own + sum(self.left[kid] for _, some in kids for kid in some))
        return known

    def of_records(self) -> dict[int, int]:
        """Give the pattern of every vertex that stays, inner ones after outer ones in number."""
        codes = codes_by_vertex(self.held)
        branch_of = self.held.trees.branch_of.tolist()
        found: dict[int, int] = {}
        for vertex in range(len(branch_of) - 1, -1, -1):
            if not self.held.kept[vertex]:
                continue
            branch = branch_of[vertex]
            labels = tuple(int(codes[at][vertex]) for at in self.quasi(branch))
            groups: dict[int, list[int]] = {}
            for child in self.held.children[vertex]:
                groups.setdefault(branch_of[child], []).append(found[child])
            kids = tuple((group, tuple(sorted(some))) for group, some in sorted(groups.items()))
            found[vertex] = self.number(branch, labels, kids)
        return found

    def delta(self, one: int, other: int, size: int) -> float:
        """Give the loss that is added when a subtree joins a pattern that stands for `size` of them."""
        if one == other:
            return 0.0
        key = (one, other, size)
        known = self._deltas.get(key)
        if known is None:
            known = self._deltas[key] = self.label_delta(one, other, size) + self.kids_delta(one, other, size)
        return known

    def label_delta(self, one: int, other: int, size: int) -> float:
        """Give what the labels of two vertices lose."""
        total = 0.0
        domains = self._domains.get(self.branch[one], ())
        for a, b, domain in zip(self.labels[one], self.labels[other], domains, strict=True):
            if a == b:
                continue
            loss = domain.loss
            if a == ABSENT:
                total += 1.0 - loss[b]
            elif b == ABSENT:
                total += size * (1.0 - loss[a])
            else:
                joined = loss[domain.join(a, b)]
                total += size * (joined - loss[a]) + joined - loss[b]
        return total

    def kids_delta(self, one: int, other: int, size: int) -> float:
        """Give what the children of two vertices lose when they are matched in the best way."""
        mine, theirs = dict(self.kids[one]), dict(self.kids[other])
        total, left = 0.0, self.left
        for branch in mine.keys() | theirs.keys():
            some, others = mine.get(branch, ()), theirs.get(branch, ())
            if some == others:
                continue
            if max(len(some), len(others)) > _FEW:
                some, others = _apart(some, others)
            total += size * sum(left[kid] for kid in some) + sum(left[kid] for kid in others)
            if some and others:
                total += best_pairs(self.gains(some, others, size))[0]
        return total

    def gains(
        self, some: tuple[int, ...] | list[int], others: tuple[int, ...] | list[int], size: int
    ) -> list[list[float]]:
        """Say for every pair of children how much less is lost when it is matched than when both are suppressed."""
        left, delta = self.left, self.delta
        return [[delta(a, b, size) - size * left[a] - left[b] for b in others] for a in some]

    def pairs(self, some: list[int], others: list[int], size: int) -> Pairs:
        """Match children in the best way; equal ones first, for to part them never costs less."""
        places: dict[int, list[int]] = {}
        for at, pattern in enumerate(others):
            places.setdefault(pattern, []).append(at)
        found = [(at, places[pattern].pop(0)) for at, pattern in enumerate(some) if places.get(pattern)]
        taken = {at for at, _ in found}, {at for _, at in found}
        mine = [at for at in range(len(some)) if at not in taken[0]]
        theirs = [at for at in range(len(others)) if at not in taken[1]]
        if mine and theirs:
            best = best_pairs(self.gains([some[at] for at in mine], [others[at] for at in theirs], size))[1]
            found += [(mine[one], theirs[other]) for one, other in best]
        return sorted(found)

    def joined(self, one: int, other: int) -> Labels:
        """Give the labels that cover those of two vertices."""
        domains = self._domains.get(self.branch[one], ())
        return tuple(
            ABSENT if ABSENT in (a, b) else a if a == b else domain.join(a, b)
            for a, b, domain in zip(self.labels[one], self.labels[other], domains, strict=True)
        )


def _apart(some: tuple[int, ...], others: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Leave out what both have: equal children are matched for nothing, and to part them never costs less.

    With L monotone and L(b + c) <= L(a + b) + L(a + c) - L(a), as for nodes of a tree, intervals and sets, exchanging
    the partners of a and its equal for each other loses nothing.
    """
    both = Counter(some) & Counter(others)
    if not both:
        return some, others
    return tuple((Counter(some) - both).elements()), tuple((Counter(others) - both).elements())
