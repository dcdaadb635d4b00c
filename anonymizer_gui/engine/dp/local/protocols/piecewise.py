"""The piecewise mechanism for a mean: a place near the number is likelier than one far from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.local.chances import drawn, raised, rounded_down
from anonymizer_gui.engine.dp.local.drawing import SECRET, Ints, Source, below, tossed
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS, Averaging, Matrix, Reports, digits_in

CELLS = 1024
"""The range that reports come from has so many cells; the paper's is continuous."""


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class Piecewise(Averaging):
    """Draws a cell from a window that slides with the number, or with a smaller chance from outside of it."""

    name: ClassVar[str] = "piecewise"
    title: ClassVar[str] = "Piecewise mechanism"
    summary: ClassVar[str] = "A place that is rather near the number; best for a mean at larger epsilon."
    formula: ClassVar[str] = "window w ≈ 1024 / (e^(ε/2) + 1), P(window) = e^ε w / (e^ε w + 1024 − w)"
    reference: ClassVar[str] = "Wang, Xiao, Yang and others, Collecting multidimensional data, ICDE 2019"

    @property
    def window(self) -> int:
        """How many cells are near."""
        return max(round(CELLS / (raised(self.epsilon / 2) + 1)), 1)

    @property
    def near(self) -> Fraction:
        """The chance that a near cell is told."""
        odds = raised(self.epsilon) * self.window
        return rounded_down(odds / (odds + CELLS - self.window))

    def perturb(self, values: Ints, source: Source = SECRET) -> Reports:
        """Slide the window by lot to one of the two places next to the number, then draw a cell."""
        steps, more = np.divmod(values * (CELLS - self.window), self.size)
        start = steps + (below(self.size, len(values), source) < more)
        inside = start + below(self.window, len(values), source)
        outside = below(CELLS - self.window, len(values), source)
        outside += np.where(outside >= start, self.window, 0)
        return np.where(tossed(self.near, len(values), source), inside, outside)

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
        return {"near": drawn(self.near), "window": self.window, "cells": CELLS, "size": self.size}

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
        return digits_in(text, CELLS)
