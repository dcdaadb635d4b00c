"""What spends cost together, judged by what they imply: a claimed epsilon is right when its delta is small enough."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

_TOLERANCE = 1 + 1e-6
_FIRST, _LAST, _ORDERS = -8.0, 20.0, 400
_HALVINGS = 80
_HOPELESS = 1000
"""A group with so large an epsilon is promised nothing."""


@dataclass(frozen=True, slots=True)
class Spend:
    """One spend: epsilon, rho, the part it is about, and a delta of its own."""

    epsilon: Fraction
    rho: Fraction
    part: tuple[str, str] | None = None
    delta: Fraction = Fraction(0)


def read_spend(told: Mapping[str, Any]) -> Spend:
    """Read a spend of the certificate."""
    spend, part = told["spend"], None if told["part"] is None else (told["part"][0], told["part"][1])
    return Spend(Fraction(spend["epsilon"]), Fraction(spend["rho"]), part, Fraction(spend["delta"]))


def merge_parts(spends: Iterable[Spend], touched: int, is_changed: bool) -> list[Spend]:
    """Replace spends on parts of one column by the dearest part, as often as one neighbour touches a part."""
    whole: list[Spend] = []
    columns: dict[str, dict[str, list[Spend]]] = {}
    for spend in spends:
        if spend.part is None:
            whole.append(spend)
        else:
            parts = columns.setdefault(spend.part[0], {})
            parts.setdefault(spend.part[1], []).append(spend)
    for parts in columns.values():
        times, of_rho = (2, 4) if is_changed else (min(touched, len(parts)),) * 2  # twice in one part: rho as 2 squared
        epsilon = max(sum((spend.epsilon for spend in part), Fraction(0)) for part in parts.values())
        rho = max(sum((spend.rho for spend in part), Fraction(0)) for part in parts.values())
        delta = max(sum((spend.delta for spend in part), Fraction(0)) for part in parts.values())
        grown = Fraction(1 + math.exp(epsilon)) if is_changed else Fraction(times)
        whole.append(Spend(times * epsilon, of_rho * rho, delta=min(grown * delta, Fraction(1))))
    return whole


def covers_spends(spends: list[Spend], epsilon: Fraction, delta: Fraction, way: str) -> bool:
    """Tell whether the claimed epsilon and delta cover all spends, composed in the way that is claimed."""
    rho = sum((spend.rho for spend in spends), Fraction(0))
    left = delta * Fraction(_TOLERANCE) - sum((spend.delta for spend in spends), Fraction(0))
    if left < 0:
        return False
    if way == "basic":
        pure = sum((spend.epsilon for spend in spends), Fraction(0))
        return epsilon >= pure and _suffices(rho, epsilon - pure, left)
    if way == "zcdp":
        others = sum((spend.epsilon for spend in spends if spend.delta), Fraction(0))
        squares = sum((spend.epsilon**2 for spend in spends if not spend.delta), Fraction(0))
        return epsilon >= others and _suffices(rho + squares / 2, epsilon - others, left)
    return False


@dataclass(frozen=True, slots=True)
class Together:
    """What spends cost together: epsilon and delta, and how they were added up."""

    epsilon: float
    delta: Fraction
    way: str


def composed(spends: list[Spend], delta: Fraction) -> Together:
    """Give the smaller epsilon of adding up and of concentrated composition, with at most this delta."""
    rho = sum((spend.rho for spend in spends), Fraction(0))
    own = sum((spend.delta for spend in spends), Fraction(0))
    pure = sum((spend.epsilon for spend in spends), Fraction(0))
    basic = Together(float(pure) + implied_epsilon(rho, delta - own), delta if rho else own, "basic")
    squares = sum((spend.epsilon**2 for spend in spends if not spend.delta), Fraction(0))
    if delta <= own or not squares:
        return basic
    others = sum((spend.epsilon for spend in spends if spend.delta), Fraction(0))
    zcdp = Together(float(others) + implied_epsilon(rho + squares / 2, delta - own), delta, "zcdp")
    return zcdp if zcdp.epsilon < basic.epsilon else basic


def implied_epsilon(rho: Fraction, delta: Fraction) -> float:
    """Give the epsilon that holds with this delta for what is rho-zCDP, the smallest over all orders.

    Raises ValueError without a delta.
    """
    if not rho:
        return 0.0
    if delta <= 0:
        raise ValueError("noise that needs a delta")
    allowed, spent = math.log(delta.numerator) - math.log(delta.denominator), float(rho)

    def epsilon(place: float) -> float:
        above = math.exp(place)
        order = 1 + above
        return order * spent + (order * math.log1p(-1 / order) - math.log(above) - allowed) / above

    return max(epsilon(_least(epsilon)), 0.0)


def grown(epsilon: float, delta: float, people: int) -> float:
    """Give the delta of so many people together."""
    if not delta:
        return 0.0
    if epsilon * people > _HOPELESS:
        return 1.0
    return min(delta * sum(math.exp(epsilon * member) for member in range(people)), 1.0)


def _suffices(rho: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    return not rho or implied_delta(float(rho), float(epsilon)) <= float(delta) * _TOLERANCE


def implied_delta(rho: float, epsilon: float) -> float:
    """Give a delta that holds with this epsilon for what is rho-zCDP: the smallest over all orders.

    For order a it is exp((a - 1)(a rho - epsilon)) / (a - 1) (1 - 1 / a)^a; any order gives a true one.
    """

    def log_delta(place: float) -> float:
        above = math.exp(place)
        order = 1 + above
        return above * (order * rho - epsilon) - math.log(above) + order * math.log1p(-1 / order)

    return math.exp(min(log_delta(_least(log_delta)), 0.0))


def _least(worth: Callable[[float], float]) -> float:
    """Give the place, the logarithm of an order above 1, where something is smallest."""
    places = [_FIRST + (_LAST - _FIRST) * number / _ORDERS for number in range(_ORDERS + 1)]
    best = min(places, key=worth)
    low, high = best - (_LAST - _FIRST) / _ORDERS, best + (_LAST - _FIRST) / _ORDERS
    for _ in range(_HALVINGS):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, other) if worth(one) < worth(other) else (one, high)
    return low
