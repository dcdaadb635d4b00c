"""Clusters: found where they are, told without anybody's label, and warned of when noise has the say."""

from fractions import Fraction

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.rooms.statistics.benches.simulated_releases import simulate_question
from anonymizer_gui.engine.rooms.statistics.budget_allocation import calibrate
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question, question_text
from anonymizer_gui.engine.rooms.statistics.questions.clustering import (
    KMeans,
    assign_clusters,
    initial_centres,
    shrink_centres,
)
from anonymizer_gui.engine.rooms.statistics.run import run
from tests.engine.rooms.statistics.making import plan

MIDDLES = np.array([[20.0, 0.2], [50.0, 0.8], [80.0, 0.3]])
ASK = "k-means 3 age 0 100 east 0 1"


def people(rows: int = 3000) -> Table:
    """Give rows around three middles, and some that have no number."""
    chance = np.random.default_rng(5)
    points = MIDDLES[np.arange(rows) % 3] + chance.normal(0, 1, (rows, 2)) * [3, 0.03]
    cells = [[f"{age:.2f}", f"{east:.3f}"] for age, east in points]
    return Table.from_rows(["age", "east"], [*cells, [MISSING, "0.5"], ["old", MISSING]])


def centres(answer: Answer) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    found = np.array([number for _, number in answer.values], dtype=float).reshape(-1, 3)
    return found[:, :2], found[:, 2]


@pytest.mark.parametrize("way", ["auto", "grid", "rounds", "halves"])
@pytest.mark.parametrize("unit", ["row", "change"])
def test_the_clusters_are_found(way: str, unit: str) -> None:
    project = plan(
        f"{ASK} with way={way}", rows=3000, epsilon=Fraction(20), total=Fraction(20), unit=PrivacyUnit.parse(unit)
    )
    found, sizes = centres(run(project, {"table": people()}).answers[0])
    if way in ("auto", "grid"):
        assert found[np.argsort(found[:, 0])] == pytest.approx(MIDDLES, abs=2.5)
        assert sizes == pytest.approx([1000] * 3, abs=60)
    away = ((MIDDLES[:, np.newaxis] - found) / [50, 0.5]) ** 2  # rounds may end where two middles share a centre
    alone = (((MIDDLES - MIDDLES.mean(axis=0)) / [50, 0.5]) ** 2).sum(axis=1).mean()
    assert away.sum(axis=2).min(axis=1).mean() < alone


def test_only_centres_and_sizes_are_told() -> None:
    answer = run(plan(ASK, rows=3000), {"table": people()}).answers[0]
    assert [label for label, _ in answer.values] == [
        f"{place} {name}" for place in (1, 2, 3) for name in ("age", "east", "rows")
    ]
    assert answer.value is None
    assert answer.interval(1.0) is None


@pytest.mark.parametrize("rows", [0, 1])
def test_hardly_any_rows_give_centres_between_the_bounds_and_a_warning(rows: int) -> None:
    for way in ("grid", "rounds"):
        answer = run(plan(f"{ASK} with way={way}", rows=1), {"table": people(rows)}).answers[0]
        found, _ = centres(answer)
        assert ((found >= 0) & (found <= [100, 1])).all()
        assert any("single centre" in note for note in answer.notes)


def test_rounds_and_grid_follow_from_what_is_public() -> None:
    def steps(ask: str, epsilon: str, rows: int) -> tuple[int, int]:
        project = plan(ask, rows=rows)
        asked = project.questions[0]
        made = calibrate(asked.question, project.public(asked), Fraction(epsilon), project.delta)
        return len(made.mechanisms), made.cells

    rounds = f"{ASK} with way=rounds"
    assert [steps(rounds, "1", rows)[0] for rows in (0, 100, 2000, 10**6)] == [5, 2, 3, 7]
    assert steps(f"{rounds} rounds=4", "1", 10**6)[0] == 4
    small, large = steps(ASK, "0.1", 10_000), steps(ASK, "1", 100_000)
    assert small == (1, 100)
    assert large == (1, 10_000)


@pytest.mark.parametrize("ask", ["k-means 2 age 9 1", "k-means 2 age 0 1 age 0 1"])
def test_wrong_bounds_are_refused(ask: str) -> None:
    with pytest.raises(BadParameter):
        run(plan(ask), {"table": people(9)})


def test_words_there_and_back() -> None:
    for ask in (ASK, 'k-means 5 "net income" 0 9.5 with way=halves rounds=3'):
        assert question_text(parse_question(ask)) == ask
    for wrong in ("k-means", "k-means 0 age 0 1", "k-means 2 age 0", "k-means 2 age a b", "k-means 1.5 age 0 1"):
        with pytest.raises(BadParameter):
            parse_question(wrong)


@pytest.mark.parametrize("way", ["grid", "rounds"])
def test_a_preview_is_simulated_and_repeatable(way: str) -> None:
    project = plan(f"{ASK} with way={way}", rows=3000)
    one, again = (simulate_question(project.questions[0], project, Fraction(5), seed=3, releases=4) for _ in range(2))
    assert one.draws == again.draws
    assert len({draw.values for draw in one.draws}) == 4


def test_centres_begin_apart_and_the_same_every_time() -> None:
    found = initial_centres(15, 6)
    assert np.array_equal(found, initial_centres(15, 6))
    assert (np.abs(found) <= 0.8).all()
    away = np.linalg.norm(found[:, np.newaxis] - found, axis=2) + 9 * np.eye(15)
    assert away.min() > 0.5
    assert assign_clusters(found, found).tolist() == list(range(15))


def test_a_centre_moves_by_what_is_not_noise() -> None:
    centres, sizes = np.array([[0.5, 0.0], [-0.5, 0.0]]), np.array([100.0, 0.4])
    sums = np.array([[30.0, 20.0], [9.0, 9.0]])
    stays = [-0.5, 0.0]  # fewer rows than one: nothing is known of them
    assert shrink_centres(centres, sizes, sums, (0.0, 0.0)) == pytest.approx(np.array([[0.3, 0.2], stays]))
    assert shrink_centres(centres, sizes, sums, (1e6, 1e6)) == pytest.approx(centres, abs=1e-4)
    # Two cells share a square: their points are 1/6 from its middle, squared, along a column; so is this noise.
    half = shrink_centres(centres, sizes, sums, (0.0, 100 / np.sqrt(6)))
    assert half == pytest.approx(np.array([[0.4, 0.1], stays]))


def test_rounds_with_little_budget_lose_less_than_noisy_means(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without knowing the noise, a centre goes all the way to a noisy sum over a noisy size."""
    project = plan("k-means 15 age -1 1 east -1 1 with way=rounds", rows=5000)
    asked = project.questions[0]
    assert isinstance(asked.question, KMeans)
    points = asked.question.made_up_points(5000)

    def lost() -> float:
        drawn = simulate_question(asked, project, Fraction(1, 10), seed=3, releases=3).draws
        found = [asked.question.centres_of(draw.values) for draw in drawn]  # type: ignore[attr-defined]
        return float(
            np.mean([((points - each[assign_clusters(points, each)]) ** 2).sum(axis=1).mean() for each in found])
        )

    eased = lost()
    monkeypatch.setattr(KMeans, "_spread", lambda *_: 0.0)
    assert eased < 0.6 * lost()
