"""Local specialization: every class is split on its own along the hierarchies, all classes of a round at once."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.lattice import merged
from anonymizer_gui.engine.rooms.microdata.algorithms.prices import Prices
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down.splits import Crowd, Ints, Nodes, Rules, split_options
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.recoding import from_nodes


@dataclass(frozen=True, slots=True, eq=False)
class SplitTree:
    """Every class there ever was: its nodes, rows, parent (-1: none), and the QI it was split on (-1: not split).

    `published` is the class of the release it became, -1 where it was split or suppressed.
    """

    columns: tuple[str, ...]
    nodes: Nodes
    sizes: Ints
    parent: Ints
    split_on: Ints
    published: Ints


class LocalSplitting:
    """Classes that are split until no split is possible."""

    def __init__(self, encoded: Encoded, goals: Goals, prices: Prices, rules: Rules, allowed: int, first: Ints) -> None:
        """Begin with a class per tuple (-1: suppressed); `allowed` more rows may be suppressed where that pays."""
        self.encoded, self.goals, self.prices, self.rules, self.allowed = encoded, goals, prices, rules, allowed
        self.class_of_tuple = first.copy()
        n_classes = int(first.max(initial=-1)) + 1
        self.nodes = np.zeros((n_classes, len(encoded.qis)), dtype=np.int32)
        live = np.flatnonzero(first >= 0)
        for j, qi in enumerate(encoded.qis):
            self.nodes[first[live], j] = qi.levels()[-1][encoded.tuples[live, j]]
        self.parent = np.full(n_classes, -1, dtype=np.int64)
        self.split_on = np.full(n_classes, -1, dtype=np.int64)

    def run(self, progress: Progress) -> Recoding:
        """Split in rounds until nothing can be split."""
        active = np.arange(len(self.nodes))
        rounds = sum(qi.hierarchy.height for qi in self.encoded.qis) + 1
        for done in range(rounds):
            progress(done / rounds, message("Splitting {count:class|classes}", count=len(active)))
            if not len(active):
                break
            crowd = Crowd.of(self.encoded, self.class_of_tuple, active, self.nodes[active])
            active = self._split(active, crowd, self._choose(crowd, progress))
        return self._recoding()

    def _choose(self, crowd: Crowd, progress: Progress) -> Ints:
        options = split_options(self.encoded, self.goals, self.prices, crowd, self.rules, progress)
        column = options.choose(self.rules)
        # What is dropped changes what classes are compared with, and who of the population is absent.
        about_others = self.goals.compare_with_whole or any(m.needs_population for m in self.goals.models)
        if not self.allowed or about_others:
            return column
        chosen = options.choose_with_suppression(column, self.allowed)
        dropped = np.flatnonzero(chosen != column)
        self.allowed -= int(options.falling[dropped, chosen[dropped]].sum())
        return chosen

    def _split(self, active: Ints, crowd: Crowd, column: Ints) -> Ints:
        """Replace classes by their children along the chosen columns; give the new classes that have rows."""
        column_of_tuple = column[crowd.owner]
        child = np.zeros(len(crowd.owner), dtype=np.int64)
        for j, qi in enumerate(self.encoded.qis):
            here = np.flatnonzero(column_of_tuple == j)
            child[here] = crowd.children(qi, j, here)
        moved = np.flatnonzero(column_of_tuple >= 0)
        found = group_rows([crowd.owner[moved], child[moved]], len(moved))
        first = moved[found.first_rows]
        parent, split_column = crowd.owner[first], column_of_tuple[first]
        nodes = crowd.nodes[parent].copy()
        nodes[np.arange(len(nodes)), split_column] = child[first]
        members = np.full(len(crowd.owner), len(found), dtype=np.int64)
        members[moved] = found.ids
        groups = merged(crowd.groups, members, len(found) + 1)
        fine = self.goals.satisfied(groups)[:-1]
        new = len(self.nodes) + np.arange(len(found))
        self.class_of_tuple[crowd.who[moved]] = np.where(fine, new, -1)[found.ids]
        self.split_on[active] = column
        self.nodes = np.vstack([self.nodes, nodes])
        self.parent = np.concatenate([self.parent, active[parent]])
        self.split_on = np.concatenate([self.split_on, np.full(len(new), -1)])
        return new[fine & (groups.sizes[:-1] > 0)]

    def _recoding(self) -> Recoding:
        n_classes = len(self.nodes)
        live = np.flatnonzero(self.class_of_tuple >= 0)
        sizes = np.bincount(self.class_of_tuple[live], weights=self.encoded.counts[live], minlength=n_classes)
        kept = np.flatnonzero(sizes > 0)
        published = np.full(n_classes + 1, -1, dtype=np.int64)
        published[kept] = np.arange(len(kept))
        tree = SplitTree(
            columns=tuple(qi.name for qi in self.encoded.qis),
            nodes=self.nodes,
            sizes=_with_descendants(sizes.astype(np.int64), self.parent),
            parent=self.parent,
            split_on=self.split_on,
            published=published[:-1],
        )
        return from_nodes(self.encoded, published[self.class_of_tuple], self.nodes[kept], tree)


def _with_descendants(sizes: Ints, parent: Ints) -> Ints:
    """Add the rows of every class to all it came from; parents come before their children."""
    total = sizes.copy()
    depth = np.zeros(len(parent), dtype=np.int64)
    above = parent.copy()
    while (above >= 0).any():
        depth[above >= 0] += 1
        above = np.where(above >= 0, parent[above], -1)
    for level in range(int(depth.max(initial=0)), 0, -1):
        here = np.flatnonzero(depth == level)
        np.add.at(total, parent[here], total[here])
    return total
