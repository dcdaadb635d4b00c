"""Noisy counts that do not agree made into distributions that do: weighted means, nothing below zero, raking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.rooms.statistics.synthesis.counting import Edge, Floats

_RAKINGS = 30
_LEAST = 1e-12
_MOST_JOINT = 2_000_000
"""Cells of three columns that are still fitted together; with more, a column is drawn by one other alone."""
_JOINT_RAKINGS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A share for each group of every column, and for each pair of groups along the edges that are worth it."""

    rows: float
    margins: tuple[Floats, ...]
    pairs: Mapping[Edge, Floats]
    joined: tuple[Edge, ...] = ()
    """All edges, those that are not worth it too."""

    def pair(self, one: int, other: int) -> Floats:
        """Give the shares of two columns together; as if independent where nothing better is known."""
        if (one, other) in self.pairs:
            return self.pairs[one, other]
        if (other, one) in self.pairs:
            return self.pairs[other, one].T
        return np.outer(self.margins[one], self.margins[other])

    def dependence(self, one: int, other: int) -> float:
        """Give the distance of a pair from independent columns, as a share of rows; 0 for one lost in the noise."""
        alone = np.outer(self.margins[one], self.margins[other])
        return float(np.abs(self.pair(one, other) - alone).sum() / 2)

    def given(self, column: int, parents: Sequence[int]) -> tuple[tuple[int, ...], Floats]:
        """Give the parents a column is drawn by, and its shares for each combination of them."""
        known = [at for at in parents if (at, column) in self.pairs or (column, at) in self.pairs]
        known.sort(key=lambda at: -self.dependence(at, column))
        cells = np.prod([float(len(self.margins[at])) for at in (column, *known[:2])])
        if len(known) < 2 or cells > _MOST_JOINT:
            return tuple(known[:1]), self.pair(known[0], column) if known else self.margins[column][np.newaxis]
        first, second = known[:2]
        tables = (self.pair(first, second), self.pair(first, column), self.pair(second, column))
        return (first, second), _together(*tables).reshape(-1, len(self.margins[column]))


def fit(
    singles: Sequence[Floats], pairs: Mapping[Edge, Floats], single_variance: float, pair_variance: float
) -> Fitted:
    """Fit the distributions; of an edge whose noise exceeds what it tells the columns stay independent."""
    shapes = {edge: (len(singles[edge[0]]), len(singles[edge[1]])) for edge in pairs}
    tables = {edge: numbers.reshape(shapes[edge]) for edge, numbers in pairs.items()}
    margins = _margins(singles, tables, single_variance, pair_variance)
    rows = _rows(singles, tables, single_variance, pair_variance)
    shares = tuple(on_simplex(margin, rows) / rows for margin in margins)
    kept: dict[Edge, Floats] = {}
    for edge, table in tables.items():
        alone = np.outer(shares[edge[0]], shares[edge[1]])
        if _is_worth_it(table, alone * rows, pair_variance):
            kept[edge] = _raked(on_simplex(table.ravel(), rows).reshape(table.shape), shares[edge[0]], shares[edge[1]])
    return Fitted(rows, shares, kept, tuple(pairs))


def _is_worth_it(table: Floats, alone: Floats, variance: float) -> bool:
    """Tell whether a noisy pair is nearer to the truth than independent columns are.

    The squared distance from independence is that of the truth and the variance of the noise; the noisy pair is the
    nearer one when the former is the larger.
    """
    off = table - alone
    return float((off * off).sum()) > 2.0 * variance * table.size


def _rows(singles: Sequence[Floats], tables: Mapping[Edge, Floats], single: float, pair: float) -> float:
    """Estimate the number of rows from all totals, each weighted by how sure it is."""
    totals = [(float(numbers.sum()), single * len(numbers)) for numbers in singles]
    totals += [(float(table.sum()), pair * table.size) for table in tables.values()]
    weights = [1.0 / max(variance, _LEAST) for _, variance in totals]
    whole = sum(total * weight for (total, _), weight in zip(totals, weights, strict=True)) / sum(weights)
    return max(whole, 1.0)


def _margins(singles: Sequence[Floats], tables: Mapping[Edge, Floats], single: float, pair: float) -> list[Floats]:
    """Estimate the counts of every column from its own numbers and the sums of its pairs."""
    summed = [numbers / max(single, _LEAST) for numbers in singles]
    weights = [1.0 / max(single, _LEAST)] * len(singles)
    for edge, table in tables.items():
        for side, axis in zip(edge, (1, 0), strict=True):
            weight = 1.0 / max(pair * table.shape[axis], _LEAST)
            summed[side] = summed[side] + weight * table.sum(axis=axis)
            weights[side] += weight
    return [numbers / weight for numbers, weight in zip(summed, weights, strict=True)]


def on_simplex(numbers: Floats, total: float) -> Floats:
    """Give the nearest numbers that are not negative and add up to the total (Euclidean projection)."""
    ordered = np.sort(numbers)[::-1]
    above = (np.cumsum(ordered) - total) / np.arange(1, len(ordered) + 1)
    place = np.flatnonzero(ordered > above)
    shift = above[place[-1]] if len(place) else (numbers.sum() - total) / len(numbers)
    return np.asarray(np.maximum(numbers - shift, 0.0))


def _raked(table: Floats, first: Floats, second: Floats) -> Floats:
    """Rake a table to its margins (iterative proportional fitting); a row or column without any is as the margin."""
    shares = table / max(table.sum(), _LEAST)
    shares = shares + _LEAST * np.outer(first, second)
    for _ in range(_RAKINGS):
        shares = shares * (first / np.maximum(shares.sum(axis=1), _LEAST**2))[:, np.newaxis]
        shares = shares * (second / np.maximum(shares.sum(axis=0), _LEAST**2))[np.newaxis, :]
    return np.asarray(shares)


def _together(parents: Floats, by_first: Floats, by_second: Floats) -> Floats:
    """Rake three columns to their three pairs: nothing is said that these do not say (maximum entropy)."""
    shares = (
        parents[:, :, np.newaxis] * (by_first / np.maximum(by_first.sum(axis=1, keepdims=True), _LEAST))[:, np.newaxis]
    )
    for _ in range(_JOINT_RAKINGS):
        shares *= (by_second / np.maximum(shares.sum(axis=0), _LEAST**2))[np.newaxis]
        shares *= (by_first / np.maximum(shares.sum(axis=1), _LEAST**2))[:, np.newaxis]
        shares *= (parents / np.maximum(shares.sum(axis=2), _LEAST**2))[:, :, np.newaxis]
    return np.asarray(shares)
