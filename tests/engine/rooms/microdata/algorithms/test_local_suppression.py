"""Local suppression: the fewest and least important cells, counted and limited; k for subsets of columns."""

import itertools
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.algorithms.local_suppression import LocalSuppression
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity, SubsetK
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.run import run

NAMES = ("a", "b", "c")
ROWS = st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=2, max_size=25)


def released(rows: list[tuple[str, ...]], *goals: PrivacyModel, **options: object) -> Release:
    schema = Schema(tuple(ColumnSchema(name, role=Role.QI) for name in NAMES))
    suppression = float(options.pop("suppression", 0.0))  # type: ignore[arg-type]
    algorithm = LocalSuppression(**options)  # type: ignore[arg-type]
    project = Project(schema=schema, goals=goals, algorithm=algorithm, suppression=suppression)
    return run(Table.from_rows(NAMES, [list(row) for row in rows]), project)


def published(release: Release) -> list[tuple[str, ...]]:
    return list(zip(*(release.table.column(name).texts().tolist() for name in NAMES), strict=True))


def fewest_sharing(rows: list[tuple[str, ...]], m: int) -> int:
    """Count by hand how many rows share the cells of any m columns."""
    return min(
        min(Counter(tuple(row[at] for at in key) for row in rows).values())
        for key in itertools.combinations(range(3), m)
    )


def test_only_the_cell_that_makes_a_row_stand_out_is_emptied() -> None:
    release = released([("x", "x", "x")] * 3 + [("x", "x", "y")] + [("x", "x", "z")], KAnonymity(2))
    assert Counter(published(release)) == {("x", "x", "x"): 3, ("x", "x", "*"): 2}
    assert "2 of 15 cells (13.33%) were emptied: a 0, b 0, c 2." in release.notes


@pytest.mark.parametrize(("worth", "emptied"), [("a", "b"), ("b", "a")])
def test_cells_of_important_columns_are_kept(worth: str, emptied: str) -> None:
    """Either column alone would do: the one that is worth less goes."""
    rows = [("x", "x", "x"), ("x", "y", "x"), ("y", "x", "x"), ("y", "y", "x")]
    release = released(rows, KAnonymity(2), importance=((worth, 3.0),))
    assert set(release.table.column(emptied).texts().tolist()) == {"*"}
    assert set(release.table.column(worth).texts().tolist()) == {"x", "y"}


def test_more_cells_than_are_allowed_are_refused_with_a_way_out() -> None:
    rows = [("x", "x", "x")] * 3 + [("x", "x", "y"), ("x", "x", "z")]
    assert released(rows, KAnonymity(2), cells=0.14).measured.k == 2
    with pytest.raises(Infeasible, match=r"would empty 2 of 15 cells \(13.33%\); allowed are 10.00%") as told:
        released(rows, KAnonymity(2), cells=0.1)
    assert told.value.hint


def test_a_column_that_is_no_quasi_identifier_is_refused() -> None:
    with pytest.raises(BadParameter, match="“d” is no quasi-identifier"):
        released([("x", "x", "x")] * 3, KAnonymity(2), importance=(("d", 2.0),))


@given(ROWS, st.integers(2, 4), st.sampled_from([0.0, 0.3]))
def test_every_class_has_k_rows_and_only_whole_cells_are_lost(
    rows: list[tuple[str, ...]], k: int, suppression: float
) -> None:
    try:
        release = released(rows, KAnonymity(k), suppression=suppression)
    except Infeasible:
        assert len(rows) < k
        return
    found = published(release)
    assert min(Counter(found).values()) >= k
    for row, cells in zip(release.rows.tolist(), found, strict=True):
        assert all(cell in ("*", was) for cell, was in zip(cells, rows[row], strict=True))


@given(ROWS, st.integers(2, 4), st.integers(1, 3))
def test_the_cells_of_any_m_columns_are_shared_by_k_rows(rows: list[tuple[str, ...]], k: int, m: int) -> None:
    try:
        release = released(rows, SubsetK(k=k, m=m))
    except Infeasible:
        assert len(rows) < k
        return
    assert release.measured.goals[0][1].value == fewest_sharing(published(release), m) >= k


def test_fewer_cells_are_emptied_for_pairs_of_columns_than_for_all() -> None:
    rows = [(a, b, c) for a, b, c in itertools.product("xy", repeat=3)] * 2
    rows += [("x", "x", "z"), ("x", "y", "z"), ("y", "x", "z")]
    of_pairs, of_all = released(rows, SubsetK(k=3, m=1)), released(rows, KAnonymity(3))
    stars = [sum(cells.count("*") for cells in published(release)) for release in (of_pairs, of_all)]
    assert stars[0] < stars[1]
    assert stars[0] == 0


@pytest.mark.parametrize("name", ALGORITHMS.names())
@settings(max_examples=3)
@given(ROWS)
def test_every_algorithm_keeps_k_for_subsets(name: str, rows: list[tuple[str, ...]]) -> None:
    schema = Schema(tuple(ColumnSchema(column, role=Role.QI) for column in NAMES))
    project = Project(schema=schema, goals=(SubsetK(k=2, m=2),), algorithm=ALGORITHMS.get(name)())
    release = run(Table.from_rows(NAMES, [list(row) for row in rows]), replace(project))
    assert fewest_sharing(published(release), 2) >= 2
