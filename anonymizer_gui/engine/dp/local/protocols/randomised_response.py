"""Warner, forced, k-ary."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.dp.local.protocol import (
    PROTOCOLS,
    SYSTEM_RANDOM,
    FrequencyProtocol,
    Ints,
    Matrix,
    Reports,
    Source,
    draw_below,
    parse_digits,
    toss_coins,
)
from anonymizer_gui.engine.dp.safe_rounding import exp_exact, probability_below, threshold_bits

_HALF = Fraction(1, 2)

_WARNER = "Warner, Randomized response, Journal of the American Statistical Association 60, 1965"


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class RandomisedResponse(FrequencyProtocol):
    """Tells the truth with p = e^eps / (e^eps + 1), and the opposite otherwise."""

    name: ClassVar[str] = "rr"
    title: ClassVar[str] = "Randomised response"
    summary: ClassVar[str] = "Tells the truth with a chance p and the opposite otherwise."
    formula: ClassVar[str] = "p = e^ε / (e^ε + 1), q = 1 − p"
    reference: ClassVar[str] = _WARNER
    most = 2

    @property
    def p(self) -> Fraction:
        """The chance of the truth."""
        odds = exp_exact(self.epsilon)
        return probability_below(odds / (odds + 1))

    @property
    def q(self) -> Fraction:
        """The chance of the opposite."""
        return 1 - self.p

    def perturb(self, values: Ints, source: Source = SYSTEM_RANDOM) -> Reports:
        """Tell the truth or the opposite."""
        return np.where(toss_coins(self.p, len(values), source), values, 1 - values)

    def support(self, reports: Reports) -> Ints:
        """Count each answer."""
        return np.bincount(reports, minlength=2).astype(np.int64)

    def matrix(self) -> Matrix:
        """Give the four chances."""
        return [[self.p, self.q], [self.q, self.p]]

    @property
    def bits(self) -> int:
        """One bit."""
        return 1

    def chances(self) -> Mapping[str, int]:
        """Give the chance of the truth."""
        return {"keep": threshold_bits(self.p)}

    def client(self) -> str:
        """Tell what a client does."""
        return "With probability keep / 2^53 report the number of the true value, 0 or 1; otherwise the other one."

    def encode(self, reports: Reports) -> list[str]:
        """Write 0 or 1."""
        return [str(report) for report in reports.tolist()]

    def decode(self, text: str) -> int:
        """Read 0 or 1."""
        return parse_digits(text, 2)


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class AlphaResponse(RandomisedResponse):
    """Tells the truth with chance alpha, and the fall of a fair coin otherwise."""

    name: ClassVar[str] = "rr-alpha"
    title: ClassVar[str] = "Randomised response with a share of truth"
    summary: ClassVar[str] = "Tells the truth with a chance alpha and otherwise what a fair coin says."
    formula: ClassVar[str] = "p = (1 + α) / 2, α = (e^ε − 1) / (e^ε + 1)"

    @property
    def alpha(self) -> Fraction:
        """The chance that the coin is not asked."""
        odds = exp_exact(self.epsilon)
        return probability_below((odds - 1) / (odds + 1))

    @property
    def p(self) -> Fraction:
        """The chance of the truth, from alpha or from the coin."""
        return (1 + self.alpha) / 2

    def perturb(self, values: Ints, source: Source = SYSTEM_RANDOM) -> Reports:
        """Tell the truth, or what a fair coin says."""
        true = toss_coins(self.alpha, len(values), source)
        return np.where(true, values, toss_coins(_HALF, len(values), source).astype(np.int64))

    def chances(self) -> Mapping[str, int]:
        """Give the chance that the coin is not asked."""
        return {"alpha": threshold_bits(self.alpha)}

    def client(self) -> str:
        """Tell what a client does."""
        return (
            "With probability alpha / 2^53 report the number of the true value, 0 or 1; otherwise toss a fair coin and "
            "report 0 or 1 by it."
        )


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class CoinsResponse(AlphaResponse):
    """Heads: the truth. Tails: a second coin answers. Always ln 3, so epsilon must be at least that."""

    name: ClassVar[str] = "rr-coins"
    title: ClassVar[str] = "Two coins"
    summary: ClassVar[str] = "Heads: tell the truth; tails: a second coin answers. Anybody can do it by hand."
    formula: ClassVar[str] = "p = 3/4, q = 1/4, ε = ln 3"

    @property
    def alpha(self) -> Fraction:
        """One half, whatever epsilon is."""
        return _HALF


_SHOWN = 16


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class GeneralisedResponse(FrequencyProtocol):
    """Keeps the value with p = e^eps / (e^eps + d - 1), otherwise tells one of the d - 1 others."""

    name: ClassVar[str] = "grr"
    title: ClassVar[str] = "Generalised randomised response"
    summary: ClassVar[str] = "Tells the true value or any one of the others; best for few values."
    formula: ClassVar[str] = "p = e^ε / (e^ε + d − 1), q = (1 − p) / (d − 1)"
    reference: ClassVar[str] = "Kairouz, Bonawitz and Ramage, Discrete distribution estimation, ICML 2016"

    @property
    def p(self) -> Fraction:
        """The chance of the truth."""
        odds = exp_exact(self.epsilon)
        return probability_below(odds / (odds + self.size - 1))

    @property
    def q(self) -> Fraction:
        """The chance of one of the others."""
        return (1 - self.p) / (self.size - 1)

    def perturb(self, values: Ints, source: Source = SYSTEM_RANDOM) -> Reports:
        """Tell the truth, or one of the other values: the lie must not be drawn from all of them."""
        true = toss_coins(self.p, len(values), source)
        lies = draw_below(self.size - 1, len(values), source)
        return np.where(true, values, lies + (lies >= values))

    def support(self, reports: Reports) -> Ints:
        """Count each value."""
        return np.bincount(reports, minlength=self.size).astype(np.int64)

    def matrix(self) -> Matrix:
        """Give the chances of every report for every value, or of the first values where there are many."""
        shown = range(min(self.size, _SHOWN))
        p, q = self.p, self.q
        return [[p if value == told else q for told in shown] for value in shown]

    @property
    def bits(self) -> int:
        """The length of a number below the size."""
        return (self.size - 1).bit_length()

    def chances(self) -> Mapping[str, int]:
        """Give the chance of the truth and the number of values."""
        return {"keep": threshold_bits(self.p), "size": self.size}

    def client(self) -> str:
        """Tell what a client does."""
        return (
            "With probability keep / 2^53 report the number of the true value, counted from 0; otherwise draw one of "
            "the other values, each equally likely, and report its number."
        )

    def encode(self, reports: Reports) -> list[str]:
        """Write the number of the value."""
        return [str(report) for report in reports.tolist()]

    def decode(self, text: str) -> int:
        """Read the number of the value."""
        return parse_digits(text, self.size)
