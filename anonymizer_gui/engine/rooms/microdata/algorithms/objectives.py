"""What a search makes small: LM, precision, entropy, discernibility, classification; of nodes, splits.

Every objective prices nodes so that the search stays exact. What a node costs without suppression is never more than
with it. Costs of cells add up column by column, so that all nodes are bounded before any is checked; costs of classes
never fall when classes are merged, so that a checked node bounds all nodes above it.

The lattice prices its nodes itself, with bounds for its proof (`lattice.objectives`). Here classes are priced one by
one, whatever their cells, so that algorithms which take the next best step can follow the same objectives, and results
of different algorithms can be ranked by them.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Choice, Text, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, group_rows, number_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import RANGE_NODE, recoding_loss
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import LevelTables, Node, RolledUpClasses
from anonymizer_gui.engine.rooms.microdata.recoding import LEAST_LOSS, Recoding

Floats = npt.NDArray[np.float64]

NodeClasses = npt.NDArray[np.int64]


class Objective(Protocol):
    """What nodes cost, summed over rows; made for one table."""

    name: ClassVar[str]
    title: ClassVar[str]
    by_class: ClassVar[bool] = False
    """Whether classes cost, and never less when they are merged; else cells cost, column by column."""

    ladder: LevelTables
    marginals: list[Floats]
    """What every column costs at least at each of its levels."""

    def __init__(self, ladder: LevelTables, target: str = "") -> None:
        """Price the nodes of a table; raises BadParameter when it cannot be."""

    def least(self, node: Node) -> float:
        """Give what a node costs at least, from its columns alone."""
        return float(sum(costs[level] for costs, level in zip(self.marginals, node, strict=True)))

    @abstractmethod
    def published(self, rolled: RolledUpClasses) -> float:
        """Give what a node costs when nothing is left out."""

    @abstractmethod
    def gaps(self, rolled: RolledUpClasses, which: NodeClasses) -> Floats:
        """Give what some classes cost more when they are left out."""

    @abstractmethod
    def left_out(self, rolled: RolledUpClasses, which: NodeClasses) -> float:
        """Give what classes that must be left out add at least to what the columns cost, here and at nodes below."""


class _OfCells(Objective, Protocol):
    """Every cell costs; a row that is left out costs as much as the most general one."""

    gap_of: list[Floats]
    """For each column, what a row of every leaf costs more when it is left out, at every level."""

    def published(self, rolled: RolledUpClasses) -> float:
        return self.least(rolled.node)

    def gaps(self, rolled: RolledUpClasses, which: NodeClasses) -> Floats:
        tuples = rolled.first_tuples[which]
        total = np.zeros(len(which))
        for gap, level, column in zip(self.gap_of, rolled.node, self.ladder.columns, strict=True):
            total += gap[level].take(column.take(tuples))
        return np.asarray(rolled.groups.sizes[which] * total, dtype=np.float64)

    def left_out(self, rolled: RolledUpClasses, which: NodeClasses) -> float:
        return float(self.gaps(rolled, which).sum())


class LeastLoss(_OfCells):
    """Loss (LM): leaves covered over leaves in all; a suppressed record costs 1."""

    name: ClassVar[str] = "lm"
    title: ClassVar[str] = "Loss (LM), then MD"

    def __init__(self, ladder: LevelTables, target: str = "") -> None:
        self.ladder = ladder
        self.marginals = ladder.marginal_losses
        weights = ladder.encoded.weights.tolist()
        self.gap_of = [weight - losses for weight, losses in zip(weights, ladder.cell_losses, strict=True)]

    def gaps(self, rolled: RolledUpClasses, which: NodeClasses) -> Floats:
        losses = self.ladder.row_losses(rolled.node, rolled.first_tuples[which])
        return np.asarray(rolled.groups.sizes[which] * (1.0 - losses), dtype=np.float64)


class LeastPrecisionLoss(_OfCells):
    """Precision (Sweeney 2002): levels climbed over the height of the hierarchy."""

    name: ClassVar[str] = "precision"
    title: ClassVar[str] = "Precision"

    def __init__(self, ladder: LevelTables, target: str = "") -> None:
        self.ladder = ladder
        scales = [qi.weight / max(qi.hierarchy.height, 1) for qi in ladder.encoded.qis]
        self.marginals = [climbs * scale for climbs, scale in zip(ladder.marginal_climbs, scales, strict=True)]
        depths = [qi.hierarchy.depths[nodes] for qi, nodes in zip(ladder.encoded.qis, ladder.nodes, strict=True)]
        self.gap_of = [depth * scale for depth, scale in zip(depths, scales, strict=True)]


class LeastEntropy(_OfCells):
    """Non-uniform entropy (Gionis and Tassa 2009): the bits that cells no longer tell."""

    name: ClassVar[str] = "entropy"
    title: ClassVar[str] = "Non-uniform entropy"

    def __init__(self, ladder: LevelTables, target: str = "") -> None:
        self.ladder = ladder
        self.marginals, self.gap_of = [], []
        encoded = ladder.encoded
        for qi, column, nodes in zip(encoded.qis, ladder.columns, ladder.nodes, strict=True):
            rows = np.bincount(column, weights=encoded.counts, minlength=qi.hierarchy.n_leaves)
            seen = np.concatenate([[0.0], np.cumsum(rows)])
            covered = seen[qi.hierarchy.end_leaf[nodes]] - seen[qi.hierarchy.first_leaf[nodes]]
            bits = np.log2(np.maximum(covered, 1.0) / np.maximum(rows, 1.0))
            self.marginals.append(qi.weight * np.where(rows > 0, bits * rows, 0.0).sum(axis=1))
            self.gap_of.append(qi.weight * np.log2(max(encoded.n_rows, 1) / np.maximum(covered, 1.0)))


class _OfClasses(Objective, Protocol):
    """Every class costs, and a union never less than its parts."""

    by_class: ClassVar[bool] = True

    @abstractmethod
    def costs(self, rolled: RolledUpClasses) -> tuple[Floats, Floats]:
        """Give what every class costs when it is published, and when it is left out."""

    def published(self, rolled: RolledUpClasses) -> float:
        return float(self.costs(rolled)[0].sum())

    def gaps(self, rolled: RolledUpClasses, which: NodeClasses) -> Floats:
        published, left_out = self.costs(rolled)
        return np.asarray((left_out - published)[which], dtype=np.float64)

    def left_out(self, rolled: RolledUpClasses, which: NodeClasses) -> float:
        return float(self.costs(rolled)[1][which].sum())


class LeastDiscernibility(_OfClasses):
    """Discernibility (Bayardo and Agrawal 2005): a row costs the size of its class, left out that of the table."""

    name: ClassVar[str] = "discernibility"
    title: ClassVar[str] = "Discernibility"

    def __init__(self, ladder: LevelTables, target: str = "") -> None:
        self.ladder = ladder
        self.marginals = [np.zeros(len(nodes)) for nodes in ladder.nodes]

    def costs(self, rolled: RolledUpClasses) -> tuple[Floats, Floats]:
        sizes = rolled.groups.sizes.astype(np.float64)
        return sizes * sizes, sizes * self.ladder.encoded.n_rows


class LeastClassificationError(_OfClasses):
    """Classification metric (Iyengar 2002): rows left out, and rows whose target is not the commonest of the class."""

    name: ClassVar[str] = "classification"
    title: ClassVar[str] = "Classification metric"

    def __init__(self, ladder: LevelTables, target: str = "") -> None:
        if target not in ladder.encoded.targets:
            raise BadParameter(
                "The classification metric needs a target.", "Choose the column that is to be told from the others."
            )
        self.ladder = ladder
        self.marginals = [np.zeros(len(nodes)) for nodes in ladder.nodes]
        self._held: Histogram = ladder.encoded.targets[target]

    def costs(self, rolled: RolledUpClasses) -> tuple[Floats, Floats]:
        taken = zip(self.ladder.places, rolled.node, self.ladder.columns, strict=True)
        classes = group_rows(
            [places[level].take(column) for places, level, column in taken], len(self.ladder.columns[0])
        )
        held = self._held.merged(classes.ids.astype(np.int64), len(classes))
        commonest = np.zeros(len(classes))
        np.maximum.at(commonest, held.groups, held.counts)
        sizes = rolled.groups.sizes.astype(np.float64)
        return sizes - commonest[classes.ids[rolled.first_tuples]], sizes


OBJECTIVES: Mapping[str, type[Objective]] = {
    objective.name: objective
    for objective in (LeastLoss, LeastPrecisionLoss, LeastEntropy, LeastDiscernibility, LeastClassificationError)
}

CLASSIFICATION = "classification"

_BY_CELL = ("precision", "entropy")

_DIGITS = 9

Ints = npt.NDArray[np.int64]


def objective_param(help_text: str, when: tuple[str, str] | None = None) -> str:
    """Declare the parameter that names an objective."""
    titles = {name: objective.title for name, objective in OBJECTIVES.items()}
    declared: str = param(Choice(titles), default=LEAST_LOSS, label="Objective", help=help_text, when=when)
    return declared


def target_param() -> str:
    """Declare the parameter that names the column which is to stay predictable."""
    declared: str = param(
        Text(column=True, empty="the first sensitive column"),
        default="",
        label="Target",
        help="The column that is to be told from the quasi-identifiers of the release (classification metric).",
        when=("objective", CLASSIFICATION),
    )
    return declared


@dataclass(frozen=True, slots=True, eq=False)
class ObjectiveCosts:
    """What rows cost in the nodes of every column, where cells cost; else what classes cost by size or target.

    `nodes[j]` is the price of a row in each node of column j, up to what it costs at its leaf anyway; it counts by the
    column's weight. `left_out` is what a row costs that is left out, all columns together. Without `nodes` a class
    costs: with `held` the rows whose target is not the commonest of the class, else its size for every row.
    """

    n_rows: int
    nodes: tuple[Floats, ...]
    left_out: float = 1.0
    held: Histogram | None = None

    @classmethod
    def of(cls, encoded: EncodedTable, objective: str, target: str = "") -> "ObjectiveCosts":
        """Price the nodes and classes of a table; raises BadParameter when the target is missing."""
        trees = [qi.hierarchy for qi in encoded.qis]
        if objective == LEAST_LOSS:
            return cls(encoded.n_rows, tuple(tree.loss for tree in trees))
        if objective == "precision":
            return cls(encoded.n_rows, tuple(1 - tree.depths / max(tree.height, 1) for tree in trees))
        if objective == "entropy":
            seen = (_seen(encoded, j) for j in range(len(trees)))
            rows = [s[tree.end_leaf] - s[tree.first_leaf] for s, tree in zip(seen, trees, strict=True)]
            bits = tuple(np.log2(np.maximum(covered, 1.0)) for covered in rows)
            return cls(encoded.n_rows, bits, float(np.log2(max(encoded.n_rows, 1))))
        if objective == CLASSIFICATION and target not in encoded.targets:
            raise BadParameter(
                "The classification metric needs a target.", "Choose the column that is to be told from the others."
            )
        return cls(encoded.n_rows, (), held=encoded.targets.get(target) if objective == CLASSIFICATION else None)

    def of_classes(self, sizes: Floats, tuples: Ints, owner: Ints) -> Floats:
        """Give what classes cost that are published, where classes cost: `owner` is the class of each of the tuples."""
        if self.held is None:
            return sizes * sizes
        class_of = np.full(self.held.n_groups, len(sizes), dtype=np.int64)
        class_of[tuples] = owner
        return sizes - majority_counts(self.held.merged(class_of, len(sizes) + 1))[:-1]

    def of_left_out(self, sizes: Floats) -> Floats:
        """Give what classes cost that are left out, where classes cost."""
        return sizes * self.n_rows if self.held is None else sizes


def majority_counts(held: Histogram) -> Floats:
    """Count the rows of each group that have its commonest value."""
    most = np.zeros(held.n_groups)
    np.maximum.at(most, held.groups, held.counts)
    return most


def recoding_cost(encoded: EncodedTable, recoding: Recoding, objective: str, target: str = "") -> float:
    """Give what a recoding costs per record by an objective, as the lattice counts it; less is better."""
    if not encoded.n_rows:
        return 0.0
    if objective == LEAST_LOSS:
        return recoding_loss(encoded, recoding)
    if objective in _BY_CELL:
        return _cost_of_cells(encoded, recoding, objective) / encoded.n_rows
    return _cost_of_classes(encoded, recoding, None if objective != CLASSIFICATION else target) / encoded.n_rows


def least_cost(
    encoded: EncodedTable, asked: tuple[str, str], ways: Sequence[Callable[[Progress], Recoding]], progress: Progress
) -> Recoding:
    """Go several ways and keep the result that costs least by an objective, the first of equal ones.

    A step that gains most may leave nothing to gain: what the steps by the loss come to is often better, even by
    another objective.
    """
    found = [way(progress.sub(at / len(ways), (at + 1) / len(ways))) for at, way in enumerate(ways)]
    return min(found, key=lambda each: round(recoding_cost(encoded, each, *asked), _DIGITS))


def total_levels_climbed(encoded: EncodedTable, recoding: Recoding) -> float:
    """Give the levels all rows climb (MD), which tells results apart that cost the same."""
    sizes, leaves = _sizes(encoded, recoding), encoded.tuples
    climbed = 0.0
    for j, qi in enumerate(encoded.qis):
        depths = qi.hierarchy.depths
        climbed += float(depths[qi.hierarchy.leaves[leaves[:, j]]] @ encoded.counts)
        climbed -= float(depths[_covering(encoded, recoding, j)] @ sizes)
    return climbed


def _cost_of_cells(encoded: EncodedTable, recoding: Recoding, objective: str) -> float:
    sizes = _sizes(encoded, recoding)
    suppressed = encoded.n_rows - float(sizes.sum())
    total = 0.0
    for j, qi in enumerate(encoded.qis):
        tree, leaf = qi.hierarchy, encoded.tuples[:, j]
        if objective == "precision":
            height = max(tree.height, 1)
            price = 1 - tree.depths[_covering(encoded, recoding, j)] / height
            anyway, left_out = 1 - tree.depths[tree.leaves[leaf]] / height, 1.0
        else:
            seen = _seen(encoded, j)
            price = np.log2(np.maximum(seen[recoding.high[:, j] + 1] - seen[recoding.low[:, j]], 1.0))
            anyway, left_out = np.log2(np.maximum(np.diff(seen)[leaf], 1.0)), float(np.log2(encoded.n_rows))
        total += qi.weight * (float(price @ sizes) + left_out * suppressed - float(anyway @ encoded.counts))
    return total


def _cost_of_classes(encoded: EncodedTable, recoding: Recoding, target: str | None) -> float:
    """Price classes as they are published: those with the same cells are one."""
    _, alike = number_rows([*recoding.low.T, *recoding.high.T]) if recoding.n_classes else (None, np.zeros(0, np.int64))
    sizes = np.bincount(alike, _sizes(encoded, recoding))
    suppressed = encoded.n_rows - float(sizes.sum())
    if target is None:
        return float(sizes @ sizes) + suppressed * encoded.n_rows
    told = np.flatnonzero(recoding.class_of_row >= 0)
    values, times = encoded.target_of_row[target][told], None if encoded.times is None else encoded.times[told]
    n_values = encoded.targets[target].n_values
    held = Histogram.count(alike[recoding.class_of_row[told]], len(sizes), values, n_values, times)
    return float((sizes - majority_counts(held)).sum()) + suppressed


def _sizes(encoded: EncodedTable, recoding: Recoding) -> Floats:
    kept = recoding.class_of_row >= 0
    times = None if encoded.times is None else encoded.times[kept]
    return np.bincount(recoding.class_of_row[kept], times, recoding.n_classes).astype(np.float64)


def _covering(encoded: EncodedTable, recoding: Recoding, j: int) -> npt.NDArray[np.int32]:
    """Give the lowest node that covers each cell; a range that no node names has one, too."""
    node = recoding.node[:, j]
    common = encoded.qis[j].hierarchy.common_ancestors(recoding.low[:, j], recoding.high[:, j])
    return np.where(node == RANGE_NODE, common, node)


def _seen(encoded: EncodedTable, j: int) -> Floats:
    """Count the rows before each leaf of a column."""
    rows = np.bincount(encoded.tuples[:, j], encoded.counts, encoded.qis[j].hierarchy.n_leaves)
    return np.concatenate([[0.0], np.cumsum(rows)])
