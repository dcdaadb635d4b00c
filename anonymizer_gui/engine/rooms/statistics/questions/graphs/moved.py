"""How far one unit of protection moves what is counted in a graph, with the reason in words."""

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit, Sensitivity


def edges_of_people(unit: PrivacyUnit, most: int) -> Sensitivity:
    """The number of ties, when a person has at most so many of them."""
    if unit.kind is Neighbours.CHANGE:
        why = message("A person has at most {most:tie|ties}, before and after they change.", most=most)
    else:
        why = message("A person more brings at most {most:tie|ties}.", most=most)
    return _one(most, why)


def nodes_of_people(unit: PrivacyUnit, most: int) -> Sensitivity:
    """The number of people with at least so many ties, when nobody has more than `most`."""
    if unit.kind is Neighbours.CHANGE:
        why = message(
            "A person loses up to {most:tie|ties} and gets as many; each changes one other, and the person counts.",
            most=most,
        )
        return _one(2 * most + 1, why)
    why = message(
        "A person more has at most {most:tie|ties}; each brings one other over the mark, and the person counts, too.",
        most=most,
    )
    return _one(most + 1, why)


def degrees_of_people(unit: PrivacyUnit, most: int) -> Sensitivity:
    """The number of people with each number of ties, when nobody has more than `most`."""
    if unit.kind is Neighbours.CHANGE:
        why = message(
            "A person loses up to {most:tie|ties} and gets as many; each moves one other from a cell to the next, "
            "and the person moves, too.",
            most=most,
        )
        moved = 2 * most + 1
        return Sensitivity(2 * moved, 2 * moved * moved, moved, False, why)
    why = message(
        "A person more has at most {most:tie|ties}; each moves one other from a cell to the next, and the person is "
        "new in a cell.",
        most=most,
    )
    return Sensitivity(2 * most + 1, most * most + (most + 1) ** 2, most + 1, False, why)


def edges(unit: PrivacyUnit) -> Sensitivity:
    """The number of ties, of which one is protected.

    >>> edges(PrivacyUnit.parse("row")).l1, edges(PrivacyUnit.parse("change")).l1
    (1, 0)
    """
    if unit.kind is Neighbours.CHANGE:
        return _one(0, message("An exchanged tie leaves the number of ties as it is."))
    return _one(1, message("One tie more or less changes the number by 1."))


def nodes(unit: PrivacyUnit) -> Sensitivity:
    """The number of people with at least so many ties, of which one is protected."""
    if unit.kind is Neighbours.CHANGE:
        return _one(2, message("An exchanged tie takes two people below the mark, or brings two over it, at most."))
    return _one(2, message("One tie more or less brings its two ends over the mark or below it."))


def degrees(unit: PrivacyUnit) -> Sensitivity:
    """The number of people with each number of ties, of which one is protected."""
    if unit.kind is Neighbours.CHANGE:
        why = message("An exchanged tie moves four people from one cell to the next, which changes eight counts by 1.")
        return Sensitivity(8, 32, 4, False, why)
    why = message("One tie more or less moves two people from one cell to the next, which changes four counts by 1.")
    return Sensitivity(4, 8, 2, False, why)


def triangles(unit: PrivacyUnit, most: int) -> Sensitivity:
    """The number of triangles, when only the first `most` ties of a person count and one tie is protected."""
    closed = most - 1
    if unit.kind is Neighbours.CHANGE:
        why = message(
            "An exchanged tie is one less and one more: twice {closed:triangle|triangles}.", closed=2 * closed
        )
        return _one(4 * closed, why)
    why = message(
        "One tie more may push out another at each end, and each of those closes up to {closed:triangle|triangles}.",
        closed=closed,
    )
    return _one(2 * closed, why)


def _one(most: int, why: str) -> Sensitivity:
    return Sensitivity(most, most * most, most, True, why)
