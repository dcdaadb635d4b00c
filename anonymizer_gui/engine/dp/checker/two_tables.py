"""How a mechanism answers about two neighbouring tables, drawn many times: what differential privacy keeps alike."""

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.checker.check import Answer
from anonymizer_gui.engine.dp.checker.reading import read
from anonymizer_gui.engine.dp.checker.sampling import made_up_chance, sample
from anonymizer_gui.engine.dp.checker.tables import Table, pairs, shown
from anonymizer_gui.engine.dp.checker.terms import Term, has_bins_from_data

Floats = npt.NDArray[np.float64]
_RUNS = 40_000
_TRIED_RUNS = 4_000
_TRIED_PAIRS = 20
_MOST_BARS = 25
_TAIL = 0.02
_AS_GOOD = 0.08
"""So much apart answers may seem by chance: of pairs that tell about as much the smallest is taken."""


@dataclass(frozen=True, slots=True)
class TwoTables:
    """Two neighbours, and how often each answer, or run of answers, was given about either."""

    first: str
    second: str
    labels: tuple[str, ...]
    one: tuple[float, ...]
    other: tuple[float, ...]


def two_tables(answer: Answer, seed: int = 0) -> TwoTables | None:
    """Draw answers about the pair that refutes a mechanism, or about the most telling of some small ones.

    None where the answers of two tables cannot be compared: their bins come from the data.
    """
    term = read(answer.expression)
    if has_bins_from_data(term):
        return None
    generator = made_up_chance(seed)
    first, second = _pair(term, answer, generator)
    one, other = (sample(term, table, _RUNS, generator) for table in (first, second))
    cell = int(np.argmax([_apart(one[:, place], other[:, place]) for place in range(one.shape[1])]))
    labels, shares = _counted(one[:, cell], other[:, cell])
    return TwoTables(shown(first), shown(second), labels, *shares)


def _pair(term: Term, answer: Answer, generator: np.random.Generator) -> tuple[Table, Table]:
    if answer.example is not None:
        return answer.example.first, answer.example.second
    found = []
    for first, second in itertools.islice(pairs(term, answer.unit.kind), _TRIED_PAIRS):
        one, other = (sample(term, table, _TRIED_RUNS, generator) for table in (first, second))
        apart = max(_apart(one[:, cell], other[:, cell]) for cell in range(one.shape[1]))
        found.append((apart, first, second))
    most = max(apart for apart, _, _ in found)
    return next((first, second) for apart, first, second in found if apart >= most - _AS_GOOD)


def _apart(one: Floats, other: Floats) -> float:
    _, shares = _counted(one, other)
    return float(np.abs(np.array(shares[0]) - np.array(shares[1])).sum() / 2)


def _counted(one: Floats, other: Floats) -> tuple[tuple[str, ...], list[tuple[float, ...]]]:
    """Count every answer, or runs of them between the ends that hardly any answer is beyond."""
    values = np.unique(np.concatenate([one, other]))
    if len(values) <= _MOST_BARS:
        counts = [np.array([np.count_nonzero(side == value) for value in values]) for side in (one, other)]
        return tuple(f"{value:g}" for value in values), [tuple((c / len(one)).tolist()) for c in counts]
    low, high = np.quantile(np.concatenate([one, other]), [_TAIL, 1 - _TAIL])
    edges = np.linspace(low, high, _MOST_BARS + 1)
    counts = [np.histogram(np.clip(side, low, high), edges)[0] for side in (one, other)]
    middles = (edges[:-1] + edges[1:]) / 2
    digits = max(1 - int(np.floor(np.log10(max(edges[1] - edges[0], 1e-12)))), 0)
    first, *between, last = (f"{middle:.{digits}f}" for middle in middles)
    labels = (f"≤ {first}", *between, f"≥ {last}")
    return labels, [tuple((c / len(one)).tolist()) for c in counts]
