"""What a search in the lattice makes small: loss (LM), precision, entropy, discernibility, errors of classification.

Every objective prices nodes so that the search stays exact. What a node costs without suppression is never more than
with it. Costs of cells add up column by column, so that all nodes are bounded before any is checked; costs of classes
never fall when classes are merged, so that a checked node bounds all nodes above it.
"""

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, group_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.lattice import Ladder, Node, Rolled

Floats = npt.NDArray[np.float64]
Classes = npt.NDArray[np.int64]


class Objective(Protocol):
    """What nodes cost, summed over rows; made for one table."""

    name: ClassVar[str]
    title: ClassVar[str]
    by_class: ClassVar[bool] = False
    """Whether classes cost, and never less when they are merged; else cells cost, column by column."""

    ladder: Ladder
    marginals: list[Floats]
    """What every column costs at least at each of its levels."""

    def __init__(self, ladder: Ladder, target: str = "") -> None:
        """Price the nodes of a table; raises BadParameter when it cannot be."""

    def least(self, node: Node) -> float:
        """Give what a node costs at least, from its columns alone."""
        return float(sum(costs[level] for costs, level in zip(self.marginals, node, strict=True)))

    @abstractmethod
    def published(self, rolled: Rolled) -> float:
        """Give what a node costs when nothing is left out."""

    @abstractmethod
    def gaps(self, rolled: Rolled, which: Classes) -> Floats:
        """Give what some classes cost more when they are left out."""

    @abstractmethod
    def left_out(self, rolled: Rolled, which: Classes) -> float:
        """Give what classes that must be left out add at least to what the columns cost, here and at nodes below."""


class _OfCells(Objective, Protocol):
    """Every cell costs; a row that is left out costs as much as the most general one."""

    gap_of: list[Floats]
    """For each column, what a row of every leaf costs more when it is left out, at every level."""

    def published(self, rolled: Rolled) -> float:
        return self.least(rolled.node)

    def gaps(self, rolled: Rolled, which: Classes) -> Floats:
        tuples = rolled.first_tuples[which]
        total = np.zeros(len(which))
        for gap, level, column in zip(self.gap_of, rolled.node, self.ladder.columns, strict=True):
            total += gap[level].take(column.take(tuples))
        return np.asarray(rolled.groups.sizes[which] * total, dtype=np.float64)

    def left_out(self, rolled: Rolled, which: Classes) -> float:
        return float(self.gaps(rolled, which).sum())


class LeastLoss(_OfCells):
    """Loss (LM): leaves covered over leaves in all; a suppressed record costs 1."""

    name: ClassVar[str] = "lm"
    title: ClassVar[str] = "Loss (LM), then MD"

    def __init__(self, ladder: Ladder, target: str = "") -> None:
        self.ladder = ladder
        self.marginals = ladder.marginal_losses
        weights = ladder.encoded.weights.tolist()
        self.gap_of = [weight - losses for weight, losses in zip(weights, ladder.cell_losses, strict=True)]

    def gaps(self, rolled: Rolled, which: Classes) -> Floats:
        losses = self.ladder.row_losses(rolled.node, rolled.first_tuples[which])
        return np.asarray(rolled.groups.sizes[which] * (1.0 - losses), dtype=np.float64)


class MostPrecise(_OfCells):
    """Precision (Sweeney 2002): levels climbed over the height of the hierarchy."""

    name: ClassVar[str] = "precision"
    title: ClassVar[str] = "Precision"

    def __init__(self, ladder: Ladder, target: str = "") -> None:
        self.ladder = ladder
        scales = [qi.weight / max(qi.hierarchy.height, 1) for qi in ladder.encoded.qis]
        self.marginals = [climbs * scale for climbs, scale in zip(ladder.marginal_climbs, scales, strict=True)]
        depths = [qi.hierarchy.depths[nodes] for qi, nodes in zip(ladder.encoded.qis, ladder.nodes, strict=True)]
        self.gap_of = [depth * scale for depth, scale in zip(depths, scales, strict=True)]


class LeastEntropy(_OfCells):
    """Non-uniform entropy (Gionis and Tassa 2009): the bits that cells no longer tell."""

    name: ClassVar[str] = "entropy"
    title: ClassVar[str] = "Non-uniform entropy"

    def __init__(self, ladder: Ladder, target: str = "") -> None:
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
    def costs(self, rolled: Rolled) -> tuple[Floats, Floats]:
        """Give what every class costs when it is published, and when it is left out."""

    def published(self, rolled: Rolled) -> float:
        return float(self.costs(rolled)[0].sum())

    def gaps(self, rolled: Rolled, which: Classes) -> Floats:
        published, left_out = self.costs(rolled)
        return np.asarray((left_out - published)[which], dtype=np.float64)

    def left_out(self, rolled: Rolled, which: Classes) -> float:
        return float(self.costs(rolled)[1][which].sum())


class LeastDiscernibility(_OfClasses):
    """Discernibility (Bayardo and Agrawal 2005): a row costs the size of its class, left out that of the table."""

    name: ClassVar[str] = "discernibility"
    title: ClassVar[str] = "Discernibility"

    def __init__(self, ladder: Ladder, target: str = "") -> None:
        self.ladder = ladder
        self.marginals = [np.zeros(len(nodes)) for nodes in ladder.nodes]

    def costs(self, rolled: Rolled) -> tuple[Floats, Floats]:
        sizes = rolled.groups.sizes.astype(np.float64)
        return sizes * sizes, sizes * self.ladder.encoded.n_rows


class FewestErrors(_OfClasses):
    """Classification metric (Iyengar 2002): rows left out, and rows whose target is not the commonest of the class."""

    name: ClassVar[str] = "classification"
    title: ClassVar[str] = "Classification metric"

    def __init__(self, ladder: Ladder, target: str = "") -> None:
        if target not in ladder.encoded.targets:
            raise BadParameter(
                "The classification metric needs a target.", "Choose the column that is to be told from the others."
            )
        self.ladder = ladder
        self.marginals = [np.zeros(len(nodes)) for nodes in ladder.nodes]
        self._held: Histogram = ladder.encoded.targets[target]

    def costs(self, rolled: Rolled) -> tuple[Floats, Floats]:
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
    objective.name: objective for objective in (LeastLoss, MostPrecise, LeastEntropy, LeastDiscernibility, FewestErrors)
}
