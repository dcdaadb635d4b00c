"""Lots for many respondents at once, exact, from the randomness of the operating system."""

import os
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.local.chances import GRAIN, drawn

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Source = Callable[[int], bytes]

SECRET: Source = os.urandom
"""Where every real report comes from; simulations bring a source of their own."""
_BITS = 53
_WORD = 64


def tossed(chance: Fraction, times: int, source: Source = SECRET) -> Flags:
    """Toss a coin that falls on yes with exactly this chance."""
    limit = drawn(chance)
    if limit in (0, GRAIN):
        return np.full(times, limit == GRAIN)
    return np.asarray((_words(times, source) >> np.uint64(_WORD - _BITS)) < np.uint64(limit))


def below(limit: int, times: int, source: Source = SECRET) -> Ints:
    """Draw whole numbers from 0 on below a limit, all equally likely; what would favour the first is drawn again."""
    largest = (1 << _WORD) // limit * limit
    words = _words(times, source)
    while largest < 1 << _WORD and (again := np.flatnonzero(words >= np.uint64(largest))).size:
        words[again] = _words(len(again), source)
    return np.asarray(words % np.uint64(limit), dtype=np.int64)


def _words(times: int, source: Source) -> npt.NDArray[np.uint64]:
    return np.frombuffer(source(times * _WORD // 8), dtype="<u8").copy()
