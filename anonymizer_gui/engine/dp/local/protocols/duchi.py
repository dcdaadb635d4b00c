"""Duchi's mechanism for a mean: the number becomes one of its bounds by lot, and then yes or no is randomised."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.local.chances import drawn, raised, rounded_down
from anonymizer_gui.engine.dp.local.drawing import SECRET, Ints, Source, below, tossed
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS, Averaging, Matrix, Reports, digits_in


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class Duchi(Averaging):
    """Tells the upper bound with a chance that grows with the number, from q to p."""

    name: ClassVar[str] = "duchi"
    title: ClassVar[str] = "Duchi's mechanism"
    summary: ClassVar[str] = "One bit that says rather high or rather low; best for a mean at small epsilon."
    formula: ClassVar[str] = "P(1) = q + u (p − q), p = e^ε / (e^ε + 1), q = 1 − p"
    reference: ClassVar[str] = "Duchi, Jordan and Wainwright, Minimax optimal procedures, JASA 113, 2018"

    @property
    def p(self) -> Fraction:
        """The chance that the bound drawn is told."""
        odds = raised(self.epsilon)
        return rounded_down(odds / (odds + 1))

    def perturb(self, values: Ints, source: Source = SECRET) -> Reports:
        """Round to a bound by lot, then tell it or the other one."""
        upper = below(self.size, len(values), source) < values
        return np.where(tossed(self.p, len(values), source), upper, ~upper).astype(np.int64)

    def numbers(self, reports: Reports) -> npt.NDArray[np.float64]:
        """Undo the chances: a 1 stands for more than the upper bound, a 0 for less than the lower."""
        p = float(self.p)
        return np.asarray((reports - (1 - p)) / (2 * p - 1), dtype=np.float64)

    def variance(self, at: float = 0.5) -> float:
        """Give the variance of one report, largest in the middle."""
        p = float(self.p)
        one = (1 - p) + at * (2 * p - 1)
        return one * (1 - one) / (2 * p - 1) ** 2

    def matrix(self) -> Matrix:
        """Give the chances for the bounds and the middle; all others lie between."""
        ones = [(1 - self.p) + share * (2 * self.p - 1) for share in (Fraction(0), Fraction(1, 2), Fraction(1))]
        return [[1 - one, one] for one in ones]

    @property
    def bits(self) -> int:
        """One bit."""
        return 1

    def chances(self) -> Mapping[str, int]:
        """Give the chance of the truth and the number of steps."""
        return {"keep": drawn(self.p), "size": self.size}

    def client(self) -> str:
        """Tell what a client does."""
        return (
            "Write the number as a whole number of steps, u = round(size (x − low) / (high − low)), halves up. Draw r "
            "from 0 to size − 1, each equally likely; the bit is 1 when r < u, otherwise 0. With probability "
            "keep / 2^53 report this bit, otherwise the other one."
        )

    def encode(self, reports: Reports) -> list[str]:
        """Write 0 or 1."""
        return [str(report) for report in reports.tolist()]

    def decode(self, text: str) -> int:
        """Read 0 or 1."""
        return digits_in(text, 2)
