"""Discrete Laplace noise for many cells at once, exact, from the randomness of the operating system.

A geometric variable with P(G = g) = (1 - a) a^g has independent bits, P(bit i is 1) = a^(2^i) / (1 + a^(2^i)), and what
lies above I bits is again geometric, with a^(2^I); the difference of two such variables is discrete Laplace noise.
A coin that falls on 1 with probability p is a uniform number compared with p: 32 bits of it for all cells at once.
Where these 32 bits agree, which is one toss in 2^32, further bits are compared until they differ, so that every
probability is met exactly and the noise is pure differential privacy without a delta.
"""

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress

Ints = npt.NDArray[np.int64]
Source = Callable[[int], bytes]

# Larger scales would leave no room for the noise in 64 bits.
LARGEST_SCALE = 2**50
_WORD = 32
_MORE = 64
_PIECE = 2**16


@dataclass(frozen=True, slots=True)
class Coin:
    """Falls on 1 with probability exp(-power), or exp(-power) / (1 + exp(-power)) when it is a bit."""

    power: Fraction
    is_bit: bool

    def toss(self, times: int, source: Source) -> npt.NDArray[np.bool_]:
        """Toss so many times."""
        words = np.frombuffer(source(times * _WORD // 8), dtype="<u4")
        limit = self.leading(_WORD)
        ones = words < limit
        for tie in np.flatnonzero(words == limit):
            ones[tie] = self._settle(source)
        return ones

    def _settle(self, source: Source) -> bool:
        """Compare further bits of the uniform number with those of the probability until they differ."""
        bits = _WORD
        while True:
            bits += _MORE
            drawn, own = int.from_bytes(source(_MORE // 8), "little"), self.leading(bits) & ((1 << _MORE) - 1)
            if drawn != own:
                return drawn < own

    def leading(self, bits: int) -> int:
        """Give the first bits of the probability, with as many digits as it takes to be certain of them."""
        precision = bits // 3 + 20
        while True:
            low, high = (math.floor(bound * (1 << bits)) for bound in self._bounds(precision))
            if low == high:
                return low
            precision *= 2

    def _bounds(self, precision: int) -> tuple[Fraction, Fraction]:
        """Give numbers below and above the probability; a wrong last digit of the power moves it by less than that."""
        with localcontext() as context:
            context.prec = precision
            raised = (-Decimal(self.power.numerator) / Decimal(self.power.denominator)).exp()
            middle = Fraction(raised / (1 + raised) if self.is_bit else raised)
        slack = Fraction(1, 10 ** (precision - 4))
        return max(middle - slack, Fraction(0)), middle + slack


def discrete_laplace(cells: int, scale: Fraction, progress: Progress = SILENT, source: Source = os.urandom) -> Ints:
    """Draw noise with P(x) proportional to exp(-|x| / scale) for every cell; `source` is replaced in tests only."""
    coins = _coins(scale)
    noise = np.empty(cells, dtype=np.int64)
    for start in range(0, cells, _PIECE):
        progress(start / cells, "Drawing noise")
        piece = noise[start : start + _PIECE]
        piece[:] = _geometric(coins, len(piece), source) - _geometric(coins, len(piece), source)
    return noise


def _coins(scale: Fraction) -> list[Coin]:
    """Make a coin for every bit that is worth one, and one for all that lies above."""
    n_bits = (math.ceil(scale * _WORD) - 1).bit_length()
    return [*(Coin(2**bit / scale, is_bit=True) for bit in range(n_bits)), Coin(2**n_bits / scale, is_bit=False)]


def _geometric(coins: list[Coin], cells: int, source: Source) -> Ints:
    drawn = np.zeros(cells, dtype=np.int64)
    for bit, coin in enumerate(coins[:-1]):
        drawn += coin.toss(cells, source).astype(np.int64) << bit
    above = np.arange(cells)
    while len(above):
        above = above[coins[-1].toss(len(above), source)]
        drawn[above] += 1 << (len(coins) - 1)
    return drawn
