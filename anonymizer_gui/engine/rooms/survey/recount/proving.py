"""The proof again: from the whole numbers that a client compares its random bits with to the largest ratio."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

_ALL = 2**53


def ratio_of(protocol: str, chances: Mapping[str, int]) -> Fraction:
    """Give the likelihood ratio of the most telling report; raises KeyError for a protocol that is not known."""
    if protocol in ("oue", "sue"):
        one, other = chances["one"], chances["other"]
        return Fraction(one * (_ALL - other), other * (_ALL - one))
    if protocol in ("rr-alpha", "rr-coins"):
        return Fraction(_ALL + chances["alpha"], _ALL - chances["alpha"])
    if protocol == "piecewise":
        near, window, cells = chances["near"], chances["window"], chances["cells"]
        return Fraction(near * (cells - window), window * (_ALL - near))
    others = {"grr": chances.get("size", 0) - 1, "olh": chances.get("places", 0) - 1, "rr": 1, "duchi": 1}[protocol]
    return Fraction(chances["keep"] * others, _ALL - chances["keep"])


def together(ratios: Sequence[Fraction], sharing: str) -> Fraction:
    """Give the ratio of a whole report."""
    return max(ratios) if sharing == "one" else math.prod(ratios, start=Fraction(1))


def whole_ratio(survey: Mapping[str, Any]) -> Fraction:
    """Give the ratio of a whole report of a survey, from the numbers that its clients are given."""
    ratios = [ratio_of(question["protocol"], question["chances"]) for question in survey["questions"]]
    return together(ratios, survey["sharing"])


def is_allowed(ratio: Fraction, epsilon: Fraction) -> bool:
    """Say whether a ratio is at most e^epsilon."""
    with localcontext() as context:
        context.prec = 80
        limit = Fraction((Decimal(epsilon.numerator) / epsilon.denominator).exp())
    return ratio <= limit


def spread_of(protocol: str, chances: Mapping[str, Any]) -> tuple[float, float]:
    """Give the chances that a report supports the true value and another one, by the closed forms of the papers."""
    if protocol in ("oue", "sue"):
        return chances["one"] / _ALL, chances["other"] / _ALL
    if protocol in ("rr-alpha", "rr-coins"):
        true = 0.5 + chances["alpha"] / _ALL / 2
        return true, 1 - true
    keep = chances["keep"] / _ALL
    if protocol == "olh":
        return keep, 1 / chances["places"]
    return keep, (1 - keep) / (chances["size"] - 1 if protocol == "grr" else 1)
