"""What releases might look like, on numbers that are made up: the private data is never previewed."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.simulation import possible_releases
from anonymizer_gui.engine.rooms.statistics.calibration import Calibrated, calibrate
from anonymizer_gui.engine.rooms.statistics.project import Asked, Project
from anonymizer_gui.engine.rooms.statistics.question import Noisy, Told

USUAL_ROWS = 1000
"""The size of a made-up table when nobody says how many rows there are."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Made-up true numbers, and what some releases would tell of them; repeatable by the seed."""

    labels: tuple[str, ...]
    truth: Told
    draws: tuple[Told, ...]
    rows: int


def possible(asked: Asked, project: Project, epsilon: Fraction, *, seed: int, releases: int = 30) -> Preview:
    """Draw some possible answers about made-up data; raises BadParameter when the question cannot be asked."""
    rows = project.rows or USUAL_ROWS
    made = calibrate(asked.question, project.public(asked, rows), epsilon, project.delta_of(asked))
    counted = asked.question.simulated(made.public, rows)
    drawn = _drawn(made, counted, rows, seed, releases)
    told = tuple(asked.question.told(Noisy(numbers, made.mechanisms), made.public) for numbers in drawn)
    truth = asked.question.told(Noisy(_best(made, counted, rows), made.mechanisms), made.public)
    return Preview(asked.question.labels(made.public), truth, told, rows)


def _drawn(made: Calibrated, counted: tuple[Ints, ...], rows: int, seed: int, releases: int) -> list[tuple[Ints, ...]]:
    if not made.mechanisms:
        return [counted] * releases
    if made.question.is_adaptive:
        return [_in_turn(made, rows, seed + release) for release in range(releases)]
    both = enumerate(zip(made.mechanisms, counted, strict=True))
    steps = [possible_releases(m, numbers, releases=releases, seed=seed + at) for at, (m, numbers) in both]
    return [tuple(step[release] for step in steps) for release in range(releases)]


def _exact_in_turn(made: Calibrated, rows: int) -> tuple[Ints, ...]:
    exact: list[Ints] = []
    after = _simulated(made, rows)
    for mechanism in made.mechanisms:
        numbers = after(tuple(exact))
        exact.append(np.array([np.argmax(numbers)], dtype=np.int64) if mechanism.chooses else numbers)
    return tuple(exact)


def _simulated(made: Calibrated, rows: int) -> Callable[[tuple[Ints, ...]], Ints]:
    """Give what counts the next step of a made-up table, after noisy answers."""
    question, public = made.question, made.public
    if (data := question.made_up(public, rows)) is not None:
        return lambda noisy: question.counted_after(data, public, noisy)
    return lambda noisy: question.simulated_after(public, rows, noisy)


def _in_turn(made: Calibrated, rows: int, seed: int) -> tuple[Ints, ...]:
    """Simulate a question whose later steps depend on earlier answers."""
    drawn: list[Ints] = []
    after = _simulated(made, rows)
    for at, mechanism in enumerate(made.mechanisms):
        numbers = after(tuple(drawn))
        drawn.append(possible_releases(mechanism, numbers, releases=1, seed=1000 * seed + at)[0])
    return tuple(drawn)


def _best(made: Calibrated, counted: tuple[Ints, ...], rows: int) -> tuple[Ints, ...]:
    """Give the numbers themselves, or of candidates the places of the best ones."""
    if made.question.is_adaptive:
        return _exact_in_turn(made, rows)
    if not made.mechanisms or not made.mechanisms[0].chooses:
        return counted
    picks = max(made.question.steps(made.public)[0].picks, 1)
    return (np.argsort(-counted[0], kind="stable")[:picks].astype(np.int64),)
