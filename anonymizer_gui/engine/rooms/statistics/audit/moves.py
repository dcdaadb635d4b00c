"""How far one neighbour can move the whole numbers of a question, written down once more from its parameters."""

import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

Asked = Mapping[str, Any]
"""The parameters of a question as the certificate tells them."""

_UNIT = re.compile(r"(row|change)|person=.+:(?P<rows>\d+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Move:
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


def moves_of(answer: Mapping[str, Any], unit: str) -> list[Move]:
    """Give the moves of each step of a question; raises KeyError for one that is not known here."""
    is_changed = unit == "change" and answer["part"] is None
    moves: list[Move] = _known("MOVES")[answer["question"]](answer["parameters"], rows_of(unit), is_changed)
    return moves


def size_of(answer: Mapping[str, Any]) -> Fraction:
    """Give what one whole number is worth in the unit of the answer."""
    size = _known("SIZES").get(answer["question"])
    return Fraction(1) if size is None else Fraction(size(answer["parameters"]))


def paid_of(answer: Mapping[str, Any]) -> Callable[[Mapping[str, Any], int, bool], bool] | None:
    """Give what tells whether the spend of an answer covers its steps, where that is not their sum."""
    return _known("PAID").get(answer["question"])


@cache
def _known(name: str) -> dict[str, Callable[..., Any]]:
    """Put together what the modules of all shapes of data know."""
    package = f"{__package__}.shapes"
    found = pkgutil.iter_modules(importlib.import_module(package).__path__)
    modules = [importlib.import_module(f"{package}.{module.name}") for module in found]
    return {question: work for module in modules for question, work in getattr(module, name, {}).items()}


def tally(rows: int, is_changed: bool, levels: int = 1) -> Move:
    """Move counts of disjoint cells, each on so many levels."""
    if is_changed:
        return Move(2 * levels, 2 * levels, 1, False)
    return Move(rows * levels, rows * rows * levels, rows, True)


def single(most: int) -> Move:
    """Move one number."""
    return Move(most, most * most, most, True)
