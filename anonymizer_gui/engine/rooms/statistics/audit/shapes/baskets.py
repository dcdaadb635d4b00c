"""How far neighbours move the questions about baskets, and about single items of them."""

from collections.abc import Callable
from fractions import Fraction

from anonymizer_gui.engine.rooms.statistics.audit.moves import Asked, Move


def _items(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    """A basket has at most so many items; a changed one loses and gets as many, a customer has several baskets."""
    most = asked["most"]
    if is_changed:
        return [Move(2 * most, 2 * most, 1, False)]
    return [Move(rows * most, rows * rows * most, rows, True)]


def _single(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    return [Move(2, 2, 1, False) if is_changed else Move(1, 1, 1, True)]


MOVES = {"baskets-items": _items, "baskets-top": _items, "single-items": _single}
SIZES: dict[str, Callable[[Asked], Fraction]] = {}
