"""Homogeneity attack: the rows of a class agree in the sensitive value."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import TOLERANCE, largest, shares
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
class Homogeneity(Risk):
    """Hit are the people in classes where one value reaches the share asked for; 1 means all rows agree."""

    name: ClassVar[str] = "homogeneity"
    title: ClassVar[str] = "Homogeneity attack"
    summary: ClassVar[str] = (
        "How many people have their sensitive value disclosed because their class (nearly) agrees in it."
    )
    attacker: ClassVar[str] = "Finds a person's class by the quasi-identifiers."
    formula: ClassVar[str] = "max_s p_E(s) ≥ share"
    reference: ClassVar[str] = "Machanavajjhala et al., l-diversity, TKDD 1(1), 2007"

    column: str = param(COLUMN, default="", label="Column", help=COLUMN_HELP)
    share: float = param(
        Float(low=0, high=1, above=True), default=1.0, label="Share", help="From which share on it counts."
    )

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Give the share of people whose value is disclosed."""
        if is_open(self, exposure):
            return hits_most(self, exposure, progress)
        progress(0.0, "Looking for classes that agree")
        histogram, _ = sensitive_histogram(exposure, self.column)
        top = largest(histogram, shares(histogram))
        hit = top >= self.share - TOLERANCE
        return result(
            exposure, exposure.people_in(hit) / max(exposure.n_people, 1), top, hit, {"classes": int(hit.sum())}
        )
