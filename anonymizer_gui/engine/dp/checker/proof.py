"""Proves an expression private by the theorems of its parts: sensitivity, noise, composition, post-processing."""

from dataclasses import dataclass, field
from fractions import Fraction

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.accountant import log_above
from anonymizer_gui.engine.dp.checker.expression import (
    Choice,
    Combined,
    Data,
    Noise,
    Number,
    Post,
    Term,
    Tuple,
    cells,
    contains,
    has_bins_from_data,
    subterms,
)
from anonymizer_gui.engine.dp.safe_rounding import root_above, round_up
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit


class Unproven(Exception):
    """No theorem covers this part."""


@dataclass(slots=True)
class Linear:
    """A sum: a constant, exact answers with their factors, noises, and what was released before it was added."""

    constant: Fraction = Fraction(0)
    data: dict[Term, Fraction] = field(default_factory=dict)
    noises: list[Noise] = field(default_factory=list)
    released: list[Term] = field(default_factory=list)

    def times(self, factor: Fraction) -> "Linear":
        """Multiply everything; what was released stays released."""
        if not factor:
            return Linear()
        data = {term: factor * own for term, own in self.data.items()}
        noises = [Noise(noise.kind, abs(factor) * noise.scale) for noise in self.noises]
        return Linear(factor * self.constant, data, noises, self.released)

    def plus(self, other: "Linear") -> "Linear":
        """Add; the same exact answer twice is one with both factors, or none."""
        factors = {term: self.data.get(term, 0) + other.data.get(term, 0) for term in {**self.data, **other.data}}
        data = {term: Fraction(factor) for term, factor in factors.items() if factor}
        noises, released = [*self.noises, *other.noises], [*self.released, *other.released]
        return Linear(self.constant + other.constant, data, noises, released)

    @property
    def is_constant(self) -> bool:
        """Whether nothing else is in it."""
        return not self.data and not self.noises and not self.released


@dataclass(frozen=True, slots=True)
class Proof:
    """What the mechanism costs, and the argument, sentence by sentence."""

    spend: Budget = NO_BUDGET
    steps: tuple[Message, ...] = ()

    def __add__(self, other: "Proof") -> "Proof":
        return Proof(self.spend + other.spend, (*self.steps, *other.steps))


def prove(term: Term, unit: PrivacyUnit) -> Proof | None:
    """Prove what an expression costs, or give nothing when no theorem covers it."""
    if has_bins_from_data(term):
        return None
    try:
        proof = _cost(term, unit)
    except Unproven:
        return None
    return proof if proof.steps else Proof(NO_BUDGET, (message("The answer does not depend on the table."),))


def _cost(term: Term, unit: PrivacyUnit) -> Proof:
    if isinstance(term, Tuple):
        whole = sum((_cost(item, unit) for item in term.items), Proof())
        return whole + Proof(NO_BUDGET, (message("Answers about the same table: their costs add up."),))
    form = as_linear(term)
    return sum((_cost_of_released(part, unit) for part in form.released), Proof()) + _cost_of_noise(form, unit)


def _cost_of_released(term: Term, unit: PrivacyUnit) -> Proof:
    if isinstance(term, Choice):
        return _cost_of_choice(term, unit)
    whole = sum((_cost(part, unit) for part in subterms(term)), Proof())
    return whole + Proof(NO_BUDGET, (message("What is done with a noisy answer afterwards costs nothing."),))


def _cost_of_noise(form: Linear, unit: PrivacyUnit) -> Proof:
    """The strongest Laplace noise covers all exact answers of a sum; Gaussian noises add their variances."""
    factors = [(abs(factor), *sensitivity_of(term, unit)) for term, factor in form.data.items()]
    l1 = sum((factor * most for factor, most, _ in factors), Fraction(0))
    l2 = sum((factor * root_above(square) for factor, _, square in factors), Fraction(0))
    steps = tuple(_step(term, unit) for term in form.data)
    scale = max((noise.scale for noise in form.noises if noise.kind == "laplace"), default=Fraction(0))
    variance = sum((noise.scale**2 for noise in form.noises if noise.kind == "gaussian"), Fraction(0))
    if not l1:
        return Proof(NO_BUDGET, steps)
    if scale:
        spend = Budget(epsilon=l1 / scale)
        step = message("Laplace noise of scale {scale} on what moves by at most {most}.", scale=scale, most=l1)
    elif variance:
        spend = Budget(rho=round_up(l2**2 / (2 * variance)))
        step = message(
            "Gaussian noise of variance {square} on what moves by at most {most}.",
            square=variance,
            most=round_up(l2, 6),
        )
    else:
        raise Unproven
    return _priced(spend, *steps, step)


