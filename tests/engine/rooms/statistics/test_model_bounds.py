"""Epsilon from below: what the steps of synthetic tables and models give away of one row is within what they say."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.checker.sampling_bound import epsilon_lower_bound
from anonymizer_gui.engine.rooms.statistics.dp_sgd import full_training_data
from anonymizer_gui.engine.rooms.statistics.mechanism_run import budget_questions
from anonymizer_gui.engine.rooms.statistics.questions.learning import Learn
from tests.engine.rooms.statistics.making import plan

RUNS = 3000
ROW = [["yes", "5"]]
SYNTHETIC = "synthetic sick=yes|no n=0..9/2 with noise=laplace"
LEARN = "learn sick=yes|no n=0..9/2 with epochs=5 rate=1"


def bound(ask: str, fault: int = 1) -> float:
    """Draw a step about no row and about one, again and again; a fault spends so much more than it says."""
    project = plan(ask, delta=Fraction(1, 10**3))
    made = budget_questions(project)[0].made
    step = 1 if isinstance(made.question, Learn) else 0  # the count of rows comes first
    mechanism = made.mechanisms[step]
    mechanism = replace(mechanism, budget=mechanism.budget * fault)
    numbers = [_numbers(made.question, made.public, Table.from_rows(["sick", "n"], rows)) for rows in ([], ROW)]
    moved = numbers[1] - numbers[0]
    assert moved.any()
    drawn = [mechanism.release(np.tile(each, RUNS)).reshape(RUNS, -1) @ np.sign(moved) for each in numbers]
    return epsilon_lower_bound(*drawn, alpha=1e-6, delta=float(project.delta)).epsilon


def _numbers(question: object, public: object, table: Table) -> np.ndarray:  # type: ignore[type-arg]
    if not isinstance(question, Learn):
        return np.asarray(question.counted(table, public)[0])  # type: ignore[attr-defined]
    pupil = full_training_data(question.course(public), table, public)  # type: ignore[arg-type]
    return pupil.next((np.array([1], dtype=np.int64),))


@pytest.mark.parametrize("ask", [SYNTHETIC, LEARN])
def test_one_row_shows_no_more_than_epsilon_allows(ask: str) -> None:
    assert bound(ask) <= 1


@pytest.mark.parametrize("ask", [SYNTHETIC, LEARN])
def test_noise_that_is_too_small_is_caught(ask: str) -> None:
    assert bound(ask, fault=400) > 1
