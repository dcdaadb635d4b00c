"""How far off an answer is at most in 95 of 100 releases, from the scale of its noise alone."""

import math
from collections.abc import Mapping
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from anonymizer_gui.engine.rooms.statistics.audit.moves import size_of

_SHARE = 0.95
_SLIGHTLY = 1e-9
_OF_THE_DATA = ("learn", "synthetic")
"""Their error depends on how many rows somebody assumed, which is not published."""
_OF_THE_LAST = ("k-means", "places-k-means")
_BOUNDED = ("extreme",)

Answer = Mapping[str, Any]


def errors_of(answer: Answer) -> tuple[float, float] | None:
    """Give the error of one number and of the farthest of all numbers; nothing where a published file cannot give it.

    The error of a mean whose number of rows is private depends on a noisy count that is not published.
    """
    steps = answer["steps"]
    if not steps:
        return 0.0, 0.0
    if answer["question"] in _OF_THE_DATA or (answer["question"] == "mean" and len(steps) > 1):
        return None
    step = steps[-1 if answer["question"] in _OF_THE_LAST else 0]
    cells = 1 if answer["question"] in _OF_THE_LAST else max(len(answer["values"]), 1)
    found = [_limited(answer, whole_error(step, each) * size_of(answer)) for each in (1, cells)]
    return found[0], found[1]


def _limited(answer: Answer, error: Fraction) -> float:
    """Give an error as a float; an extreme is nowhere farther off than its bounds are."""
    asked = answer["parameters"]
    return min(float(error), asked["high"] - asked["low"]) if answer["question"] in _BOUNDED else float(error)


def whole_error(step: Mapping[str, Any], cells: int) -> int:
    """Give the smallest whole number that noise exceeds in so many cells in no more than 5 of 100 releases.

    Of a choice it is the distance of the chosen candidate from the best one.
    """
    scale = float(Fraction(step["scale"]))
    tail = -math.expm1(math.log(_SHARE) / cells)
    if step["mechanism"] == "gaussian":
        return math.ceil(NormalDist().inv_cdf(1 - tail / 2) * scale - _SLIGHTLY)
    if step["mechanism"] == "laplace":
        return max(math.ceil(scale * math.log(2 / (tail * (1 + math.exp(-1 / scale)))) - 1 - _SLIGHTLY), 0)
    ways = step["cells"] * (step["picks"] if step["mechanism"] == "top-k-rounds" else 1)
    return max(math.ceil(scale * math.log(ways / (1 - _SHARE)) - 1 - _SLIGHTLY), 0)
