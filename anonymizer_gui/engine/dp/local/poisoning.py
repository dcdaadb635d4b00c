"""Reports of nobody: what a few of them, made up to deceive, can do to the estimates, and the most they ever can.

Cao, Jia and Gong, Data poisoning attacks to local differential privacy protocols, USENIX Security 2021. What protects
respondents from the server protects liars, too: no single report proves that it was made up.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.local.estimating import counts_from
from anonymizer_gui.engine.dp.local.protocol import Averaging, Counting, Reports
from anonymizer_gui.engine.dp.local.protocols.local_hashing import LocalHashing
from anonymizer_gui.engine.dp.local.unary import Unary


@dataclass(frozen=True, slots=True)
class Poisoned:
    """What made-up reports do to the estimated count of the value they push."""

    value: int
    fakes: int
    before: float
    after: float
    bound: float
    """No reports of that number can raise the estimate by more."""


def gain_of_one(protocol: Counting) -> float:
    """Give the most that one report can add to the estimate of a value: (1 - q) / (p - q)."""
    p, q = float(protocol.p), float(protocol.q)
    return (1 - q) / (p - q)


def loss_of_one(protocol: Counting) -> float:
    """Give the most that one report can take from the estimate of a value: q / (p - q)."""
    p, q = float(protocol.p), float(protocol.q)
    return q / (p - q)


def made_up(protocol: Counting, value: int, fakes: int) -> Reports:
    """Make up reports that support a value for certain."""
    if isinstance(protocol, Unary):
        bits = np.zeros((fakes, protocol.size), dtype=np.bool_)
        bits[:, value] = True
        return np.packbits(bits, axis=1)
    if isinstance(protocol, LocalHashing):
        return np.tile(np.array([1, 0, value % protocol.places], dtype=np.int64), (fakes, 1))
    return np.full(fakes, value, dtype=np.int64)


def poisoned(protocol: Counting, support: npt.ArrayLike, n: int, value: int, fakes: int) -> Poisoned:
    """Add so many made-up reports that push a value, and estimate again."""
    counted = np.asarray(support, dtype=np.int64)
    before = counts_from(protocol, counted, n).estimates[value]
    pushed = counted + protocol.support(made_up(protocol, value, fakes))
    after = counts_from(protocol, pushed, n + fakes).estimates[value]
    return Poisoned(value, fakes, float(before), float(after), fakes * gain_of_one(protocol))


def pushed_mean(
    protocol: Averaging, mean: float, n: int, bounds: tuple[float, float], fakes: int
) -> tuple[float, float]:
    """Give the mean after so many made-up reports that say the most, and how far any of that number can move one."""
    low, high = bounds
    ends = protocol.numbers(np.array([0, (1 << protocol.bits) - 1]))
    least, most = (low + (high - low) * ends).tolist()
    weight = fakes / (n + fakes)
    return mean + weight * (most - mean), weight * (most - least)
