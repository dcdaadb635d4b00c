"""What learning step by step has cost, computed once more: divergences by adding up an integral, for any order.

One step sees a row with a chance of q and adds Gaussian noise z times as large as the row can move the sum. What an
onlooker can tell is the divergence between (1 - q) N(0, z^2) + q N(1, z^2) and N(0, z^2), which is integrated here.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from anonymizer_gui.engine.rooms.statistics.audit.moves import Asked, Move, single, tally

_POINTS = 1500
_FIRST, _LAST, _TRIED = math.log(0.05), math.log(2047.0), 40
_REFINED = 30
_TOLERANCE = 1 + 1e-6
_LOOKS = 5
_UNIT = 4096 * 64
_WIDTHS = 12.0


def moves_of_learning(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    """Move the number of rows, then in each step a clipped gradient, now and then a guess that is right or wrong."""
    most = longest(asked) * (2 if is_changed else rows)
    gradient, look = Move(most * most, most * most, most, False), tally(rows, is_changed)
    steps = n_steps(asked)
    looks = {round(steps * place / _LOOKS) for place in range(1, _LOOKS + 1)}
    moves = [] if is_changed else [single(rows)]
    for step in range(1, steps + 1):
        moves += [gradient, look] if step in looks else [gradient]
    return moves


def n_steps(asked: Asked) -> int:
    """Give the number of steps: as many as let each row be seen so often on average."""
    return max(round(int(asked["epochs"]) / Fraction(repr(float(asked["rate"])))), _LOOKS)


def longest(asked: Asked) -> int:
    """Give the length no gradient exceeds, in whole numbers."""
    return int(asked["clip"] * _UNIT)


def own_delta(asked: Asked, delta: Fraction) -> Fraction:
    """Give the delta that learning spends of that of the plan: what the question says, or a tenth."""
    return Fraction(repr(float(asked["delta"]))) if asked["delta"] else delta / 10


def is_learned_for(answer: Mapping[str, Any], rows: int, is_changed: bool) -> bool:
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
    one = longest(asked) * rows
    noises = {float(Fraction(step["scale"])) / one for step in steps if step["distance"] >= one * one}
    counts = [step for step in steps if step["mechanism"] == "gaussian" and step["distance"] == rows * rows]
    rho = 0.0 if is_changed else sum(float(Fraction(step["spend"]["rho"])) for step in counts)
    if not noises:
        return False
    spent = implied_delta(float(asked["rate"]), min(noises), n_steps(asked), rho, epsilon)
    return spent <= delta * _TOLERANCE


def implied_delta(rate: float, noise: float, steps: int, rho: float, epsilon: float) -> float:
    """Give a delta that holds with this epsilon: the smallest over all orders, any of which gives a true one."""

    def log_delta(place: float) -> float:
        above = math.exp(place)
        order = 1 + above
        spent = steps * divergence(order, rate, noise) + order * rho
        return above * (spent - epsilon) - math.log(above) + order * math.log1p(-1 / order)

    width = (_LAST - _FIRST) / _TRIED
    best = min((_FIRST + width * number for number in range(_TRIED + 1)), key=log_delta)
    low, high = max(best - width, _FIRST), min(best + width, _LAST)
    for _ in range(_REFINED):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, other) if log_delta(one) < log_delta(other) else (one, high)
    return math.exp(min(log_delta(low), log_delta(best), 0.0))


def divergence(order: float, rate: float, noise: float) -> float:
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
