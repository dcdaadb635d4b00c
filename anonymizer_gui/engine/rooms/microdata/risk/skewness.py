"""Skewness attack: a value is much likelier in a class than in the whole table."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.privacy.basic_beta import growth
from anonymizer_gui.engine.rooms.microdata.privacy.distances import whole_shares
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import TOLERANCE, largest
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure, Risk, RiskResult, result
from anonymizer_gui.engine.rooms.microdata.risk.sensitive import (
    COLUMN,
    COLUMN_HELP,
    hits_most,
    is_open,
    sensitive_histogram,
)


@RISKS.register
@dataclass(frozen=True, slots=True)
class Skewness(Risk):
    """Hit are the people in classes where some value is at least so many times as likely as in the whole table."""

    name: ClassVar[str] = "skewness"
    title: ClassVar[str] = "Skewness attack"
    summary: ClassVar[str] = "How many people become much likelier to have a sensitive value than anybody in the table."
    attacker: ClassVar[str] = (
        "Finds a person's class by the quasi-identifiers, and knows how common each value is in the whole table."
    )
    formula: ClassVar[str] = "max_s p_E(s) / p(s) ≥ factor"
    reference: ClassVar[str] = "Li, Li, Venkatasubramanian, t-closeness, ICDE 2007"

    column: str = param(COLUMN, default="", label="Column", help=COLUMN_HELP)
    factor: float = param(Float(low=1), default=2.0, label="Factor", help="From which factor on it counts.")

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Give the largest factor of any class; the details name the value that grows most."""
        if is_open(self, exposure):
            return hits_most(self, exposure, progress)
        progress(0.0, "Comparing classes with the whole table")
        histogram, sensitive = sensitive_histogram(exposure, self.column, by_rows=True)
        factors = growth(histogram, whole_shares(sensitive)) + 1.0
        top = largest(histogram, factors)
        worst = sensitive.labels[int(histogram.values[int(factors.argmax())])] if len(factors) else ""
        return result(exposure, float(top.max(initial=0.0)), top, top >= self.factor - TOLERANCE, {"value": worst})
