"""Values that were corrected between two releases, and that the difference of the counts gives away."""

import numpy as np

from anonymizer_gui.engine.rooms.microdata.meeting.shown import Ints
from anonymizer_gui.engine.rooms.microdata.meeting.system import System


def changes_told(system: System, new: int) -> int:
    """Count the values that whoever knows whose were corrected can read off, for the new release and any other.

    Looked at are groups of classes with the same people in both releases: what one has more and the other less was
    changed. It is told when all that came, or all that went, is one and the same value.
    """
    place = system.releases.index(new)
    return sum(_told(system, place, other) for other in range(len(system.releases)) if other != place)


def _told(system: System, new: int, other: int) -> int:
    entries = system.entries
    group_of_node = _groups(system.classes[new], system.classes[other], entries.n_nodes)
    mine, theirs = (_within(system, place) for place in (new, other))
    if not entries.is_counted[theirs].all():
        return 0
    signed = np.zeros(len(entries.node), dtype=np.int64)
    signed[mine] += entries.counts[mine]
    signed[theirs] -= entries.counts[theirs]
    at = np.flatnonzero((signed != 0) & (group_of_node[entries.node] >= 0))
    key, where = np.unique(group_of_node[entries.node[at]] * entries.n_values + entries.value[at], return_inverse=True)
    more = np.bincount(where, signed[at], len(key)).astype(np.int64)
    return _changed(key // max(entries.n_values, 1), more)


def _changed(group: Ints, more: Ints) -> int:
    """Add up how much was changed in groups where one value alone came, or one alone went."""
    came, went = np.maximum(more, 0), np.maximum(-more, 0)
    is_told = (np.bincount(group, came > 0) == 1) | (np.bincount(group, went > 0) == 1)
    return int(np.bincount(group, came)[is_told].sum())


def _within(system: System, place: int) -> Ints:
    start, end = (*system.offsets, system.entries.n_nodes)[place : place + 2]
    return np.arange(*np.searchsorted(system.entries.node, [start, end]))


def _groups(new: Ints, other: Ints, n_nodes: int) -> Ints:
    """Number groups of classes that hold the same people in both releases; -1 where somebody is in one of them only."""
    both = (new >= 0) & (other >= 0)
    label = np.arange(n_nodes)
    while True:
        before = label.copy()
        least = np.minimum(label[new[both]], label[other[both]])
        np.minimum.at(label, new[both], least)
        np.minimum.at(label, other[both], least)
        label = label[label]
        if np.array_equal(before, label):
            break
    is_open = np.zeros(n_nodes, dtype=np.bool_)
    is_open[label[new[(new >= 0) & (other < 0)]]] = True
    is_open[label[other[(other >= 0) & (new < 0)]]] = True
    return np.where(is_open[label], -1, label)
