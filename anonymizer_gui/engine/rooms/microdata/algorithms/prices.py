"""What splits, cuts and whole recodings cost by an objective: loss, precision, entropy, discernibility, classification.

The lattice prices its nodes itself, with bounds for its proof (`lattice.objectives`). Here classes are priced one by
one, whatever their cells, so that algorithms which take the next best step can follow the same objectives, and results
of different algorithms can be ranked by them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Choice, Text, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, number_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.objectives import OBJECTIVES
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.method import LOSS
from anonymizer_gui.engine.rooms.microdata.recoding import RANGE, loss

CLASSIFICATION = "classification"
_BY_CELL = ("precision", "entropy")
_DIGITS = 9
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def objective_param(help_text: str, when: tuple[str, str] | None = None) -> str:
    """Declare the parameter that names an objective."""
    titles = {name: objective.title for name, objective in OBJECTIVES.items()}
    declared: str = param(Choice(titles), default=LOSS, label="Objective", help=help_text, when=when)
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
class Prices:
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
    def of(cls, encoded: Encoded, objective: str, target: str = "") -> "Prices":
        """Price the nodes and classes of a table; raises BadParameter when the target is missing."""
        trees = [qi.hierarchy for qi in encoded.qis]
        if objective == LOSS:
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
        return sizes - commonest(self.held.merged(class_of, len(sizes) + 1))[:-1]

    def of_left_out(self, sizes: Floats) -> Floats:
        """Give what classes cost that are left out, where classes cost."""
        return sizes * self.n_rows if self.held is None else sizes


def commonest(held: Histogram) -> Floats:
    """Count the rows of each group that have its commonest value."""
    most = np.zeros(held.n_groups)
    np.maximum.at(most, held.groups, held.counts)
    return most


def cost_of(encoded: Encoded, recoding: Recoding, objective: str, target: str = "") -> float:
    """Give what a recoding costs per record by an objective, as the lattice counts it; less is better."""
    if not encoded.n_rows:
        return 0.0
    if objective == LOSS:
        return loss(encoded, recoding)
    if objective in _BY_CELL:
        return _cost_of_cells(encoded, recoding, objective) / encoded.n_rows
    return _cost_of_classes(encoded, recoding, None if objective != CLASSIFICATION else target) / encoded.n_rows


def cheapest(
    encoded: Encoded, asked: tuple[str, str], ways: Sequence[Callable[[Progress], Recoding]], progress: Progress
) -> Recoding:
    """Go several ways and keep the result that costs least by an objective, the first of equal ones.

    A step that gains most may leave nothing to gain: what the steps by the loss come to is often better, even by
    another objective.
    """
    found = [way(progress.sub(at / len(ways), (at + 1) / len(ways))) for at, way in enumerate(ways)]
    return min(found, key=lambda each: round(cost_of(encoded, each, *asked), _DIGITS))


def levels_climbed(encoded: Encoded, recoding: Recoding) -> float:
    """Give the levels all rows climb (MD), which tells results apart that cost the same."""
    sizes, leaves = _sizes(encoded, recoding), encoded.tuples
    climbed = 0.0
    for j, qi in enumerate(encoded.qis):
        depths = qi.hierarchy.depths
        climbed += float(depths[qi.hierarchy.leaves[leaves[:, j]]] @ encoded.counts)
        climbed -= float(depths[_covering(encoded, recoding, j)] @ sizes)
    return climbed


def _cost_of_cells(encoded: Encoded, recoding: Recoding, objective: str) -> float:
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


def _cost_of_classes(encoded: Encoded, recoding: Recoding, target: str | None) -> float:
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
    return float((sizes - commonest(held)).sum()) + suppressed


def _sizes(encoded: Encoded, recoding: Recoding) -> Floats:
    kept = recoding.class_of_row >= 0
    times = None if encoded.times is None else encoded.times[kept]
    return np.bincount(recoding.class_of_row[kept], times, recoding.n_classes).astype(np.float64)


def _covering(encoded: Encoded, recoding: Recoding, j: int) -> npt.NDArray[np.int32]:
    """Give the lowest node that covers each cell; a range that no node names has one, too."""
    node = recoding.node[:, j]
    common = encoded.qis[j].hierarchy.common_ancestors(recoding.low[:, j], recoding.high[:, j])
    return np.where(node == RANGE, common, node)


def _seen(encoded: Encoded, j: int) -> Floats:
    """Count the rows before each leaf of a column."""
    rows = np.bincount(encoded.tuples[:, j], encoded.counts, encoded.qis[j].hierarchy.n_leaves)
    return np.concatenate([[0.0], np.cumsum(rows)])
