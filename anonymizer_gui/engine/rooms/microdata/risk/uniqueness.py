"""Population uniqueness: how many unique rows are unique in the whole population too."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure, Risk, RiskResult, result
from anonymizer_gui.engine.rooms.microdata.risk.population_uniques import Sample, chosen, estimates, refuse_small


@RISKS.register
@dataclass(frozen=True, slots=True)
class PopulationUniqueness(Risk):
    """A unique row is dangerous when nobody else in the population looks like it.

    With a population table the uniques are counted. With only its size they are estimated: by the models of Zayatz,
    Pitman, the slide negative binomial, and Benedetti and Franconi; the rule of Dankar and others chooses among the
    first three. Models differ by large factors, and none is a proof of safety.
    """

    name: ClassVar[str] = "uniqueness"
    title: ClassVar[str] = "Population uniqueness"
    summary: ClassVar[str] = "Which share of the rows is unique in the table and in the whole population."
    attacker: ClassVar[str] = "Knows all quasi-identifiers of everybody in the population."
    formula: ClassVar[str] = "unique rows × P(population class has 1 | table class has 1) / rows"
    reference: ClassVar[str] = (
        "Zayatz, Estimation of the number of unique population elements, US Census 1991; Hoshino, Applying Pitman's "
        "sampling formula to microdata disclosure risk assessment, JOS 17(4), 2001; Chen, Keller-McNulty, Estimation "
        "of identification disclosure risk in microdata, JOS 14(1), 1998; Dankar, El Emam, Neisa, Roffey, Estimating "
        "the re-identification risk of clinical data sets, BMC Med. Inform. 12, 2012"
    )

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Give the share of rows unique in the population; the details hold the unique rows of the table.

        Raises BadParameter without a population.
        """
        progress(0.0, "Finding unique rows")
        sizes = exposure.people
        unique = sizes == 1
        told: dict[str, float | None] = {}
        taken = ""
        if exposure.population is not None:
            people = exposure.people_that_fit(exposure.population, progress)
            chance = np.where(unique & (people <= 1), 1.0, 0.0)
        elif exposure.population_size is None:
            raise BadParameter(
                "Population uniqueness needs a population.", "Choose a population table, or say how many people it has."
            )
        else:
            refuse_small(exposure.population_size, exposure.n_people)
            sample = Sample.of(sizes, max(exposure.population_size, int(sizes.sum())))
            told = estimates(sample)
            taken = chosen(sample.fraction, told)
            chance = np.where(unique, (told[taken] or 0.0) / max(int(unique.sum()), 1), 0.0)
        expected = float(chance.sum())
        value = expected / max(exposure.n_people, 1)
        is_estimate = exposure.population is None
        details = {
            "unique_rows": int(unique.sum()),
            "expected": expected,
            "is_estimate": is_estimate,
            **({"estimates": told, "taken": taken} if is_estimate else {}),
        }
        return replace(result(exposure, value, chance, sizes < 0, details), hit=int(expected + 0.5))
