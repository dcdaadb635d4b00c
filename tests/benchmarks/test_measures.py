"""Measuring a million rows: classes against sorting the columns, the whole against pycanon, in one run."""

import sys
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, group_rows
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.rooms.microdata.measurement import measure_table

ROWS = 1_000_000
WIDTHS = (2, 5, 7, 16, 14, 41, 73, 3)
pytestmark = pytest.mark.bench


def told(text: str) -> None:
    """Show a measurement to whoever runs the benchmarks."""
    sys.stdout.write(text + "\n")


def cpu(work: Callable[[], object], times: int = 3) -> float:
    """Give the least CPU time of some runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


@pytest.fixture(scope="module")
def raw() -> Table:
    """Give a million rows of eight independent skewed columns and a sensitive one: hundreds of thousands of classes."""
    rng = np.random.default_rng(1)
    columns = [_skewed(rng, f"q{i}", width) for i, width in enumerate(WIDTHS)]
    return Table((*columns, _skewed(rng, "s", 9)))


@pytest.fixture(scope="module")
def released() -> Table:
    """Give a million rows as released: eight generalised columns, hundreds of classes."""
    rng = np.random.default_rng(2)
    columns = [_skewed(rng, f"q{i}", width) for i, width in enumerate((2, 2, 2, 3, 2, 3, 4, 1))]
    return Table((*columns, _skewed(rng, "s", 9)))


def _skewed(rng: np.random.Generator, name: str, width: int) -> Column:
    chances = 1 / np.arange(1, width + 1)
    codes = rng.choice(width, ROWS, p=chances / chances.sum()).astype(np.uint8)
    return Column(name, codes, tuple(f"v{i:02d}" for i in range(width)))


def test_classes_cost_about_twice_a_sort_of_the_columns(raw: Table) -> None:
    codes = [column.codes for column in raw.columns[:-1]]
    sorting = cpu(lambda: np.lexsort(codes))
    grouping = cpu(lambda: group_rows(codes, ROWS))
    told(f"\nsort {sorting:.3f} s, classes {grouping:.3f} s, {grouping / sorting:.2f} times")
    assert grouping < 2.5 * sorting


def test_measuring_costs_a_twentieth_of_pycanon(released: Table) -> None:
    from pycanon import anonymity

    qis = [column.name for column in released.columns[:-1]]
    frame = pd.DataFrame({column.name: column.texts() for column in released.columns}, dtype=str)

    def theirs() -> None:
        anonymity.k_anonymity(frame, qis)
        anonymity.l_diversity(frame, qis, ["s"])
        anonymity.entropy_l_diversity(frame, qis, ["s"])
        anonymity.recursive_c_l_diversity(frame, qis, ["s"])
        anonymity.t_closeness(frame, qis, ["s"])

    ours = cpu(lambda: measure_table(released, qis, ["s"]))
    other = cpu(theirs, times=1)
    told(f"\nours {ours:.3f} s, pycanon {other:.2f} s, {other / ours:.0f} times")
    assert ours * 20 <= other


def test_a_million_raw_rows_are_measured_in_a_few_sorts(raw: Table) -> None:
    qis = [column.name for column in raw.columns[:-1]]
    sorting = cpu(lambda: np.lexsort([column.codes for column in raw.columns]))
    measuring = cpu(lambda: measure_table(raw, qis, ["s"]))
    told(f"\nsort {sorting:.3f} s, all measures {measuring:.3f} s")
    assert measuring < 12 * sorting


def test_a_histogram_of_a_million_rows_costs_less_than_a_sort(raw: Table) -> None:
    classes = group_rows([column.codes for column in raw.columns[:-1]], ROWS)
    values = raw.columns[-1].codes
    sorting = cpu(lambda: np.lexsort([column.codes for column in raw.columns]))
    counting = cpu(lambda: Histogram.count(classes.ids, len(classes), values, 9))
    told(f"\nsort {sorting:.3f} s, histogram {counting:.3f} s, {len(classes)} classes")
    assert counting < sorting
