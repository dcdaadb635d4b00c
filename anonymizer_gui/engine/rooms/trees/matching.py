"""Optimal assignment (Hungarian method) of children to children; pairs that gain nothing stay apart."""

from itertools import permutations

import numpy as np
import numpy.typing as npt

Pairs = list[tuple[int, int]]
_FEW = 3
_FREE = 1e-12


def best_pairs(gains: list[list[float]]) -> tuple[float, Pairs]:
    """Choose pairs (row, column), each once, with the least sum; only pairs below 0 are worth it.

    >>> best_pairs([[-1.0, -3.0], [-2.0, -3.5]])
    (-5.0, [(0, 1), (1, 0)])
    """
    rows, columns = len(gains), len(gains[0])
    if rows == 1 or columns == 1:
        value, row, column = min(
            (gain, row, column) for row, line in enumerate(gains) for column, gain in enumerate(line)
        )
        return (value, [(row, column)]) if value < -_FREE else (0.0, [])
    if max(rows, columns) <= _FEW:
        return _tried(gains, rows, columns)
    return _hungarian(np.minimum(np.array(gains), 0.0))


def _tried(gains: list[list[float]], rows: int, columns: int) -> tuple[float, Pairs]:
    """Try every way, where there are few."""
    best, pairs = 0.0, Pairs()
    turned = rows > columns
    few, many = (columns, rows) if turned else (rows, columns)
    for chosen in permutations(range(many), few):
        value = 0.0
        for at, other in enumerate(chosen):
            gain = gains[other][at] if turned else gains[at][other]
            value += gain if gain < 0 else 0.0
        if value < best - _FREE:
            best = value
            pairs = [(other, at) if turned else (at, other) for at, other in enumerate(chosen)]
    return best, sorted((row, column) for row, column in pairs if gains[row][column] < -_FREE)


def _hungarian(costs: npt.NDArray[np.float64]) -> tuple[float, Pairs]:
    """Assign by shortest augmenting paths (Jonker and Volgenant 1987); the matrix is turned to have fewer rows."""
    turned = costs.shape[0] > costs.shape[1]
    costs = costs.T if turned else costs
    n_rows, n_columns = costs.shape
    rows, columns = np.zeros(n_rows + 1), np.zeros(n_columns + 1)
    owner, way = np.zeros(n_columns + 1, dtype=np.int64), np.zeros(n_columns + 1, dtype=np.int64)
    rows[1:] = costs.min(axis=1)
    for row in _unmatched(costs, owner):
        owner[0], column = row, 0
        least, used = np.full(n_columns + 1, np.inf), np.zeros(n_columns + 1, dtype=np.bool_)
        while True:
            used[column] = True
            free = ~used
            free[0] = False
            reduced = costs[owner[column] - 1] - rows[owner[column]] - columns[1:]
            better = free[1:] & (reduced < least[1:])
            least[1:][better] = reduced[better]
            way[1:][better] = column
            following = int(np.argmin(np.where(free, least, np.inf)))
            step = least[following]
            rows[owner[used]] += step
            columns[used] -= step
            least[~used] -= step
            column = following
            if owner[column] == 0:
                break
        while column:
            owner[column] = owner[way[column]]
            column = int(way[column])
    found = [(int(owner[column]) - 1, column - 1) for column in range(1, n_columns + 1) if owner[column]]
    pairs = sorted((other, one) if turned else (one, other) for one, other in found if costs[one, other] < -_FREE)
    return float(sum(costs[one, other] for one, other in found)), pairs


def _unmatched(costs: npt.NDArray[np.float64], owner: npt.NDArray[np.int64]) -> list[int]:
    """Give every row a free column that is the cheapest it has, and list the rows for which there is none."""
    left = []
    for row, line in enumerate(costs, start=1):
        free = np.flatnonzero((line == line.min()) & (owner[1:] == 0))
        if len(free):
            owner[free[0] + 1] = row
        else:
            left.append(row)
    return left
