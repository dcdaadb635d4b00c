"""The possible splits of many classes at once, one per class and column, and the choice among them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, group_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded, QuasiIdentifier
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.lattice import merged
from anonymizer_gui.engine.rooms.microdata.algorithms.prices import Prices
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups

Ints = npt.NDArray[np.int64]
Nodes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

EVERYTHING = slice(None)
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Rules:
    """How splits are chosen (`lm-gain`, `fewest-children`, `most-children`), and whether an empty child forbids one."""

    choice: str = "lm-gain"
    empty_child_violates: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """The tuples of some classes: which, their leaves, the class of each (numbered from 0), what goals ask of each."""

    who: Ints
    tuples: Nodes
    owner: Ints
    groups: Groups
    nodes: Nodes
    """The current node of each class and column."""

    @classmethod
    def of(cls, encoded: Encoded, class_of_tuple: Ints, classes: Ints, nodes: Nodes) -> "Crowd":
        """Gather the tuples of some classes (numbers in rising order) with their nodes."""
        place = np.full(int(max(class_of_tuple.max(initial=0), classes.max(initial=0))) + 2, -1, dtype=np.int64)
        place[classes] = np.arange(len(classes))
        owner = place.take(class_of_tuple)
        who = np.flatnonzero(owner >= 0)
        number = np.full(len(class_of_tuple), -1, dtype=np.int64)
        number[who] = np.arange(len(who))
        sensitive = {name: _part(h, number, len(who)) for name, h in encoded.sensitive.items()}
        population = None if encoded.population is None else encoded.population[who]
        persons = None if encoded.persons is None else encoded.persons.only(number, len(who))
        groups = Groups(encoded.counts[who], sensitive, population, persons)
        return cls(who, encoded.tuples.take(who, axis=0), owner.take(who), groups, nodes)

    def children(self, qi: QuasiIdentifier, j: int, which: Ints | slice = EVERYTHING) -> Nodes:
        """Give the child each tuple would fall into if its class were split on column j; the node where it has none."""
        tree, leaf = qi.hierarchy, self.tuples[which, j]
        node = self.nodes[:, j].take(self.owner[which])
        child = tree.ancestors[np.minimum(tree.depths[node] + 1, tree.height), leaf]
        return np.asarray(np.where(node < qi.levels()[0].take(leaf), child, node), dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """For every class and column: may it be split, what it gains, children, their unevenness, rows that would fall."""

    valid: Flags
    gain: Floats
    n_children: Ints
    unevenness: Floats
    falling: Ints
    gain_with_falling: Floats

    def choose(self, rules: Rules) -> Ints:
        """Give the column each class is split on, -1 where no split is possible."""
        best = self.valid.copy()
        for key in self._keys(rules.choice):
            least = np.where(best, key, np.inf).min(axis=1, initial=np.inf)
            best &= key <= least[:, None]
        return np.where(best.any(axis=1), best.argmax(axis=1), -1) if best.size else np.full(len(best), -1)

    def choose_with_suppression(self, column: Ints, allowed: int) -> Ints:
        """Let classes without a choice be split at the cost of some rows, most gain per row first."""
        open_to = (column < 0)[:, None] & (self.falling > 0) & (self.gain_with_falling > 0)
        worth = np.where(open_to, self.gain_with_falling / np.maximum(self.falling, 1), -np.inf)
        best = worth.argmax(axis=1)
        ratio = worth[np.arange(len(best)), best]
        order = np.argsort(-ratio, kind="stable")
        order = order[ratio[order] > 0]
        rows = self.falling[order, best[order]]
        taken = order[np.cumsum(rows) <= allowed]
        chosen = column.copy()
        chosen[taken] = best[taken]
        return chosen

    def _keys(self, choice: str) -> list[Floats]:
        if choice == "lm-gain":
            return [-np.round(self.gain, _DIGITS)]
        sign = 1.0 if choice == "fewest-children" else -1.0
        return [sign * self.n_children.astype(np.float64), np.round(self.unevenness, _DIGITS)]


def split_options(
    encoded: Encoded, goals: Goals, prices: Prices, crowd: Crowd, rules: Rules, progress: Progress
) -> Options:
    """Judge the split of every class on every column; asks between columns whether to stop."""
    sizes = np.bincount(crowd.owner, weights=crowd.groups.sizes, minlength=len(crowd.nodes)).astype(np.float64)
    priced = _PricedClasses.of(encoded, prices, crowd, sizes)
    columns = []
    for j, qi in enumerate(encoded.qis):
        progress.check()
        columns.append(_column_options(qi, j, goals, crowd, sizes, priced, rules))
    stacked = [np.stack(parts, axis=1) for parts in zip(*columns, strict=True)]
    valid, gain, n_children, unevenness, falling, with_falling = stacked
    return Options(valid, gain, n_children.astype(np.int64), unevenness, falling.astype(np.int64), with_falling)


def _column_options(
    qi: QuasiIdentifier, j: int, goals: Goals, crowd: Crowd, sizes: Floats, priced: "_PricedClasses", rules: Rules
) -> tuple[Flags, Floats, Floats, Floats, Floats, Floats]:
    """Judge the split of every class on one column."""
    n = len(crowd.nodes)
    child = crowd.children(qi, j)
    found = group_rows([crowd.owner, child], len(child))
    owner, node = crowd.owner.take(found.first_rows), child.take(found.first_rows)
    groups = merged(crowd.groups, found.ids, len(found))
    fine = goals.satisfied(groups)
    rows = groups.sizes.astype(np.float64)

    def total(values: npt.NDArray[np.generic]) -> Floats:
        return np.bincount(owner, weights=values, minlength=n).astype(np.float64)

    before = crowd.nodes[:, j]
    n_children = total(rows > 0)
    splits = total(node == before[owner]) == 0
    if rules.empty_child_violates:
        splits &= n_children == np.bincount(qi.hierarchy.parents[1:], minlength=len(qi.hierarchy))[before]
    gained, when_left_out = priced.gained(qi.weight, j, crowd, _Children(found.ids, owner, node, rows))
    share = rows / np.maximum(sizes[owner], 1)
    unevenness = total(np.where(rows > 0, np.abs(share - 1 / np.maximum(n_children[owner], 1)), 0.0))
    falling = np.where(splits, total(np.where(fine, 0.0, rows)), 0.0)
    with_falling = total(np.where(fine, gained, when_left_out))
    return splits & (total(~fine) == 0), total(gained), n_children, unevenness, falling, with_falling


@dataclass(frozen=True, slots=True, eq=False)
class _Children:
    """What classes fall into when they are split: the child of each tuple; of each child its class, node and rows."""

    of_tuple: Ints
    owner: Ints
    node: Nodes
    rows: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _PricedClasses:
    """What a row of each class costs by the objective, before it is split."""

    prices: Prices
    of_row: Floats

    @classmethod
    def of(cls, encoded: Encoded, prices: Prices, crowd: Crowd, sizes: Floats) -> "_PricedClasses":
        if not prices.nodes:
            return cls(prices, prices.of_classes(sizes, crowd.who, crowd.owner) / np.maximum(sizes, 1))
        columns = zip(encoded.qis, prices.nodes, crowd.nodes.T, strict=True)
        return cls(
            prices, sum((qi.weight * price[node] for qi, price, node in columns), start=np.zeros(len(crowd.nodes)))
        )

    def gained(self, weight: float, j: int, crowd: Crowd, children: _Children) -> tuple[Floats, Floats]:
        """Give what the rows of every child cost less than before, when it is published, and when it is left out."""
        rows, owner = children.rows, children.owner
        if self.prices.nodes:
            price = self.prices.nodes[j]
            gained = rows * weight * (price[crowd.nodes[:, j][owner]] - price[children.node])
            return gained, rows * (self.of_row[owner] - self.prices.left_out)
        before = rows * self.of_row[owner]
        after = self.prices.of_classes(rows, crowd.who, children.of_tuple)
        return before - after, before - self.prices.of_left_out(rows)


def _part(histogram: Histogram, number: Ints, n_groups: int) -> Histogram:
    """Keep the groups that have a new number."""
    kept = number[histogram.groups] >= 0
    groups = number[histogram.groups[kept]]
    return Histogram(n_groups, histogram.n_values, groups, histogram.values[kept], histogram.counts[kept])
