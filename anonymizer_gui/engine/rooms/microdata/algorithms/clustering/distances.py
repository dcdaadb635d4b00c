"""What it costs to publish rows together: the distances of clustering, on distinct tuples that still have rows."""

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.size import Size

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


_KEPT_BYTES = 1 << 27


class Joining:
    """The LM of the common ancestor of a node and other leaves, per column; what was computed is kept for a while."""

    def __init__(self, encoded: Encoded) -> None:
        self.qis = encoded.qis
        self._finest = [qi.levels()[0] for qi in encoded.qis]
        self._rows: dict[tuple[int, int], Floats] = {}
        self._kept = 0
        equal = len({qi.weight for qi in encoded.qis}) == 1
        self.weights = [1.0] * len(self.qis) if equal else [qi.weight for qi in self.qis]
        self.scale = 1 / len(self.qis) if equal else 1.0

    def loss(self, j: int, node: int, leaves: npt.NDArray[np.int32]) -> Floats:
        """Give for some leaves the weighted LM of their common ancestor with a node of column j."""
        finest = self._finest[j]
        known = self._rows.get((j, node))
        if known is not None:
            return known[leaves]
        if len(leaves) < len(finest):
            return self._computed(j, node, finest[leaves])
        known = self._computed(j, node, finest)
        self._keep((j, node), known)
        return known[leaves]

    def _computed(self, j: int, node: int, others: npt.NDArray[np.int32]) -> Floats:
        tree = self.qis[j].hierarchy
        low = np.minimum(tree.first_leaf[others], tree.first_leaf[node])
        high = np.maximum(tree.end_leaf[others], tree.end_leaf[node]) - 1
        return np.asarray(self.weights[j] * tree.loss[tree.common_ancestors(low, high)])

    def _keep(self, place: tuple[int, int], row: Floats) -> None:
        """Keep a row; all are forgotten when there are too many."""
        if self._kept + row.nbytes > _KEPT_BYTES:
            self._rows.clear()
            self._kept = 0
        self._rows[place] = row
        self._kept += row.nbytes

    def finest(self, leaves: npt.NDArray[np.int32]) -> list[int]:
        """Give the finest cell of a tuple, as nodes."""
        return [int(nodes[leaf]) for nodes, leaf in zip(self._finest, leaves, strict=True)]

    def joined(self, cell: list[int], leaves: npt.NDArray[np.int32]) -> list[int]:
        """Give the least cell that covers a cell and a tuple."""
        nodes = []
        for qi, node, other in zip(self.qis, cell, self.finest(leaves), strict=True):
            tree = qi.hierarchy
            low = min(tree.first_leaf[node], tree.first_leaf[other])
            high = max(tree.end_leaf[node], tree.end_leaf[other]) - 1
            nodes.append(tree.common_ancestor(int(low), int(high)))
        return nodes


def kept_distances(size: Size) -> int:
    """Give the bytes of the distances that are kept at most."""
    pairs = sum(leaves * nodes for leaves, nodes in zip(size.leaves, size.nodes, strict=True) if leaves <= size.tuples)
    return min(_KEPT_BYTES, 8 * pairs)


class Pool:
    """The distinct tuples of some rows with the rows not used so far; rows of a tuple are used by rising number."""

    def __init__(self, encoded: Encoded, rows: Ints) -> None:
        self.joining = Joining(encoded)
        tuples, of_row = np.unique(encoded.tuple_of_row[rows], return_inverse=True)
        self.rows = rows[np.argsort(of_row, kind="stable")]
        self.leaves = encoded.tuples[tuples]
        counts = np.bincount(of_row, minlength=len(tuples))
        self.next = np.cumsum(counts) - counts
        self.end = np.cumsum(counts)
        self.of_row = np.full(encoded.n_rows, -1, dtype=np.int64)
        self.of_row[rows] = of_row
        self.unused = len(rows)
        self._pack(np.arange(len(tuples)))

    def _pack(self, active: Ints) -> None:
        """Keep the columns of the tuples that still have rows together."""
        self.active = active
        self.codes = [np.ascontiguousarray(self.leaves[active, j]) for j in range(self.leaves.shape[1])]
        self._spent = 0

    def distances(self, cell: list[int]) -> Floats:
        """Give (1/M) times the sum of the LM of the common ancestors, in column order, for the active tuples.

        Tuples whose rows are all used are infinitely far.
        """
        return self._distances(cell, self.codes, self.active)

    def near(self, cell: list[int], places: Ints) -> Floats:
        """Give the same for some of the active tuples."""
        return self._distances(cell, [codes[places] for codes in self.codes], self.active[places])

    def _distances(self, cell: list[int], codes: list[npt.NDArray[np.int32]], tuples: Ints) -> Floats:
        total = np.zeros(len(tuples))
        for j, node in enumerate(cell):
            total += self.joining.loss(j, node, codes[j])
        total *= self.joining.scale
        if self._spent:
            total[self.next[tuples] >= self.end[tuples]] = np.inf
        return total

    def available(self, tuples: Ints) -> Ints:
        """Give the number of unused rows of some tuples."""
        return np.asarray(self.end[tuples] - self.next[tuples])

    def use(self, tuple_: int, number: int) -> Ints:
        """Take the unused rows of lowest number of a tuple."""
        start = self.next[tuple_]
        self.next[tuple_] += number
        self.unused -= number
        self._spent += int(self.next[tuple_] == self.end[tuple_])
        return self.rows[start : start + number]

    def tidy(self) -> None:
        """Forget tuples without rows once they are many."""
        if self._spent * 4 > len(self.active):
            self._pack(self.active[self.next[self.active] < self.end[self.active]])

    def rest(self) -> Ints:
        """Give all unused rows."""
        lengths = self.end - self.next
        before = np.cumsum(lengths) - lengths
        return np.sort(self.rows[np.repeat(self.next - before, lengths) + np.arange(int(lengths.sum()))])
