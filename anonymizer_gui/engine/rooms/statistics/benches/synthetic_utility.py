"""How like its original a synthetic table is.

The original is looked at without noise, so what comes out is for those who may see it, and never part of a release.

Like all of `likeness`, this looks at the original without noise: for those who may see it, and never part of a release.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.dp_sgd import FeatureEncoding, PlainEvaluation, train_without_noise
from anonymizer_gui.engine.rooms.statistics.public_domains import ColumnDomain
from anonymizer_gui.engine.rooms.statistics.question import PublicKnowledge

_QUERIES = 200

_TESTED = 3


@dataclass(frozen=True, slots=True)
class PairDistance:
    """Two columns: the share of rows that stand elsewhere, and what independent columns would misplace."""

    first: str
    second: str
    distance: float
    alone: float


@dataclass(frozen=True, slots=True)
class SyntheticUtility:
    """Shares of rows that would have to move (total variation); the mean error of queries; and what was learned."""

    columns: tuple[tuple[str, float], ...]
    pairs: tuple[PairDistance, ...]
    queries: float | None
    learned: tuple[PlainEvaluation, PlainEvaluation] | None
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


def measure_utility(
    original: Table, made: Table, domains: Sequence[ColumnDomain], target: str, progress: Progress = SILENT
) -> SyntheticUtility:
    """Compare a synthetic table with its original, in the cells that are public."""
    progress(0.0, "Comparing columns")
    cells = [cells_of_table(table, domains) for table in (original, made)]
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
    return SyntheticUtility(columns, pairs, queries, train_on_both(cells, domains, target))


def cells_of_table(table: Table, domains: Sequence[ColumnDomain]) -> list[Ints]:
    """Give the cell of every row in every column."""
    return [domain.of_rows(table.column(domain.column), PublicKnowledge()) for domain in domains]


def _shares(codes: Ints, size: int) -> Ints:
    return np.asarray(np.bincount(codes, minlength=size) / max(len(codes), 1))


def _distance(one: Ints, other: Ints) -> float:
    return float(np.abs(one - other).sum() / 2)


def _pair(
    domains: Sequence[ColumnDomain], cells: Sequence[Sequence[Ints]], sizes: Sequence[int], alone: Sequence[Ints],
    a: int, b: int,
) -> PairDistance:  # fmt: skip
    real, made = (_shares(each[a] * sizes[b] + each[b], sizes[a] * sizes[b]) for each in cells)
    apart = np.outer(alone[a], alone[b]).ravel()
    return PairDistance(domains[a].column, domains[b].column, _distance(real, made), _distance(real, apart))


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


def train_on_both(
    cells: Sequence[Sequence[Ints]], domains: Sequence[ColumnDomain], target: str
) -> tuple[PlainEvaluation, PlainEvaluation] | None:
    """Learn the target from both tables without noise; every third row of the original is held out for both."""
    names = [domain.column for domain in domains]
    at = names.index(target) if target in names else -1
    if at < 0 or len(domains) < 2 or not 2 <= len(domains[at].labels) <= 20 or len(cells[0][0]) < 2 * _TESTED:
        return None
    encoding = FeatureEncoding(tuple(domain for place, domain in enumerate(domains) if place != at))
    real, made = ([codes for place, codes in enumerate(each) if place != at] for each in cells)
    is_tested = np.arange(len(cells[0][0])) % _TESTED == 0
    tested = [codes[is_tested] for codes in real], cells[0][at][is_tested]
    classes = len(domains[at].labels)
    own = train_without_noise(
        encoding, [codes[~is_tested] for codes in real], cells[0][at][~is_tested], classes, tested
    )
    return own, train_without_noise(encoding, made, cells[1][at], classes, tested)


Both = tuple[Table, Table]
"""The original, and the synthetic table."""

_LEAST_COUNT = 1.0

_OTHERS = "…"
"""How all rare values together are called."""


@dataclass(frozen=True, slots=True)
class ColumnComparison:
    """The share of each cell of a column in both tables."""

    column: str
    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Two columns against each other: the change of every share, in percentage points."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    change: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class QueryComparison:
    """How many rows fulfil a query, truly and by the synthetic table, as if it had as many rows."""

    truth: float
    estimate: float

    @property
    def error(self) -> float:
        """How wrong the estimate is, as a share of the truth."""
        return abs(self.estimate - self.truth) / max(self.truth, _LEAST_COUNT)


def compare_column(both: Both, domain: ColumnDomain, most: int = 40, progress: Progress = SILENT) -> ColumnComparison:
    """Compare the distribution of one column."""
    progress(0.0, "Comparing distributions")
    labels, codes = _few(both, domain, most)
    before, after = (tuple((np.bincount(each, minlength=len(labels)) / max(len(each), 1)).tolist()) for each in codes)
    return ColumnComparison(domain.column, labels, before, after)


def compare_pair(
    both: Both, one: ColumnDomain, other: ColumnDomain, most: int = 12, progress: Progress = SILENT
) -> PairComparison:
    """Compare the table of two columns."""
    progress(0.0, "Comparing two columns")
    (rows, first), (columns, second) = _few(both, one, most), _few(both, other, most)
    size = len(rows) * len(columns)
    shares = [
        np.bincount(a * len(columns) + b, minlength=size) / max(len(a), 1) for a, b in zip(first, second, strict=True)
    ]
    change = (100 * (shares[1] - shares[0])).round(3).reshape(len(rows), len(columns))
    return PairComparison(rows, columns, tuple(map(tuple, change.tolist())))


def _few(both: Both, domain: ColumnDomain, most: int) -> tuple[tuple[str, ...], list[Ints]]:
    """Give cells as few groups: names that are rare in the original together, neighbouring bins as runs."""
    cells = [domain.of_rows(table.column(domain.column), PublicKnowledge()) for table in both]
    labels = [*domain.labels, MISSING]
    if len(labels) <= most + 1:
        return tuple(labels), cells
    if domain.middles() is not None:
        width = -(-len(domain.labels) // most)
        group = np.append(np.arange(len(domain.labels)) // width, -(-len(domain.labels) // width))
        parts = [domain.labels[at : at + width] for at in range(0, len(domain.labels), width)]
        named = [f"{part[0].partition('..')[0]}..{part[-1].rpartition('..')[2]}" for part in parts]
        return (*named, MISSING), [group[each] for each in cells]
    counts = np.bincount(cells[0], minlength=len(labels))
    kept = np.sort(np.argsort(-counts, kind="stable")[: most - 1])
    group = np.full(len(labels), len(kept))
    group[kept] = np.arange(len(kept))
    return (*(labels[at] for at in kept.tolist()), _OTHERS), [group[each] for each in cells]


def compare_query(both: Both, conditions: Mapping[str, str], progress: Progress = SILENT) -> QueryComparison:
    """Count rows as a query was typed: values with commas between, or a range such as 30..40; empty means all.

    Raises BadParameter for a range that is none.
    """
    progress(0.0, "Asking both tables")
    asked = {name: text.strip() for name, text in conditions.items() if text.strip()}
    found = []
    for table in both:
        fits = np.ones(table.n_rows, dtype=bool)
        for name, text in asked.items():
            fits &= _fitting(table.column(name), text)
        found.append(int(fits.sum()))
    truth, made = found
    return QueryComparison(truth, made * both[0].n_rows / max(both[1].n_rows, 1))


def _fitting(column: Column, text: str) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    low, dots, high = (part.strip() for part in text.partition(".."))
    if not dots:
        wanted = {part.strip() for part in text.split(",")}
        fits = np.array([label in wanted for label in column.labels], dtype=bool)
    elif not low or not high:
        raise BadParameter(message("“{text}” is no range.", text=text), "Write both ends, such as 30..40.")
    else:
        fits = np.array([_is_between(label, low, high) for label in column.labels], dtype=bool)
    return np.asarray(fits[column.codes]) if len(column) else np.empty(0, dtype=bool)


def _is_between(label: str, low: str, high: str) -> bool:
    """Compare as numbers where all three are, and otherwise as texts, in which days are in order."""
    try:
        return float(low) <= float(label) <= float(high)
    except ValueError:
        return label != MISSING and low <= label <= high


def compare_models(
    both: Both, domains: Sequence[ColumnDomain], target: str, progress: Progress = SILENT
) -> tuple[PlainEvaluation, PlainEvaluation] | None:
    """Learn a column from both tables and measure on rows of the original; nothing where it has too many values."""
    progress(0.0, "Learning")
    return train_on_both([cells_of_table(table, domains) for table in both], domains, target)
