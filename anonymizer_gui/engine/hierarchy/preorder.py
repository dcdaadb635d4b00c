"""Preorder of trees as array operations: depths, ends of subtrees, arrangement; no loop over nodes."""

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Index = npt.NDArray[np.integer[Any]]


def depths_of(parents: Index) -> Ints | None:
    """Give the depth of every node by pointer doubling (the root points to -1), or None when there is a cycle."""
    steps = (parents >= 0).astype(np.int32)
    above = parents.astype(np.int64)
    for _ in range(max(len(parents), 1).bit_length() + 1):
        climbing = np.flatnonzero(above >= 0)
        if not len(climbing):
            return steps
        target = above[climbing]
        steps[climbing] += steps[target]
        above[climbing] = above[target]
    return None


def is_preorder(parents: Index, depths: Ints) -> bool:
    """Say whether every subtree follows its node without gaps.

    That is so when depths grow by at most one, and every parent is the last node before its child one level up.
    """
    n = len(parents)
    if n == 1:
        return True
    if (np.diff(depths) > 1).any():
        return False
    keys = depths.astype(np.int64) * n + np.arange(n)
    ordered = np.sort(keys)
    last_above = ordered[np.searchsorted(ordered, keys[1:] - n) - 1] % n
    return bool((last_above == parents[1:]).all())


def subtree_ends(parents: Index) -> Ints:
    """Give, for every node of a tree in preorder, the first node after its subtree."""
    n = len(parents)
    ends = np.full(n, n, dtype=np.int32)
    order = np.argsort(parents, kind="stable")
    has_next = parents[order[1:]] == parents[order[:-1]]
    ends[order[:-1][has_next]] = order[1:][has_next]
    settled = ends < n
    settled[0] = True
    above = parents.copy()
    waiting = np.flatnonzero(~settled)
    while len(waiting):
        target = above[waiting]
        done = settled[target]
        ends[waiting[done]] = ends[target[done]]
        above[waiting[~done]] = above[target[~done]]
        settled[waiting[done]] = True
        waiting = waiting[~done]
    return ends


def arrange(parents: Index, depths: Ints, key: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """List the nodes in preorder, siblings by their key (equal keys keep the order given)."""
    n = len(parents)
    by_depth = np.argsort(depths, kind="stable")
    bounds = np.searchsorted(depths[by_depth], np.arange(int(depths.max()) + 2))
    levels = [by_depth[bounds[d] : bounds[d + 1]] for d in range(len(bounds) - 1)]
    sizes = np.ones(n, dtype=np.int64)
    for nodes in reversed(levels[1:]):
        np.add.at(sizes, parents[nodes], sizes[nodes])
    place = np.zeros(n, dtype=np.int64)
    for nodes in levels[1:]:
        siblings = nodes[np.lexsort((key[nodes], parents[nodes]))]
        above = parents[siblings]
        before = np.cumsum(sizes[siblings]) - sizes[siblings]
        first = np.flatnonzero(np.r_[True, above[1:] != above[:-1]])
        start = np.repeat(before[first], np.diff(np.r_[first, len(siblings)]))
        place[siblings] = place[above] + 1 + before - start
    order = np.empty(n, dtype=np.int64)
    order[place] = np.arange(n)
    return order


def parents_of(depths: Index) -> Ints:
    """Give the parent of every node of a tree in preorder from the depths alone; the root has -1."""
    n = len(depths)
    keys = np.asarray(depths, dtype=np.int64) * n + np.arange(n)
    ordered = np.sort(keys)
    parents: Ints = (ordered[np.searchsorted(ordered, keys - n) - 1] % n).astype(np.int32)
    parents[0] = -1
    return parents
