"""Values that people may have exchanged without anybody noticing.

Take one way in which the values may lie. If people change places in a ring, everybody's count stays as published: in
each class one gets a value that another gives away. With two releases such rings are the cycles of a graph: its
points are the classes, somebody with value a leads from the class in the first release to the one in the second,
somebody with value b leads back. So everybody on a cycle may have the other value instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.rooms.microdata.meeting.cycles import on_cycles
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Bools, Ints
from anonymizer_gui.engine.rooms.microdata.meeting.system import NO_LIMIT, Sums, System

Sides = tuple[Ints, Ints]

_MOST_ARCS = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Exchanges:
    """Possible exchanges: in a ring with others somebody gives one value away and gets another."""

    giving: Ints
    """Numbers that would be one smaller."""
    getting: Ints
    """Numbers of the same cells that would be one larger."""
    tail: Ints
    """Where the arc of each leaves in the graph of its two values."""
    head: Ints


def exchanges(sums: Sums, sides: Sides, solution: Ints, progress: Progress = SILENT) -> Exchanges:
    """Find the exchanges of two values that lead from one way in which the values may lie to another.

    `solution` is -1 for numbers of which no way is known. `sides` are the classes on both sides of the graph.
    """
    giving, getting = _offers(sums, solution)
    tail, head = _arcs(sums, giving, getting, sides)
    found = np.flatnonzero(on_cycles(tail, head, progress=progress))
    return Exchanges(giving[found], getting[found], tail[found], head[found])


def two_sides(binding: Sequence[Ints]) -> list[Sides]:
    """Part the releases in two in several ways, and give the classes of each cell on both sides.

    Classes of several releases on one side are taken together: who exchanges within them changes none of their counts.
    """
    everybody = range(len(binding))
    one = [{number} for number in everybody]
    early = [set(everybody[:number]) for number in everybody[2:-1]]
    parted = [side for side in (*early, *one) if len(side) < len(binding)]
    if len(binding) == 2:
        parted = one[:1]
    return [(_together(binding, side), _together(binding, set(everybody) - side)) for side in parted]


def _together(binding: Sequence[Ints], side: set[int]) -> Ints:
    """Number the classes that several releases make together, -1 where none of them binds."""
    chosen = [binding[number] for number in sorted(side)]
    alike = group_rows([nodes + 1 for nodes in chosen], len(chosen[0]))
    return np.where(np.max(chosen, axis=0) >= 0, alike.ids, -1)


def exchanged(sums: Sums, solution: Ints, possible: Exchanges, chance: np.random.Generator) -> Ints:
    """Give another way in which the values may lie: rings drawn by chance that do not touch each other."""
    order = chance.permutation(len(possible.giving))
    cell = sums.cell[possible.giving[order]]
    once = order[np.sort(np.unique(cell, return_index=True)[1])]
    arcs = once[np.sort(np.unique(possible.tail[once], return_index=True)[1])]
    ring = arcs[on_cycles(possible.tail[arcs], possible.head[arcs])]
    changed = solution.copy()
    changed[possible.giving[ring]] -= 1
    changed[possible.getting[ring]] += 1
    return changed


def binding_classes(system: System, slack: Ints) -> list[Ints]:
    """Give for each release the classes of the cells, -1 where the counts of a class follow from another release.

    A class follows when it is made up of whole classes of another release; one without counts binds nothing.
    """
    counted = np.zeros(system.entries.n_nodes, dtype=np.bool_)
    counted[system.entries.node[system.entries.is_counted]] = True
    counted &= slack < NO_LIMIT
    binding = [np.where((nodes >= 0) & counted[nodes], nodes, -1) for nodes in system.classes]
    for number, nodes in enumerate(binding):
        for other, finer in enumerate(binding):
            if other != number:
                follows = made_up_of(nodes, finer, system.entries.n_nodes)
                nodes[(nodes >= 0) & follows[nodes]] = -1
    return binding


def made_up_of(coarse: Ints, fine: Ints, n_nodes: int) -> Bools:
    """Tell which classes are made up of whole classes of another release."""
    least = np.full(n_nodes, n_nodes, dtype=np.int64)
    most = np.full(n_nodes, -1, dtype=np.int64)
    there = fine >= 0
    np.minimum.at(least, fine[there], coarse[there])
    np.maximum.at(most, fine[there], coarse[there])
    is_inside = there & (least[fine] == most[fine])
    follows = np.ones(n_nodes, dtype=np.bool_)
    follows[coarse[(coarse >= 0) & ~is_inside]] = False
    return follows


def _offers(sums: Sums, solution: Ints) -> tuple[Ints, Ints]:
    """Pair every number of a cell that is not 0 with every other of the cell: one would give, the other get."""
    place = np.flatnonzero(solution >= 0)
    cell = sums.cell[place]
    starts = np.searchsorted(cell, cell, side="left")
    lengths = np.searchsorted(cell, cell, side="right") - starts
    gives = np.flatnonzero(solution[place] > 0)
    if int(lengths[gives].sum()) > _MOST_ARCS:
        gives = gives[np.cumsum(lengths[gives]) <= _MOST_ARCS]
    length = lengths[gives]
    before = np.cumsum(length) - length
    getting = place[np.arange(int(length.sum())) + np.repeat(starts[gives] - before, length)]
    giving = np.repeat(place[gives], length)
    other = giving != getting
    return giving[other], getting[other]


def _arcs(sums: Sums, giving: Ints, getting: Ints, sides: Sides) -> tuple[Ints, Ints]:
    """Give where the arc of each exchange leaves and arrives in the graph of its two values.

    People whom nothing binds on one side all meet at one point.
    """
    old, new, cell = sums.value[giving], sums.value[getting], sums.cell[giving]
    few, many = np.minimum(old, new), np.maximum(old, new)
    graph = pd.factorize(few * (int(sums.value.max(initial=0)) + 1) + many)[0]
    width = 1 + int(sides[0].max(initial=-1)) + 1
    n_points = width + int(sides[1].max(initial=-1)) + 1
    here, there = sides[0][cell], sides[1][cell]
    ends = [graph * n_points + here + 1, graph * n_points + np.where(there >= 0, there + width, 0)]
    forth = old == few
    points = pd.factorize(np.concatenate([np.where(forth, *ends), np.where(forth, *ends[::-1])]))[0]
    return points[: len(cell)].astype(np.int64), points[len(cell) :].astype(np.int64)
