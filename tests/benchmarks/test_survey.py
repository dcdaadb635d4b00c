"""A million reports, beside the plain count of the true values in the same run."""

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.engine.dp.local.design import counting
from anonymizer_gui.engine.dp.local.estimating import estimate_counts
from anonymizer_gui.engine.dp.local.simulating import simulated

pytestmark = pytest.mark.bench
REPORTS, VALUES = 1_000_000, 128


def best(work: Callable[[], Any], times: int = 3) -> float:
    """Give the shortest of several times, in seconds."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return min(taken)


def truth() -> np.ndarray[Any, Any]:
    return np.random.default_rng(1).integers(0, VALUES, REPORTS)


def times_plain(seconds: float) -> float:
    """Say how many times longer it takes than a plain count of the true values."""
    values = truth()
    return seconds / best(lambda: np.bincount(values, minlength=VALUES))


def test_a_million_packed_reports_are_estimated_in_a_second(record_property: Callable[[str, object], None]) -> None:
    protocol = counting("oue", VALUES, Fraction(1))
    reports = np.random.default_rng(2).integers(0, 256, (REPORTS, VALUES // 8), dtype=np.uint8)
    seconds = best(lambda: estimate_counts(protocol, reports))
    record_property("times a plain count", times_plain(seconds))
    assert seconds <= 1.0


def test_a_million_hashed_reports_are_estimated_in_20_seconds(record_property: Callable[[str, object], None]) -> None:
    protocol = counting("olh", VALUES, Fraction(1))
    reports = protocol.perturb(truth(), simulated(3))
    seconds = best(lambda: estimate_counts(protocol, reports), times=1)
    record_property("times a plain count", times_plain(seconds))
    assert seconds < 20.0
