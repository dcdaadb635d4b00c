"""Possible releases about numbers that are not private: repeatable by a seed, and never a release themselves."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import Mechanism
from anonymizer_gui.engine.rooms.statistics.budget_allocation import CalibratedQuestion, calibrate
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion, Project
from anonymizer_gui.engine.rooms.statistics.question import AnswerValue, NoisySteps
from anonymizer_gui.engine.rooms.statistics.questions.clustering import Floats, KMeans, assign_clusters, cluster_cells


def simulate_releases(mechanism: Mechanism, values: Ints, *, releases: int, seed: int) -> Ints:
    """Give what so many releases might look like, one in each row, for simulated or public values."""
    generator = np.random.default_rng(seed)
    return np.stack([mechanism.simulate(values, generator) for _ in range(releases)])


USUAL_ROWS = 1000
"""The size of a made-up table when nobody says how many rows there are."""


@dataclass(frozen=True, slots=True)
class SimulatedReleases:
    """Made-up true numbers, and what some releases would tell of them; repeatable by the seed."""

    labels: tuple[str, ...]
    truth: AnswerValue
    draws: tuple[AnswerValue, ...]
    rows: int


def simulate_question(
    asked: PlannedQuestion, project: Project, epsilon: Fraction, *, seed: int, releases: int = 30
) -> SimulatedReleases:
    """Draw some possible answers about made-up data; raises BadParameter when the question cannot be asked."""
    rows = project.rows or USUAL_ROWS
    made = calibrate(asked.question, project.public(asked, rows), epsilon, project.delta_of(asked))
    counted = asked.question.simulated(made.public, rows)
    drawn = _drawn(made, counted, rows, seed, releases)
    told = tuple(asked.question.told(NoisySteps(numbers, made.mechanisms), made.public) for numbers in drawn)
    truth = asked.question.told(NoisySteps(_best(made, counted, rows), made.mechanisms), made.public)
    return SimulatedReleases(asked.question.labels(made.public), truth, told, rows)


def _drawn(
    made: CalibratedQuestion, counted: tuple[Ints, ...], rows: int, seed: int, releases: int
) -> list[tuple[Ints, ...]]:
    if not made.mechanisms:
        return [counted] * releases
    if made.question.is_adaptive:
        return [_in_turn(made, rows, seed + release) for release in range(releases)]
    both = enumerate(zip(made.mechanisms, counted, strict=True))
    steps = [simulate_releases(m, numbers, releases=releases, seed=seed + at) for at, (m, numbers) in both]
    return [tuple(step[release] for step in steps) for release in range(releases)]


def _exact_in_turn(made: CalibratedQuestion, rows: int) -> tuple[Ints, ...]:
    exact: list[Ints] = []
    after = _simulated(made, rows)
    for mechanism in made.mechanisms:
        numbers = after(tuple(exact))
        exact.append(np.array([np.argmax(numbers)], dtype=np.int64) if mechanism.chooses else numbers)
    return tuple(exact)


def _simulated(made: CalibratedQuestion, rows: int) -> Callable[[tuple[Ints, ...]], Ints]:
    """Give what counts the next step of a made-up table, after noisy answers."""
    question, public = made.question, made.public
    if (data := question.made_up(public, rows)) is not None:
        return lambda noisy: question.counted_after(data, public, noisy)
    return lambda noisy: question.simulated_after(public, rows, noisy)


def _in_turn(made: CalibratedQuestion, rows: int, seed: int) -> tuple[Ints, ...]:
    """Simulate a question whose later steps depend on earlier answers."""
    drawn: list[Ints] = []
    after = _simulated(made, rows)
    for at, mechanism in enumerate(made.mechanisms):
        numbers = after(tuple(drawn))
        drawn.append(simulate_releases(mechanism, numbers, releases=1, seed=1000 * seed + at)[0])
    return tuple(drawn)


def _best(made: CalibratedQuestion, counted: tuple[Ints, ...], rows: int) -> tuple[Ints, ...]:
    """Give the numbers themselves, or of candidates the places of the best ones."""
    if made.question.is_adaptive:
        return _exact_in_turn(made, rows)
    if not made.mechanisms or not made.mechanisms[0].chooses:
        return counted
    picks = max(made.question.steps(made.public)[0].picks, 1)
    return (np.argsort(-counted[0], kind="stable")[:picks].astype(np.int64),)


EPSILONS = tuple(Fraction(text) for text in ("0.03", "0.1", "0.3", "1", "3", "10"))

_DRAWS = 3


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedClusters:
    """Made-up points and centres in the units of the columns; losses are mean squared distances between -1 and 1."""

    names: tuple[str, ...]
    points: Floats
    before: Floats
    """The centres that would be found without noise."""
    after: Floats
    """Those of one possible release."""
    losses: tuple[tuple[float, float], ...]
    """Epsilon and mean loss."""
    best: float
    alone: float
    """The loss of a single centre."""
    seed: int


def simulate_clusters(
    asked: PlannedQuestion, project: Project, epsilon: Fraction, seed: int, progress: Progress = SILENT
) -> SimulatedClusters:
    """Cluster made-up points with the noise of the plan; raises BadParameter when the question cannot be asked."""
    question = asked.question
    if not isinstance(question, KMeans):
        raise TypeError("Only clusters have centres.")
    points = question.made_up_points(project.rows or USUAL_ROWS)
    before, _ = cluster_cells(points, np.ones(len(points)), question.clusters)
    losses = []
    for at, tried in enumerate((*EPSILONS, epsilon)):
        progress(at / (len(EPSILONS) + 1), "Drawing possible releases")
        drawn = simulate_question(asked, project, tried, seed=seed, releases=_DRAWS).draws
        found = [question.centres_of(told.values) for told in drawn]
        losses.append((float(tried), float(np.mean([_loss(points, centres) for centres in found]))))
    alone = float(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean())
    own = [question.in_units(part) for part in (points, before, found[0])]
    return SimulatedClusters(
        question.features, own[0], own[1], own[2], tuple(losses[:-1]), _loss(points, before), alone, seed
    )


def _loss(points: Floats, centres: Floats) -> float:
    away = points - centres[assign_clusters(points, centres)]
    return float((away * away).sum(axis=1).mean())
