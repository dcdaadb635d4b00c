"""RAPPOR and optimised unary encoding."""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.local.protocol import (
    PROTOCOLS,
    SYSTEM_RANDOM,
    FrequencyProtocol,
    Ints,
    Matrix,
    Reports,
    Source,
    toss_coins,
)
from anonymizer_gui.engine.dp.safe_rounding import exp_exact, probability_above, probability_below, threshold_bits

_SHOWN = 4
"""The bits that no two of the shown values differ in have the same chances for all of them."""

_AT_ONCE = 1 << 22

_BIT_OF_BYTE = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.int64)


@dataclass(frozen=True, slots=True)
class UnaryEncoding(FrequencyProtocol):
    """A report of as many bits as there are values; they are kept packed, eight to a byte, the first highest."""

    most = 1 << 16

    def perturb(self, values: Ints, source: Source = SYSTEM_RANDOM) -> Reports:
        """Turn each bit by itself: that of the value is 1 with p, every other with q."""
        packed = np.empty((len(values), math.ceil(self.size / 8)), dtype=np.uint8)
        step = max(_AT_ONCE // self.size, 1)
        for start in range(0, len(values), step):
            packed[start : start + step] = self._turned(values[start : start + step], source)
        return packed

    def _turned(self, values: Ints, source: Source) -> npt.NDArray[np.uint8]:
        bits = toss_coins(self.q, len(values) * self.size, source).reshape(len(values), self.size)
        bits[np.arange(len(values)), values] = toss_coins(self.p, len(values), source)
        return np.packbits(bits, axis=1)

    def support(self, reports: Reports) -> Ints:
        """Count each bit, by counting the 256 bytes at every place: nothing is unpacked."""
        times = [np.bincount(reports[:, place], minlength=256) for place in range(reports.shape[1])]
        return (np.array(times) @ _BIT_OF_BYTE).reshape(-1)[: self.size].astype(np.int64)

    def matrix(self) -> Matrix:
        """Give the chances of the first bits for the first values."""
        shown, p, q = range(min(self.size, _SHOWN)), self.p, self.q
        reports = list(itertools.product((0, 1), repeat=len(shown)))
        ones = [[p if place == value else q for place in shown] for value in shown]
        return [[_chance(row, bits) for bits in reports] for row in ones]

    @property
    def bits(self) -> int:
        """A bit for every value."""
        return self.size

    def chances(self) -> Mapping[str, int]:
        """Give the chance of a 1 for the true value and for the others."""
        return {"one": threshold_bits(self.p), "other": threshold_bits(self.q), "size": self.size}

    def client(self) -> str:
        """Tell what a client does."""
        return (
            "Draw a bit for every value: 1 with probability one / 2^53 for the true value, with probability "
            "other / 2^53 for each of the others. Write the bits in the order of the values as hexadecimal digits, "
            "four bits to a digit, the first bit highest, with zeros after the last up to a multiple of eight."
        )

    def encode(self, reports: Reports) -> list[str]:
        """Write the bits as hexadecimal digits."""
        width = 2 * reports.shape[1]
        digits = np.ascontiguousarray(reports).tobytes().hex()
        return [digits[start : start + width] for start in range(0, len(digits), width)]

    def decode(self, text: str) -> Json:
        """Read the bits; those behind the last value must be 0."""
        if len(text) != 2 * math.ceil(self.size / 8) or text != text.lower() or not text.isalnum():
            raise ValueError
        row = bytes.fromhex(text)
        if row[-1] & ((1 << (-self.size % 8)) - 1):
            raise ValueError
        return row

    def gather(self, decoded: list[Json]) -> Reports:
        """Put the bytes of all reports together."""
        width = math.ceil(self.size / 8)
        return np.frombuffer(b"".join(decoded), dtype=np.uint8).reshape(-1, width)


def _chance(ones: list[Fraction], bits: tuple[int, ...]) -> Fraction:
    return math.prod((one if bit else 1 - one for one, bit in zip(ones, bits, strict=True)), start=Fraction(1))


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class SymmetricUnary(UnaryEncoding):
    """Keeps every bit with p = e^(eps/2) / (e^(eps/2) + 1)."""

    name: ClassVar[str] = "sue"
    title: ClassVar[str] = "Simple RAPPOR"
    summary: ClassVar[str] = "A bit for every value, each kept with the same chance."
    formula: ClassVar[str] = "p = e^(ε/2) / (e^(ε/2) + 1), q = 1 − p"
    reference: ClassVar[str] = "Erlingsson, Pihur and Korolova, RAPPOR, CCS 2014"

    @property
    def p(self) -> Fraction:
        """The chance that the bit of the value stays 1."""
        odds = exp_exact(self.epsilon / 2)
        return probability_below(odds / (odds + 1))

    @property
    def q(self) -> Fraction:
        """The chance that another bit becomes 1."""
        return 1 - self.p


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class OptimisedUnary(UnaryEncoding):
    """The bit of the value is 1 with 1/2, every other with q = 1 / (e^eps + 1)."""

    name: ClassVar[str] = "oue"
    title: ClassVar[str] = "Optimised unary encoding"
    summary: ClassVar[str] = "A bit for every value; best for many values when reports may be long."
    formula: ClassVar[str] = "p = 1/2, q = 1 / (e^ε + 1)"
    reference: ClassVar[str] = (
        "Wang, Blocki, Li and Jha, Locally differentially private protocols, USENIX Security 2017"
    )

    @property
    def p(self) -> Fraction:
        """One half."""
        return Fraction(1, 2)

    @property
    def q(self) -> Fraction:
        """The chance that another bit becomes 1."""
        return probability_above(1 / (exp_exact(self.epsilon) + 1))
