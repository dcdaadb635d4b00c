"""Journalist risk: the attacker does not know whether the person is in the table."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure, Risk, RiskResult, result
from anonymizer_gui.engine.rooms.microdata.risk.individual_risk import expected_risk
from anonymizer_gui.engine.rooms.microdata.risk.population_uniques import refuse_small
from anonymizer_gui.engine.rooms.microdata.risk.thresholds import threshold_param


@RISKS.register
@dataclass(frozen=True, slots=True)
class JournalistRisk(Risk):
    """The risk of a row is 1 / people of the population in its cells; hit are the rows above the threshold.

    With a population table the people are counted. With only its size the risk is the expected 1 / people for a class
    of f rows (Benedetti and Franconi): an estimate, and no proof of safety.
    """

    name: ClassVar[str] = "journalist"
    title: ClassVar[str] = "Journalist risk"
    summary: ClassVar[str] = (
        "How likely somebody who wants to show that anybody can be found picks the right person of the population."
    )
    attacker: ClassVar[str] = (
        "Knows all quasi-identifiers of everybody in the population, but not who of them is in the table."
    )
    formula: ClassVar[str] = "1 / people of the population that fit E"
    reference: ClassVar[str] = (
        "El Emam, Guide to the de-identification of personal health information, CRC Press 2013; Benedetti, Franconi, "
        "Statistical and technological solutions for controlled data dissemination, 1998"
    )

    threshold: float = threshold_param()

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Give the highest risk; the details hold the average. Raises BadParameter without a population."""
        progress(0.0, "Finding equivalence classes")
        sizes = exposure.people
        risk, too_few = self._risk(exposure, progress)
        average = float((risk * sizes).sum() / max(int(sizes.sum()), 1))
        details = {
            "average": average,
            "threshold": self.threshold,
            "classes_with_too_few_people": too_few,
            "is_estimate": exposure.population is None,
        }
        above = risk > self.threshold * (1 + 1e-9)
        return result(exposure, float(risk.max(initial=0.0)), risk, above, details)

    def _risk(self, exposure: Exposure, progress: Progress) -> tuple[npt.NDArray[np.float64], int]:
        """Give the risk of every class, and how many have fewer people in the population than rows."""
        sizes = exposure.people
        if exposure.population is not None:
            people = exposure.people_that_fit(exposure.population, progress)
            return 1.0 / np.maximum(people, sizes), int((people < sizes).sum())
        if exposure.population_size is None:
            raise BadParameter(
                "Journalist risk needs a population.", "Choose a population table, or say how many people it has."
            )
        refuse_small(exposure.population_size, exposure.n_people)
        return expected_risk(sizes, exposure.n_people / max(exposure.population_size, 1)), 0
