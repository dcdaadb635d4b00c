"""Before anybody is asked: what each protocol would cost and tell, which is best, and how questions share a budget."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.local.estimation import WIDTH95
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS, FrequencyProtocol, MeanProtocol
from anonymizer_gui.engine.dp.safe_rounding import HIGHEST_EPSILON, LOWEST_EPSILON, require_epsilon

STEPS = 1 << 20
"""A number is told in so many steps between its bounds."""
COMPARED = ("grr", "oue", "olh", "sue")
"""The protocols that suit any number of values, in the order in which equals are preferred."""
_FOR_TWO = ("rr", "rr-alpha", "rr-coins")
FOR_NUMBERS = ("duchi", "piecewise")
"""The protocols for the mean of a number."""


@dataclass(frozen=True, slots=True)
class ProtocolComparison:
    """One protocol of the comparison; errors are those of a value that nobody has."""

    name: str
    title: str
    p: float
    q: float
    variance_per_answer: float
    bits: int
    cost: float
    sd: float
    """Of an estimated count; of the mean in shares of the range, for numbers."""
    smallest_share: float
    """An estimated share below that may well be nobody; for numbers, the half-width of the interval."""

    def to_json(self) -> dict[str, Json]:
        """Give it as the command line prints it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Design:
    """The protocols for a question, and the best of them."""

    entries: tuple[ProtocolComparison, ...]
    best: str
    reason: Message

    def to_json(self) -> dict[str, Json]:
        """Give it as the command line prints it."""
        protocols = [entry.to_json() for entry in self.entries]
        return {"protocols": protocols, "best": self.best, "reason": str(self.reason)}


@dataclass(frozen=True, slots=True)
class Sharing:
    """The error of a share when the questions of a form share a budget, in either way."""

    name: str
    split: float
    """Every respondent answers every question, each with its part of epsilon."""
    one: float
    """Every respondent answers one question, drawn by lot, with all of epsilon."""
    is_mean: bool = False
    """Whether the errors are those of a mean, as shares of its range."""


def frequency_protocol(name: str, size: int, epsilon: Fraction) -> FrequencyProtocol:
    """Make a protocol for values; raises BadParameter when it is for numbers or does not suit."""
    made = PROTOCOLS.get(name)(size, epsilon)
    if not isinstance(made, FrequencyProtocol):
        raise BadParameter(
            message("{protocol} asks for a number, not for one of several values.", protocol=message(made.title)),
            "Choose another protocol, or give bounds instead of values.",
        )
    return made


def mean_protocol(name: str, epsilon: Fraction) -> MeanProtocol:
    """Make a protocol for a number; raises BadParameter when it is for values."""
    kind = PROTOCOLS.get(name)
    if not issubclass(kind, MeanProtocol):
        raise BadParameter(
            message("{protocol} asks for one of several values, not for a number.", protocol=message(kind.title)),
            "Choose another protocol, or give values instead of bounds.",
        )
    return kind(STEPS, epsilon)


def design(size: int, epsilon: Fraction, answers: int) -> Design:
    """Compare the protocols that suit a question with so many values; raises BadParameter."""
    require_epsilon(epsilon)
    names = (*COMPARED, *(_FOR_TWO if size == 2 else ()))
    entries = [entry for name in names if (entry := _entry(name, size, epsilon, answers)) is not None]
    if not entries:
        raise BadParameter(
            message("No protocol asks for one of {size:value|values}.", size=size), "Take from 2 to 1048576."
        )
    # What differs by rounding only is equal, and the first of equals is taken.
    best = min(entries, key=lambda entry: float(f"{entry.variance_per_answer:.9g}"))
    return Design(tuple(entries), best.name, _reason(size, epsilon, best))


def _entry(name: str, size: int, epsilon: Fraction, answers: int) -> ProtocolComparison | None:
    try:
        protocol = frequency_protocol(name, size, epsilon)
    except BadParameter:
        return None
    variance, n = protocol.variance(), max(answers, 1)
    return ProtocolComparison(
        name=name,
        title=protocol.title,
        p=float(protocol.p),
        q=float(protocol.q),
        variance_per_answer=variance,
        bits=protocol.bits,
        cost=protocol.cost(),
        sd=math.sqrt(n * variance),
        smallest_share=min(WIDTH95 * math.sqrt(variance / n), 1.0),
    )


