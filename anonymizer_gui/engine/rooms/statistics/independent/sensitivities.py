"""One table: how far neighbours move every question, and DP-SGD's divergence.

One step sees a row with a chance of q and adds Gaussian noise z times as large as the row can move the sum. What an
onlooker can tell is the divergence between (1 - q) N(0, z^2) + q N(1, z^2) and N(0, z^2), which is integrated here.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

QuestionParameters = Mapping[str, Any]
"""The parameters of a question as the certificate tells them."""

_UNIT = re.compile(r"(row|change)|person=.+:(?P<rows>\d+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SensitivityBound:
    """The changes of all numbers added up, their squares added up, the largest of them; whether all go one way."""

    summed: int
    squared: int
    largest: int
    one_way: bool

    def seen_by(self, mechanism: str) -> int:
        """Give the distance a mechanism is calibrated for."""
        return {"laplace": self.summed, "gaussian": self.squared}.get(mechanism, self.largest)


def rows_of(unit: str) -> int:
    """Give how many rows one neighbour has: those of a person, otherwise one; raises ValueError for no unit."""
    found = _UNIT.fullmatch(unit)
    if found is None:
        raise ValueError
    return int(found["rows"] or 1)


def sensitivity_bounds(answer: Mapping[str, Any], unit: str) -> list[SensitivityBound]:
    """Give the moves of each step of a question; raises KeyError for one that is not known here."""
    is_changed = unit == "change" and answer["part"] is None
    moves: list[SensitivityBound] = _known("MOVES")[answer["question"]](answer["parameters"], rows_of(unit), is_changed)
    return moves


def unit_of_answer(answer: Mapping[str, Any]) -> Fraction:
    """Give what one whole number is worth in the unit of the answer."""
    size = _known("SIZES").get(answer["question"])
    return Fraction(1) if size is None else Fraction(size(answer["parameters"]))


def own_accounting(answer: Mapping[str, Any]) -> Callable[[Mapping[str, Any], int, bool], bool] | None:
    """Give what tells whether the spend of an answer covers its steps, where that is not their sum."""
    return _known("PAID").get(answer["question"])


@cache
def _known(name: str) -> dict[str, Callable[..., Any]]:
    """Put together what is known of the questions about all kinds of data."""
    tables: dict[str, tuple[Mapping[str, Callable[..., Any]], ...]] = {
        "MOVES": (TABLE_BOUNDS, PLACES_BOUNDS, BASKET_BOUNDS, GRAPH_BOUNDS, TREE_BOUNDS),
        "SIZES": (TABLE_UNITS, PLACES_UNITS, BASKET_UNITS, GRAPH_UNITS, TREE_UNITS),
        "PAID": (OWN_ACCOUNTING,),
    }
    return {question: work for table in tables[name] for question, work in table.items()}


def histogram_bound(rows: int, is_changed: bool, levels: int = 1) -> SensitivityBound:
    """Move counts of disjoint cells, each on so many levels."""
    if is_changed:
        return SensitivityBound(2 * levels, 2 * levels, 1, False)
    return SensitivityBound(rows * levels, rows * rows * levels, rows, True)


def number_bound(most: int) -> SensitivityBound:
    """Move one number."""
    return SensitivityBound(most, most * most, most, True)


_POINTS = 1500

_FIRST, _LAST, _TRIED = math.log(0.05), math.log(2047.0), 40

_REFINED = 30

_TOLERANCE = 1 + 1e-6

_LOOKS = 5

_LEARNING_UNIT = 4096 * 64

_WIDTHS = 12.0


def dp_sgd_bounds(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    """Move the number of rows, then in each step a clipped gradient, now and then a guess that is right or wrong."""
    most = clipping_norm(asked) * (2 if is_changed else rows)
    gradient, look = SensitivityBound(most * most, most * most, most, False), histogram_bound(rows, is_changed)
    steps = n_steps(asked)
    looks = {round(steps * place / _LOOKS) for place in range(1, _LOOKS + 1)}
    moves = [] if is_changed else [number_bound(rows)]
    for step in range(1, steps + 1):
        moves += [gradient, look] if step in looks else [gradient]
    return moves


def n_steps(asked: QuestionParameters) -> int:
    """Give the number of steps: as many as let each row be seen so often on average."""
    return max(round(int(asked["epochs"]) / Fraction(repr(float(asked["rate"])))), _LOOKS)


def clipping_norm(asked: QuestionParameters) -> int:
    """Give the length no gradient exceeds, in whole numbers."""
    return int(asked["clip"] * _LEARNING_UNIT)


def own_delta(asked: QuestionParameters, delta: Fraction) -> Fraction:
    """Give the delta that learning spends of that of the plan: what the question says, or a tenth."""
    return Fraction(repr(float(asked["delta"]))) if asked["delta"] else delta / 10


def covers_dp_sgd(answer: Mapping[str, Any], rows: int, is_changed: bool) -> bool:
    """Tell whether epsilon and delta of an answer cover its steps; held-out rows have epsilon for themselves."""
    steps, asked, spend = answer["steps"], answer["parameters"], answer["spend"]
    epsilon, delta = float(Fraction(spend["epsilon"])), float(Fraction(spend["delta"]))
    if Fraction(answer["epsilon"]) != Fraction(spend["epsilon"]) or Fraction(spend["rho"]):
        return False
    measured = [step for step in steps if step["mechanism"] == "laplace"]
    if sum(step.get("times", 1) * Fraction(step["spend"]["epsilon"]) for step in measured) > Fraction(spend["epsilon"]):
        return False
    if is_changed:  # one row goes and another comes
        epsilon, delta = epsilon / 2, delta / (1 + math.exp(epsilon / 2))
    one = clipping_norm(asked) * rows
    noises = {float(Fraction(step["scale"])) / one for step in steps if step["distance"] >= one * one}
    counts = [step for step in steps if step["mechanism"] == "gaussian" and step["distance"] == rows * rows]
    rho = 0.0 if is_changed else sum(float(Fraction(step["spend"]["rho"])) for step in counts)
    if not noises:
        return False
    spent = implied_delta_of_steps(float(asked["rate"]), min(noises), n_steps(asked), rho, epsilon)
    return spent <= delta * _TOLERANCE


def implied_delta_of_steps(rate: float, noise: float, steps: int, rho: float, epsilon: float) -> float:
    """Give a delta that holds with this epsilon: the smallest over all orders, any of which gives a true one."""

    def log_delta(place: float) -> float:
        above = math.exp(place)
        order = 1 + above
        spent = steps * renyi_divergence(order, rate, noise) + order * rho
        return above * (spent - epsilon) - math.log(above) + order * math.log1p(-1 / order)

    width = (_LAST - _FIRST) / _TRIED
    best = min((_FIRST + width * number for number in range(_TRIED + 1)), key=log_delta)
    low, high = max(best - width, _FIRST), min(best + width, _LAST)
    for _ in range(_REFINED):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, other) if log_delta(one) < log_delta(other) else (one, high)
    return math.exp(min(log_delta(low), log_delta(best), 0.0))


def renyi_divergence(order: float, rate: float, noise: float) -> float:
    """Integrate ((1 - q) + q exp((2 x - 1) / 2 z^2))^order over the noise N(0, z^2), by the rule of the trapezium."""
    if rate >= 1:
        return order / (2 * noise * noise)
    low, high = -_WIDTHS * noise, order + _WIDTHS * noise
    step = (high - low) / _POINTS
    stay, seen = math.log1p(-rate), math.log(rate)
    logs = [_log_of(low + step * point, order, noise, stay, seen) for point in range(_POINTS + 1)]
    largest = max(logs)
    summed = sum(math.exp(each - largest) for each in logs) * step
    return max(largest + math.log(summed / (noise * math.sqrt(2 * math.pi))), 0.0) / (order - 1)


def _log_of(place: float, order: float, noise: float, stay: float, seen: float) -> float:
    ratio = seen + (2 * place - 1) / (2 * noise * noise)
    larger, smaller = max(stay, ratio), min(stay, ratio)
    return order * (larger + math.log1p(math.exp(smaller - larger))) - place * place / (2 * noise * noise)


def _cells(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    return [histogram_bound(rows, is_changed, asked.get("levels", 1))]


def _count(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    return [number_bound(0 if is_changed and not asked["where"].strip() else rows)]


def _sum(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    low, high, step = _grid(asked)
    least, most = min(math.floor(low / step), 0), max(math.ceil(high / step), 0)
    return [number_bound(most - least if is_changed else rows * max(-least, most))]


def _mean(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    low, high, step = _grid(asked)
    width = math.ceil(high / step) - math.floor(low / step)
    if is_changed:
        return [number_bound(width)]
    return [number_bound(rows * (width - width // 2)), number_bound(rows)]


def _extreme(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    low, high, step = _grid(asked)
    return [number_bound(math.ceil(high / step) - math.floor(low / step))]


def _quantile(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    share = Fraction(repr(float(asked["share"])))
    below, above = share.denominator - share.numerator, share.numerator
    most = below + above if is_changed else rows * max(below, above)
    return [SensitivityBound(0, 0, most, False)]


def _grid(asked: QuestionParameters) -> tuple[Fraction, Fraction, Fraction]:
    """Give bounds and step: a power of ten, five digits below the distance of the bounds."""
    low, high = (Fraction(repr(float(asked[side]))) for side in ("low", "high"))
    digits = 0
    while high - low >= Fraction(10) ** (digits + 1):
        digits += 1
    while high - low < Fraction(10) ** digits:
        digits -= 1
    return low, high, Fraction(10) ** (digits - 5)


def _factor(asked: QuestionParameters) -> int:
    """Give what a row counts in a size: half of the budget goes to sizes, or the share of Su et al."""
    columns = len(asked["features"])
    return columns * 1000 if asked["way"] == "halves" else round(1000 * (4 * columns * 0.050625) ** (1 / 3))


def _k_means(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    """Move a grid once, or in every round a size and the sums of a row's coordinates, in thousandths of bounds."""
    if not asked["rounds"]:
        return [histogram_bound(rows, is_changed)]
    columns, factor = len(asked["features"]), _factor(asked)
    summed, squared = factor + 1000 * columns, factor**2 + columns * 1000**2
    if is_changed:
        move = SensitivityBound(2 * summed, max(2 * squared, 4 * columns * 1000**2), max(factor, 2000), False)
    else:
        move = SensitivityBound(rows * summed, rows**2 * squared, rows * max(factor, 1000), False)
    return [move] * asked["rounds"]


