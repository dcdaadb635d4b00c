"""Neighbouring tables with exact probabilities that refute."""

import itertools
import math
import operator
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.dp.checker.expression import (
    CANDIDATES,
    Choice,
    Combined,
    Data,
    Number,
    Post,
    Term,
    Tuple,
    has_bins_from_data,
    subterms,
)
from anonymizer_gui.engine.dp.checker.proof import Linear, as_linear
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit

Table = tuple[Fraction, ...]

OUTLIER = Fraction(10**6)

_MOST_VALUES = 8

_RELATIONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    ">": operator.gt, "≥": operator.ge, "<": operator.lt, "≤": operator.le, "=": operator.eq, "≠": operator.ne,
}  # fmt: skip


def neighbouring_pairs(term: Term, kind: Neighbours) -> Iterator[tuple[Table, Table]]:
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
    return own + [number for part in subterms(term) for number in _numbers(part)]


def evaluate(term: Term, table: Table) -> list[Fraction]:
    """Compute the numbers of an expression without anything random in it."""
    match term:
        case Number(value):
            return [value]
        case Data():
            return exact_answer(term, table)
        case Post(function, _, inner, numbers):
            return [_after(function, value, numbers) for value in evaluate(inner, table)]
        case Combined(sign, left, right):
            one, other = evaluate(left, table), evaluate(right, table)
            width = max(len(one), len(other))
            both = zip(one * (width // len(one)), other * (width // len(other)), strict=True)
            return [_calculated(sign, *pair) for pair in both]
    raise ValueError("What is random has no value.")


def exact_answer(data: Data, table: Table) -> list[Fraction]:
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


def table_text(table: Table) -> str:
    """Write a table: its values in braces."""
    return "{" + ", ".join(str(value) for value in table) + "}"


_ROUNDING = 1e-9

# Beyond all numbers an expression may hold, what still grows there grows without end.
_FAR_OUT = (10**60, 10**63)


@dataclass(frozen=True, slots=True)
class LikelihoodRatio:
    """How an answer tells two tables apart: the logarithm of the ratio of its probabilities.

    `delta` is the probability by which some answers exceed the epsilon asked about.
    """

    output: str
    log_ratio: float
    delta: float


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Two neighbouring tables, and an answer that is more likely about the first than the promise allows."""

    first: Table
    second: Table
    output: str
    log_ratio: float

    @property
    def ratio(self) -> float:
        """How many times as likely the answer is about the first table; infinite when the second never gives it."""
        return math.exp(self.log_ratio) if self.log_ratio < 700 else math.inf

    def sentence(self) -> Message:
        """Say it."""
        told = {"first": table_text(self.first), "second": table_text(self.second), "output": self.output}
        if math.isinf(self.log_ratio):
            return message("{first} and {second} are neighbours; the second never gives the answer {output}.", **told)
        return message(
            "{first} and {second} are neighbours; the first gives the answer {output} e^{power:.6g} times as likely.",
            **told,
            power=self.log_ratio,
        )


def refute(term: Term, unit: PrivacyUnit, claim: Budget | None) -> Counterexample | None:
    """Look for a pair of tables that breaks the claim; without one, that breaks every epsilon."""
    epsilon = float(claim.epsilon) if claim else None
    for one, other in neighbouring_pairs(term, unit.kind):
        for first, second in ((one, other), (other, one)):
            found = _telling(term, first, second, epsilon)
            if found and (_breaks(found, claim) if claim else _is_endless(term, found, first, second)):
                return Counterexample(first, second, found.output, found.log_ratio)
    return None


def _breaks(found: LikelihoodRatio, claim: Budget) -> bool:
    if claim.delta:
        return found.delta > claim.delta + _ROUNDING
    return found.log_ratio > claim.epsilon + _ROUNDING


def _is_endless(term: Term, found: LikelihoodRatio, first: Table, second: Table) -> bool:
    """Say whether no epsilon is enough: the ratio is infinite, or grows on and on with an outlier."""
    if math.isinf(found.log_ratio) or OUTLIER not in {*first, *second}:
        return math.isinf(found.log_ratio)
    near, far = (_telling(term, _moved_out(first, out), _moved_out(second, out), None) for out in _FAR_OUT)
    return near is not None and far is not None and far.log_ratio > 100 * near.log_ratio > 0


def _moved_out(table: Table, outlier: int) -> Table:
    return tuple(Fraction(outlier) if value == OUTLIER else value for value in table)


def _telling(term: Term, first: Table, second: Table, epsilon: float | None) -> LikelihoodRatio | None:
    """Join what is known exactly of several answers: with independent noise their log ratios add up."""
    items = term.items if isinstance(term, Tuple) else (term,)
    known = [found for item in items if (found := _telling_of_one(item, first, second, epsilon))]
    if not known:
        return None
    output = ", ".join(found.output for found in known)
    return LikelihoodRatio(output, sum(found.log_ratio for found in known), max(found.delta for found in known))


def _telling_of_one(term: Term, first: Table, second: Table, epsilon: float | None) -> LikelihoodRatio | None:
    if isinstance(term, Choice):
        return _telling_of_choice(term, first, second, epsilon or 0.0)
    if has_bins_from_data(term):
        new = [value for value in first if value not in second]
        return LikelihoodRatio(f"[{new[0]}, …]", math.inf, 1.0) if new else None
    form = as_linear(term)
    if form.released:
        return None
    here, there = _exact_part(form, first), _exact_part(form, second)
    moves = [abs(one - other) for one, other in zip(here, there, strict=True)]
    text = ", ".join(map(str, here))
    if not any(moves):
        return LikelihoodRatio(text, 0.0, 0.0)
    if not form.noises:
        return LikelihoodRatio(text, math.inf, 1.0)
    if [noise.kind for noise in form.noises] == ["laplace"]:
        farthest = float(max(moves) / form.noises[0].scale)
        delta = max(-math.expm1(((epsilon or 0.0) - farthest) / 2), 0.0)
        return LikelihoodRatio(text, float(sum(moves) / form.noises[0].scale), delta)
    if {noise.kind for noise in form.noises} == {"gaussian"} and len(here) == 1:
        return _telling_of_gaussian(form, here[0], there[0], epsilon)
    return None


def _telling_of_gaussian(form: Linear, here: Fraction, there: Fraction, epsilon: float | None) -> LikelihoodRatio:
    """Gaussian noise tells the more the farther out an answer lies; its delta is that of Balle and Wang (2018)."""
    variance = float(sum(noise.scale**2 for noise in form.noises))
    move = float(here - there)
    if epsilon is None:
        return LikelihoodRatio(str(here), move**2 / 2 / variance, 0.0)
    wide, normal = abs(move) / math.sqrt(variance), NormalDist()
    near, far = (normal.cdf(side * wide / 2 - epsilon / wide) for side in (1, -1))
    delta = near - math.exp(epsilon) * far if epsilon < 500 else 0.0
    log_ratio = math.ceil(epsilon) + 1
    return LikelihoodRatio(f"{float(here + there) / 2 + variance * log_ratio / move:.6g}", float(log_ratio), delta)


def _exact_part(form: Linear, table: Table) -> list[Fraction]:
    """Add up the exact answers of a sum."""
    answers = [[factor * value for value in evaluate(term, table)] for term, factor in form.data.items()]
    return [sum(cell, form.constant) for cell in zip(*answers, strict=True)] or [form.constant]


def _telling_of_choice(choice: Choice, first: Table, second: Table, epsilon: float) -> LikelihoodRatio | None:
    """Compare the probabilities of all outcomes."""
    if choice.kind == "noisy_max" and choice.amount:
        return None
    if choice.kind == "randomised_response":
        return _telling_of_responses(choice, first, second, epsilon)
    here, there = _chance_logs(choice, first), _chance_logs(choice, second)
    ratios = [one - other if one > -math.inf else 0.0 for one, other in zip(here, there, strict=True)]
    most = max(range(len(ratios)), key=ratios.__getitem__)
    delta = sum(_excess(one, other, epsilon) for one, other in zip(here, there, strict=True))
    return LikelihoodRatio(str(CANDIDATES[most]), ratios[most], delta)


def _chance_logs(choice: Choice, table: Table) -> list[float]:
    """Give the logarithms of the probabilities of all candidates; without noise the first of the largest wins."""
    counts = [table.count(candidate) for candidate in CANDIDATES]
    if choice.kind == "noisy_max":
        return [0.0 if place == counts.index(max(counts)) else -math.inf for place in range(len(counts))]
    weights = [float(choice.amount) * (count - max(counts)) / 2 for count in counts]
    whole = math.log(sum(map(math.exp, weights)))
    return [weight - whole for weight in weights]


def _telling_of_responses(choice: Choice, first: Table, second: Table, epsilon: float) -> LikelihoodRatio:
    """The list of likelier answers tells most; a list of another length is never given."""
    is_true = choice.amount >= 1 - choice.amount
    text = ", ".join("+" if (value > 0) is is_true else "-" for value in first)
    if len(first) != len(second):
        return LikelihoodRatio(f"[{text}]", math.inf, 1.0)
    changed = sum((one > 0) != (other > 0) for one, other in zip(first, second, strict=True))
    share = float(max(choice.amount, 1 - choice.amount))
    if not changed:
        return LikelihoodRatio(f"[{text}]", 0.0, 0.0)
    here, there = math.log(share), math.log1p(-share) if share < 1 else -math.inf
    return LikelihoodRatio(f"[{text}]", changed * (here - there), _excess(here, there, epsilon))


def _excess(likely: float, unlikely: float, epsilon: float) -> float:
    """Give p - e^epsilon q from the logarithms of both, or 0."""
    return math.exp(likely) * -math.expm1(min(epsilon + unlikely - likely, 0.0)) if likely > -math.inf else 0.0
