"""Synthetic tables of noisy marginals: selection, fit, sampling.

Shares are made into whole numbers of rows first, so that chance adds as little as possible to the noise.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.dp.gateway import Ints, draw_lots
from anonymizer_gui.engine.rooms.statistics.public_domains import ColumnDomain

Floats = npt.NDArray[np.float64]

Cells = tuple[Ints, ...]
"""The cell of every row, for each column."""

Edge = tuple[int, int]

_SIGMAS = 3.0


def count_columns(cells: Cells, sizes: Sequence[int]) -> Ints:
    """Count the cells of every column, one column behind the other."""
    counts = [np.bincount(codes, minlength=size) for codes, size in zip(cells, sizes, strict=True)]
    return np.concatenate(counts).astype(np.int64)


def split_columns(numbers: npt.NDArray[np.generic], sizes: Sequence[int]) -> list[npt.NDArray[np.generic]]:
    """Cut what stands one behind the other."""
    return np.split(numbers, np.cumsum(sizes)[:-1])


def merge_rare_cells(noisy: Ints, sigma: float) -> Ints:
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


def pair_scores(grouped: Cells, margins: Sequence[Floats], edges: Sequence[Edge], worth: Floats) -> Ints:
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


Kind = Literal["tree", "star", "net"]


@dataclass(frozen=True, slots=True)
class PairSelection:
    """A way to join so many columns; a star has a middle, a net may have one, or choose it first.

    A net is the middle with every column, and a tree over all columns but the middle (tree-augmented naive Bayes of
    Friedman, Geiger and Goldszmidt 1997): each column is drawn by the middle and one other.
    """

    kind: Kind
    columns: int
    middle: int | None = None

    @property
    def pairs(self) -> int:
        """How many pairs are counted at most."""
        return 2 * self.columns - 3 if self.kind == "net" and self.columns > 1 else self.columns - 1

    @property
    def picks(self) -> int:
        """How many choices are made; none where all pairs are counted anyway."""
        if self.kind == "star" or self.columns == 2:
            return 0
        if self.kind == "tree":
            return self.columns - 1
        return 0 if self.columns <= 3 else self.columns - 2 + int(self.middle is None)

    @property
    def shares(self) -> tuple[Fraction, Fraction]:
        """The shares of the budget for single columns, and for all choices; pairs have the rest.

        A net counts twice as many pairs and needs more for them.
        """
        singles, choice = (Fraction(1, 10),) * 2 if self.kind == "net" else (Fraction(1, 4), Fraction(1, 6))
        return singles, choice if self.picks else Fraction(0)

    def picks_middle(self, picked: int) -> bool:
        """Tell whether the choice after so many others is that of the middle."""
        return self.kind == "net" and self.middle is None and picked == 0

    def candidates(self) -> list[Edge]:
        """List all pairs."""
        return list(itertools.combinations(range(self.columns), 2))

    def joinable(self, picks: Sequence[Ints]) -> list[int]:
        """Give the places of the pairs that can be picked next: those that join two parts of the tree."""
        middle, chosen = self._picked(picks)
        return [at for at in _joining(self.candidates(), chosen) if middle not in self.candidates()[at]]

    def edges(self, picks: Sequence[Ints]) -> list[Edge]:
        """Give the pairs that are counted; a pick that closes a circle is of no use and left out."""
        if self.kind == "star":
            return self._around(self.middle or 0)
        if not self.picks:
            return self.candidates()
        middle, chosen = self._picked(picks)
        return chosen if middle is None else [*self._around(middle), *chosen]

    def _around(self, middle: int) -> list[Edge]:
        return [(min(middle, other), max(middle, other)) for other in range(self.columns) if other != middle]

    def _picked(self, picks: Sequence[Ints]) -> tuple[int | None, list[Edge]]:
        """Give the middle of a net, and the pairs of the tree picked so far."""
        left = list(picks)
        middle = self.middle if self.kind == "net" else None
        if self.picks_middle(0) and left:
            middle = int(left.pop(0)[0])
        edges, chosen = self.candidates(), list[Edge]()
        for pick in left:
            at = int(pick[0])
            if at in _joining(edges, chosen) and middle not in edges[at]:
                chosen.append(edges[at])
        return middle, chosen


def _joining(edges: Sequence[Edge], chosen: Sequence[Edge]) -> list[int]:
    """Give the places of the pairs that join two parts; others would close a circle."""
    part = {column: column for edge in edges for column in edge}
    for one, other in chosen:
        old, new = part[other], part[one]
        part = {column: new if label == old else label for column, label in part.items()}
    return [at for at, (one, other) in enumerate(edges) if part[one] != part[other]]


def drawing_order(columns: int, edges: Sequence[Edge]) -> list[tuple[int, tuple[int, ...]]]:
    """Give the columns in an order in which each is joined to few before it, and to which ones (maximum cardinality).

    >>> drawing_order(4, [(0, 1), (1, 2), (0, 2), (2, 3)])
    [(2, ()), (0, (2,)), (1, (0, 2)), (3, (2,))]
    """
    near: list[set[int]] = [{sum(edge) - at for edge in edges if at in edge} for at in range(columns)]
    drawn: list[int] = []
    order = []
    while len(drawn) < columns:
        left = [at for at in range(columns) if at not in drawn]
        best = max(left, key=lambda at: (len(near[at] & set(drawn)), len(near[at]), -at))
        order.append((best, tuple(sorted(near[best] & set(drawn)))))
        drawn.append(best)
    return order


_RAKINGS = 30

_LEAST = 1e-12

_MOST_JOINT = 2_000_000
"""Cells of three columns that are still fitted together; with more, a column is drawn by one other alone."""

_JOINT_RAKINGS = 12


@dataclass(frozen=True, slots=True, eq=False)
class FittedMarginals:
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


def fit_marginals(
    singles: Sequence[Floats], pairs: Mapping[Edge, Floats], single_variance: float, pair_variance: float
) -> FittedMarginals:
    """Fit the distributions; of an edge whose noise exceeds what it tells the columns stay independent."""
    shapes = {edge: (len(singles[edge[0]]), len(singles[edge[1]])) for edge in pairs}
    tables = {edge: numbers.reshape(shapes[edge]) for edge, numbers in pairs.items()}
    margins = _margins(singles, tables, single_variance, pair_variance)
    rows = _rows(singles, tables, single_variance, pair_variance)
    shares = tuple(project_to_simplex(margin, rows) / rows for margin in margins)
    kept: dict[Edge, Floats] = {}
    for edge, table in tables.items():
        alone = np.outer(shares[edge[0]], shares[edge[1]])
        if _is_worth_it(table, alone * rows, pair_variance):
            kept[edge] = _raked(
                project_to_simplex(table.ravel(), rows).reshape(table.shape), shares[edge[0]], shares[edge[1]]
            )
    return FittedMarginals(rows, shares, kept, tuple(pairs))


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


def project_to_simplex(numbers: Floats, total: float) -> Floats:
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


Lots = Callable[[int], npt.NDArray[np.uint64]]
"""Draws lots: the operating system for a release, something repeatable for what is only simulated."""


def draw_uniform(count: int, draw: Lots = draw_lots) -> Floats:
    """Draw numbers from 0 to 1."""
    return draw(count).astype(np.float64) / 2.0**64


def sample_groups(fitted: FittedMarginals, rows: int, draw: Lots = draw_lots) -> list[Ints]:
    """Draw the group of every row for each column, by one or two columns drawn before."""
    groups: dict[int, Ints] = {}
    for column, near in drawing_order(len(fitted.margins), fitted.joined):
        parents, shares = fitted.given(column, near)
        key = np.zeros(rows, dtype=np.int64)
        for parent in parents:
            key = key * len(fitted.margins[parent]) + groups[parent]
        groups[column] = _given(key, shares, fitted.margins[column], draw)
    return [groups[column] for column in range(len(fitted.margins))]


def _given(parent: Ints, table: Floats, alone: Floats, draw: Lots) -> Ints:
    """Draw a column by the groups of others."""
    drawn = np.empty(len(parent), dtype=np.int64)
    order = np.argsort(parent, kind="stable")
    ends = np.flatnonzero(np.diff(parent[order])) + 1
    for rows in np.split(order, ends) if len(order) else ():
        shares = table[parent[rows[0]]]
        drawn[rows] = allot_rows(shares if shares.sum() > 0 else alone, len(rows), draw)
    return drawn


def allot_rows(shares: Floats, rows: int, draw: Lots = draw_lots) -> Ints:
    """Share rows out as nearly as whole numbers allow, what is left by lot, in random order."""
    wanted = shares / shares.sum() * rows
    counts = np.floor(wanted).astype(np.int64)
    left = rows - int(counts.sum())
    if left > 0:
        # Systematic sampling: one lot, then equal steps along the remainders.
        ends = np.cumsum(wanted - counts)
        places = np.searchsorted(ends, (np.arange(left) + draw_uniform(1, draw)[0]) * ends[-1] / left, side="right")
        np.add.at(counts, np.minimum(places, len(counts) - 1), 1)
    values = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    return values[np.argsort(draw(rows), kind="stable")]


def sample_within_groups(groups: Ints, grouping: Ints, weights: Floats, draw: Lots = draw_lots) -> Ints:
    """Choose a cell of each group: by its noisy count, and all alike where none is above zero."""
    cells = np.empty(len(groups), dtype=np.int64)
    for group in np.unique(groups):
        rows, members = np.flatnonzero(groups == group), np.flatnonzero(grouping == group)
        shares = np.maximum(weights[members], 0.0)
        shares = shares if shares.sum() > 0 else np.ones(len(members))
        cells[rows] = members[allot_rows(shares, len(rows), draw)]
    return cells


def shuffle_rows(columns: Sequence[Ints], draw: Lots = draw_lots) -> list[Ints]:
    """Put rows into random order."""
    order = np.argsort(draw(len(columns[0])), kind="stable") if columns else np.zeros(0, dtype=np.int64)
    return [column[order] for column in columns]


KIND = "synthetic"


@dataclass(frozen=True, slots=True, eq=False)
class ColumnMarginals:
    """Noisy counts of the cells of every column, and the groups of cells that stand out of the noise."""

    counts: tuple[Ints, ...]
    groups: tuple[Ints, ...]
    sigma: float

    @classmethod
    def of(cls, noisy: Ints, sizes: Sequence[int], sigma: float) -> "ColumnMarginals":
        """Cut noisy numbers into columns, and put rare cells together."""
        counts = tuple(part.astype(np.int64) for part in split_columns(noisy, sizes))
        return cls(counts, tuple(merge_rare_cells(part, sigma) for part in counts), sigma)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of groups of each column."""
        return tuple(int(groups.max()) + 1 for groups in self.groups)

    def by_group(self) -> tuple[Floats, ...]:
        """Add up the noisy counts of each group."""
        both = zip(self.counts, self.groups, strict=True)
        return tuple(np.bincount(groups, weights=counts).astype(np.float64) for counts, groups in both)

    def margins(self) -> tuple[Floats, ...]:
        """Give counts of groups that are not negative and add up to the same number of rows in every column."""
        grouped = self.by_group()
        rows = max(float(np.median([counts.sum() for counts in grouped])), 1.0)
        return tuple(project_to_simplex(counts, rows) for counts in grouped)


