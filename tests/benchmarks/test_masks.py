"""Microaggregation of 100,000 rows and special uniques of the census, in seconds of CPU."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io import ReadOptions, read_table
from anonymizer_gui.engine.rooms.microdata.masking.microaggregation import mdav
from anonymizer_gui.engine.rooms.microdata.risk.contract import AttackView
from anonymizer_gui.engine.rooms.microdata.risk.suda import SpecialUniques

pytestmark = pytest.mark.bench
MDAV_S, SUDA_S = 10.0, 10.0


def told(text: str) -> None:
    """Show a measurement to whoever runs the benchmarks."""
    sys.stdout.write(text + "\n")


def cpu(work: Callable[[], object]) -> float:
    """Give the CPU time of a run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def test_mdav_of_100_000_rows_and_five_columns() -> None:
    points = np.random.default_rng(0).standard_normal((100_000, 5))
    seconds = cpu(lambda: mdav(points, 5))
    told(f"MDAV, 100,000 x 5, k = 5: {seconds:.1f} s")
    assert seconds < MDAV_S


def test_special_uniques_of_adult(shared_data: Path) -> None:
    table = read_table(shared_data / "adult" / "adult.csv", ReadOptions(delimiter=";"))[0]
    exposure = AttackView(table, tuple(table.names[:9]))
    seconds = cpu(lambda: SpecialUniques().measure(exposure, SILENT))
    told(f"SUDA2, Adult, {table.n_rows:,} x {len(exposure.qis)}: {seconds:.1f} s")
    assert seconds < SUDA_S
