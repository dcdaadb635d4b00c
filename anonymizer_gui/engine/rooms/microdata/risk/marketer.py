"""Marketer risk: the attacker links everybody and counts the hits."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure, Risk, RiskResult, result


@RISKS.register
@dataclass(frozen=True, slots=True)
class MarketerRisk(Risk):
    """The share of rows that are linked rightly when everybody is linked at random within the classes."""

    name: ClassVar[str] = "marketer"
    title: ClassVar[str] = "Marketer risk"
    summary: ClassVar[str] = "Which share of the rows somebody links to the right person who links them all."
    attacker: ClassVar[str] = (
        "Knows all quasi-identifiers of everybody in the table, and is content with being right often."
    )
    formula: ClassVar[str] = "classes / rows (with a population table: Σ |E| / people that fit E, over rows)"
    reference: ClassVar[str] = "El Emam, Guide to the de-identification of personal health information, CRC Press 2013"

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Give the expected share of right links; hit are the expected right links, rounded down."""
        progress(0.0, "Finding equivalence classes")
        sizes = exposure.people
        people = sizes
        if exposure.population is not None:
            found = exposure.people_that_fit(exposure.population, progress)
            people = np.maximum(found, sizes)
        risk = 1.0 / people
        expected = float((sizes * risk).sum())
        value = expected / max(int(sizes.sum()), 1)
        summed = result(exposure, value, risk, np.zeros(len(sizes), dtype=np.bool_), {"expected": expected})
        return replace(summed, hit=int(expected + 1e-9))
