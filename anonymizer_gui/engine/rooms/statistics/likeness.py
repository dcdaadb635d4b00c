"""How like its original a synthetic table is: columns, pairs of columns, queries, and what can be learned from it.

The original is looked at without noise, so what comes out is for those who may see it, and never part of a release.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.column_domains import ColumnDomain
from anonymizer_gui.engine.rooms.statistics.learning.encoding import Encoding
from anonymizer_gui.engine.rooms.statistics.learning.plainly import Learned, learned_plainly
from anonymizer_gui.engine.rooms.statistics.public import Public

_QUERIES = 200
_TESTED = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """Two columns: the share of rows that stand elsewhere, and what independent columns would misplace."""

    first: str
    second: str
    distance: float
    alone: float


@dataclass(frozen=True, slots=True)
class Likeness:
    """Shares of rows that would have to move (total variation); the mean error of queries; and what was learned."""

    columns: tuple[tuple[str, float], ...]
    pairs: tuple[Pair, ...]
    queries: float | None
    learned: tuple[Learned, Learned] | None
    """By the original and by the synthetic table, both measured on rows of the original."""

    @property
    def single(self) -> float:
        """The mean over all columns."""
        return float(np.mean([distance for _, distance in self.columns]))

    @property
    def double(self) -> float:
        """The mean over all pairs."""
        return float(np.mean([pair.distance for pair in self.pairs])) if self.pairs else 0.0

    @property
    def alone(self) -> float:
        """The mean over all pairs if columns had nothing to do with each other."""
        return float(np.mean([pair.alone for pair in self.pairs])) if self.pairs else 0.0


def likeness(
    original: Table, made: Table, domains: Sequence[ColumnDomain], target: str, progress: Progress = SILENT
) -> Likeness:
    """Compare a synthetic table with its original, in the cells that are public."""
    progress(0.0, "Comparing columns")
    cells = [cells_of(table, domains) for table in (original, made)]
    sizes = [domain.cells for domain in domains]
    counts = [[_shares(codes, size) for codes, size in zip(each, sizes, strict=True)] for each in cells]
    both = zip(domains, counts[0], counts[1], strict=True)
    columns = tuple((domain.column, _distance(one, other)) for domain, one, other in both)
    progress(0.3, "Comparing pairs")
    pairs = tuple(
        _pair(domains, cells, sizes, counts[0], a, b) for a, b in itertools.combinations(range(len(domains)), 2)
    )
    progress(0.5, "Asking queries")
    queries = _queries(cells, sizes) if original.n_rows and len(domains) > 1 else None
    progress(0.7, "Learning")
    return Likeness(columns, pairs, queries, learned_from_both(cells, domains, target))


def cells_of(table: Table, domains: Sequence[ColumnDomain]) -> list[Ints]:
    """Give the cell of every row in every column."""
    return [domain.of_rows(table.column(domain.column), Public()) for domain in domains]


def _shares(codes: Ints, size: int) -> Ints:
    return np.asarray(np.bincount(codes, minlength=size) / max(len(codes), 1))


def _distance(one: Ints, other: Ints) -> float:
    return float(np.abs(one - other).sum() / 2)


def _pair(
    domains: Sequence[ColumnDomain], cells: Sequence[Sequence[Ints]], sizes: Sequence[int], alone: Sequence[Ints],
    a: int, b: int,
) -> Pair:  # fmt: skip
    real, made = (_shares(each[a] * sizes[b] + each[b], sizes[a] * sizes[b]) for each in cells)
    apart = np.outer(alone[a], alone[b]).ravel()
    return Pair(domains[a].column, domains[b].column, _distance(real, made), _distance(real, apart))


def _queries(cells: Sequence[Sequence[Ints]], sizes: Sequence[int]) -> float:
    """Ask how many rows lie in random ranges of up to three columns; the same queries of both, the same every time."""
    chance = np.random.default_rng(1)
    errors = []
    for _ in range(_QUERIES):
        chosen = chance.choice(len(sizes), min(_TESTED, len(sizes)), replace=False)
        bounds = {int(at): np.sort(chance.integers(0, sizes[at], 2)) for at in chosen}
        found = [
            np.mean(
                np.logical_and.reduce([(each[at] >= low) & (each[at] <= high) for at, (low, high) in bounds.items()])
            )
            for each in cells
        ]
        errors.append(abs(float(found[0] - found[1])))
    return float(np.mean(errors))


def learned_from_both(
    cells: Sequence[Sequence[Ints]], domains: Sequence[ColumnDomain], target: str
) -> tuple[Learned, Learned] | None:
    """Learn the target from both tables without noise; every third row of the original is held out for both."""
    names = [domain.column for domain in domains]
    at = names.index(target) if target in names else -1
    if at < 0 or len(domains) < 2 or not 2 <= len(domains[at].labels) <= 20 or len(cells[0][0]) < 2 * _TESTED:
        return None
    encoding = Encoding(tuple(domain for place, domain in enumerate(domains) if place != at))
    real, made = ([codes for place, codes in enumerate(each) if place != at] for each in cells)
    is_tested = np.arange(len(cells[0][0])) % _TESTED == 0
    tested = [codes[is_tested] for codes in real], cells[0][at][is_tested]
    classes = len(domains[at].labels)
    own = learned_plainly(encoding, [codes[~is_tested] for codes in real], cells[0][at][~is_tested], classes, tested)
    return own, learned_plainly(encoding, made, cells[1][at], classes, tested)
