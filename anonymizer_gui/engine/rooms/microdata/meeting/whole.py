"""The whole table of a release, as goals that compare with it need it: counts, order and tree of the values."""

from collections.abc import Mapping

import numpy as np

from anonymizer_gui.engine.hierarchy.coverage import node_heights
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.meeting.favourable import Box, Floats
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Ints, Order, Shown, folded
from anonymizer_gui.engine.rooms.microdata.meeting.steps import Tree, along_order
from anonymizer_gui.engine.rooms.microdata.meeting.system import System
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Sensitive, Whole
from anonymizer_gui.engine.rooms.microdata.privacy.distances import places


def whole_of(system: System, column: str, release: Shown) -> Whole:
    """Describe the whole table of a release in the values of a system; labels the system does not have come after."""
    rows = sum(int(values.counts.sum()) for values in release.values[:1] if values.counts is not None)
    held = release.holding([column])
    if not column or held is None:
        return Whole(rows)
    at = held.columns.index(column)
    own = [folded(label) for label in held.labels[at]]
    known = system.labels[system.columns.index(column)]
    labels = (*known, *sorted(set(own) - set(known)))
    place = {label: number for number, label in enumerate(labels)}
    code = np.array([place[label] for label in own], dtype=np.int64)
    counted = np.ones_like(held.classes) if held.counts is None else held.counts
    counts = np.bincount(code[held.codes[at]], counted, len(labels)).astype(np.int64)
    number_of = {label: number for number, label in enumerate(own)}
    return Whole(rows, {column: _sensitive(column, labels, counts, number_of, release.orders.get(column))})


def _sensitive(
    name: str, labels: tuple[str, ...], counts: Ints, place: Mapping[str, int], order: Order | None
) -> Sensitive:
    """Describe a column with the order of its labels; labels of other releases come last."""
    if order is None:
        return Sensitive(name, labels, counts, np.argsort(np.argsort(np.array(labels, dtype=object))))
    key = [order.rank[place[label]] if label in place else len(labels) + number for number, label in enumerate(labels)]
    rank = np.argsort(np.argsort(key))
    if not order.parents:
        return Sensitive(name, labels, counts, rank)
    tree = Hierarchy([str(number) for number in range(len(order.parents))], order.parents)
    leaf = np.array([order.leaves[place[label]] if label in place else 0 for label in labels], dtype=np.int64)
    return Sensitive(name, labels, counts, rank, tree, leaf)


def by_steps(box: Box, sensitive: Sensitive, reference: Floats) -> Floats:
    """Read every cell in the kindest way for distances along the tree or the order of the values."""
    tree, place = _tree(sensitive)
    starts = np.searchsorted(box.cell, np.arange(box.n_cells + 1))
    aim = np.zeros(len(tree.leaves))
    np.add.at(aim, place, reference)
    shares = np.zeros(len(box.cell))
    for cell in range(box.n_cells):
        mine = slice(int(starts[cell]), int(starts[cell + 1]))
        at = place[box.value[mine]]
        low, high = np.zeros(len(aim)), np.zeros(len(aim))
        low[at], high[at] = box.low[mine], box.high[mine]
        shares[mine] = np.array(tree.kindest(low.tolist(), high.tolist(), aim.tolist()))[at]
    return shares


def _tree(sensitive: Sensitive) -> tuple[Tree, Ints]:
    """Give the tree distances are measured in, and the place of each value among those the tree is asked about."""
    if sensitive.hierarchy is None or sensitive.leaf is None:
        place, order = places(sensitive)
        return along_order(len(order)), place
    tree = sensitive.hierarchy
    heights = node_heights(tree)
    lengths = [0.0, *((heights[tree.parents[1:]] - heights[1:]) / 2).tolist()]
    return Tree(tree.parents.tolist(), lengths, tree.leaves[sensitive.leaf].tolist()), np.arange(len(sensitive.labels))