@dataclass(frozen=True, slots=True, eq=False)
class MarginalModel:
    """The noisy counts of single columns and of pairs."""

    singles: ColumnMarginals
    pairs: Mapping[Edge, Ints]
    pair_sigma: float

    def fitted(self) -> FittedMarginals:
        """Make distributions of the noisy counts."""
        # A group of several cells has the noise of all of them; the mean is near enough to weigh with.
        single = self.singles.sigma**2
        pairs = {edge: numbers.astype(np.float64) for edge, numbers in self.pairs.items()}
        return fit_marginals(self.singles.by_group(), pairs, single, self.pair_sigma**2)

    def to_json(self) -> dict[str, Json]:
        """Give it as the ledger keeps it."""
        return {
            "kind": KIND,
            "singles": [counts.tolist() for counts in self.singles.counts],
            "edges": [list(edge) for edge in self.pairs],
            "pairs": [numbers.tolist() for numbers in self.pairs.values()],
            "sigma": self.singles.sigma,
            "pair_sigma": self.pair_sigma,
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Json]) -> "MarginalModel":
        """Make it again."""
        counts = tuple(np.array(column, dtype=np.int64) for column in told["singles"])
        groups = tuple(merge_rare_cells(column, told["sigma"]) for column in counts)
        edges = [(int(one), int(other)) for one, other in told["edges"]]
        pairs = {e: np.array(numbers, dtype=np.int64) for e, numbers in zip(edges, told["pairs"], strict=True)}
        return cls(ColumnMarginals(counts, groups, told["sigma"]), pairs, told["pair_sigma"])


def sample_cells(model: MarginalModel, rows: int, draw: Lots = draw_lots) -> list[Ints]:
    """Draw the cells of so many rows, 0 for about as many as there were."""
    fitted = model.fitted()
    rows = rows or max(round(fitted.rows), 1)
    groups = shuffle_rows(sample_groups(fitted, rows, draw), draw)
    both = zip(groups, model.singles.groups, model.singles.counts, strict=True)
    return [sample_within_groups(group, grouping, counts.astype(np.float64), draw) for group, grouping, counts in both]


def sample_table(
    model: MarginalModel, domains: Sequence[ColumnDomain], rows: int, progress: Progress = SILENT
) -> Table:
    """Draw a table of so many rows, 0 for about as many as there were."""
    progress(0.0, "Drawing rows")
    cells = sample_cells(model, rows)
    columns = []
    for at, domain in enumerate(domains):
        progress(at / len(domains), "Drawing rows")
        columns.append(Column.from_texts(domain.column, domain.texts(cells[at], draw_uniform(len(cells[at])))))
    return Table(tuple(columns), len(cells[0]))