def _synthetic(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    """Move a cell of each column, a distance of each pair for every pick of a tree, and a cell of each chosen pair.

    A net joins a column to all others, and these by a tree; where no target is that column, it is picked first.
    """
    columns = len(asked["fields"])
    is_star = asked["way"] == "star" or (asked["way"] == "auto" and asked["target"])
    picks, pairs = 0 if is_star or columns <= 2 else columns - 1, columns - 1
    if asked["way"] == "net" and columns > 2:
        pairs = columns - 1 + columns - 2
        picks = 0 if columns == 3 else (columns - 2 if asked["target"] else columns - 1)
    distance = SensitivityBound(0, 0, 2 if is_changed else rows, False)
    counted = [histogram_bound(rows, is_changed, pairs)] if columns > 1 else []
    return [histogram_bound(rows, is_changed, columns), *[distance] * picks, *counted]


def _step(asked: QuestionParameters) -> Fraction:
    return _grid(asked)[2]


TABLE_BOUNDS = {
    **dict.fromkeys(("histogram", "number-histogram", "date-histogram", "two-way", "grid", "bounds"), _cells),
    **dict.fromkeys(("most-common", "top", "levels"), _cells),
    "count": _count,
    "sum": _sum,
    "mean": _mean,
    "extreme": _extreme,
    "quantile": _quantile,
    "k-means": _k_means,
    "synthetic": _synthetic,
    "learn": dp_sgd_bounds,
}

TABLE_UNITS = {
    "quantile": lambda asked: Fraction(1, Fraction(repr(float(asked["share"]))).denominator),
    "k-means": lambda asked: Fraction(1, _factor(asked)) if asked["rounds"] else Fraction(1),
    "learn": lambda _asked: Fraction(1, 4096 * 64),
    "sum": _step,
    "extreme": _step,
    "mean": lambda asked: _step(asked) / (asked.get("rows") or 1),
}

OWN_ACCOUNTING = {"learn": covers_dp_sgd}
"""Questions whose spend is not the sum of their steps."""


def _places_cells(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    return [histogram_bound(rows, is_changed)]


def _levels(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    """A point is in one cell of every level, and each level is answered by itself."""
    return [histogram_bound(rows, is_changed)] * asked["depth"]


PLACES_BOUNDS = {"places-grid": _places_cells, "places-k-means": _places_cells, "places-quadtree": _levels}

PLACES_UNITS: dict[str, Callable[[QuestionParameters], Fraction]] = {}
"""All are counted in points."""


def _items(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    """A basket has at most so many items; a changed one loses and gets as many, a customer has several baskets."""
    most = asked["most"]
    if is_changed:
        return [SensitivityBound(2 * most, 2 * most, 1, False)]
    return [SensitivityBound(rows * most, rows * rows * most, rows, True)]


def _single(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    return [SensitivityBound(2, 2, 1, False) if is_changed else SensitivityBound(1, 1, 1, True)]


BASKET_BOUNDS = {"baskets-items": _items, "baskets-top": _items, "single-items": _single}

BASKET_UNITS: dict[str, Callable[[QuestionParameters], Fraction]] = {}

_NEVER = SensitivityBound(-1, -1, -1, False)
"""What no noise is calibrated for: nothing bounds how far such an answer moves, so no certificate can hold it."""


def _edges(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    return [number_bound(asked["degree"]) if asked["degree"] > 0 else _NEVER]


def _nodes(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    """Each tie of the person moves one other, and the person counts, too; changed ties are old ones and new ones."""
    if not 1 <= asked["least"] <= asked["degree"]:
        return [_NEVER]
    return [number_bound((2 if is_changed else 1) * asked["degree"] + 1)]


def _degrees(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    """Each of those who move leaves a cell and enters one; a new person only enters."""
    most = asked["most"]
    if is_changed:
        people = 2 * most + 1
        return [SensitivityBound(2 * people, 2 * people**2, people, False)]
    return [SensitivityBound(2 * most + 1, most**2 + (most + 1) ** 2, most + 1, False)]


def _single_edges(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    return [number_bound(0 if is_changed else 1)]


def _single_nodes(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    """Two ends come over the mark or fall below it; where a tie is exchanged, those who come make up for who falls."""
    return [number_bound(2)]


def _single_degrees(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    return [SensitivityBound(8, 32, 4, False) if is_changed else SensitivityBound(4, 8, 2, False)]


def _single_triangles(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    """Two ties may be pushed out, and each closes a triangle with every further tie of one of its ends."""
    ties = 2 * (asked["degree"] - 1)
    return [number_bound(2 * ties if is_changed else ties) if ties > 0 else _NEVER]


def _refused(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    return [_NEVER]


GRAPH_BOUNDS = {
    "graph-edges": _edges,
    "graph-nodes": _nodes,
    "graph-degrees": _degrees,
    "graph-triangles": _refused,
    "single-edges": _single_edges,
    "single-nodes": _single_nodes,
    "single-degrees": _single_degrees,
    "single-triangles": _single_triangles,
}

GRAPH_UNITS: dict[str, Callable[[QuestionParameters], Fraction]] = {}


def _either_way(most: int, is_changed: bool) -> SensitivityBound:
    """Move one number, up or down where a record is changed."""
    return SensitivityBound(most, most * most, most, not is_changed)


def _having(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    return [_either_way(1, is_changed)]


def _entries(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    """A record brings or takes as many as count of it; a changed one may do either."""
    return [_either_way(asked["most"], is_changed)]


def _values(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    """A record is in so many counts at most, in each of them once."""
    most = asked["most"]
    return [SensitivityBound(2 * most, 2 * most, 1, False) if is_changed else SensitivityBound(most, most, 1, True)]


def _entry(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    return [_either_way(1, is_changed) if _is_in_one_list(asked["path"]) else _NEVER]


def _entry_values(asked: QuestionParameters, rows: int, is_changed: bool) -> list[SensitivityBound]:
    if not _is_in_one_list(asked["path"]):
        return [_NEVER]
    return [SensitivityBound(2, 2, 1, False) if is_changed else SensitivityBound(1, 1, 1, True)]


def _is_in_one_list(path: str) -> bool:
    """Tell whether a path leads through one list: one XML element below the record, or one pair of brackets in JSON."""
    if "/" in path:
        return path.count("/") == 2
    lists, rest = 0, path
    while rest:
        if rest.startswith('["'):
            end = 2
            while end < len(rest) and rest[end] != '"':
                end += 2 if rest[end] == "\\" else 1
            rest = rest[end + 2 :]
        elif rest.startswith("[]"):
            lists, rest = lists + 1, rest[2:]
        else:
            rest = rest[1:]
    return lists == 1


TREE_BOUNDS = {
    "trees-having": _having,
    "trees-entries": _entries,
    "trees-values": _values,
    "single-having": _entry,
    "single-entries": _entry,
    "single-values": _entry_values,
}

TREE_UNITS: dict[str, Callable[[QuestionParameters], Fraction]] = {}
