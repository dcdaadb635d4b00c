"""Generalised randomised response: the true value, or any one of the others."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.dp.local.chances import drawn, raised, rounded_down
from anonymizer_gui.engine.dp.local.drawing import SECRET, Ints, Source, below, tossed
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS, Counting, Matrix, Reports, digits_in

_SHOWN = 16


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class GeneralisedResponse(Counting):
    """Keeps the value with p = e^eps / (e^eps + d - 1), otherwise tells one of the d - 1 others."""

    name: ClassVar[str] = "grr"
    title: ClassVar[str] = "Generalised randomised response"
    summary: ClassVar[str] = "Tells the true value or any one of the others; best for few values."
    formula: ClassVar[str] = "p = e^ε / (e^ε + d − 1), q = (1 − p) / (d − 1)"
    reference: ClassVar[str] = "Kairouz, Bonawitz and Ramage, Discrete distribution estimation, ICML 2016"

    @property
    def p(self) -> Fraction:
        """The chance of the truth."""
        odds = raised(self.epsilon)
        return rounded_down(odds / (odds + self.size - 1))

    @property
    def q(self) -> Fraction:
        """The chance of one of the others."""
        return (1 - self.p) / (self.size - 1)

    def perturb(self, values: Ints, source: Source = SECRET) -> Reports:
        """Tell the truth, or one of the other values: the lie must not be drawn from all of them."""
        true = tossed(self.p, len(values), source)
        lies = below(self.size - 1, len(values), source)
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
        return {"keep": drawn(self.p), "size": self.size}

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
        return digits_in(text, self.size)
