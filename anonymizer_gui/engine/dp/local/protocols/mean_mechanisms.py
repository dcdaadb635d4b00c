"""Duchi and piecewise."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.local.protocol import (
    PROTOCOLS,
    SYSTEM_RANDOM,
    Ints,
    Matrix,
    MeanProtocol,
    Reports,
    Source,
    draw_below,
    parse_digits,
    toss_coins,
)
from anonymizer_gui.engine.dp.safe_rounding import exp_exact, probability_below, threshold_bits


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class Duchi(MeanProtocol):
    """Tells the upper bound with a chance that grows with the number, from q to p."""

    name: ClassVar[str] = "duchi"
    title: ClassVar[str] = "Duchi's mechanism"
    summary: ClassVar[str] = "One bit that says rather high or rather low; best for a mean at small epsilon."
    formula: ClassVar[str] = "P(1) = q + u (p − q), p = e^ε / (e^ε + 1), q = 1 − p"
    reference: ClassVar[str] = "Duchi, Jordan and Wainwright, Minimax optimal procedures, JASA 113, 2018"

    @property
    def p(self) -> Fraction:
        """The chance that the bound drawn is told."""
        odds = exp_exact(self.epsilon)
        return probability_below(odds / (odds + 1))

    def perturb(self, values: Ints, source: Source = SYSTEM_RANDOM) -> Reports:
        """Round to a bound by lot, then tell it or the other one."""
        upper = draw_below(self.size, len(values), source) < values
        return np.where(toss_coins(self.p, len(values), source), upper, ~upper).astype(np.int64)

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
        return {"keep": threshold_bits(self.p), "size": self.size}

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
        return parse_digits(text, 2)


CELLS = 1024
"""The range that reports come from has so many cells; the paper's is continuous."""


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class Piecewise(MeanProtocol):
    """Draws a cell from a window that slides with the number, or with a smaller chance from outside of it."""

    name: ClassVar[str] = "piecewise"
    title: ClassVar[str] = "Piecewise mechanism"
    summary: ClassVar[str] = "A place that is rather near the number; best for a mean at larger epsilon."
    formula: ClassVar[str] = "window w ≈ 1024 / (e^(ε/2) + 1), P(window) = e^ε w / (e^ε w + 1024 − w)"
    reference: ClassVar[str] = "Wang, Xiao, Yang and others, Collecting multidimensional data, ICDE 2019"

    @property
    def window(self) -> int:
        """How many cells are near."""
        return max(round(CELLS / (exp_exact(self.epsilon / 2) + 1)), 1)

    @property
    def near(self) -> Fraction:
        """The chance that a near cell is told."""
        odds = exp_exact(self.epsilon) * self.window
        return probability_below(odds / (odds + CELLS - self.window))

    def perturb(self, values: Ints, source: Source = SYSTEM_RANDOM) -> Reports:
        """Slide the window by lot to one of the two places next to the number, then draw a cell."""
        steps, more = np.divmod(values * (CELLS - self.window), self.size)
        start = steps + (draw_below(self.size, len(values), source) < more)
        inside = start + draw_below(self.window, len(values), source)
        outside = draw_below(CELLS - self.window, len(values), source)
        outside += np.where(outside >= start, self.window, 0)
        return np.where(toss_coins(self.near, len(values), source), inside, outside)

    def numbers(self, reports: Reports) -> npt.NDArray[np.float64]:
        """Undo the chances: the expectation of a cell grows evenly with the place of the window."""
        slope, begin = self._line()
        return np.asarray((reports - begin) / (slope * (CELLS - self.window)), dtype=np.float64)

    def _line(self) -> tuple[float, float]:
        """Give how the expected cell depends on the first cell of the window: slope, and where it begins."""
        w, near = self.window, self.near
        slope = near - (1 - near) * w / (CELLS - w)
        begin = near * Fraction(w - 1, 2) + (1 - near) * Fraction(CELLS * (CELLS - 1) - w * (w - 1), 2 * (CELLS - w))
        return float(slope), float(begin)

    def variance(self, at: float = 0.5) -> float:
        """Give the variance of one report for a value at this share of the range."""
        cells = np.arange(CELLS)
        start, more = divmod(at * (CELLS - self.window), 1)
        chance = (1 - more) * self._chances(int(start)) + more * self._chances(int(start) + 1)
        slope = self._line()[0] * (CELLS - self.window)
        mean = float(np.sum(chance * cells))
        return float(np.sum(chance * (cells - mean) ** 2)) / slope**2

    def _chances(self, start: int) -> npt.NDArray[np.float64]:
        inside = np.zeros(CELLS, dtype=np.bool_)
        inside[start : start + self.window] = True
        near, w = float(self.near), self.window
        return np.where(inside, near / w, (1 - near) / (CELLS - w))

    def matrix(self) -> Matrix:
        """Give the chances of three cells, near one bound, in the middle, and near the other."""
        inside, outside = self.near / self.window, (1 - self.near) / (CELLS - self.window)
        last = CELLS - self.window
        windows = [range(start, start + self.window) for start in (0, last // 2, last)]
        return [[inside if cell in window else outside for cell in (0, CELLS // 2, CELLS - 1)] for window in windows]

    @property
    def bits(self) -> int:
        """The number of a cell."""
        return (CELLS - 1).bit_length()

    def chances(self) -> Mapping[str, int]:
        """Give the chance of a near cell, the width of the window, cells and steps."""
        return {"near": threshold_bits(self.near), "window": self.window, "cells": CELLS, "size": self.size}

    def client(self) -> str:
        """Tell what a client does."""
        return (
            "Write the number as a whole number of steps, u = round(size (x − low) / (high − low)), halves up. Let "
            "k = floor(u (cells − window) / size), one more with probability (u (cells − window) mod size) / size. "
            "With probability near / 2^53 report one of the cells k to k + window − 1, otherwise one of the other "
            "cells, numbered from 0, each equally likely."
        )

    def encode(self, reports: Reports) -> list[str]:
        """Write the number of the cell."""
        return [str(report) for report in reports.tolist()]

    def decode(self, text: str) -> int:
        """Read the number of a cell."""
        return parse_digits(text, CELLS)