def switch_point(epsilon: Fraction) -> float:
    """Give the number of values below which generalised response is better than unary encoding: 3 e^eps + 2."""
    return 3 * math.exp(epsilon) + 2


def _reason(size: int, epsilon: Fraction, best: ProtocolComparison) -> Message:
    if size < switch_point(epsilon):
        return message(
            "{best} has the smallest error: there are {size:value|values}, fewer than 3 e^ε + 2 = {switch:.1f}, and so "
            "generalised response beats unary encoding.",
            best=message(best.title),
            size=size,
            switch=switch_point(epsilon),
        )
    return message(
        "{best} has the smallest error: there are {size:value|values}, not fewer than 3 e^ε + 2 = {switch:.1f}, and so "
        "generalised response, which wins for few values, falls behind.",
        best=message(best.title),
        size=size,
        switch=switch_point(epsilon),
    )


def design_number(epsilon: Fraction, answers: int) -> Design:
    """Compare the protocols for the mean of a number; errors are shares of the range, for values in the worst place."""
    entries = []
    for name in FOR_NUMBERS:
        protocol, n = mean_protocol(name, epsilon), max(answers, 1)
        variance = _worst(protocol)
        sd, ratio = math.sqrt(variance / n), protocol.matrix()
        chances = (float(max(map(max, ratio))), float(min(map(min, ratio))))
        half = WIDTH95 * sd
        entries.append(
            ProtocolComparison(name, protocol.title, *chances, variance, protocol.bits, protocol.cost(), sd, half)
        )
    best = min(entries, key=lambda entry: entry.variance_per_answer)
    reason = message("{best} has the smaller error where it is largest.", best=message(best.title))
    return Design(tuple(entries), best.name, reason)


def share_error(name: str, size: int, epsilon: Fraction, answers: float) -> float:
    """Give the standard deviation of an estimated share of a value that nobody has; not a number where none can be."""
    try:
        return math.sqrt(frequency_protocol(name, size, epsilon).variance() / answers) if answers > 0 else math.nan
    except BadParameter:
        return math.nan


def mean_error(name: str, epsilon: Fraction, answers: float) -> float:
    """Give the standard deviation of a mean in shares of its range, for values in the worst place."""
    try:
        return math.sqrt(_worst(mean_protocol(name, epsilon)) / answers)
    except BadParameter:
        return math.nan


def _worst(protocol: MeanProtocol) -> float:
    return max(protocol.variance(at) for at in (0.0, 0.5, 1.0))


def compare_sharing(
    questions: Sequence[tuple[str, str, int]], epsilon: Fraction, answers: int, n: int
) -> tuple[Sharing, ...]:
    """Compare splitting epsilon among n questions with answering one each; given are name, protocol and values.

    No values stand for the mean of a number.
    """
    told = []
    for label, name, size in questions:
        ways = ((epsilon / n, answers), (epsilon, answers / n))
        split, one = (share_error(name, size, *way) if size else mean_error(name, *way) for way in ways)
        told.append(Sharing(label, split, one, is_mean=not size))
    return tuple(told)


def needed_answers(name: str, size: int, epsilon: Fraction, error: float) -> int:
    """Say how many answers bring the 95 % error of a share down to this."""
    return math.ceil(frequency_protocol(name, size, epsilon).variance() * (WIDTH95 / error) ** 2)


def error_curve(name: str, along: str, size: int, epsilon: Fraction, answers: int) -> list[tuple[float, float]]:
    """Give the error of a share along epsilon, the number of values or the number of answers; the others stay.

    No values stand for the mean of a number, whose error is told in shares of its range.
    """

    def error(values: int, cost: Fraction, n: int) -> float:
        return share_error(name, values, cost, n) if values else mean_error(name, cost, n)

    if along == "epsilon":
        places = [Fraction(round(1000 * 10 ** (step / 8)), 1000) for step in range(-8, 9)]
        inside = [place for place in places if LOWEST_EPSILON <= place <= HIGHEST_EPSILON]
        return [(float(place), error(size, place, answers)) for place in inside]
    if along == "values":
        return [(2.0**step, error(2**step, epsilon, answers)) for step in range(1, 13)] if size else []
    return [(n, error(size, epsilon, n)) for step in range(8, 29) if (n := round(10 ** (step / 4)))]
