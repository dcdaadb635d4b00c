"""Labels that contradict their values: 20 under “15-19” would be published as an age it is not."""

import math
from dataclasses import dataclass

from anonymizer_gui.engine.hierarchy.edits import move
from anonymizer_gui.engine.hierarchy.interval_labels import interval_of
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A value, and the label above it that speaks of others."""

    value: str
    label: str


def contradictions(hierarchy: Hierarchy) -> tuple[Contradiction, ...]:
    """List the numbers that lie outside an interval spelt by a label above them, each once.

    >>> tree = Hierarchy.from_nested({"*": {"15-19": ["19", "20"], "20-24": ["21"]}})
    >>> contradictions(tree)
    (Contradiction(value='20', label='15-19'),)
    """
    spelt = _spelt(hierarchy)
    found = []
    for leaf in hierarchy.leaves.tolist() if spelt else ():
        value = _number(hierarchy.labels[leaf])
        above = _first_wrong(hierarchy, leaf, value, spelt) if value is not None else None
        if above is not None:
            found.append(Contradiction(hierarchy.labels[leaf], hierarchy.labels[above]))
    return tuple(found)


def mended(hierarchy: Hierarchy) -> Hierarchy:
    """Move values to the lowest groups whose labels speak of them, as far as there are such groups.

    >>> tree = Hierarchy.from_nested({"*": {"15-19": ["19", "20"], "20-24": ["21"]}})
    >>> mended(tree).labels
    ('*', '15-19', '19', '20-24', '20', '21')
    """
    spelt = _spelt(hierarchy)
    groups = {int(hierarchy.parents[leaf]) for leaf in hierarchy.leaves.tolist()} & spelt.keys()
    wrong = {each.value for each in contradictions(hierarchy)}
    places: dict[str, str] = {}
    for value in wrong:
        number = _number(value)
        fitting = [node for node in sorted(groups) if number is not None and _holds(spelt[node], number)]
        good = [node for node in fitting if _first_wrong(hierarchy, node, number, spelt) is None]
        if good:
            places[value] = hierarchy.labels[good[0]]
    for value, group in places.items():
        leaf, parent = hierarchy.node_of_label[value], hierarchy.node_of_label[group]
        hierarchy = move(hierarchy, leaf, parent, _next_larger(hierarchy, parent, value))
    return hierarchy


def _spelt(hierarchy: Hierarchy) -> dict[int, Interval]:
    return {node: found for node, label in enumerate(hierarchy.labels) if (found := interval_of(label))}


def _first_wrong(hierarchy: Hierarchy, node: int, value: float | None, spelt: dict[int, Interval]) -> int | None:
    """Climb from a node to the first label above it that does not hold the value."""
    above = int(hierarchy.parents[node])
    while above >= 0:
        if above in spelt and value is not None and not _holds(spelt[above], value):
            return above
        above = int(hierarchy.parents[above])
    return None


def _next_larger(hierarchy: Hierarchy, parent: int, value: str) -> int | None:
    """Give the child before which a number belongs; None when it is the largest."""
    number = _number(value)
    for child in hierarchy.children(parent):
        other = _number(hierarchy.labels[child])
        if number is not None and other is not None and other > number:
            return int(child)
    return None


def _holds(interval: Interval, value: float) -> bool:
    return interval.covers(Interval(value, value, closed=True))


def _number(label: str) -> float | None:
    try:
        value = float(label)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
