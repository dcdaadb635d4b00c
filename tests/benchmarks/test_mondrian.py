"""Mondrian against one sort of the same columns, in one run: time, memory, and growth with the number of rows."""

import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.encoding import encode_table, goal_set_for
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding
from tests.engine.rooms.microdata.algorithms.adult import adult

pytestmark = [pytest.mark.bench, pytest.mark.timeout(900)]
MILLION = 1_000_000


def cpu(work: Callable[[], object], times: int) -> float:
    """Give the least CPU time of some runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def independent(shared_data: Path, rows: int) -> tuple[EncodedTable, GoalSet]:
    """Draw the columns of Adult without the salary class independently; k = 10."""
    table, project = adult(shared_data, "salary-class")
    random = np.random.default_rng(1)
    columns = (
        Column(c.name, c.codes[random.integers(0, table.n_rows, rows, dtype=np.int32)], c.labels)
        for c in table.columns
        if c.name != "salary-class"
    )
    drawn = Table(tuple(columns))
    schema = replace(project.schema, columns=project.schema.columns[:-1])
    project = replace(project, schema=schema, goals=(KAnonymity(10),))
    encoded = encode_table(drawn, project)
    return encoded, goal_set_for(encoded, project, drawn)


def run(encoded: EncodedTable, goals: GoalSet) -> Recoding:
    return Mondrian().run(encoded, goals, SearchLimits(), SILENT)


def test_a_million_independent_rows_take_at_most_ten_sorts_of_their_columns(shared_data: Path) -> None:
    encoded, goals = independent(shared_data, MILLION)
    codes = encoded.tuples[encoded.tuple_of_row].astype(np.uint8).T.copy()
    sorting = cpu(lambda: np.lexsort(codes), 5)
    found: list[Recoding] = []
    spent = cpu(lambda: found.append(run(encoded, goals)), 5)
    sys.stdout.write(
        f"\nmondrian, 1M rows, {len(encoded.tuples)} tuples: {spent:.3f} s, sort {sorting:.3f} s, "
        f"{spent / sorting:.1f} sorts, {found[0].n_classes} classes, LM {recoding_loss(encoded, found[0]):.4f}\n"
    )
    assert spent <= 10 * sorting


def test_a_million_independent_rows_need_at_most_four_times_their_codes(shared_data: Path) -> None:
    encoded, goals = independent(shared_data, MILLION)
    codes = encoded.n_rows * len(encoded.qis)
    tracemalloc.start()
    run(encoded, goals)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    sys.stdout.write(f"\nmondrian, 1M rows: {peak / codes:.2f} times the codes, the result included\n")
    assert peak <= 4 * codes


def test_time_grows_no_faster_than_sorting_does_from_100_thousand_to_10_million_rows(shared_data: Path) -> None:
    spent = {}
    for rows in (MILLION // 10, MILLION, 10 * MILLION):
        encoded, goals = independent(shared_data, rows)
        spent[rows] = cpu(lambda encoded=encoded, goals=goals: run(encoded, goals), 3 if rows <= MILLION else 1)
        sys.stdout.write(f"\nmondrian, {rows} rows, {len(encoded.tuples)} tuples: {spent[rows]:.3f} s\n")
    least, most = min(spent), max(spent)
    assert spent[most] / spent[least] <= (most * np.log(most)) / (least * np.log(least))
