"""Population uniqueness: how many unique rows are unique in the whole population too."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure, RiskResult, result


@RISKS.register
@dataclass(frozen=True, slots=True)
class PopulationUniqueness:
    """A unique row is dangerous when nobody else in the population looks like it.

    With a population table the uniques are counted. With only its size they are estimated by Zayatz: how classes of
    one row come from population classes of size i under sampling with fraction f, taking the sizes in the population
    to be spread as those in the table. It overstates for small fractions, and is no proof of safety.
    """

    name: ClassVar[str] = "uniqueness"
    title: ClassVar[str] = "Population uniqueness"
    summary: ClassVar[str] = "Which share of the rows is unique in the table and in the whole population."
    attacker: ClassVar[str] = "Knows all quasi-identifiers of everybody in the population."
    formula: ClassVar[str] = "unique rows × P(population class has 1 | table class has 1) / rows"
    reference: ClassVar[str] = "Zayatz, Estimation of the number of unique population elements, US Census 1991"

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Give the share of rows unique in the population; the details hold the unique rows of the table.

        Raises BadParameter without a population.
        """
        progress(0.0, "Finding unique rows")
        sizes = exposure.classes.sizes
        unique = sizes == 1
        if exposure.population is not None:
            people = exposure.people_that_fit(exposure.population, progress)
            chance = np.where(unique & (people <= 1), 1.0, 0.0)
        elif exposure.population_size is None:
            raise BadParameter(
                "Population uniqueness needs a population.", "Choose a population table, or say how many people it has."
            )
        else:
            fraction = exposure.table.n_rows / max(exposure.population_size, exposure.table.n_rows, 1)
            chance = np.where(unique, chance_of_unique(sizes, fraction), 0.0)
        expected = float(chance.sum())
        value = expected / max(exposure.table.n_rows, 1)
        is_estimate = exposure.population is None
        details = {"unique_rows": int(unique.sum()), "expected": expected, "is_estimate": is_estimate}
        return replace(result(exposure, value, chance, sizes < 0, details), hit=int(expected + 0.5))


def chance_of_unique(sizes: npt.NDArray[np.int64], fraction: float) -> float:
    """Give the chance that a class of one row has one person in the population, too (Zayatz' estimator).

    >>> chance_of_unique(np.array([1, 1, 2]), 1.0)
    1.0
    """
    if fraction >= 1.0 or not len(sizes):
        return 1.0
    counts = np.bincount(sizes)[1:].astype(np.float64)
    i = np.arange(1, len(counts) + 1)
    log_chance = np.log(i) + np.log(fraction) + (i - 1) * np.log1p(-fraction)  # i f (1 - f)^(i - 1)
    weights = counts / counts.sum() * np.exp(log_chance)
    return float(weights[0] / weights.sum()) if weights[0] > 0 else 0.0
