"""The numbers of the worked examples, measured from published tables."""

import json
import math

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadHierarchy, BadParameter
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.measurement import MeasurementContext, measure_table, published_groups
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.presence import KMap
from tests.engine.rooms.microdata.worked_tables import (
    AGE,
    HOSPITAL,
    HOSPITAL_QIS,
    HOSPITAL_TREES,
    PHONES,
    RELEASED,
    WORKCLASS,
)


def test_the_raw_hospital_table_is_1_anonymous() -> None:
    assert measure_table(HOSPITAL, HOSPITAL_QIS, ["Disease"]).k == 1


def test_the_released_hospital_table_has_three_classes_of_four_and_one_is_homogeneous() -> None:
    measured = measure_table(RELEASED, HOSPITAL_QIS, ["Disease"])
    assert (measured.k, measured.classes, measured.l["distinct"]) == (4, 3, 1)


def test_the_phones_have_the_variational_distances_of_the_notes() -> None:
    measured = measure_table(PHONES, ["PLZ", "Points"], ["System"])
    assert measured.t["variational"] == pytest.approx(5 / 9)


def test_the_phones_have_the_divergence_of_the_notes_in_bits() -> None:
    from anonymizer_gui.engine.rooms.microdata.models.distances import distance

    _, groups, whole = published_groups(PHONES, ["PLZ", "Points"], ["System"])
    found = distance("kl", groups.sensitive["System"], whole.sensitive["System"])
    assert found[0] == pytest.approx(math.log2(3) / 3 + 2 / 3 * math.log2(1.5))


def test_a_table_without_rows_has_k_0() -> None:
    empty = RELEASED.take(np.zeros(12, dtype=np.bool_))
    measured = measure_table(empty, HOSPITAL_QIS, ["Disease"], goals=[KAnonymity(k=2)])
    assert (measured.k, measured.classes, measured.rows) == (0, 0, 0)
    assert json.loads(json.dumps(measured.to_json(), allow_nan=False))["l"]["distinct"] == 0


def test_missing_is_a_value_of_its_own_in_the_classes() -> None:
    table = Table.from_rows(["age", "d"], [["1", "x"], ["1", "y"], [MISSING, "x"]])
    assert measure_table(table, ["age"], ["d"]).k == 1


def test_the_loss_of_the_notes_comes_out_both_ways() -> None:
    table = Table.from_rows(["work", "age"], [["Government", "30-35"], ["Private", "30-40"]])
    trees = {"work": WORKCLASS, "age": AGE}
    measured = measure_table(
        table, ["work", "age"], [], background=MeasurementContext(hierarchies=trees, weights={"work": 0.6, "age": 0.4})
    )
    assert measured.lm_total == pytest.approx(0.6 * 2 / 7 + 0.4 * 4 / 9 + 0.4)
    assert measured.lm == pytest.approx(0.74921 / 2, abs=1e-5)


@pytest.mark.parametrize(
    ("label", "loss"), [("Private", 0), ("Workclass", 1), ("Government", 2 / 7), ("Unemployed", 1 / 7), ("*", 1)]
)
def test_a_published_cell_costs_the_share_of_the_leaves_it_covers(label: str, loss: float) -> None:
    table = Table.from_rows(["work"], [[label]])
    assert measure_table(
        table, ["work"], [], background=MeasurementContext(hierarchies={"work": WORKCLASS})
    ).lm == pytest.approx(loss)


@pytest.mark.parametrize(("record", "cost"), [(["Government", "30-35"], 0.34921), (["Private", "30-40"], 0.4)])
def test_each_record_of_the_notes_costs_what_they_say(record: list[str], cost: float) -> None:
    measured = measure_table(
        Table.from_rows(["work", "age"], [record]),
        ["work", "age"],
        [],
        background=MeasurementContext(hierarchies={"work": WORKCLASS, "age": AGE}, weights={"work": 0.6, "age": 0.4}),
    )
    assert measured.lm == pytest.approx(cost, abs=5e-6)


def test_a_suppressed_record_costs_1_in_every_cell() -> None:
    table = Table.from_rows(["work"], [["Private"]])
    measured = measure_table(
        table, ["work"], [], background=MeasurementContext(hierarchies={"work": WORKCLASS}, suppressed=3)
    )
    assert (measured.lm, measured.lm_total) == (0.75, 3.0)


def test_levels_are_counted_from_the_leaf_of_the_original_row() -> None:
    original = Table.from_rows(["work"], [["Private"], ["State-gov"], ["Inc"]])
    released = Table.from_rows(["work"], [["Private"], ["Government"]])
    measured = measure_table(
        released,
        ["work"],
        [],
        background=MeasurementContext(
            hierarchies={"work": WORKCLASS}, original=original, rows=np.array([0, 1]), suppressed=1
        ),
    )
    assert measured.md == 0 + 1 + 2


def test_an_only_child_that_is_published_as_its_parent_has_climbed_a_level() -> None:
    tree = Hierarchy.from_nested({"*": {"single": ["Never-married"], "ever": ["Married", "Widowed"]}})
    original = Table.from_rows(["state"], [["Never-married"], ["Married"]])
    released = Table.from_rows(["state"], [["single"], ["Married"]])
    for known in ({}, {"original": original, "rows": np.arange(2)}):
        assert (
            measure_table(
                released, ["state"], [], background=MeasurementContext(hierarchies={"state": tree}, **known)
            ).md
            == 1
        )


def test_without_the_original_levels_are_counted_from_the_deepest_leaf() -> None:
    released = Table.from_rows(["work"], [["Private"], ["Government"], ["*"]])
    assert (
        measure_table(released, ["work"], [], background=MeasurementContext(hierarchies={"work": WORKCLASS})).md
        == 0 + 1 + 2
    )


