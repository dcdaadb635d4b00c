"""Clustering of Adult: its time counted in sorts, and its loss against Mondrian's in the same run."""

import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.rooms.microdata.algorithms.clustering import Clustering
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.encoding import encode_table, goal_set_for
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from tests.engine.rooms.microdata.algorithms.adult import adult

pytestmark = [pytest.mark.bench, pytest.mark.timeout(900)]
# 30 s where one sort of a million rows by eight columns of a byte takes 0.06 s.
MOST_SORTS = 500


def encoded_adult(shared_data: Path, rows: int = 0) -> tuple[EncodedTable, GoalSet]:
    """Give Adult with nine QIs and k = 10, or so many rows drawn independently from its columns."""
    table, project = adult(shared_data)
    if rows:
        random = np.random.default_rng(1)
        table = Table(
            tuple(Column(c.name, c.codes[random.integers(0, table.n_rows, rows)], c.labels) for c in table.columns)
        )
    project = replace(project, goals=(KAnonymity(10),))
    encoded = encode_table(table, project)
    return encoded, goal_set_for(encoded, project, table)


def told(algorithm: Algorithm, encoded: EncodedTable, goals: GoalSet) -> tuple[float, float]:
    """Run an algorithm; give LM and CPU seconds."""
    start = time.process_time()
    recoding = algorithm.run(encoded, goals, SearchLimits(), SILENT)
    spent, lm = time.process_time() - start, recoding_loss(encoded, recoding)
    sys.stdout.write(f"\n{algorithm}: {encoded.n_rows} rows, LM {lm:.4f}, {spent:.2f} s\n")
    return lm, spent


def sort_time() -> float:
    """Give the time of one sort of a million rows by eight columns of a byte."""
    codes = np.random.default_rng(1).integers(0, 16, (8, 1_000_000), dtype=np.uint8)
    found = []
    for _ in range(5):
        start = time.process_time()
        np.lexsort(codes)
        found.append(time.process_time() - start)
    return min(found)


@pytest.mark.parametrize("method", ["k-member", "sequential"])
def test_clusters_of_adult_lose_no_more_than_mondrian_in_bounded_time(shared_data: Path, method: str) -> None:
    encoded, goals = encoded_adult(shared_data)
    mondrian, _ = told(Mondrian(), encoded, goals)
    lm, spent = told(Clustering(method), encoded, goals)
    assert lm <= mondrian
    assert spent < MOST_SORTS * sort_time()


def test_a_hundred_thousand_independent_rows_are_clustered_in_bounded_time(shared_data: Path) -> None:
    encoded, goals = encoded_adult(shared_data, 100_000)
    _, spent = told(Clustering("k-member"), encoded, goals)
    assert spent < 4 * MOST_SORTS * sort_time()
