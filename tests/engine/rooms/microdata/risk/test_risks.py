"""Risk analyses and attacks against numbers counted by hand."""

import dataclasses
import math

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter, Cancelled
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.risk.attribute_disclosure import (
    BackgroundKnowledge,
    Homogeneity,
    Similarity,
    Skewness,
)
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, AttackView, attack_before_and_after
from anonymizer_gui.engine.rooms.microdata.risk.population_estimates import (
    SampleFrequencies,
    expected_inverse_frequency,
    zayatz,
)
from anonymizer_gui.engine.rooms.microdata.risk.reidentification import (
    JournalistRisk,
    KnownItems,
    MarketerRisk,
    PopulationUniquenessRisk,
    ProsecutorRisk,
    RecordLinkage,
)
from tests.engine.rooms.microdata.worked_tables import HOSPITAL, HOSPITAL_QIS, HOSPITAL_TREES, RELEASED

DISEASES = Hierarchy.from_nested({"*": {"internal": ["Heart", "Flu"], "tumour": ["Cancer"]}})
BEFORE = AttackView(HOSPITAL, HOSPITAL_QIS, ("Disease",), HOSPITAL_TREES)
AFTER = AttackView(RELEASED, HOSPITAL_QIS, ("Disease",), HOSPITAL_TREES)
# A survey's columns: the individual and the household risk refuse a table that has none.
WEIGHT = Column.from_texts("weight", ["2", "3", "4"] * 4)
HOUSEHOLD = Column.from_texts("household", [str(row // 2) for row in range(12)])
# Sets beside it: the attack with a few items refuses a table that has none.
DRUGS = Column.from_texts("Drugs", ["{a}", "{a, b}", "{b}"] * 4)
TYPES = Schema(
    (*(ColumnSchema(name) for name in HOSPITAL.names), ColumnSchema("Drugs", ColumnType.SET, "{,}", Role.QI))
)
FULL = dataclasses.replace(
    AFTER,
    table=Table((*RELEASED.columns, DRUGS), RELEASED.n_rows),
    schema=TYPES,
    hierarchies={**HOSPITAL_TREES, "Disease": DISEASES},
    population=HOSPITAL,
    outside=HOSPITAL,
    other=HOSPITAL,
    known=HOSPITAL,
    weight=WEIGHT,
    household=HOUSEHOLD,
)


def test_prosecutor_risk_falls_from_certainty_to_one_in_four() -> None:
    both = attack_before_and_after(ProsecutorRisk(threshold=0.25), BEFORE, AFTER, SILENT)
    assert (both.before.value, both.after.value) == (1.0, 0.25)
    assert (both.before.hit, both.after.hit) == (12, 0)


def test_prosecutor_risk_counts_the_rows_above_the_threshold() -> None:
    assert ProsecutorRisk(threshold=0.2).measure(AFTER, SILENT).hit == 12


def test_a_few_items_find_rows_that_the_class_alone_hides() -> None:
    assert ProsecutorRisk(threshold=0.3).measure(FULL, SILENT).hit == 0
    found = KnownItems(m=2, threshold=0.3).measure(FULL, SILENT)
    drugs = [frozenset(text.strip("{}").split(", ")) for text in DRUGS.texts().tolist()]
    classes = FULL.classes.ids.tolist()

    def fits(row: int) -> int:
        some = [set(), *({item} for item in drugs[row]), drugs[row]]
        return min(
            sum(known <= drugs[other] for other in range(12) if classes[other] == classes[row]) for known in some
        )

    assert found.hit == sum(fits(row) < 4 for row in range(12)) > 0
    assert found.value == 1 / min(fits(row) for row in range(12))


def test_a_table_without_sets_has_no_items_to_know() -> None:
    with pytest.raises(BadParameter, match="set of items"):
        KnownItems().measure(AFTER, SILENT)


def test_journalist_risk_counts_the_people_of_the_population_in_the_cells() -> None:
    twice = Table.from_rows(
        HOSPITAL_QIS, [list(row) for row in zip(*(HOSPITAL.column(n).texts() for n in HOSPITAL_QIS), strict=True)] * 2
    )
    exposure = dataclasses.replace(AFTER, population=twice)
    assert JournalistRisk().measure(exposure, SILENT).value == 1 / 8


def test_journalist_risk_by_population_size_alone_is_estimated_and_says_so() -> None:
    exposure = dataclasses.replace(AFTER, population_size=120)
    found = JournalistRisk().measure(exposure, SILENT)
    drawn = 4 + np.random.default_rng(1).negative_binomial(4, 0.1, 200_000)
    assert found.value == pytest.approx(float((1 / drawn).mean()), rel=0.02)
    assert found.value > 1 / 40  # what scaling the class of four up to forty people would say
    assert found.is_estimate


@pytest.mark.parametrize("p", [0.001, 0.1, 0.5, 0.9])
def test_the_expected_risk_is_that_of_the_published_formulas(p: float) -> None:
    one = p / (1 - p) * math.log(1 / p)
    two = p / (1 - p) ** 2 * (p * math.log(p) + 1 - p)
    assert expected_inverse_frequency(np.array([1, 2]), p).tolist() == pytest.approx([one, two], rel=1e-9)


def test_journalist_risk_without_a_population_is_refused() -> None:
    with pytest.raises(BadParameter, match="population"):
        JournalistRisk().measure(AFTER, SILENT)


def test_a_marketer_hits_as_many_as_there_are_classes() -> None:
    both = attack_before_and_after(MarketerRisk(), BEFORE, AFTER, SILENT)
    assert (both.before.value, both.after.value) == (1.0, 3 / 12)
    assert both.after.hit == 3


def test_homogeneity_discloses_the_four_people_of_the_cancer_class() -> None:
    found = Homogeneity().measure(AFTER, SILENT)
    assert found.hit == 4
    assert found.worst[0] == 2


def test_near_homogeneity_counts_when_asked_for() -> None:
    assert Homogeneity(share=0.5).measure(AFTER, SILENT).hit == 12


def test_skewness_is_the_growth_of_a_value_in_a_class() -> None:
    found = Skewness(factor=2.0).measure(AFTER, SILENT)
    assert found.value == pytest.approx(1 / (5 / 12))
    assert (found.hit, found.details["value"]) == (8, "Cancer")


def test_similarity_discloses_the_kind_where_values_differ() -> None:
    found = Similarity(share=0.7).measure(FULL, SILENT)
    assert (found.hit, found.details["kinds"]) == (4, ["internal"])


def test_similarity_without_a_hierarchy_is_refused() -> None:
    with pytest.raises(BadParameter, match="which of its values are alike"):
        Similarity().measure(AFTER, SILENT)


def test_ruling_one_value_out_discloses_the_other() -> None:
    found = BackgroundKnowledge(not_values=("Heart",)).measure(AFTER, SILENT)
    assert found.hit == 2 + 4  # the Flu patients of the first class, and the class that agrees anyway


def test_ruling_out_any_one_value_discloses_classes_of_two() -> None:
    assert BackgroundKnowledge(any_values=1).measure(AFTER, SILENT).hit == 4 + 4


def test_a_value_that_cannot_be_ruled_out_is_refused() -> None:
    with pytest.raises(BadParameter, match="does not have 1"):
        BackgroundKnowledge(not_values=("Plague",)).measure(AFTER, SILENT)


def test_linking_the_original_back_fits_everybody_to_four_rows() -> None:
    found = RecordLinkage().measure(FULL, SILENT)
    assert found.details["people_by_rows"]["4"] == 12
    assert found.details["rows_by_people"]["4"] == 12
    assert found.hit == 0


def test_linking_the_original_with_itself_finds_everybody() -> None:
    assert RecordLinkage().measure(dataclasses.replace(BEFORE, outside=HOSPITAL), SILENT).hit == 12


def test_linking_by_fewer_columns_finds_fewer() -> None:
    outside = HOSPITAL.select(["Zip"])
    assert RecordLinkage().measure(dataclasses.replace(BEFORE, outside=outside), SILENT).hit == 0


def test_linking_without_a_common_column_is_refused() -> None:
    with pytest.raises(BadParameter, match="none of the quasi-identifiers"):
        RecordLinkage().measure(dataclasses.replace(AFTER, outside=HOSPITAL.select(["Disease"])), SILENT)


def test_rows_unique_in_the_table_may_not_be_in_the_population() -> None:
    sample = dataclasses.replace(BEFORE, table=HOSPITAL.take(np.arange(6)), qis=("Zip",), population=HOSPITAL)
    assert PopulationUniquenessRisk().measure(sample, SILENT).hit == 0
    assert PopulationUniquenessRisk().measure(dataclasses.replace(BEFORE, population=HOSPITAL), SILENT).hit == 12


def test_the_estimate_of_unique_people_follows_the_formula() -> None:
    sizes, f = np.array([1, 1, 1, 2]), 0.25  # 5 rows of 20 people
    expected = 0.75 * f / (0.75 * f + 0.25 * 2 * f * (1 - f))
    assert zayatz(SampleFrequencies.of(sizes, 20)) == pytest.approx(3 * expected)


@pytest.mark.parametrize("risk", list(RISKS), ids=lambda risk: risk.name)
def test_every_analysis_has_words_and_can_be_cancelled(risk: type) -> None:
    assert all(getattr(risk, word) for word in ("title", "summary", "attacker", "formula", "reference"))
    with pytest.raises(Cancelled):
        risk().measure(FULL, Progress(is_cancelled=lambda: True))


@pytest.mark.parametrize("risk", list(RISKS), ids=lambda risk: risk.name)
def test_every_analysis_takes_a_table_without_rows(risk: type) -> None:
    nobody = np.zeros(12, dtype=np.bool_)
    empty = dataclasses.replace(
        FULL, table=FULL.table.take(nobody), weight=WEIGHT.take(nobody), household=HOUSEHOLD.take(nobody)
    )
    assert risk().measure(empty, SILENT).hit == 0


@pytest.mark.parametrize(
    # Similarity is left out: only classes can be similar, and before every row is its own.
    "risk",
    [risk for risk in RISKS if risk.name != "similarity"],
    ids=lambda risk: risk.name,
)
def test_every_analysis_finds_at_most_as_much_after_as_before(risk: type) -> None:
    both = attack_before_and_after(
        risk(), dataclasses.replace(FULL, table=Table((*HOSPITAL.columns, DRUGS), HOSPITAL.n_rows)), FULL, SILENT
    )
    assert both.after.hit <= both.before.hit


def test_linking_counts_the_same_whether_cells_overlap_or_not() -> None:
    apart = dataclasses.replace(AFTER, table=RELEASED.select(["Zip"]), qis=("Zip",), outside=HOSPITAL)
    rows = [[code, "*"] for code in RELEASED.column("Zip").texts()]
    overlapping = Table.from_rows(["Zip", "Age"], [*rows, ["13053", "37"]])
    together = dataclasses.replace(AFTER, table=overlapping, qis=("Zip", "Age"), outside=HOSPITAL)
    assert RecordLinkage().measure(apart, SILENT).details["people_by_rows"]["8"] == 8
    assert RecordLinkage().measure(together, SILENT).details["people_by_rows"]["9"] == 1


def test_an_attack_of_no_chosen_column_is_told_where_it_hits_most() -> None:
    rows = [["1", "a", "x"], ["1", "b", "x"], ["2", "a", "y"], ["2", "b", "z"]]
    exposure = AttackView(Table.from_rows(("Zip", "Job", "Pay"), rows), ("Zip",), ("Job", "Pay"))
    found = Homogeneity().measure(exposure, SILENT)
    assert (found.hit, found.details["column"]) == (2, "Pay")
    assert Homogeneity(column="Job").measure(exposure, SILENT).hit == 0


def test_a_sensitive_column_that_cannot_be_attacked_is_passed_over() -> None:
    rows = [["1", "Heart", "x"], ["1", "Flu", "y"]]
    table = Table.from_rows(("Zip", "Disease", "Pay"), rows)
    exposure = AttackView(table, ("Zip",), ("Pay", "Disease"), {"Disease": DISEASES})
    assert Similarity(share=0.7).measure(exposure, SILENT).details["column"] == "Disease"
    with pytest.raises(BadParameter, match="no hierarchy"):
        Similarity().measure(dataclasses.replace(exposure, hierarchies={}), SILENT)
