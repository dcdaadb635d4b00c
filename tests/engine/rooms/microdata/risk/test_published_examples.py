"""Risks against numbers that others have published: the tests of sdcMicro and of ARX, the latter about Adult.

The estimated k-map is checked by ARX's optimum (`test_arx_optimum`). No published number was found for the slide
negative binomial model: ARX's solver does not converge on Adult, which its test says. It is checked by its definition,
added up with fifty digits, and against the equations ARX and Dankar and others state for it.
"""

from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.io.read_write import read_table
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups, WholeTable
from anonymizer_gui.engine.rooms.microdata.models.risk_goals import PopulationUniquenessGoal
from anonymizer_gui.engine.rooms.microdata.risk.contract import AttackView
from anonymizer_gui.engine.rooms.microdata.risk.population_estimates import (
    SampleFrequencies,
    choose_model,
    estimate_all,
    slide_negative_binomial,
)
from anonymizer_gui.engine.rooms.microdata.risk.survey_risk import IndividualRisk

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
    exposure = AttackView(table, ("a", "b", "c"), weight=table.column("w"))
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
    groups, whole = ClassGroups(adult_classes), WholeTable(rows, {})
    found = PopulationUniquenessGoal(model=model, population=population).measure(groups, whole).value
    assert found == pytest.approx(told, abs=10**-digits)
    by_rule = PopulationUniquenessGoal(model="dankar", population=population).measure(groups, whole).value
    taken = choose_model(fraction, estimate_all(SampleFrequencies.of(adult_classes, population)))
    assert (by_rule == found) == (taken == model)


def test_average_risk_and_sample_uniqueness_are_those_of_arx(
    adult_classes: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> None:
    rows = int(adult_classes.sum())
    assert len(adult_classes) / rows == pytest.approx(0.6465751607983555, abs=1e-15)
    assert (adult_classes == 1).sum() / rows == pytest.approx(0.5142895033485844, abs=1e-15)


def expected_counts(alpha: Decimal, beta: Decimal, drawn: Decimal) -> tuple[list[Decimal], Decimal]:
    """Give the share of population classes with 0, 1, 2 ... people in a sample, and the mean class, by the definition.

    A class has one person more than a negative binomial number; each person is drawn with the same chance.
    """
    most = 160
    of_size, chance = [Decimal(0)], beta**alpha
    for more in range(most):
        of_size.append(chance)
        chance *= (alpha + more) / (more + 1) * (1 - beta)
    seen = []
    for rows in range(most):
        share, ways = Decimal(0), Decimal(1)  # the ways to choose so many of all that are there
        for size in range(max(rows, 1), most + 1):
            if size > rows:
                ways = ways * size / (size - rows)
            share += of_size[size] * ways * drawn**rows * (1 - drawn) ** (size - rows)
        seen.append(share)
    return seen, sum((size * share for size, share in enumerate(of_size)), Decimal(0))


@pytest.mark.parametrize(
    ("alpha", "beta", "drawn"), [("0.8", "0.3", "0.2"), ("2.5", "0.4", "0.4"), ("0.4", "0.5", "0.05")]
)
def test_snb_finds_the_uniques_of_its_definition(alpha: str, beta: str, drawn: str) -> None:
    classes = 10**13
    with localcontext() as context:
        context.prec = 50
        a, b, f = Decimal(alpha), Decimal(beta), Decimal(drawn)
        seen, mean = expected_counts(a, b, f)
        counts = np.array([int(share * classes) for share in seen[1:]], dtype=np.int64)
        people, uniques = int(mean * classes), float(classes * b**a)
    sizes = np.arange(1, len(counts) + 1)
    sample = SampleFrequencies(sizes, counts, int(sizes @ counts), people)
    assert slide_negative_binomial(sample) == pytest.approx(uniques, rel=1e-6)
    assert estimate_all(sample)["snb"] == pytest.approx(uniques * float(drawn), rel=1e-6)


@pytest.mark.parametrize(("alpha", "beta", "drawn"), [("0.8", "0.3", "0.2"), ("2.5", "0.4", "0.4")])
def test_the_definition_of_snb_is_that_of_arx(alpha: str, beta: str, drawn: str) -> None:
    """ARX, AlgorithmNewtonSNB.java: the classes of one row and of two that are expected."""
    with localcontext() as context:
        context.prec = 50
        a, b, f = Decimal(alpha), Decimal(beta), Decimal(drawn)
        seen, _ = expected_counts(a, b, f)
        rest = (1 - f) * (1 - b)
        one = f * (b / (1 - rest)) ** a * (a * rest / (1 - rest) + 1)
        two = a * b**a * f * f * (1 - b) / (2 * (1 - rest) ** (a + 2)) * (2 - (1 - a) * rest)
    assert float(seen[1]) == pytest.approx(float(one), rel=1e-9)
    assert float(seen[2]) == pytest.approx(float(two), rel=1e-9)
