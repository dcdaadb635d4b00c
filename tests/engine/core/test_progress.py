"""Progress: how far, in which part, and when to stop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Cancelled
from anonymizer_gui.engine.core.progress import SILENT, Progress

shares = st.floats(0, 1)


def recorded() -> tuple[Progress, list[tuple[float, str]]]:
    seen: list[tuple[float, str]] = []
    return Progress(report=lambda fraction, text: seen.append((fraction, text))), seen


def test_a_report_carries_fraction_and_text() -> None:
    progress, seen = recorded()
    progress(0.25, "Reading")
    assert seen == [(0.25, "Reading")]


@given(shares, shares, shares)
def test_a_part_of_a_part_stays_inside_it(a: float, b: float, fraction: float) -> None:
    progress, seen = recorded()
    low, high = min(a, b), max(a, b)
    progress.sub(low, high).sub(0.5, 1.0)(fraction)
    assert low - 1e-12 <= seen[0][0] <= high + 1e-12


def test_fractions_beyond_the_ends_are_cut() -> None:
    progress, seen = recorded()
    progress(-1)
    progress(7)
    assert [fraction for fraction, _ in seen] == [0.0, 1.0]


def test_a_cancelled_job_stops_at_the_next_call_and_reports_nothing_more() -> None:
    seen: list[float] = []
    progress = Progress(report=lambda fraction, text: seen.append(fraction), is_cancelled=lambda: True)
    for call in (lambda: progress(0.5), progress.check, lambda: progress.sub(0, 0.5)(0.1)):
        with pytest.raises(Cancelled):
            call()
    assert seen == []


def test_silence_is_allowed() -> None:
    SILENT(0.5, "nobody listens")
