"""Draws made-up values from a seed with uniform numbers only, which stay the same in every numpy version."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]


class Draws:
    """A source of made-up values that gives the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def uniform(self, count: int) -> Numbers:
        """Return numbers from 0 up to 1."""
        return self._random.random(count)

    def bell(self, count: int) -> Numbers:
        """Return numbers of about standard normal shape, within plus and minus 6."""
        return self._random.random((count, 12)).sum(axis=1) - 6.0

    def codes(self, weights: Sequence[float] | Numbers, count: int) -> Codes:
        """Return positions, each as often as its weight says."""
        steps = np.cumsum(np.asarray(weights, dtype=float))
        return np.searchsorted(steps, self.uniform(count) * steps[-1], side="right").astype(np.int64)

    def codes_by_row(self, weights: Numbers) -> Codes:
        """Return one position per row of a table of weights."""
        steps = np.cumsum(weights, axis=1)
        limits = self.uniform(len(weights)) * steps[:, -1]
        return (steps <= limits[:, None]).sum(axis=1).astype(np.int64)

    def blank(self, values: list[str], share: float) -> list[str]:
        """Return the values with a share of them missing."""
        gone = self.uniform(len(values)) < share
        return ["" if missing else value for value, missing in zip(values, gone, strict=True)]