def _priced(spend: Budget, *steps: Message) -> Proof:
    return Proof(spend, (*steps, message("This costs {budget}.", budget=spend.sentence())))


def as_linear(term: Term) -> Linear:
    """Write a term as a sum."""
    match term:
        case Number(value):
            return Linear(value)
        case Noise():
            return Linear(noises=[term] if term.scale else [])
        case Combined("+", left, right):
            return as_linear(left).plus(as_linear(right))
        case Combined(sign, left, right):
            one, other = as_linear(left), as_linear(right)
            if other.is_constant and (sign == "*" or other.constant):
                return one.times(other.constant if sign == "*" else 1 / other.constant)
            if one.is_constant and sign == "*":
                return other.times(one.constant)
    return Linear(released=[term]) if contains(term, Noise, Choice) else Linear(data={term: Fraction(1)})


def sensitivity_of(term: Term, unit: PrivacyUnit) -> tuple[Fraction, Fraction]:
    """Say how far neighbours can move an exact answer: L1 and squared L2; raises Unproven without a bound."""
    match term:
        case Data(function=("count" | "histogram") as function):
            is_count = function == "count"
            found = sensitivity.count(unit, bool(term.relation)) if is_count else sensitivity.histogram(unit)
            return Fraction(found.l1), Fraction(found.l2_squared)
        case Data(function=function, numbers=(low, high)):
            is_sum_of_rows = function == "sum" and unit.kind is Neighbours.ROW
            most = max(abs(low), abs(high)) if is_sum_of_rows else high - low
            return most, most**2
        case Post(function, _, inner, numbers) if cells(inner) == 1:
            most = _moved_after(function, as_linear(inner), numbers, unit)
            return most, most**2
    raise Unproven


def _moved_after(function: str, inner: Linear, numbers: tuple[Fraction, ...], unit: PrivacyUnit) -> Fraction:
    """A clipped answer stays between its bounds; a rounded one may move one step more than before."""
    width = numbers[1] - numbers[0] if numbers else None
    try:
        most = sum((abs(factor) * sensitivity_of(term, unit)[0] for term, factor in inner.data.items()), Fraction(0))
    except Unproven:
        if width is None:
            raise
        return width
    if function == "round" and most:
        return most + 1
    return most if width is None else min(most, width)


def _step(term: Term, unit: PrivacyUnit) -> Message:
    text = term.text if isinstance(term, Data | Post) else ""
    return message(
        "{text} moves by at most {most} between neighbouring tables.", text=text, most=sensitivity_of(term, unit)[0]
    )


def _cost_of_choice(choice: Choice, unit: PrivacyUnit) -> Proof:
    """Counts of public values move by 1: one way when a row comes or goes, two ways when it changes."""
    ways, amount = 2 if unit.kind is Neighbours.CHANGE else 1, choice.amount
    if choice.kind == "exponential":
        step = message("Counts that move by 1 are weighed by exp({amount} count / 2).", amount=amount)
        return _priced(Budget(epsilon=amount * ways / 2), step)
    if choice.kind == "noisy_max" and amount:
        step = message("The largest count after Laplace noise of scale {scale}; no count is told.", scale=amount)
        return _priced(Budget(epsilon=ways / amount), step)
    if choice.kind == "randomised_response" and 0 < amount < 1 and unit.kind is Neighbours.CHANGE:
        ratio = max(amount / (1 - amount), (1 - amount) / amount)
        step = message("One of two answers is {ratio} times as likely as the other.", ratio=ratio)
        return _priced(Budget(epsilon=round_up(log_above(ratio)) if ratio > 1 else Fraction(0)), step)
    raise Unproven
