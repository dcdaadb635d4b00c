"""All columns at a glance: a missing cell is no value, and hides none."""

from anonymizer_gui.engine.data.tables.column_profile import all_column_facts, column_facts
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table


def test_missing_cells_are_counted_apart() -> None:
    facts = column_facts(Column.from_texts("c", ["a", "a", "b", MISSING, MISSING]))
    assert (facts.rows, facts.distinct, facts.missing, facts.unique) == (5, 2, 2, 1)
    assert facts.unique_share == 1 / 3
    assert facts.distinct_share == 2 / 3


def test_nearly_unique_is_judged_by_the_rows_that_have_a_value() -> None:
    few = [f"k{i}" for i in range(19)]
    assert column_facts(Column.from_texts("c", [*few, "k0", *[MISSING] * 500])).is_nearly_unique
    assert not column_facts(Column.from_texts("c", [*few, "k0", "k1"])).is_nearly_unique
    assert not column_facts(Column.from_texts("c", few[:9])).is_nearly_unique


def test_labels_no_row_has_are_no_values() -> None:
    column = Column.from_texts("c", ["a", "b", "c"])
    left = Column("c", column.codes[:2], column.labels)
    assert column_facts(left).distinct == 2


def test_an_empty_table_has_nothing_unique() -> None:
    assert [facts.unique_share for facts in all_column_facts(Table((Column.from_texts("c", []),)))] == [0.0]
