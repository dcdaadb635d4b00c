"""How far neighbours move the questions about tables."""

import math
from fractions import Fraction

from anonymizer_gui.engine.rooms.statistics.audit.learning import is_learned_for, moves_of_learning
from anonymizer_gui.engine.rooms.statistics.audit.moves import Asked, Move, single, tally


def _cells(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    return [tally(rows, is_changed, asked.get("levels", 1))]


def _count(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    return [single(0 if is_changed and not asked["where"].strip() else rows)]


def _sum(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    low, high, step = _grid(asked)
    least, most = min(math.floor(low / step), 0), max(math.ceil(high / step), 0)
    return [single(most - least if is_changed else rows * max(-least, most))]


def _mean(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    low, high, step = _grid(asked)
    width = math.ceil(high / step) - math.floor(low / step)
    if is_changed:
        return [single(width)]
    return [single(rows * (width - width // 2)), single(rows)]


def _extreme(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    low, high, step = _grid(asked)
    return [single(math.ceil(high / step) - math.floor(low / step))]


def _quantile(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    share = Fraction(repr(float(asked["share"])))
    below, above = share.denominator - share.numerator, share.numerator
    most = below + above if is_changed else rows * max(below, above)
    return [Move(0, 0, most, False)]


def _grid(asked: Asked) -> tuple[Fraction, Fraction, Fraction]:
    """Give bounds and step: a power of ten, five digits below the distance of the bounds."""
    low, high = (Fraction(repr(float(asked[side]))) for side in ("low", "high"))
    digits = 0
    while high - low >= Fraction(10) ** (digits + 1):
        digits += 1
    while high - low < Fraction(10) ** digits:
        digits -= 1
    return low, high, Fraction(10) ** (digits - 5)


def _factor(asked: Asked) -> int:
    """Give what a row counts in a size: half of the budget goes to sizes, or the share of Su et al."""
    columns = len(asked["features"])
    return columns * 1000 if asked["way"] == "halves" else round(1000 * (4 * columns * 0.050625) ** (1 / 3))


def _k_means(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    """Move a grid once, or in every round a size and the sums of a row's coordinates, in thousandths of bounds."""
    if not asked["rounds"]:
        return [tally(rows, is_changed)]
    columns, factor = len(asked["features"]), _factor(asked)
    summed, squared = factor + 1000 * columns, factor**2 + columns * 1000**2
    if is_changed:
        move = Move(2 * summed, max(2 * squared, 4 * columns * 1000**2), max(factor, 2000), False)
    else:
        move = Move(rows * summed, rows**2 * squared, rows * max(factor, 1000), False)
    return [move] * asked["rounds"]


def _synthetic(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    """Move a cell of each column, a distance of each pair for every pick of a tree, and a cell of each chosen pair.

    A net joins a column to all others, and these by a tree; where no target is that column, it is picked first.
    """
    columns = len(asked["fields"])
    is_star = asked["way"] == "star" or (asked["way"] == "auto" and asked["target"])
    picks, pairs = 0 if is_star or columns <= 2 else columns - 1, columns - 1
    if asked["way"] == "net" and columns > 2:
        pairs = columns - 1 + columns - 2
        picks = 0 if columns == 3 else (columns - 2 if asked["target"] else columns - 1)
    distance = Move(0, 0, 2 if is_changed else rows, False)
    counted = [tally(rows, is_changed, pairs)] if columns > 1 else []
    return [tally(rows, is_changed, columns), *[distance] * picks, *counted]


def _step(asked: Asked) -> Fraction:
    return _grid(asked)[2]


MOVES = {
    **dict.fromkeys(("histogram", "number-histogram", "date-histogram", "two-way", "grid", "bounds"), _cells),
    **dict.fromkeys(("most-common", "top", "levels"), _cells),
    "count": _count,
    "sum": _sum,
    "mean": _mean,
    "extreme": _extreme,
    "quantile": _quantile,
    "k-means": _k_means,
    "synthetic": _synthetic,
    "learn": moves_of_learning,
}
SIZES = {
    "quantile": lambda asked: Fraction(1, Fraction(repr(float(asked["share"]))).denominator),
    "k-means": lambda asked: Fraction(1, _factor(asked)) if asked["rounds"] else Fraction(1),
    "learn": lambda _asked: Fraction(1, 4096 * 64),
    "sum": _step,
    "extreme": _step,
    "mean": lambda asked: _step(asked) / (asked.get("rows") or 1),
}
PAID = {"learn": is_learned_for}
"""Questions whose spend is not the sum of their steps."""
