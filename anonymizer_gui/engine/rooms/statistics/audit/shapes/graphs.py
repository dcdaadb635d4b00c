"""How far neighbours move the questions about graphs, and about single ties of them."""

from collections.abc import Callable
from fractions import Fraction

from anonymizer_gui.engine.rooms.statistics.audit.moves import Asked, Move, single

_NEVER = Move(-1, -1, -1, False)
"""What no noise is calibrated for: nothing bounds how far such an answer moves, so no certificate can hold it."""


def _edges(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    return [single(asked["degree"]) if asked["degree"] > 0 else _NEVER]


def _nodes(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    """Each tie of the person moves one other, and the person counts, too; changed ties are old ones and new ones."""
    if not 1 <= asked["least"] <= asked["degree"]:
        return [_NEVER]
    return [single((2 if is_changed else 1) * asked["degree"] + 1)]


def _degrees(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    """Each of those who move leaves a cell and enters one; a new person only enters."""
    most = asked["most"]
    if is_changed:
        people = 2 * most + 1
        return [Move(2 * people, 2 * people**2, people, False)]
    return [Move(2 * most + 1, most**2 + (most + 1) ** 2, most + 1, False)]


def _single_edges(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    return [single(0 if is_changed else 1)]


def _single_nodes(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    """Two ends come over the mark or fall below it; where a tie is exchanged, those who come make up for who falls."""
    return [single(2)]


def _single_degrees(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    return [Move(8, 32, 4, False) if is_changed else Move(4, 8, 2, False)]


def _single_triangles(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    """Two ties may be pushed out, and each closes a triangle with every further tie of one of its ends."""
    ties = 2 * (asked["degree"] - 1)
    return [single(2 * ties if is_changed else ties) if ties > 0 else _NEVER]


def _refused(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    return [_NEVER]


MOVES = {
    "graph-edges": _edges,
    "graph-nodes": _nodes,
    "graph-degrees": _degrees,
    "graph-triangles": _refused,
    "single-edges": _single_edges,
    "single-nodes": _single_nodes,
    "single-degrees": _single_degrees,
    "single-triangles": _single_triangles,
}
SIZES: dict[str, Callable[[Asked], Fraction]] = {}
