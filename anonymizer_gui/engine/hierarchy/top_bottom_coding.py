"""Top and bottom coding: all values beyond a bound are published as one group, such as `>=90`, at every level."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.edits import TreeBuilder, style_beside
from anonymizer_gui.engine.hierarchy.intervals import format_interval, format_number, node_interval, stands_for_days
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval


def top_bottom_code(hierarchy: Hierarchy, below: float | None = None, above: float | None = None) -> Hierarchy:
    """Put the values less than `below` and those from `above` on under one group each, directly under the root.

    The group repeats its label down to the values, so that it stands at every level; groups cut by a bound keep
    the rest under a label that says so. Raises BadHierarchy when nothing, or everything, lies beyond a bound.

    >>> tree = Hierarchy.from_nested({"*": {"80-89": ["81", "88"], "90-99": ["92", "99"]}})
    >>> top_bottom_code(tree, above=85).labels
    ('*', '80-84', '81', '>=85', '88', '92', '99')
    """
    if below is None and above is None:
        raise BadHierarchy("There is no bound.", "Give the number below which, or from which on, values are one group.")
    if below is not None and above is not None and below >= above:
        raise BadHierarchy("The lower bound must be less than the upper one.")
    ends = [Interval(-math.inf, below)] if below is not None else []
    ends += [Interval(above, math.inf)] if above is not None else []
    for end in ends:
        hierarchy = _code(hierarchy, end)
    return hierarchy


def leaves_beyond(hierarchy: Hierarchy, end: Interval) -> npt.NDArray[np.int64]:
    """List the leaves whose values lie in an end; refuses one that lies across its bound."""
    points = parse_by_type(hierarchy.leaf_labels).tolist()
    found = []
    for leaf, point in zip(hierarchy.leaves.tolist(), points, strict=True):
        inner = node_interval(hierarchy, leaf) or Interval(point, point, closed=True)
        if end.covers(inner):
            found.append(leaf)
        elif _cut(inner, end):
            raise BadHierarchy(
                message("“{label}” does not lie on one side of the bound.", label=hierarchy.labels[leaf]),
                "Split it first.",
            )
    return np.asarray(found, dtype=np.int64)


def _code(hierarchy: Hierarchy, end: Interval) -> Hierarchy:
    chosen = leaves_beyond(hierarchy, end)
    label = _label(hierarchy, end, chosen)
    if len(chosen) == hierarchy.n_leaves:
        raise BadHierarchy(message("Every value would be in “{label}”.", label=label), "Choose another bound.")
    draft = TreeBuilder(hierarchy)
    for node in _straddling(hierarchy, chosen):
        _keep_the_rest(draft, hierarchy, node, end)
    links = max(int(hierarchy.depths[chosen].max()) - 1, 1)
    place = -0.5 if math.isinf(end.low) else float(chosen.max()) + 0.5
    parent = 0
    for _link in range(links):
        parent = int(draft.add([parent], [label], place, is_value=False)[0])
        draft.intervals[parent] = end
    draft.place(chosen, parent)
    return draft.finish()


def _label(hierarchy: Hierarchy, end: Interval, chosen: npt.NDArray[np.int64]) -> str:
    bound = end.high if math.isinf(end.low) else end.low
    is_days = stands_for_days(hierarchy, 0)
    words = (
        f"{'<' if math.isinf(end.low) else '>='}{date.fromordinal(round(bound)) if is_days else format_number(bound)}"
    )
    if not len(chosen):
        raise BadHierarchy(
            message("No value of the hierarchy lies in “{label}”.", label=words), "Choose another bound."
        )
    return words


def _straddling(hierarchy: Hierarchy, chosen: npt.NDArray[np.int64]) -> Sequence[int]:
    """List the groups below the root that hold some of the chosen leaves and some others."""
    numbers = np.zeros(hierarchy.n_leaves + 1, dtype=np.int64)
    numbers[1:] = np.cumsum(np.isin(hierarchy.leaves, chosen))
    inside = numbers[hierarchy.end_leaf] - numbers[hierarchy.first_leaf]
    found = np.flatnonzero((inside > 0) & (inside < hierarchy.leaf_counts))
    return [node for node in found.tolist() if node]


def _keep_the_rest(draft: TreeBuilder, hierarchy: Hierarchy, node: int, end: Interval) -> None:
    """Give a group that loses values the interval that is left to it, and a label that says so."""
    whole = node_interval(hierarchy, node)
    if whole is None or stands_for_days(hierarchy, node):
        draft.intervals.pop(node, None)
        return
    left = replace(whole, low=end.high, open_low=False) if math.isinf(end.low) else replace(whole, high=end.low)
    left = left if math.isinf(end.low) else replace(left, closed=False)
    ends = [each for each in (left.low, left.high) if math.isfinite(each)]
    is_whole = all(float(each).is_integer() for each in ends)
    draft.intervals[node] = left
    draft.labels[node] = format_interval(left, style_beside(hierarchy, node), whole=is_whole)


def _cut(inner: Interval, end: Interval) -> bool:
    """Say whether an interval has values on both sides of the bound of an end."""
    bound = end.high if math.isinf(end.low) else end.low
    return inner.low < bound < inner.high or (inner.low < bound == inner.high and inner.closed and end.low == bound)
