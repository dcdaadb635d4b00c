"""Randomised response for yes or no: truth with a chance, two coins, or truth with chance alpha and else a coin."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.dp.local.chances import drawn, raised, rounded_down
from anonymizer_gui.engine.dp.local.drawing import SECRET, Ints, Source, tossed
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS, Counting, Matrix, Reports, digits_in

_HALF = Fraction(1, 2)
_WARNER = "Warner, Randomized response, Journal of the American Statistical Association 60, 1965"


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class RandomisedResponse(Counting):
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
        odds = raised(self.epsilon)
        return rounded_down(odds / (odds + 1))

    @property
    def q(self) -> Fraction:
        """The chance of the opposite."""
        return 1 - self.p

    def perturb(self, values: Ints, source: Source = SECRET) -> Reports:
        """Tell the truth or the opposite."""
        return np.where(tossed(self.p, len(values), source), values, 1 - values)

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
        return {"keep": drawn(self.p)}

    def client(self) -> str:
        """Tell what a client does."""
        return "With probability keep / 2^53 report the number of the true value, 0 or 1; otherwise the other one."

    def encode(self, reports: Reports) -> list[str]:
        """Write 0 or 1."""
        return [str(report) for report in reports.tolist()]

    def decode(self, text: str) -> int:
        """Read 0 or 1."""
        return digits_in(text, 2)


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
        odds = raised(self.epsilon)
        return rounded_down((odds - 1) / (odds + 1))

    @property
    def p(self) -> Fraction:
        """The chance of the truth, from alpha or from the coin."""
        return (1 + self.alpha) / 2

    def perturb(self, values: Ints, source: Source = SECRET) -> Reports:
        """Tell the truth, or what a fair coin says."""
        true = tossed(self.alpha, len(values), source)
        return np.where(true, values, tossed(_HALF, len(values), source).astype(np.int64))

    def chances(self) -> Mapping[str, int]:
        """Give the chance that the coin is not asked."""
        return {"alpha": drawn(self.alpha)}

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
