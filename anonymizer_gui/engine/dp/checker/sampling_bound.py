"""Lower bound on epsilon from samples.

An event is picked on one half of the samples and counted on the other; bounds for its two probabilities that hold
with the confidence asked for (Clopper and Pearson 1934) give an epsilon the mechanism certainly exceeds. It sees
only events of one number, so a small bound proves nothing good.
"""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.checker.counterexample import Table, exact_answer, neighbouring_pairs
from anonymizer_gui.engine.dp.checker.expression import (
    CANDIDATES,
    Choice,
    Combined,
    Data,
    Noise,
    Number,
    Post,
    Term,
    Tuple,
    cells,
)
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit

Floats = npt.NDArray[np.float64]

_MOST_VALUES = 1000

_WIDTH = 3.7  # of the bounds by which an event is picked, in standard deviations

_RELATIONS = "≤≥="


@dataclass(frozen=True, slots=True)
class LowerBound:
    """With probability 1 - `alpha`, epsilon is at least this: the event is so likely here and so unlikely there.

    `is_swapped` says that the event is likely for the second samples.
    """

    epsilon: float
    event: str
    likely: float
    unlikely: float
    runs: int
    alpha: float
    is_swapped: bool = False


def epsilon_lower_bound(
    first: npt.ArrayLike, second: npt.ArrayLike, *, alpha: float = 1e-4, delta: float = 0.0
) -> LowerBound:
    """Certify an epsilon from samples of the same answer about two neighbouring tables, in either order."""
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    half = min(len(one), len(other)) // 2
    ways = [(one, other), (other, one)]
    picked = [_picked(likely[:half], unlikely[:half], delta) for likely, unlikely in ways]
    way = max(range(2), key=lambda place: picked[place][0])
    relation, value = picked[way][1]
    likely, unlikely = (samples[half:] for samples in ways[way])
    low = clopper_pearson(_count(likely, relation, value), len(likely), alpha)[0]
    high = clopper_pearson(_count(unlikely, relation, value), len(unlikely), alpha)[1]
    epsilon = math.log((low - delta) / high) if low > delta else 0.0
    runs, event = len(likely) + len(unlikely), f"{relation} {value + 0.0:.6g}"
    return LowerBound(max(epsilon, 0.0), event, low, high, runs, alpha, is_swapped=way == 1)


def delta_lower_bound(first: npt.ArrayLike, second: npt.ArrayLike, epsilon: float, *, alpha: float = 1e-4) -> float:
    """Certify a delta at this epsilon: the best event's P(here) - e^epsilon P(there), from below."""
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    half, factor = min(len(one), len(other)) // 2, math.exp(epsilon)
    values = _telling(np.concatenate([one[:half], other[:half]]))
    gain = _counts(one[:half], values) - factor * _counts(other[:half], values)
    relation, place = np.unravel_index(np.argmax(gain), gain.shape)
    hits = [_count(samples[half:], _RELATIONS[relation], values[place]) for samples in (one, other)]
    low = clopper_pearson(hits[0], len(one) - half, alpha)[0]
    high = clopper_pearson(hits[1], len(other) - half, alpha)[1]
    return max(low - factor * high, 0.0)


def _picked(likely: Floats, unlikely: Floats, delta: float) -> tuple[float, tuple[str, float]]:
    """Pick the event by a lower bound of its ratio: the largest ratio itself is mostly chance."""
    values = _telling(np.concatenate([likely, unlikely]))
    low = _about(_counts(likely, values), len(likely), -_WIDTH) - delta
    ratio = low / _about(_counts(unlikely, values), len(unlikely), _WIDTH)
    relation, place = np.unravel_index(np.argmax(ratio), ratio.shape)
    return float(ratio[relation, place]), (_RELATIONS[relation], float(values[place]))


def _telling(samples: Floats) -> Floats:
    values, times = np.unique(samples, return_counts=True)
    if len(values) <= _MOST_VALUES:
        return np.asarray(values)
    spread = np.quantile(samples, np.linspace(0, 1, _MOST_VALUES), method="nearest")
    return np.asarray(np.unique(np.concatenate([spread, values[np.argsort(-times)[:10]]])))


def _counts(samples: Floats, values: Floats) -> Floats:
    """Count the samples that are at most, at least, and exactly each value."""
    ordered = np.sort(samples)
    up_to, below = np.searchsorted(ordered, values, "right"), np.searchsorted(ordered, values, "left")
    return np.array([up_to, len(ordered) - below, up_to - below], dtype=np.float64)


def _count(samples: Floats, relation: str, value: float) -> int:
    return int(_counts(samples, np.array([value]))[_RELATIONS.index(relation), 0])


def _about(hits: Floats, runs: int, width: float) -> Floats:
    """Bound probabilities as Wilson does, well enough for picking."""
    share, spread = hits / runs, width * width / runs
    return np.asarray((share + spread / 2 + width * np.sqrt((share * (1 - share) + spread / 4) / runs)) / (1 + spread))


