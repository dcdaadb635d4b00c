"""Optimised local hashing: every respondent draws a hash function and tells where it sends the value, or a lie."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.params import Json
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

PRIME = 2**31 - 1
"""Of the hash functions (a v + b) mod PRIME mod g; all products stay below 2^53, so browsers compute them exactly."""
_AT_ONCE = 1 << 16


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class LocalHashing(FrequencyProtocol):
    """Generalised response over g = round(e^eps) + 1 places to which a drawn hash function sends the values."""

    name: ClassVar[str] = "olh"
    title: ClassVar[str] = "Optimised local hashing"
    summary: ClassVar[str] = "Tells where a hash function sends the value; short reports for very many values."
    formula: ClassVar[str] = "g = round(e^ε) + 1, p = e^ε / (e^ε + g − 1), q = 1 / g"
    reference: ClassVar[str] = (
        "Wang, Blocki, Li and Jha, Locally differentially private protocols, USENIX Security 2017"
    )

    @property
    def places(self) -> int:
        """Where hash functions send the values: g places."""
        return round(exp_exact(self.epsilon)) + 1

    @property
    def p(self) -> Fraction:
        """The chance that the place told is that of the value."""
        odds = exp_exact(self.epsilon)
        return probability_below(odds / (odds + self.places - 1))

    @property
    def q(self) -> Fraction:
        """The chance that the place told is that of another value: by meeting in the same place, or by a lie."""
        meet = self._meeting()
        return meet * self.p + (1 - meet) * self._lie

    @property
    def _lie(self) -> Fraction:
        return (1 - self.p) / (self.places - 1)

    def _meeting(self) -> Fraction:
        """Give the exact chance that a drawn function sends two values to the same place: two different residues."""
        each, more = divmod(PRIME, self.places)
        pairs = more * (each + 1) * each + (self.places - more) * each * (each - 1)
        return Fraction(pairs, PRIME * (PRIME - 1))

    def perturb(self, values: Ints, source: Source = SYSTEM_RANDOM) -> Reports:
        """Draw a function for each respondent, and tell the place of the value or one of the others."""
        a, b = draw_below(PRIME - 1, len(values), source) + 1, draw_below(PRIME, len(values), source)
        place = (a * values + b) % PRIME % self.places
        lies = draw_below(self.places - 1, len(values), source)
        told = np.where(toss_coins(self.p, len(values), source), place, lies + (lies >= place))
        return np.stack([a, b, told], axis=1)

    def support(self, reports: Reports) -> Ints:
        """Count for each value the reports whose function sends it to the place that was told."""
        counts = np.zeros(self.size, dtype=np.int64)
        for start in range(0, len(reports), _AT_ONCE):
            a, b, told = (reports[start : start + _AT_ONCE, place].astype(np.uint64) for place in range(3))
            reached = b.copy()
            for value in range(self.size):
                # Each next value adds a once more, so that the remainder by the prime is one subtraction.
                counts[value] += np.count_nonzero(reached % np.uint64(self.places) == told)
                reached += a
                reached -= np.uint64(PRIME) * (reached >= np.uint64(PRIME))
        return counts

    def matrix(self) -> Matrix:
        """Give the chances of the places for values that one function sends to different ones."""
        shown = range(min(self.places, 8))
        p, lie = self.p, self._lie
        return [[p if value == told else lie for told in shown] for value in shown]

    @property
    def bits(self) -> int:
        """Two numbers of 31 bits, and the place."""
        return 2 * PRIME.bit_length() + (self.places - 1).bit_length()

    def chances(self) -> Mapping[str, int]:
        """Give the chance of the true place, the number of places, and the prime."""
        return {"keep": threshold_bits(self.p), "places": self.places, "prime": PRIME, "size": self.size}

    def client(self) -> str:
        """Tell what a client does."""
        return (
            "Draw a from 1 to prime − 1 and b from 0 to prime − 1, each equally likely. The place of value v, counted "
            "from 0, is ((a v + b) mod prime) mod places. With probability keep / 2^53 tell this place, otherwise one "
            "of the others, each equally likely. Write a, b and the place as decimal numbers with points between them."
        )

    def encode(self, reports: Reports) -> list[str]:
        """Write function and place."""
        return [f"{a}.{b}.{told}" for a, b, told in reports.tolist()]

    def decode(self, text: str) -> Json:
        """Read function and place."""
        a, b, told = text.split(".")
        found = [parse_digits(a, PRIME), parse_digits(b, PRIME), parse_digits(told, self.places)]
        if not found[0]:
            raise ValueError
        return found

    def gather(self, decoded: list[Json]) -> Reports:
        """Put the rows of all reports together."""
        return np.array(decoded, dtype=np.int64).reshape(-1, 3)
