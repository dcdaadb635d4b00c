"""Attacks counted by the recount and by the analyses of risk, which share nothing, find the same rows."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.equivalence_classes import size_bins
from anonymizer_gui.engine.data.tables.io.read_write import write_table
from anonymizer_gui.engine.data.tables.table import MISSING, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.rooms.microdata.independent import (
    ColumnRoles,
    FileFormat,
    KnownFacts,
    RecountResult,
    recount,
)
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, AttackView

QIS, SAS = ("q1", "q2", "q3", "q4"), ("a", "b")
ALIKE = ("prosecutor", "marketer", "special-uniques", "homogeneity", "background", "skewness")
ROWS = st.lists(
    st.tuples(
        *(st.sampled_from(["x", "y"]) for _ in QIS),
        st.sampled_from(["1", "2", "10", MISSING]),
        st.sampled_from(["u", "U", "v", MISSING]),
    ),
    min_size=1,
    max_size=40,
)


def counted(table: Table, columns: ColumnRoles) -> RecountResult:
    """Write a table and count its file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "release.csv"
        write_table(table, path)
        return recount(path, FileFormat(), columns, known=KnownFacts(attacked_rows=100))


@settings(max_examples=80)
@given(ROWS)
def test_what_attacks_find_is_the_same_twice(rows: list[tuple[str, ...]]) -> None:
    table = Table.from_rows((*QIS, *SAS), rows)
    found = counted(table, ColumnRoles(QIS, SAS)).attacks
    assert set(found) == set(ALIKE)
    exposure = AttackView(table, QIS, SAS)
    for name in ALIKE:
        expected = RISKS.get(name)().measure(exposure, SILENT)
        assert found[name].hit == expected.hit, name
        assert found[name].value == pytest.approx(expected.value), name


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from("xy"), st.sets(st.sampled_from("abcd"), max_size=3)), min_size=1, max_size=30)
)
def test_what_a_few_items_give_away_is_the_same_twice(rows: list[tuple[str, set[str]]]) -> None:
    table = Table.from_rows(("q", "set"), [(q, "{" + ",".join(sorted(items)) + "}") for q, items in rows])
    schema = Schema((ColumnSchema("q", role=Role.QI), ColumnSchema("set", ColumnType.SET, "{,}", Role.QI)))
    columns = ColumnRoles(("q",), sets=("set",), forms={"set": "{,}"})
    expected = RISKS.get("items")().measure(AttackView(table, ("q",), schema=schema), SILENT)
    found = counted(table, columns).attacks["items"]
    assert found.hit == expected.hit
    assert found.value == pytest.approx(expected.value)


@given(st.lists(st.integers(1, 500), max_size=30))
def test_class_sizes_are_binned_alike(sizes: list[int]) -> None:

    many = {size: sizes.count(size) for size in sizes}
    assert RecountResult(sum(sizes), None, len(sizes), min(sizes, default=0), many, 0).bins() == size_bins(
        np.array(sizes)
    )


def test_large_files_are_not_attacked(tmp_path: Path) -> None:
    write_table(Table.from_rows(("q", "a"), [("x", "1"), ("x", "2")]), tmp_path / "release.csv")
    assert (
        recount(
            tmp_path / "release.csv", FileFormat(), ColumnRoles(("q",), ("a",)), known=KnownFacts(attacked_rows=1)
        ).attacks
        == {}
    )
