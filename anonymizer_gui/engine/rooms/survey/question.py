"""A question of a survey: its words, what can be answered, and the protocol that lies for the respondent."""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.dp.local.design import STEPS, design, design_number, frequency_protocol, mean_protocol
from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, Ints, MeanProtocol

BEST = "best"
"""Stands for the protocol with the smallest error, which is chosen when the collection begins."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question. Without values it asks for a number between two bounds: its mean, or how many lie in each range."""

    name: str
    """What reports and results call it; a column of that name holds the answers of a table."""
    text: str = ""
    values: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    bins: int = 0
    """The ranges of a histogram of a number; without any its mean is asked for."""
    protocol: str = BEST

    @property
    def asks(self) -> Literal["values", "number"]:
        """Whether one of several values is asked for, or a number."""
        return "values" if self.domain else "number"

    @property
    def domain(self) -> tuple[str, ...]:
        """What a report can speak of: the values, or the ranges of a number; nothing when its mean is asked for."""
        if self.values or not self.bins:
            return self.values
        ends = [self.low + (self.high - self.low) * at / self.bins for at in range(self.bins + 1)]
        return tuple(f"{low:g}–{high:g}" for low, high in pairwise(ends))

    def made(self, epsilon: Fraction) -> FrequencyProtocol | MeanProtocol:
        """Make its protocol with what an answer may cost; raises BadParameter."""
        self.check()
        name = self.chosen(epsilon)
        return frequency_protocol(name, len(self.domain), epsilon) if self.domain else mean_protocol(name, epsilon)

    def chosen(self, epsilon: Fraction) -> str:
        """Name the protocol; the best one unless another was chosen."""
        if self.protocol != BEST:
            return self.protocol
        return design(len(self.domain), epsilon, 1).best if self.domain else design_number(epsilon, 1).best

    def check(self) -> None:
        """Raise BadParameter unless there is something to answer."""
        if not self.name.strip():
            raise BadParameter("A question has no name.", "Give it one, such as smokes.")
        if not self.values and not (self.low < self.high and math.isfinite(self.high - self.low)):
            raise BadParameter(
                message("The question “{name}” has neither values nor bounds.", name=self.name),
                "Give at least two values, or a lower and a higher bound.",
            )
        if len(set(self.domain)) != len(self.domain):
            raise BadParameter(
                message("The question “{name}” has the same value twice.", name=self.name), "Every value stands once."
            )

    def steps(self, number: float) -> int:
        """Give a number as whole steps between the bounds, halves up, as the form does."""
        return math.floor((number - self.low) / (self.high - self.low) * STEPS + 0.5)

    def bin(self, number: float) -> int:
        """Give the range a number lies in, as the form does; the upper bound belongs to the last."""
        return min(math.floor((number - self.low) / (self.high - self.low) * self.bins), self.bins - 1)

    def places(self, answers: list[str], decimal: str = ".") -> Ints:
        """Give answers as places in the domain; raises BadParameter when one is outside of it, without naming it."""
        return np.array(self._values(answers) if self.values else self._numbers(answers, decimal), dtype=np.int64)

    def _values(self, answers: list[str]) -> list[int]:
        known = {value: place for place, value in enumerate(self.values)}
        found = [known.get(answer, -1) for answer in answers]
        self._refuse(found.count(-1))
        return found

    def _numbers(self, answers: list[str], decimal: str) -> list[int]:
        numbers = [_number(answer.replace(decimal, ".")) for answer in answers]
        self._refuse(sum(not self.low <= number <= self.high for number in numbers))
        return [self.bin(number) if self.bins else self.steps(number) for number in numbers]

    def _refuse(self, outside: int) -> None:
        if outside:
            raise BadParameter(
                message("{outside:answer|answers} to “{name}” cannot be given.", outside=outside, name=self.name),
                "Add a value for them, such as “other”, or widen the bounds: nobody is left out in silence.",
            )


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
