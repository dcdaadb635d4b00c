"""How far neighbours move the questions about places."""

from collections.abc import Callable
from fractions import Fraction

from anonymizer_gui.engine.rooms.statistics.audit.moves import Asked, Move, tally


def _cells(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    return [tally(rows, is_changed)]


def _levels(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    """A point is in one cell of every level, and each level is answered by itself."""
    return [tally(rows, is_changed)] * asked["depth"]


MOVES = {"places-grid": _cells, "places-k-means": _cells, "places-quadtree": _levels}
SIZES: dict[str, Callable[[Asked], Fraction]] = {}
"""All are counted in points."""
