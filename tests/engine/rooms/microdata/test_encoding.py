"""How tables become leaf numbers, and classes become cells."""

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadHierarchy, Cancelled
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import MISSING, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import QuasiIdentifier
from anonymizer_gui.engine.rooms.microdata.algorithms.encoding import encode_table, goal_set_for
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import (
    RANGE_NODE,
    cell_label,
    most_general_groups,
    recoding_loss,
    recoding_of_groups,
)
from anonymizer_gui.engine.rooms.microdata.models.contract import COMBINED
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.project import Project
from tests.engine.rooms.microdata.algorithms.encoded_tables import encoded_table

JOB = Hierarchy.from_nested({"*": {"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer"]}})
PLACE = Hierarchy.from_nested({"*": {"north": ["a", "b"], "south": ["c", "d"]}})


def project_of(*columns: ColumnSchema, **more: object) -> Project:
    return Project(schema=Schema(columns), **more)  # type: ignore[arg-type]


def test_equal_tuples_are_collapsed_with_their_counts_and_sensitive_values() -> None:
    table = Table.from_rows(["job", "ill"], [["Lawyer", "x"], ["Dancer", "y"], ["Lawyer", "y"]])
    project = project_of(ColumnSchema("job", role=Role.QI), ColumnSchema("ill", role=Role.SA), hierarchies={"job": JOB})
    encoded = encode_table(table, project)
    assert encoded.tuples.tolist() == [[1], [2]]
    assert encoded.counts.tolist() == [2, 1]
    assert encoded.tuple_of_row.tolist() == [0, 1, 0]
    assert encoded.sensitive["ill"].dense().tolist() == [[1, 1], [0, 1]]


def test_it_can_be_stopped_after_the_columns_are_placed() -> None:
    table = Table.from_rows(["job", "ill"], [["Lawyer", "x"], ["Dancer", "y"]])
    project = project_of(ColumnSchema("job", role=Role.QI), ColumnSchema("ill", role=Role.SA), hierarchies={"job": JOB})
    answers = iter([False, False, False, True])
    with pytest.raises(Cancelled):
        encode_table(table, project, progress=Progress(is_cancelled=lambda: next(answers)))


def test_a_column_without_a_hierarchy_gets_its_values_in_order_under_a_star() -> None:
    table = Table.from_rows(["age"], [["100"], ["9"], [MISSING], ["20"]])
    encoded = encode_table(table, project_of(ColumnSchema("age", ColumnType.INTEGER, role=Role.QI)))
    assert encoded.qis[0].hierarchy.labels == ("*", "9", "20", "100", MISSING)


def test_a_value_without_a_place_stops_the_run() -> None:
    table = Table.from_rows(["job"], [["Lawyer"], ["Baker"]])
    with pytest.raises(BadHierarchy, match="job"):
        encode_table(table, project_of(ColumnSchema("job", role=Role.QI), hierarchies={"job": JOB}))


def test_weights_are_scaled_to_add_up_to_one() -> None:
    table = Table.from_rows(["a", "b"], [["x", "y"]])
    project = project_of(ColumnSchema("a", role=Role.QI), ColumnSchema("b", role=Role.QI), weights={"a": 3.0})
    assert encode_table(table, project).weights.tolist() == [0.75, 0.25]


def test_people_only_the_population_has_come_with_count_zero() -> None:
    project = project_of(ColumnSchema("job", role=Role.QI), hierarchies={"job": JOB})
    table, population = Table.from_rows(["job"], [["Lawyer"]]), Table.from_rows(["job"], [["Dancer"], ["Lawyer"]])
    encoded = encode_table(table, project, population)
    assert encoded.counts.tolist() == [1, 0]
    assert encoded.population is not None
    assert encoded.population.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("column_type", "tree", "ranks"),
    [
        (ColumnType.INTEGER, None, {"9": 0, "20": 1, "100": 2}),
        (ColumnType.CATEGORY, None, {"100": 0, "20": 1, "9": 2}),
        (ColumnType.CATEGORY, Hierarchy.from_nested({"*": ["20", "9", "100"]}), {"20": 0, "9": 1, "100": 2}),
    ],
    ids=["numbers by value", "texts by label", "as in the hierarchy"],
)
def test_sensitive_values_have_an_order(column_type: ColumnType, tree: Hierarchy | None, ranks: dict[str, int]) -> None:
    table = Table.from_rows(["job", "pay"], [["x", "9"], ["x", "100"], ["x", "20"]])
    schema = (ColumnSchema("job", role=Role.QI), ColumnSchema("pay", column_type, role=Role.SA))
    project = project_of(*schema, hierarchies={} if tree is None else {"pay": tree})
    pay = goal_set_for(encode_table(table, project), project, table).whole.sensitive["pay"]
    assert dict(zip(pay.labels, pay.rank.tolist(), strict=True)) == ranks


def test_combinations_of_sensitive_values_are_counted_only_when_a_goal_needs_them() -> None:
    table = Table.from_rows(["job", "ill", "pay"], [["x", "flu", "1"], ["x", "flu", "2"]])
    schema = (ColumnSchema("job", role=Role.QI), ColumnSchema("ill", role=Role.SA), ColumnSchema("pay", role=Role.SA))
    apart = project_of(*schema, goals=(DistinctLDiversity(2),))
    together = project_of(*schema, goals=(DistinctLDiversity(2, several="harmonised"),))
    assert COMBINED not in encode_table(table, apart).sensitive
    assert encode_table(table, together).sensitive[COMBINED].counts.tolist() == [1, 1]
    assert goal_set_for(encode_table(table, together), together, table).whole.sensitive[COMBINED].parts["pay"].size == 2


@pytest.mark.parametrize(
    ("rows", "label"), [([[0], [0], [1]], "Professional"), ([[0], [0], [0]], "Engineer"), ([[1], [2]], "*")]
)
def test_a_group_is_published_as_its_most_recent_common_ancestor(rows: list[list[int]], label: str) -> None:
    encoded = encoded_table(rows, [JOB])
    recoding = recoding_of_groups(encoded, np.zeros(len(encoded.tuples), dtype=np.int64))
    assert [JOB.labels[node] for node in recoding.node[:, 0]] == [label]


def test_a_group_is_not_published_finer_than_the_lowest_level() -> None:
    encoded = encoded_table([[0], [0]], [JOB], bounds=[(1, 2)])
    assert JOB.labels[recoding_of_groups(encoded, np.zeros(1, dtype=np.int64)).node[0, 0]] == "Professional"


def test_the_most_general_groups_keep_to_the_highest_level() -> None:
    assert most_general_groups(encoded_table([[0], [1], [2]], [PLACE], bounds=[(0, 1)])).tolist() == [0, 0, 1]


def test_a_suppressed_record_costs_one() -> None:
    encoded = encoded_table([[0], [1], [2]], [PLACE])
    assert recoding_loss(encoded, recoding_of_groups(encoded, np.array([0, 0, -1]))) == pytest.approx(
        (1 / 3 + 1 / 3 + 1) / 3
    )


@pytest.mark.parametrize(
    ("ordered", "low", "high", "label"),
    [(True, 0, 1, "[35-38]"), (False, 0, 1, "{35, 38}"), (True, 1, 1, "38"), (True, 1, 2, "{38, (missing)}")],
)
def test_ranges_no_hierarchy_names_are_written_out(ordered: bool, low: int, high: int, label: str) -> None:
    tree = Hierarchy(["*", "35", "38", MISSING], [-1, 0, 0, 0])
    assert cell_label(QuasiIdentifier("age", tree, 1.0, ordered=ordered), RANGE_NODE, low, high) == label
