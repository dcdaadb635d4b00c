"""Small tables and their neighbours, and what the exact part of an expression answers about them."""

import itertools
import operator
import statistics
from collections.abc import Callable, Iterator
from fractions import Fraction

from anonymizer_gui.engine.dp.checker.terms import CANDIDATES, Choice, Combined, Data, Number, Post, Term, parts
from anonymizer_gui.engine.dp.unit import Neighbours

Table = tuple[Fraction, ...]

OUTLIER = Fraction(10**6)
_MOST_VALUES = 8
_RELATIONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    ">": operator.gt, "≥": operator.ge, "<": operator.lt, "≤": operator.le, "=": operator.eq, "≠": operator.ne,
}  # fmt: skip


def pairs(term: Term, kind: Neighbours) -> Iterator[tuple[Table, Table]]:
    """Walk pairs of neighbouring tables, small ones first, with values at which the expression may turn."""
    values = _telling_values(term)
    for size in range(3):
        for rows in itertools.combinations_with_replacement(values, size):
            if kind is Neighbours.ROW:
                yield from ((rows, (*rows, value)) for value in values)
            else:
                yield from (((*rows, one), (*rows, other)) for one, other in itertools.combinations(values, 2))


def _telling_values(term: Term) -> list[Fraction]:
    """Give 0 and 1, the numbers of the expression and what lies beside them, and an outlier."""
    numbers = sorted(set(_numbers(term)), key=abs)
    beside = [number + step for number in numbers for step in (0, 1, -1)]
    telling = list(dict.fromkeys([Fraction(0), Fraction(1), *beside]))[: _MOST_VALUES - 2]
    return list(dict.fromkeys([*telling, *numbers[-1:], OUTLIER]))


def _numbers(term: Term) -> list[Fraction]:
    if isinstance(term, Choice):
        return list(CANDIDATES)
    own = list(term.numbers) if isinstance(term, Data | Post) else []
    return own + [number for part in parts(term) for number in _numbers(part)]


def evaluate(term: Term, table: Table) -> list[Fraction]:
    """Compute the numbers of an expression without anything random in it."""
    match term:
        case Number(value):
            return [value]
        case Data():
            return answered(term, table)
        case Post(function, _, inner, numbers):
            return [_after(function, value, numbers) for value in evaluate(inner, table)]
        case Combined(sign, left, right):
            one, other = evaluate(left, table), evaluate(right, table)
            width = max(len(one), len(other))
            both = zip(one * (width // len(one)), other * (width // len(other)), strict=True)
            return [_calculated(sign, *pair) for pair in both]
    raise ValueError("What is random has no value.")


def answered(data: Data, table: Table) -> list[Fraction]:
    """Answer an exact question about the table; about no rows at all the answer is the lower bound or 0."""
    numbers = data.numbers
    if data.function == "count":
        meets = _RELATIONS.get(data.relation)
        return [Fraction(sum(meets is None or meets(value, numbers[0]) for value in table))]
    if data.function == "row":
        place = int(numbers[0]) - 1
        return [table[place] if place < len(table) else Fraction(0)]
    if data.function == "histogram":
        return [Fraction(sum(low <= value < high for value in table)) for low, high in itertools.pairwise(numbers)]
    clipped = [min(max(value, numbers[0]), numbers[1]) if numbers else value for value in table]
    if data.function == "sum":
        return [sum(clipped, Fraction(0))]
    return [_summary(data.function, clipped) if clipped else next(iter(numbers), Fraction(0))]


def _summary(function: str, values: list[Fraction]) -> Fraction:
    if function == "mean":
        return sum(values, Fraction(0)) / len(values)
    return statistics.median(values) if function == "median" else (min if function == "min" else max)(values)


def _calculated(sign: str, one: Fraction, other: Fraction) -> Fraction:
    """Combine two numbers; what is divided by 0 becomes 0."""
    if sign == "/":
        return one / other if other else Fraction(0)
    return one + other if sign == "+" else one * other


def _after(function: str, value: Fraction, numbers: tuple[Fraction, ...]) -> Fraction:
    if function == "clip":
        return min(max(value, numbers[0]), numbers[1])
    return abs(value) if function == "abs" else Fraction(round(value))


def shown(table: Table) -> str:
    """Write a table: its values in braces."""
    return "{" + ", ".join(str(value) for value in table) + "}"
