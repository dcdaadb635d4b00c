"""Questions about a million rows, beside the plain count of the same numbers in the same run."""

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.projects.opening import open_project
from anonymizer_gui.engine.rooms.statistics.mechanism_run import answer_question, budget_questions
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question

pytestmark = pytest.mark.bench
ROWS = 1_000_000


def best(work: Callable[[], Any], times: int = 5) -> float:
    """Give the shortest of several times, in seconds of this process: what else the machine does is not its fault."""
    taken = []
    for _ in range(times):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def column(name: str, codes: np.ndarray[Any, Any], labels: list[str]) -> Column:
    return Column(name, codes, tuple(labels))


def asked(ask: str, table: Table) -> Callable[[], object]:
    """Give the work of answering one question, noise included."""
    project = Project(questions=(parse_question(ask),), epsilon=Fraction(1))
    question = budget_questions(project, table.n_rows)[0]
    return lambda: answer_question(question, project, table)


def test_a_histogram_of_74_bins_is_hardly_slower_than_counting() -> None:
    ages = np.random.default_rng(1).integers(17, 91, ROWS)
    table = Table((column("age", (ages - 17).astype(np.uint8), [str(age) for age in range(17, 91)]),))
    work = asked("histogram age 17 91 74", table)
    work()
    plain, private = best(lambda: np.bincount(ages - 17, minlength=74)), best(work)
    assert private <= 3 * plain + 0.05


@pytest.mark.parametrize("digits", [3, 4])
def test_a_map_of_a_million_points_takes_half_a_second(digits: int) -> None:
    chance = np.random.default_rng(1)
    points = {name: np.round(chance.random(ROWS), digits) for name in ("x", "y")}
    columns = []
    for name, values in points.items():
        distinct, codes = np.unique(values, return_inverse=True)
        columns.append(column(name, codes.astype(np.uint32), [f"{value:.{digits}f}" for value in distinct]))
    work = asked("grid x 0 1 y 0 1 100 100", Table(tuple(columns)))
    work()
    private = best(work, 3)
    plain = best(lambda: np.histogram2d(points["x"], points["y"], bins=100, range=[[0, 1], [0, 1]]), 3)
    assert private <= max(0.5, 3 * plain)


def test_the_sample_is_answered_within_a_second() -> None:
    opened = open_project(resource_path("samples", "practice.anon"))
    opened.room.run(opened.project, opened.files, SILENT)
    assert best(lambda: opened.room.run(opened.project, opened.files, SILENT), 3) < 1


def clustered(rows: int, middles: np.ndarray[Any, Any], spread: float) -> tuple[np.ndarray[Any, Any], Table]:
    """Give points between -1 and 1 around some middles, and the table of them."""
    chance = np.random.default_rng(3)
    noise = chance.normal(0, spread, (rows, middles.shape[1]))
    points = np.round(np.clip(middles[chance.integers(0, len(middles), rows)] + noise, -1, 1), 4)
    columns = []
    for at, values in enumerate(points.T):
        distinct, codes = np.unique(values, return_inverse=True)
        columns.append(column(f"x{at}", codes.astype(np.uint32), [f"{value:.4f}" for value in distinct]))
    return points, Table(tuple(columns))


def lost(points: np.ndarray[Any, Any], centres: np.ndarray[Any, Any]) -> float:
    """Give the mean squared distance from the nearest centre."""
    return float(np.min(((points[:, np.newaxis] - centres) ** 2).sum(axis=2), axis=1).mean())


def found_centres(ask: str, table: Table, epsilon: str) -> np.ndarray[Any, Any]:
    """Ask for clusters and give their centres."""
    project = Project(questions=(parse_question(ask),), epsilon=Fraction(epsilon), rows=table.n_rows)
    told = answer_question(budget_questions(project, table.n_rows)[0], project, table)
    return np.array([value for _, value in told.values], dtype=float).reshape(-1, len(table.columns) + 1)[:, :-1]


@pytest.mark.parametrize(("rows", "epsilon", "most"), [(4995, "0.1", 2.9), (4995, "1", 1.3), (100_005, "0.1", 1.3)])
def test_fifteen_clusters_of_two_columns_lose_no_more_than_the_grid_of_the_literature(
    rows: int, epsilon: str, most: float
) -> None:
    """Beside the loss of the true middles, as a grid loses on data like S1: 2.9, 1.1 and 1.1 times as much."""
    middles = np.random.default_rng(3).uniform(-0.8, 0.8, (15, 2))
    points, table = clustered(rows, middles, 0.045)
    losses = [lost(points, found_centres("k-means 15 x0 -1 1 x1 -1 1", table, epsilon)) for _ in range(3)]
    assert np.median(losses) <= most * 1.2 * lost(points, middles)


def test_five_clusters_of_six_columns_are_found_within_two_seconds() -> None:
    middles = np.random.default_rng(3).uniform(-0.7, 0.7, (5, 6))
    points, table = clustered(48_842, middles, 0.12)
    ask = "k-means 5 " + " ".join(f"x{at} -1 1" for at in range(6))
    taken = best(lambda: found_centres(ask, table, "1"), 3)
    alone = lost(points, points.mean(axis=0)[np.newaxis])
    assert max(lost(points, found_centres(ask, table, epsilon)) for epsilon in ("0.05", "1")) < alone
    assert taken < 2
