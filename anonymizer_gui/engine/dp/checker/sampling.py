"""What sampling proves about an expression that no theorem covers: repeatable by a seed, about small made-up tables."""

import itertools
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.checker.tables import Table, answered, pairs
from anonymizer_gui.engine.dp.checker.terms import (
    CANDIDATES,
    Choice,
    Combined,
    Data,
    Noise,
    Number,
    Post,
    Several,
    Term,
    cells,
)
from anonymizer_gui.engine.dp.lower_bound import LowerBound, certified_epsilon
from anonymizer_gui.engine.dp.unit import Unit

Floats = npt.NDArray[np.float64]

_RUNS = 100_000
_PILOT_RUNS = 2_000
_PAIRS = 30


def certified(
    term: Term, unit: Unit, *, delta: float, seed: int, progress: Progress = SILENT
) -> tuple[LowerBound, Table, Table]:
    """Certify an epsilon from below: the most telling pair of tables is found by few runs, then sampled by many."""
    generator = made_up_chance(seed)
    found = []
    for place, (first, second) in enumerate(itertools.islice(pairs(term, unit.kind), _PAIRS)):
        progress(place / _PAIRS / 2, "Sampling answers")
        one, other = (sample(term, table, _PILOT_RUNS, generator) for table in (first, second))
        for cell in range(one.shape[1]):
            pilot = certified_epsilon(one[:, cell], other[:, cell], delta=delta)
            found.append((pilot.epsilon, first, second, cell))
    _, first, second, cell = max(found, key=lambda pilot: pilot[0])
    progress(0.5, "Sampling answers")
    one, other = (sample(term, table, _RUNS, generator)[:, cell] for table in (first, second))
    bound = certified_epsilon(one, other, delta=delta)
    return (bound, second, first) if bound.is_swapped else (bound, first, second)


def made_up_chance(seed: int) -> np.random.Generator:
    """Give the chance of answers about made-up tables: repeatable, and never that of a release."""
    return np.random.default_rng(seed)


def sample(term: Term, table: Table, runs: int, generator: np.random.Generator) -> Floats:
    """Draw answers about a table, one in each row; a list of yes and no is told by its number of yes."""
    if isinstance(term, Several):
        return np.hstack([sample(item, table, runs, generator) for item in term.items])
    return _drawn(term, table, (runs, cells(term)), generator)


def _drawn(term: Term, table: Table, shape: tuple[int, int], generator: np.random.Generator) -> Floats:
    match term:
        case Number(value):
            return np.full(shape, float(value))
        case Data():
            return np.broadcast_to(np.array(answered(term, table), dtype=np.float64), shape)
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