def clopper_pearson(hits: int, runs: int, alpha: float) -> tuple[float, float]:
    """Give bounds that hold for a probability with 1 - alpha / 2 each, from how often something happened."""
    low = _solve(hits, runs - hits + 1, alpha / 2) if hits else 0.0
    high = _solve(hits + 1, runs - hits, 1 - alpha / 2) if hits < runs else 1.0
    return low * (1 - 1e-9), min(high * (1 + 1e-9), 1.0)


def _solve(a: int, b: int, wanted: float) -> float:
    """Find where the distribution function of Beta(a, b) takes a value, by halving."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if beta_function(a, b, middle) < wanted else (low, middle)
    return (low + high) / 2


def beta_function(a: float, b: float, x: float) -> float:
    """Give the regularised incomplete beta function by its continued fraction.

    >>> round(beta_function(2, 3, 0.4), 12)
    0.5248
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_function(b, a, 1 - x)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    below, ratio, fraction = 1.0, 0.0, 1.0
    for step in range(100_000):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2 == 0:
            term = half * (b - half) * x / ((a + step - 1) * (a + step))
        else:
            term = -(a + half) * (a + b + half) * x / ((a + step - 1) * (a + step))
        ratio = 1 / (1 + term * ratio or 1e-300)
        below = 1 + term / below or 1e-300
        fraction *= below * ratio
        if step and abs(1 - below * ratio) < 1e-14:
            break
    return math.exp(front) * (fraction - 1) / a


_RUNS = 100_000

_PILOT_RUNS = 2_000

_PAIRS = 30


def sample_lower_bound(
    term: Term, unit: PrivacyUnit, *, delta: float, seed: int, progress: Progress = SILENT
) -> tuple[LowerBound, Table, Table]:
    """Certify an epsilon from below: the most telling pair of tables is found by few runs, then sampled by many."""
    generator = seeded_generator(seed)
    found = []
    for place, (first, second) in enumerate(itertools.islice(neighbouring_pairs(term, unit.kind), _PAIRS)):
        progress(place / _PAIRS / 2, "Sampling answers")
        one, other = (sample_answers(term, table, _PILOT_RUNS, generator) for table in (first, second))
        for cell in range(one.shape[1]):
            pilot = epsilon_lower_bound(one[:, cell], other[:, cell], delta=delta)
            found.append((pilot.epsilon, first, second, cell))
    _, first, second, cell = max(found, key=lambda pilot: pilot[0])
    progress(0.5, "Sampling answers")
    one, other = (sample_answers(term, table, _RUNS, generator)[:, cell] for table in (first, second))
    bound = epsilon_lower_bound(one, other, delta=delta)
    return (bound, second, first) if bound.is_swapped else (bound, first, second)


def seeded_generator(seed: int) -> np.random.Generator:
    """Give the chance of answers about made-up tables: repeatable, and never that of a release."""
    return np.random.default_rng(seed)


def sample_answers(term: Term, table: Table, runs: int, generator: np.random.Generator) -> Floats:
    """Draw answers about a table, one in each row; a list of yes and no is told by its number of yes."""
    if isinstance(term, Tuple):
        return np.hstack([sample_answers(item, table, runs, generator) for item in term.items])
    return _drawn(term, table, (runs, cells(term)), generator)


def _drawn(term: Term, table: Table, shape: tuple[int, int], generator: np.random.Generator) -> Floats:
    match term:
        case Number(value):
            return np.full(shape, float(value))
        case Data():
            return np.broadcast_to(np.array(exact_answer(term, table), dtype=np.float64), shape)
        case Noise(kind, scale):
            return (generator.laplace if kind == "laplace" else generator.normal)(0.0, float(scale), shape)
        case Choice():
            return _chosen(term, table, shape[0], generator)
        case Post(function, _, inner, numbers):
            return _after(function, _drawn(inner, table, shape, generator), numbers)
        case Combined(sign, left, right):
            one, other = (_drawn(part, table, shape, generator) for part in (left, right))
            if sign == "/":
                return np.divide(one, other, out=np.zeros_like(one), where=other != 0)
            return one + other if sign == "+" else one * other
    raise ValueError("Several answers have no one value.")


def _after(function: str, values: Floats, numbers: tuple[Fraction, ...]) -> Floats:
    if function == "clip":
        return np.clip(values, float(numbers[0]), float(numbers[1]))
    return np.abs(values) if function == "abs" else np.rint(values)


def _chosen(choice: Choice, table: Table, runs: int, generator: np.random.Generator) -> Floats:
    amount = float(choice.amount)
    if choice.kind == "randomised_response":
        truth = np.array([value > 0 for value in table], dtype=np.bool_)
        told = truth == (generator.random((runs, len(table))) < amount)
        return np.asarray(told.sum(axis=1, keepdims=True), dtype=np.float64)
    counts = np.array([table.count(candidate) for candidate in CANDIDATES], dtype=np.float64)
    shape = (runs, len(counts))
    if choice.kind == "noisy_max":
        noisy = counts + generator.laplace(0.0, amount, shape)
    else:
        noisy = counts * amount / 2 + generator.gumbel(size=shape)
    return np.asarray(np.argmax(noisy, axis=1)[:, np.newaxis] + 1, dtype=np.float64)
