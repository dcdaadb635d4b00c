"""What a node stands for when it is split, merged or sorted: its interval, or the one its label spells."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from anonymizer_gui.engine.data.tables.values import parse_by_type, parse_day_ordinals, parse_texts_as_numbers
from anonymizer_gui.engine.hierarchy.day_labels import days_of
from anonymizer_gui.engine.hierarchy.interval_labels import interval_of
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval

_LOOKED_AT = 1000
"""So many labels tell whether a hierarchy speaks of intervals, also when it has a million."""


def interval_at(hierarchy: Hierarchy, node: int) -> Interval | None:
    """Give the interval of a node, or the one its label spells where everything below lies in it.

    >>> tree = Hierarchy.from_nested({"*": {"20-24": ["20", "23"], ">= 90": ["91"], "old": ["80"]}})
    >>> [interval_at(tree, tree.node_of_label[label]) is not None for label in ("20-24", ">= 90", "old")]
    [True, True, False]
    """
    if node in hierarchy.intervals:
        return hierarchy.intervals[node]
    found = _spelt(hierarchy, node)
    if found is None or not _holds_all_below(hierarchy, node, found):
        return None
    return _without_shared_end(hierarchy, node, found)


def begins_at(hierarchy: Hierarchy, nodes: Sequence[int]) -> list[float]:
    """Say where each node begins, for sorting: as interval, as number or date; endless where it is neither."""
    points = parse_by_type([hierarchy.labels[node] for node in nodes])
    lows = []
    for node, point in zip(nodes, points.tolist(), strict=True):
        found = hierarchy.intervals.get(node) or _spelt(hierarchy, node)
        lows.append(found.low if found is not None else math.inf if math.isnan(point) else point)
    return lows


def is_readable(hierarchy: Hierarchy) -> bool:
    """Say whether any group, or any of the first values, is or spells an interval."""
    groups = np.flatnonzero(~hierarchy.is_leaf)[:_LOOKED_AT].tolist()
    looked_at = (*groups, *hierarchy.leaves[:_LOOKED_AT].tolist())
    return bool(hierarchy.intervals) or any(_spelt(hierarchy, node) for node in looked_at)


def has_numbers(hierarchy: Hierarchy) -> bool:
    """Say whether any of the first values is a number, a date or an interval of such."""
    first = hierarchy.leaves[:_LOOKED_AT].tolist()
    points = parse_by_type([hierarchy.labels[leaf] for leaf in first])
    return bool((~np.isnan(points)).any()) or any(interval_at(hierarchy, leaf) for leaf in first)


def stands_for_days(hierarchy: Hierarchy, node: int) -> bool:
    """Tell whether the values below a node are dates and no numbers."""
    first = hierarchy.leaf_labels[int(hierarchy.first_leaf[node])]
    is_date = days_of(first) is not None or not bool(np.isnan(parse_day_ordinals([first]))[0])
    return is_date and bool(np.isnan(parse_texts_as_numbers([first]))[0])


def _spelt(hierarchy: Hierarchy, node: int) -> Interval | None:
    label = hierarchy.labels[node]
    if not any(character.isdigit() for character in label):
        return None
    if not hierarchy.is_leaf[node] and stands_for_days(hierarchy, node):
        return days_of(label)
    return interval_of(label)


def _holds_all_below(hierarchy: Hierarchy, node: int, interval: Interval) -> bool:
    if hierarchy.is_leaf[node]:
        return True
    below = range(int(hierarchy.first_leaf[node]), int(hierarchy.end_leaf[node]))
    leaves = hierarchy.leaves[below.start : below.stop].tolist()
    points = parse_by_type([hierarchy.labels[leaf] for leaf in leaves]).tolist()
    return all(
        interval.covers(hierarchy.intervals.get(leaf) or interval_of(hierarchy.labels[leaf]) or _point(value))
        for leaf, value in zip(leaves, points, strict=True)
    )


def _point(value: float) -> Interval:
    return Interval(value, value, closed=True)


def _without_shared_end(hierarchy: Hierarchy, node: int, interval: Interval) -> Interval:
    """Leave the upper end to the sibling that begins there, as in 30-35 beside 35-40."""
    if not interval.closed or interval.low == interval.high or node == 0:
        return interval
    siblings = hierarchy.children(int(hierarchy.parents[node]))
    spelt = [_spelt(hierarchy, other) for other in siblings if other != node]
    shares = any(each is not None and each.low == interval.high and not each.open_low for each in spelt)
    return replace(interval, closed=False) if shares else interval
