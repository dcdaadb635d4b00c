"""What is counted of a table for a synthetic one: cells of single columns, then of pairs, rare cells put together."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.dp.gateway import Ints

Floats = npt.NDArray[np.float64]
Cells = tuple[Ints, ...]
"""The cell of every row, for each column."""
Edge = tuple[int, int]
_SIGMAS = 3.0


def singles(cells: Cells, sizes: Sequence[int]) -> Ints:
    """Count the cells of every column, one column behind the other."""
    counts = [np.bincount(codes, minlength=size) for codes, size in zip(cells, sizes, strict=True)]
    return np.concatenate(counts).astype(np.int64)


def parted(numbers: npt.NDArray[np.generic], sizes: Sequence[int]) -> list[npt.NDArray[np.generic]]:
    """Cut what stands one behind the other."""
    return np.split(numbers, np.cumsum(sizes)[:-1])


def merged(noisy: Ints, sigma: float) -> Ints:
    """Give every cell its group: a cell that does not stand out of the noise is put together with all such ones.

    Judged by noisy counts, so it costs nothing. Groups are numbered in the order of cells, the rare ones last.
    """
    is_rare = noisy <= _SIGMAS * sigma
    if is_rare.sum() <= 1:
        return np.arange(len(noisy), dtype=np.int64)
    groups = np.cumsum(~is_rare) - 1
    return np.where(is_rare, int((~is_rare).sum()), groups).astype(np.int64)


def pair_counts(first: Ints, second: Ints, shape: tuple[int, int]) -> Ints:
    """Count rows by two groups each."""
    return np.bincount(first * shape[1] + second, minlength=shape[0] * shape[1]).astype(np.int64)


def scores(grouped: Cells, margins: Sequence[Floats], edges: Sequence[Edge], worth: Floats) -> Ints:
    """Say of each pair of columns how many rows independent columns would misplace, less what noise would.

    `worth` is the public part: what a noisy table of so many cells is expected to be off by.
    """
    found = np.zeros(len(edges), dtype=np.int64)
    for at, (one, other) in enumerate(edges):
        expected = expected_pairs(margins[one], margins[other])
        counted = pair_counts(grouped[one], grouped[other], (len(margins[one]), len(margins[other])))
        found[at] = np.abs(counted - expected).sum()
    return np.asarray(found - np.rint(worth), dtype=np.int64)


def expected_pairs(one: Floats, other: Floats) -> Ints:
    """Give whole counts of pairs if two columns had nothing to do with each other."""
    total = max(float(one.sum()), 1.0)
    return np.asarray(np.rint(np.outer(one, other).ravel() / total), dtype=np.int64)
