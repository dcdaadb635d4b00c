"""Labels proposed for intervals that come about while editing: numbers as the engine spells them, dates as days."""

import itertools
import math
from collections.abc import Sequence
from datetime import date

from anonymizer_gui.engine.hierarchy.edits import joint_label as numbers_together
from anonymizer_gui.engine.hierarchy.intervals import node_interval, stands_for_days
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval


def middle(hierarchy: Hierarchy, node: int) -> str:
    """Propose where to cut the interval of a node, "" when it has no middle."""
    interval = node_interval(hierarchy, node)
    if interval is None:
        return ""
    place = (interval.low + interval.high) / 2
    if not math.isfinite(place):
        return ""
    if stands_for_days(hierarchy, node):
        return date.fromordinal(round(place)).isoformat()
    return f"{round(place) if interval.high - interval.low > 1 else place:g}"


def part_labels(hierarchy: Hierarchy, node: int, cuts: Sequence[float]) -> list[str] | None:
    """Name the parts of an interval of days; None leaves the naming of numbers to the engine."""
    interval = node_interval(hierarchy, node)
    if interval is None or not stands_for_days(hierarchy, node):
        return None
    ends = [interval.low, *sorted(set(cuts)), interval.high]
    return [_days(low, high, interval.closed and high == interval.high) for low, high in itertools.pairwise(ends)]


def joint_label(hierarchy: Hierarchy, nodes: Sequence[int], joint: Interval) -> str:
    """Name the interval that some nodes make together."""
    if stands_for_days(hierarchy, nodes[0]):
        return _days(joint.low, joint.high, joint.closed)
    return numbers_together(hierarchy, nodes, joint)


def _days(low: float, high: float, is_closed: bool) -> str:
    last = math.floor(high) if is_closed else math.ceil(high) - 1
    return f"{date.fromordinal(math.floor(low))} – {date.fromordinal(last)}"
