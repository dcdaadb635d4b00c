"""A million reports, beside the plain count of the true values in the same run."""

import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.engine.dp.local.design import frequency_protocol
from anonymizer_gui.engine.dp.local.estimation import estimate_counts
from anonymizer_gui.engine.rooms.survey.simulation import seeded_source

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


def tell(what: str, seconds: float) -> None:
    """Print how long it takes, and how many times longer than a plain count of the true values."""
    values = truth()
    plain = best(lambda: np.bincount(values, minlength=VALUES))
    sys.stdout.write(f"\n{what}: {seconds:.3f} s, {seconds / plain:.0f} times a plain count\n")


def test_a_million_packed_reports_are_estimated_in_a_second() -> None:
    protocol = frequency_protocol("oue", VALUES, Fraction(1))
    reports = np.random.default_rng(2).integers(0, 256, (REPORTS, VALUES // 8), dtype=np.uint8)
    seconds = best(lambda: estimate_counts(protocol, reports))
    tell("a million OUE reports", seconds)
    assert seconds <= 1.0


def test_a_million_hashed_reports_are_estimated_in_20_seconds() -> None:
    protocol = frequency_protocol("olh", VALUES, Fraction(1))
    reports = protocol.perturb(truth(), seeded_source(3))
    seconds = best(lambda: estimate_counts(protocol, reports), times=1)
    tell("a million OLH reports", seconds)
    assert seconds < 20.0
