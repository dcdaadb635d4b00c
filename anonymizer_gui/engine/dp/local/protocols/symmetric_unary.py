"""Simple RAPPOR: every bit is kept with the same chance."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from anonymizer_gui.engine.dp.local.chances import raised, rounded_down
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS
from anonymizer_gui.engine.dp.local.unary import Unary


@PROTOCOLS.register
@dataclass(frozen=True, slots=True)
class SymmetricUnary(Unary):
    """Keeps every bit with p = e^(eps/2) / (e^(eps/2) + 1)."""

    name: ClassVar[str] = "sue"
    title: ClassVar[str] = "Simple RAPPOR"
    summary: ClassVar[str] = "A bit for every value, each kept with the same chance."
    formula: ClassVar[str] = "p = e^(ε/2) / (e^(ε/2) + 1), q = 1 − p"
    reference: ClassVar[str] = "Erlingsson, Pihur and Korolova, RAPPOR, CCS 2014"

    @property
    def p(self) -> Fraction:
        """The chance that the bit of the value stays 1."""
        odds = raised(self.epsilon / 2)
        return rounded_down(odds / (odds + 1))

    @property
    def q(self) -> Fraction:
        """The chance that another bit becomes 1."""
        return 1 - self.p
