"""The full-domain search and top-down against one sort of the same columns, in one run."""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.encoding import encode_table, goal_set_for
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down import TopDown
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from tests.engine.rooms.microdata.algorithms.adult import adult

pytestmark = pytest.mark.bench
MILLION = 1_000_000


def cpu(work: Callable[[], object], times: int = 3) -> float:
    """Give the least CPU time of some runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def encoded_adult(shared_data: Path, rows: int = 0) -> tuple[EncodedTable, GoalSet]:
    """Give Adult with nine QIs and k = 5, or so many rows drawn independently from its columns."""
    table, project = adult(shared_data)
    if rows:
        random = np.random.default_rng(1)
        drawn = (column.codes[random.integers(0, table.n_rows, rows)] for column in table.columns)
        table = Table(tuple(Column(c.name, codes, c.labels) for c, codes in zip(table.columns, drawn, strict=True)))
    project = replace(project, goals=(KAnonymity(5),))
    encoded = encode_table(table, project)
    return encoded, goal_set_for(encoded, project, table)


def sort_time(encoded: EncodedTable) -> float:
    """Give the time of one sort of the rows by all QIs."""
    rows = encoded.tuples[encoded.tuple_of_row].astype(np.uint8)
    return cpu(lambda: np.lexsort(rows.T))


def measured(name: str, algorithm: Algorithm, encoded: EncodedTable, goals: GoalSet, limit: float, times: int) -> float:
    """Time an algorithm against one sort, and tell; give the ratio."""
    found = []
    spent = cpu(lambda: found.append(algorithm.run(encoded, goals, SearchLimits(limit), SILENT)), times)
    ratio = spent / sort_time(encoded)
    sys.stdout.write(f"\n{name}: {spent:.3f} s, {ratio:.0f} sorts, LM {recoding_loss(encoded, found[0]):.6f}\n")
    return ratio


@pytest.mark.parametrize(("limit", "sorts"), [(0.0, 60), (0.05, 330), (1.0, 800)])
def test_the_optimum_of_adult_takes_few_sorts(shared_data: Path, limit: float, sorts: int) -> None:
    encoded, goals = encoded_adult(shared_data)
    assert measured(f"bottom-up, Adult, {limit:.0%}", BottomUp(), encoded, goals, limit, 3) < sorts


def test_the_optimum_of_a_million_independent_rows_takes_few_sorts(shared_data: Path) -> None:
    encoded, goals = encoded_adult(shared_data, MILLION)
    assert measured("bottom-up, 1M rows, 5 %", BottomUp(), encoded, goals, 0.05, 1) < 60


def test_local_top_down_of_a_million_independent_rows_takes_few_sorts(shared_data: Path) -> None:
    encoded, goals = encoded_adult(shared_data, MILLION)
    assert measured("top-down, 1M rows", TopDown(), encoded, goals, 0.0, 1) < 60
