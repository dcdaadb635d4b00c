"""A run that will not fit into memory is told before it starts."""

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import NotEnoughMemory
from anonymizer_gui.engine.core.memory import free_memory
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata import resource_estimate
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.resource_estimate import needed_memory
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

CALL = ["--qi", "age,zip", "--sa", "disease", "--ei", "name", "--k", "5", "--algorithm", "mondrian"]
SLOW = ("auto", "cluster")


def tree(n_leaves: int) -> Hierarchy:
    """Part numbers in tens, hundreds and so on."""
    levels = range(len(str(n_leaves - 1)), 0, -1)
    places = sorted((leaf, -level) for level in levels for leaf in range(0, n_leaves, 10 ** (level - 1)))
    labels = ["*", *(f"{leaf}" if level == -1 else f"{leaf} at {-level}" for leaf, level in places)]
    return Hierarchy.from_depths(labels, [0, *(levels[0] + 1 + level for _, level in places)])


def drawn(n_rows: int, widths: list[int], *goals: PrivacyModel) -> tuple[Table, Project]:
    """Draw every cell evenly from so many values, beside a sensitive column of thirty."""
    rng = np.random.default_rng(1)
    columns = [
        Column(f"q{j}", rng.integers(0, width, n_rows).astype(np.uint32), tuple(map(str, range(width))))
        for j, width in enumerate(widths)
    ]
    columns.append(Column("s", rng.integers(0, 30, n_rows).astype(np.uint32), tuple(f"s{i}" for i in range(30))))
    schema = Schema(tuple(ColumnSchema(c.name, role=Role.SA if c.name == "s" else Role.QI) for c in columns))
    hierarchies = {column.name: tree(len(column.labels)) for column in columns[:-1]}
    project = Project(schema=schema, hierarchies=hierarchies, goals=goals, suppression=0.02)
    return Table(tuple(columns), n_rows), project


def all_different(n_rows: int) -> tuple[Table, Project]:
    return drawn(n_rows, [n_rows // 2] * 4, KAnonymity(10))


def with_sensitive_values(n_rows: int) -> tuple[Table, Project]:
    return drawn(n_rows, [n_rows // 2, *[10] * 5], KAnonymity(10), TCloseness(0.4))


def most_taken(table: Table, project: Project) -> int:
    """Run the project; give the most memory it took at a time."""
    tracemalloc.start()
    try:
        run(table, project)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("algorithm", ALGORITHMS.names())
@pytest.mark.parametrize("hard", [all_different, with_sensitive_values])
def test_no_algorithm_takes_more_than_was_said(algorithm: str, hard: Callable[[int], tuple[Table, Project]]) -> None:
    table, project = hard(1500 if algorithm in SLOW else 6000)
    project = replace(project, algorithm=ALGORITHMS.get(algorithm)())
    assert most_taken(table, project) <= needed_memory(table, project)


@pytest.mark.parametrize("algorithm", ["mondrian", "top-down", "levels"])
def test_what_is_said_is_not_far_from_what_is_taken(algorithm: str) -> None:
    table, project = drawn(50_000, [10, 10, 10, 5, 2], KAnonymity(10))
    project = replace(project, algorithm=ALGORITHMS.get(algorithm)())
    assert needed_memory(table, project) < 3.5 * most_taken(table, project)


@pytest.mark.parametrize("algorithm", ["mondrian", "bottom-up"])
def test_ten_million_rows_of_eight_columns_are_said_to_fit_into_six_gigabytes(algorithm: str) -> None:
    few, project = drawn(10, [74, 8, 16, 7, 14, 5, 2], KAnonymity(10))
    n_rows = 10_000_000
    columns = (Column(c.name, np.broadcast_to(np.uint8(0), n_rows), c.labels) for c in few.columns)
    project = replace(project, algorithm=ALGORITHMS.get(algorithm)())
    assert needed_memory(Table(tuple(columns), n_rows), project) < 6e9


def test_more_rows_need_more_memory() -> None:
    few, many = (needed_memory(hospital_table(n), hospital_project()) for n in (1000, 10_000))
    assert many > 5 * few


def test_a_population_needs_memory_too() -> None:
    table, project = hospital_table(100), hospital_project()
    assert needed_memory(table, project, hospital_table(1000)) > needed_memory(table, project)


def test_the_free_memory_of_this_machine_is_known() -> None:
    free = free_memory()
    assert free is not None
    assert 1 << 20 < free < 1 << 50


def test_a_run_that_does_not_fit_is_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource_estimate, "free_memory", lambda: 1000)
    with pytest.raises(NotEnoughMemory, match=r"about 0\.\d GB of memory, and 0\.0 GB are free"):
        run(hospital_table(), hospital_project())
    assert run(hospital_table(), hospital_project(), try_anyway=True).measured.k >= 5


def test_where_nothing_is_known_the_run_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource_estimate, "free_memory", lambda: None)
    assert run(hospital_table(), hospital_project()).measured.k >= 5


def test_the_command_line_says_so_and_can_try_anyway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(resource_estimate, "free_memory", lambda: 1000)
    write_table(hospital_table(), tmp_path / "t.csv")
    call = ["anonymize", str(tmp_path / "t.csv"), *CALL, "-o", str(tmp_path / "o.csv")]
    assert main(call) == 2
    assert "will need about" in capsys.readouterr().err
    assert not (tmp_path / "o.csv").exists()
    assert main([*call, "--try-anyway"]) == 0
