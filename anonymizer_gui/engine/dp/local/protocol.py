"""Lots for many respondents at once, exact, from the randomness of the operating system.

A protocol is made for the size of a domain and an epsilon. `perturb` is all that happens at the respondent's side;
`encode` and `decode` are the report as it is sent; everything after that only sees reports.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.dp.safe_rounding import GRAIN, is_within, log_exact, require_epsilon, threshold_bits

Ints = npt.NDArray[np.int64]

Flags = npt.NDArray[np.bool_]

Source = Callable[[int], bytes]

SYSTEM_RANDOM: Source = os.urandom
"""Where every real report comes from; simulations bring a source of their own."""

_BITS = 53

_WORD = 64


def toss_coins(chance: Fraction, times: int, source: Source = SYSTEM_RANDOM) -> Flags:
    """Toss a coin that falls on yes with exactly this chance."""
    limit = threshold_bits(chance)
    if limit in (0, GRAIN):
        return np.full(times, limit == GRAIN)
    return np.asarray((_words(times, source) >> np.uint64(_WORD - _BITS)) < np.uint64(limit))


def draw_below(limit: int, times: int, source: Source = SYSTEM_RANDOM) -> Ints:
    """Draw whole numbers from 0 on below a limit, all equally likely; what would favour the first is drawn again."""
    largest = (1 << _WORD) // limit * limit
    words = _words(times, source)
    while largest < 1 << _WORD and (again := np.flatnonzero(words >= np.uint64(largest))).size:
        words[again] = _words(len(again), source)
    return np.asarray(words % np.uint64(limit), dtype=np.int64)


def _words(times: int, source: Source) -> npt.NDArray[np.uint64]:
    return np.frombuffer(source(times * _WORD // 8), dtype="<u8").copy()


Reports = npt.NDArray[Any]
"""Reports of many respondents; the first axis is the respondents."""

Matrix = list[list[Fraction]]
"""For some inputs the exact chance of every output, or of every group of outputs that look the same."""

MOST_VALUES = 1 << 20


@dataclass(frozen=True, slots=True)
class Protocol(ABC):
    """One protocol for one question: the number of values, and what an answer may cost."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    formula: ClassVar[str]
    reference: ClassVar[str]
    asks: ClassVar[Literal["values", "number"]] = "values"
    least, most = 2, MOST_VALUES

    size: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)
        if not self.least <= self.size <= self.most:
            raise BadParameter(
                message(
                    "{protocol} cannot ask for one of {size:value|values}.",
                    protocol=message(self.title),
                    size=self.size,
                ),
                message("It takes from {least:,} to {most:,}.", least=self.least, most=self.most),
            )
        if not is_within(self.ratio(), self.epsilon):
            raise BadParameter(
                message("{protocol} costs epsilon {epsilon:.6g}.", protocol=message(self.title), epsilon=self.cost()),
                "Choose a larger epsilon, or another protocol.",
            )

    @abstractmethod
    def perturb(self, values: Ints, source: Source = SYSTEM_RANDOM) -> Reports:
        """Make the reports of respondents whose values are these places in the domain; this is the client."""

    @abstractmethod
    def matrix(self) -> Matrix:
        """Give exact chances for enough inputs that the largest ratio is among them."""

    def ratio(self) -> Fraction:
        """Give the largest ratio of the chances of the same report for two values, exactly."""
        return largest_ratio(self.matrix())

    def cost(self) -> float:
        """Give the epsilon that is really spent: the logarithm of the largest ratio."""
        return log_exact(self.ratio())

    @property
    @abstractmethod
    def bits(self) -> int:
        """The length of a report."""

    @abstractmethod
    def chances(self) -> Mapping[str, int]:
        """Name the whole numbers that a client needs: chances out of 2^53, and sizes."""

    @abstractmethod
    def client(self) -> str:
        """Tell a programmer what a client does, and how a report is written."""

    @abstractmethod
    def encode(self, reports: Reports) -> list[str]:
        """Write every report as the short text that is sent."""

    @abstractmethod
    def decode(self, text: str) -> Json:
        """Read one report, a whole number or a row of them; raises ValueError for what this protocol never sends."""

    def gather(self, decoded: list[Json]) -> Reports:
        """Put decoded reports together."""
        return np.array(decoded, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class FrequencyProtocol(Protocol):
    """A protocol for one value out of several: every report supports some of the values."""

    @property
    @abstractmethod
    def p(self) -> Fraction:
        """The chance that a report supports the true value."""

    @property
    @abstractmethod
    def q(self) -> Fraction:
        """The chance that a report supports a given other value."""

    @abstractmethod
    def support(self, reports: Reports) -> Ints:
        """Count the reports that support each value; this is all that the server needs."""

    def variance(self, share: float = 0.0) -> float:
        """Give the variance that each answer adds to the estimated count of a value that so large a share has."""
        p, q = self.p, self.q
        spread = Fraction(share) * p * (1 - p) + (1 - Fraction(share)) * q * (1 - q)
        return float(spread / (p - q) ** 2)


@dataclass(frozen=True, slots=True)
class MeanProtocol(Protocol):
    """A protocol for the mean of a number; `size` is the number of steps between the bounds."""

    asks: ClassVar[Literal["values", "number"]] = "number"

    @abstractmethod
    def numbers(self, reports: Reports) -> npt.NDArray[np.float64]:
        """Give for each report a number whose expectation is the true one, in shares of the way between the bounds."""

    @abstractmethod
    def variance(self, at: float = 0.5) -> float:
        """Give the variance of the number of one report, in squares of the range, for a value at this share of it."""


PROTOCOLS: Registry[Protocol] = Registry("protocol", f"{__package__}.protocols")


def largest_ratio(matrix: Matrix) -> Fraction:
    """Give the largest ratio of two chances of the same report, which must all be above 0."""
    columns = {frozenset(row[place] for row in matrix) for place in range(len(matrix[0]))}
    return max(max(column) / min(column) for column in columns)


def parse_digits(text: str, limit: int) -> int:
    """Read a whole number below a limit as this program writes it; raises ValueError."""
    if not text.isascii() or not text.isdigit() or len(text) > 20 or (len(text) > 1 and text[0] == "0"):
        raise ValueError
    if int(text) >= limit:
        raise ValueError
    return int(text)
