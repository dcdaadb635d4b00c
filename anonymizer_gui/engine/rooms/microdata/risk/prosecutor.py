"""Prosecutor risk: the attacker knows that the person is in the table."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure, Risk, RiskResult, result
from anonymizer_gui.engine.rooms.microdata.risk.summary import summarise
from anonymizer_gui.engine.rooms.microdata.risk.thresholds import threshold_param


@RISKS.register
@dataclass(frozen=True, slots=True)
class ProsecutorRisk(Risk):
    """The risk of a row is 1 / size of its class; hit are the rows above the threshold."""

    name: ClassVar[str] = "prosecutor"
    title: ClassVar[str] = "Prosecutor risk"
    summary: ClassVar[str] = "How likely somebody who knows that a person is in the table picks the right row."
    attacker: ClassVar[str] = "Knows all quasi-identifiers of a person, and that the person is in the table."
    formula: ClassVar[str] = "1 / |E|"
    reference: ClassVar[str] = "El Emam, Guide to the de-identification of personal health information, CRC Press 2013"

    threshold: float = threshold_param()

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Give the highest risk; the details hold the average, the unique rows and those above the threshold."""
        progress(0.0, "Finding equivalence classes")
        sizes = exposure.people
        risk = 1.0 / sizes
        summary = summarise(sizes, self.threshold)
        return result(exposure, summary.highest, risk, risk > self.threshold * (1 + 1e-9), summary.to_json())
