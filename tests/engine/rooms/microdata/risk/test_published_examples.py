"""Risks against numbers that others have published: the tests of sdcMicro and of ARX, the latter about Adult.

No published example was found for the slide negative binomial model: ARX's own solver does not converge on Adult, which
its test says. It is checked against populations of its own kind in `test_population_uniques`.
"""

from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.progress import SILENT
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups, Whole
from anonymizer_gui.engine.rooms.microdata.privacy.population_uniqueness import PopulationUniqueness
from anonymizer_gui.engine.rooms.microdata.risk.contract import Exposure
from anonymizer_gui.engine.rooms.microdata.risk.population_uniques import Sample, chosen, estimates
from anonymizer_gui.engine.rooms.microdata.risk.survey import IndividualRisk
from anonymizer_gui.engine.shapes.tables.classes import classes_of
from anonymizer_gui.engine.shapes.tables.io.facade import read_table
from anonymizer_gui.engine.shapes.tables.table import Table

# sdcMicro, tests/testthat/test_indivRisk.R: three keys, a weight, and the risk of each row.
KEYS = ["231", "333", "231", "232", "331", "331", "141", "231"]
WEIGHTS = ["18", "45.5", "39", "17", "92", "8", "123.5", "51"]
EXACT = [0.01355297, 0.08579129, 0.01355297, 0.17707583, 0.01877883, 0.01877883, 0.03931625, 0.01355297]
NEAR = [0.01369863, 0.08579129, 0.01369863, 0.17707583, 0.01877883, 0.01877883, 0.03931625, 0.01369863]


@pytest.mark.parametrize(("way", "told"), [("exact", EXACT), ("approximate", NEAR)])
def test_individual_risks_are_those_of_sdcmicro(way: str, told: list[float]) -> None:
    """Benedetti and Franconi's risk, both by the hypergeometric function and by the approximation."""
    rows = [[*key, weight] for key, weight in zip(KEYS, WEIGHTS, strict=True)]
    table = Table.from_rows(["a", "b", "c", "w"], rows)
    exposure = Exposure(table, ("a", "b", "c"), weight=table.column("w"))
    found = IndividualRisk(way=way).measure(exposure, SILENT)
    assert found.per_class[exposure.classes.ids] == pytest.approx(told, abs=5e-9)


@pytest.fixture(scope="module")
def adult_classes(shared_data: Path) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Give the class sizes of Adult with all nine columns as quasi-identifiers."""
    table = read_table(shared_data / "adult" / "adult.csv")[0]
    return classes_of(table, table.names).sizes.astype(np.int64)


# ARX, TestRiskMetrics.java (testAverageRisk2, testDecisionRule2); its test compares four digits.
@pytest.mark.parametrize(
    ("fraction", "model", "told", "digits"),
    [
        (0.1, "pitman", 0.27684993883653597, 11),
        (0.1, "zayatz", 0.3207402393466189, 5),  # ARX draws without replacement, Zayatz's formula with: the sixth digit
        (0.2, "zayatz", 0.3577099234829125, 5),
        (0.01, "pitman", 0.1446083531167384, 11),
    ],
)
def test_population_uniqueness_is_that_of_arx(
    fraction: float, model: str, told: float, digits: int, adult_classes: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> None:
    rows = int(adult_classes.sum())
    population = round(rows / fraction)
    groups, whole = Groups(adult_classes), Whole(rows, {})
    found = PopulationUniqueness(model=model, population=population).measure(groups, whole).value
    assert found == pytest.approx(told, abs=10**-digits)
    by_rule = PopulationUniqueness(model="dankar", population=population).measure(groups, whole).value
    taken = chosen(fraction, estimates(Sample.of(adult_classes, population)))
    assert (by_rule == found) == (taken == model)


def test_average_risk_and_sample_uniqueness_are_those_of_arx(
    adult_classes: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> None:
    rows = int(adult_classes.sum())
    assert len(adult_classes) / rows == pytest.approx(0.6465751607983555, abs=1e-15)
    assert (adult_classes == 1).sum() / rows == pytest.approx(0.5142895033485844, abs=1e-15)
