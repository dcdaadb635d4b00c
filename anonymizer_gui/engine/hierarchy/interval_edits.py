"""Edits of nodes that stand for intervals."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.draft import Draft
from anonymizer_gui.engine.hierarchy.interval_labels import Style, label_of
from anonymizer_gui.engine.hierarchy.spelt import interval_at
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval


def split_interval(
    hierarchy: Hierarchy, node: int, cuts: Sequence[float], labels: Sequence[str] | None = None
) -> Hierarchy:
    """Replace a node by one node per part of its interval; its children go to the parts they lie in.

    Raises BadHierarchy when the node has no interval, a cut lies outside it, or a child lies across a cut.

    >>> tree = Hierarchy(["*", "[30-40)"], [-1, 0], {1: Interval(30, 40)})
    >>> split_interval(tree, 1, [35]).leaf_labels
    ('[30-35)', '[35-40)')
    """
    whole = interval_at(hierarchy, node) if node else None
    if whole is None:
        raise BadHierarchy("Only a node below the root that stands for an interval can be split.")
    parts = _parts(whole, sorted(set(cuts)))
    names = list(labels) if labels is not None else _names(parts, hierarchy, node)
    if len(names) != len(parts):
        raise BadHierarchy(message("{parts:part needs|parts need} {parts:label|labels}.", parts=len(parts)))
    children = hierarchy.children(node)
    homes = _homes(hierarchy, children, parts)
    draft = Draft(hierarchy)
    is_value = bool(hierarchy.is_leaf[node])
    new = draft.add([int(hierarchy.parents[node])] * len(parts), names, float(node), is_value)
    for at, part in zip(new.tolist(), parts, strict=True):
        draft.intervals[at] = part
    draft.parents[np.asarray(children, dtype=np.int64)] = new[homes]
    draft.drop([node])
    return draft.finish()


def joint_interval(intervals: Sequence[Interval | None]) -> Interval | None:
    """Join intervals that follow each other; None when there is a gap, an overlap, or one is not there."""
    known = [each for each in intervals if each is not None]
    if len(known) != len(intervals):
        return None
    ordered = sorted(known, key=lambda each: each.low)
    for one, two in itertools.pairwise(ordered):
        touching = one.high == two.low and one.closed == two.open_low
        if not touching and not _neighbouring_whole_numbers(one, two):
            return None
    return Interval(ordered[0].low, ordered[-1].high, ordered[-1].closed, ordered[0].open_low)


def _neighbouring_whole_numbers(one: Interval, two: Interval) -> bool:
    """Say whether the second begins with the whole number after the last of the first, as in 30-34 and 35-39."""
    return one.closed and not two.open_low and two.low == one.high + 1 and one.high == math.floor(one.high)


def joint_label(hierarchy: Hierarchy, nodes: Sequence[int], joint: Interval) -> str:
    """Name the interval that some nodes make together, in the style of their own labels."""
    return label_of(joint, style_beside(hierarchy, nodes[0]), whole=_has_whole_ends([joint]))


def style_beside(hierarchy: Hierarchy, node: int) -> Style:
    """Tell how the intervals beside a node are written: with brackets where any of them is."""
    siblings = hierarchy.children(int(hierarchy.parents[node])) if node else [node]
    return "[a-b)" if any(hierarchy.labels[each][:1] in "[(]" for each in siblings) else "a-b"


def _names(parts: list[Interval], hierarchy: Hierarchy, node: int) -> list[str]:
    """Name the parts in the style of the labels beside the whole."""
    style = style_beside(hierarchy, node)
    is_whole = _has_whole_ends([parts[0], parts[-1]])
    return [label_of(part, style, whole=is_whole) for part in parts]


def _has_whole_ends(parts: list[Interval]) -> bool:
    ends = (end for end in (parts[0].low, parts[-1].high) if math.isfinite(end))
    return all(float(end).is_integer() for end in ends)


def _parts(whole: Interval, cuts: list[float]) -> list[Interval]:
    if not cuts or not all(whole.low < cut < whole.high and math.isfinite(cut) for cut in cuts):
        raise BadHierarchy("A cut must lie between the ends of the interval.")
    ends = [whole.low, *cuts, whole.high]
    parts = [Interval(low, high) for low, high in itertools.pairwise(ends)]
    parts[0] = Interval(ends[0], ends[1], open_low=whole.open_low)
    parts[-1] = Interval(ends[-2], ends[-1], whole.closed, whole.open_low if len(parts) == 1 else False)
    return parts


def _homes(hierarchy: Hierarchy, children: list[int], parts: list[Interval]) -> npt.NDArray[np.int64]:
    points = parse_by_type([hierarchy.labels[child] for child in children])
    homes = np.zeros(len(children), dtype=np.int64)
    for at, child in enumerate(children):
        inner = interval_at(hierarchy, child) or Interval(points[at], points[at], closed=True)
        found = [number for number, part in enumerate(parts) if part.covers(inner)]
        if not found:
            raise BadHierarchy(
                message("“{label}” does not lie on one side of the cut.", label=hierarchy.labels[child]),
                "Split it first.",
            )
        homes[at] = found[0]
    return homes
