"""The whole numbers that a client compares its random bits with, from the protocol and epsilon alone."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

_ALL = 2**53
_CELLS = 1024
_STEPS = 2**20
_PRIME = 2**31 - 1
_DIGITS = 80


def chances_of(protocol: str, size: int, epsilon: Fraction) -> dict[str, int]:
    """Give the chances of a protocol for so many values, rounded to the side of privacy.

    Raises KeyError for a protocol that is not known.
    """
    odds = _power(epsilon)
    if protocol in ("rr-alpha", "rr-coins"):
        return {"alpha": _ALL // 2 if protocol == "rr-coins" else math.floor(_ALL * (odds - 1) / (odds + 1))}
    if protocol == "piecewise":
        window = max(round(_CELLS / (_power(epsilon / 2) + 1)), 1)
        return {"near": _kept(odds, Fraction(_CELLS - window, window)), "window": window, "cells": _CELLS} | {
            "size": _STEPS
        }
    if protocol == "olh":
        places = round(odds) + 1
        return {"keep": _kept(odds, places - 1), "places": places, "prime": _PRIME, "size": size}
    if protocol == "oue":
        return {"one": _ALL // 2, "other": math.ceil(_ALL / (odds + 1)), "size": size}
    if protocol == "sue":
        one = _kept(_power(epsilon / 2), 1)
        return {"one": one, "other": _ALL - one, "size": size}
    others, sized = {"grr": (size - 1, {"size": size}), "rr": (1, {}), "duchi": (1, {"size": _STEPS})}[protocol]
    return {"keep": _kept(odds, others), **sized}


def cost_of(ratio: Fraction) -> float:
    """Give the epsilon that a ratio costs."""
    with localcontext() as context:
        context.prec = _DIGITS
        return float((Decimal(ratio.numerator) / ratio.denominator).ln())


def _kept(odds: Fraction, others: int | Fraction) -> int:
    """Give the largest chance of the truth that is no more than so many times that of one of the others."""
    return math.floor(_ALL * odds / (odds + others))


def _power(epsilon: Fraction) -> Fraction:
    with localcontext() as context:
        context.prec = _DIGITS
        return Fraction((Decimal(epsilon.numerator) / epsilon.denominator).exp())
