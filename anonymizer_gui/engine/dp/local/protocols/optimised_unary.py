"""Optimised unary encoding: the bit of the value is a fair coin, the others are rarely 1."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from anonymizer_gui.engine.dp.local.chances import raised, rounded_up
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS
from anonymizer_gui.engine.dp.local.unary import Unary


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class OptimisedUnary(Unary):
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
        return rounded_up(1 / (raised(self.epsilon) + 1))
