"""Questions about a million rows, beside the plain count of the same numbers in the same run."""

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.progress import SILENT
from anonymizer_gui.engine.projects.opening import open_project
from anonymizer_gui.engine.rooms.statistics.answering import answer, planned
from anonymizer_gui.engine.rooms.statistics.asking import parse
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.shapes.tables.table import Column, Table

pytestmark = pytest.mark.bench
ROWS = 1_000_000


def best(work: Callable[[], Any], times: int = 5) -> float:
    """Give the shortest of several times, in seconds."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return min(taken)


def column(name: str, codes: np.ndarray[Any, Any], labels: list[str]) -> Column:
    return Column(name, codes, tuple(labels))


def asked(ask: str, table: Table) -> Callable[[], object]:
    """Give the work of answering one question, noise included."""
    project = Project(questions=(parse(ask),), epsilon=Fraction(1))
    question = planned(project, table.n_rows)[0]
    return lambda: answer(question, project, table)


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
