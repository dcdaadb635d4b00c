"""A synthetic table as noisy counts: all that is kept of the data, and enough to draw any number of rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.dp.gateway import Ints, draw_lots
from anonymizer_gui.engine.rooms.statistics.column_domains import ColumnDomain
from anonymizer_gui.engine.rooms.statistics.synthesis.counting import Edge, Floats, merged, parted
from anonymizer_gui.engine.rooms.statistics.synthesis.drawing import (
    Lots,
    drawn_groups,
    shuffled,
    uniform,
    within_groups,
)
from anonymizer_gui.engine.rooms.statistics.synthesis.fitting import Fitted, fit, on_simplex

KIND = "synthetic"


@dataclass(frozen=True, slots=True, eq=False)
class Singles:
    """Noisy counts of the cells of every column, and the groups of cells that stand out of the noise."""

    counts: tuple[Ints, ...]
    groups: tuple[Ints, ...]
    sigma: float

    @classmethod
    def of(cls, noisy: Ints, sizes: Sequence[int], sigma: float) -> "Singles":
        """Cut noisy numbers into columns, and put rare cells together."""
        counts = tuple(part.astype(np.int64) for part in parted(noisy, sizes))
        return cls(counts, tuple(merged(part, sigma) for part in counts), sigma)

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
        return tuple(on_simplex(counts, rows) for counts in grouped)


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The noisy counts of single columns and of pairs."""

    singles: Singles
    pairs: Mapping[Edge, Ints]
    pair_sigma: float

    def fitted(self) -> Fitted:
        """Make distributions of the noisy counts."""
        # A group of several cells has the noise of all of them; the mean is near enough to weigh with.
        single = self.singles.sigma**2
        pairs = {edge: numbers.astype(np.float64) for edge, numbers in self.pairs.items()}
        return fit(self.singles.by_group(), pairs, single, self.pair_sigma**2)

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
    def from_json(cls, told: Mapping[str, Json]) -> "Model":
        """Make it again."""
        counts = tuple(np.array(column, dtype=np.int64) for column in told["singles"])
        groups = tuple(merged(column, told["sigma"]) for column in counts)
        edges = [(int(one), int(other)) for one, other in told["edges"]]
        pairs = {e: np.array(numbers, dtype=np.int64) for e, numbers in zip(edges, told["pairs"], strict=True)}
        return cls(Singles(counts, groups, told["sigma"]), pairs, told["pair_sigma"])


def drawn_cells(model: Model, rows: int, draw: Lots = draw_lots) -> list[Ints]:
    """Draw the cells of so many rows, 0 for about as many as there were."""
    fitted = model.fitted()
    rows = rows or max(round(fitted.rows), 1)
    groups = shuffled(drawn_groups(fitted, rows, draw), draw)
    both = zip(groups, model.singles.groups, model.singles.counts, strict=True)
    return [within_groups(group, grouping, counts.astype(np.float64), draw) for group, grouping, counts in both]


def drawn_table(model: Model, domains: Sequence[ColumnDomain], rows: int, progress: Progress = SILENT) -> Table:
    """Draw a table of so many rows, 0 for about as many as there were."""
    progress(0.0, "Drawing rows")
    cells = drawn_cells(model, rows)
    columns = []
    for at, domain in enumerate(domains):
        progress(at / len(domains), "Drawing rows")
        columns.append(Column.from_texts(domain.column, domain.texts(cells[at], uniform(len(cells[at])))))
    return Table(tuple(columns), len(cells[0]))