def test_loss_is_unknown_where_no_domain_is_known() -> None:
    measured = measure_table(RELEASED, HOSPITAL_QIS, ["Disease"])
    assert (measured.lm, measured.md) == (None, None)


def test_loss_without_hierarchies_is_measured_against_the_values_of_the_original() -> None:
    original = Table.from_rows(["n"], [["1"], ["2"], ["10"]])
    released = Table.from_rows(["n"], [["[1-2]"], ["[1-2]"], ["*"]])
    assert measure_table(released, ["n"], [], background=MeasurementContext(original=original)).lm == pytest.approx(
        (0.5 + 0.5 + 1) / 3
    )


def test_labels_without_a_place_are_counted_by_name_of_the_column_only() -> None:
    table = Table.from_rows(["Zip"], [["somewhere"], ["130**"]])
    with pytest.raises(BadHierarchy, match=r"“Zip” has 1 label \(1 row\)") as caught:
        measure_table(table, ["Zip"], [], background=MeasurementContext(hierarchies=HOSPITAL_TREES))
    assert "somewhere" not in str(caught.value)


def test_goals_are_measured_one_by_one() -> None:
    measured = measure_table(RELEASED, HOSPITAL_QIS, ["Disease"], goals=[KAnonymity(k=4), DistinctLDiversity(l=2)])
    assert [m.holds for _, m in measured.goals] == [True, False]
    assert not measured.holds


def test_the_worst_class_of_a_goal_is_named_first() -> None:
    measured = measure_table(RELEASED, HOSPITAL_QIS, ["Disease"], goals=[DistinctLDiversity(l=2)])
    assert measured.goals[0][1].worst[0] == 2


def test_several_sensitive_columns_report_the_worst_and_each() -> None:
    table = Table.from_rows(["q", "a", "b"], [["1", "x", "u"], ["1", "y", "u"]])
    measured = measure_table(table, ["q"], ["a", "b"])
    assert measured.l["distinct"] == 1
    assert measured.per_sensitive["a"]["l"]["distinct"] == 2


def test_the_harmonised_reading_counts_the_other_sensitive_columns_as_known() -> None:
    rows = [["1", "x", "u"], ["1", "y", "v"], ["1", "x", "u"], ["1", "y", "v"]]
    table = Table.from_rows(["q", "a", "b"], rows)
    goals = [DistinctLDiversity(l=2), DistinctLDiversity(l=2, several="harmonised")]
    measured = measure_table(table, ["q"], ["a", "b"], goals=goals)
    assert [m.value for _, m in measured.goals] == [2, 1]


def test_a_goal_on_a_column_that_is_not_sensitive_is_refused() -> None:
    with pytest.raises(BadParameter, match="“Zip”, which is not a sensitive column"):
        measure_table(RELEASED, HOSPITAL_QIS, ["Disease"], goals=[DistinctLDiversity(column="Zip")])


@pytest.mark.parametrize("overlapping", [False, True])
def test_people_of_the_population_are_counted_in_the_cells_of_each_class(overlapping: bool) -> None:
    population = HOSPITAL.select(HOSPITAL_QIS)
    released = RELEASED.select(HOSPITAL_QIS)
    if overlapping:
        released = Table.from_rows(HOSPITAL_QIS, [["130**", "[28-31]", "*"], ["13053", "*", "American"]])
    _, groups, _ = published_groups(released, HOSPITAL_QIS, [], HOSPITAL_TREES, population=population)
    assert groups.population is not None
    assert groups.population.tolist() == ([3, 2] if overlapping else [4, 4, 4])


def test_population_without_hierarchies_is_matched_by_label() -> None:
    released = Table.from_rows(["a", "b"], [["x", "*"], ["y", "1"]])
    population = Table.from_rows(["a", "b"], [["x", "1"], ["x", "2"], ["y", "2"]])
    measured = measure_table(
        released, ["a", "b"], [], goals=[KMap(k=1)], background=MeasurementContext(population=population)
    )
    assert measured.goals[0][1].per_class.tolist() == [2, 0]
    assert not measured.holds


def test_population_without_hierarchies_is_found_in_ranges_and_masks() -> None:
    released = Table.from_rows(["age", "zip"], [["20-29", "130**"], [">=30", "*"], ["[20-30]", "13053"], ["old", "*"]])
    population = Table.from_rows(["age", "zip"], [["20", "13053"], ["25", "13068"], ["30", "13053"], ["41", MISSING]])
    measured = measure_table(
        released, ["age", "zip"], [], goals=[KMap(k=1)], background=MeasurementContext(population=population)
    )
    assert measured.goals[0][1].per_class.tolist() == [2, 2, 2, 0]


def test_the_printed_object_has_the_keys_of_the_command_line() -> None:
    printed = measure_table(
        RELEASED, HOSPITAL_QIS, ["Disease"], background=MeasurementContext(hierarchies=HOSPITAL_TREES)
    ).to_json()
    assert {"rows", "suppressed", "classes", "k", "l", "t", "lm", "lm_total", "md"} <= set(printed)
    assert {"distinct", "entropy", "recursive"} <= set(printed["l"])
    assert {"variational", "kl", "emd"} <= set(printed["t"])


def test_the_earth_mover_of_numbers_follows_their_order() -> None:
    table = Table.from_rows(["q", "pay"], [[str(i // 2), pay] for i, pay in enumerate(["9", "10", "100", "200"])])
    measured = measure_table(table, ["q"], ["pay"])
    assert measured.t["emd"] == pytest.approx(1 / 3)
