"""What it costs to publish rows together: the distances of clustering, on distinct tuples that still have rows."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import Choice, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.class_merging import (
    ClassMerger,
    Ints,
    is_about_population,
    merge_for_population,
    merging_memory,
    one_tuple_per_row,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.feasibility import explain_infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import most_general_groups, recoding_of_groups
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_suppressions, suppress_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize, Recoding, SizeLimit

Floats = npt.NDArray[np.float64]

_KEPT_BYTES = 1 << 27


class JoinLoss:
    """The LM of the common ancestor of a node and other leaves, per column; what was computed is kept for a while."""

    def __init__(self, encoded: EncodedTable) -> None:
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


def distance_cache_memory(size: ProblemSize) -> int:
    """Give the bytes of the distances that are kept at most."""
    pairs = sum(leaves * nodes for leaves, nodes in zip(size.leaves, size.nodes, strict=True) if leaves <= size.tuples)
    return min(_KEPT_BYTES, 8 * pairs)


class TuplePool:
    """The distinct tuples of some rows with the rows not used so far; rows of a tuple are used by rising number."""

    def __init__(self, encoded: EncodedTable, rows: Ints) -> None:
        self.joining = JoinLoss(encoded)
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


_CANDIDATES = 256


def cluster_sequentially(encoded: EncodedTable, rows: Ints, k: int, progress: Progress) -> list[Ints]:
    """While 2k rows are unused: the unused row of lowest number and its k - 1 nearest; the last rows form a cluster.

    Ties go to the row of lowest number.
    """
    pool = TuplePool(encoded, rows)
    clusters, used, place = [], np.zeros(encoded.n_rows, dtype=np.bool_), 0
    while pool.unused >= 2 * k:
        progress(1 - pool.unused / len(rows), "Gathering nearest rows")
        while used[rows[place]]:
            place += 1
        seed = int(pool.of_row[rows[place]])
        first = pool.use(seed, 1)
        cluster = np.concatenate([first, _nearest(pool, seed, k - 1)])
        used[cluster] = True
        clusters.append(cluster)
        pool.tidy()
    return [*clusters, pool.rest()]


def _nearest(pool: TuplePool, seed: int, number: int) -> Ints:
    """Use the rows nearest to a tuple, ties by row number."""
    if not number:
        return np.empty(0, dtype=np.int64)
    distance = pool.distances(pool.joining.finest(pool.leaves[seed]))
    farthest = np.partition(distance, min(number, len(distance)) - 1)[min(number, len(distance)) - 1]
    near = np.flatnonzero(distance <= farthest)
    tuples, distance = pool.active[near], distance[near]
    some = np.minimum(pool.available(tuples), number)
    before = np.cumsum(some) - some
    owner = np.repeat(np.arange(len(tuples)), some)
    candidates = pool.rows[np.repeat(pool.next[tuples] - before, some) + np.arange(int(some.sum()))]
    chosen = owner[np.lexsort((candidates, distance[owner]))[:number]]
    return np.concatenate([pool.use(int(tuples[t]), int(many)) for t, many in _counted(chosen)])


def _counted(values: Ints) -> list[tuple[int, int]]:
    number, counts = np.unique(values, return_counts=True)
    return list(zip(number.tolist(), counts.tolist(), strict=True))


def cluster_k_member(encoded: EncodedTable, rows: Ints, k: int, progress: Progress) -> list[Ints]:
    """Start each cluster with the row farthest from the last start, and add the row that adds least loss.

    Rows left at the end are clusters of their own, too small, for the repair to join with the cheapest one
    (Byun et al. 2007). Looking only at the tuples nearest to the start is exact: a cluster's cell only grows, so
    no other tuple can ever cost less than its distance.
    """
    pool = TuplePool(encoded, rows)
    clusters: list[Ints] = []
    seed = int(pool.of_row[rows[0]])
    while pool.unused >= k:
        progress(1 - pool.unused / len(rows), "Growing clusters")
        distance = pool.distances(pool.joining.finest(pool.leaves[seed]))
        seed = int(pool.active[np.argmax(np.where(np.isfinite(distance), distance, -1))])
        clusters.append(_grown(pool, seed, k))
        pool.tidy()
    return [*clusters, *pool.rest()[:, None]]


def _grown(pool: TuplePool, seed: int, k: int) -> Ints:
    """Grow a cluster of k rows from a tuple."""
    cell = pool.joining.finest(pool.leaves[seed])
    members = [pool.use(seed, min(k, int(pool.available(np.array([seed]))[0])))]
    missing = k - len(members[0])
    if not missing:
        return members[0]
    distance = pool.distances(cell)
    places, beyond = _closest(distance)
    loss = distance[places]
    while missing:
        best = int(np.argmin(loss))
        if loss[best] > beyond:
            places, beyond = np.arange(len(pool.active)), np.inf
            loss = pool.distances(cell)
            best = int(np.argmin(loss))
        chosen = int(pool.active[places[best]])
        taken = pool.use(chosen, min(missing, int(pool.available(np.array([chosen]))[0])))
        members.append(taken)
        missing -= len(taken)
        grown = pool.joining.joined(cell, pool.leaves[chosen])
        if missing:
            loss = pool.near(grown, places)
        cell = grown
    return np.concatenate(members)


def _closest(distance: Floats) -> tuple[Ints, float]:
    """Give the places of the least distances with all their ties, and the distance that all others are above."""
    if len(distance) <= _CANDIDATES:
        return np.arange(len(distance)), np.inf
    bound = float(np.partition(distance, _CANDIDATES - 1)[_CANDIDATES - 1])
    return np.flatnonzero(distance <= bound), bound


def cluster_randomly(rows: Ints, k: int, seed: int) -> list[Ints]:
    """Shuffle the rows and part them in blocks of k; the last block takes what is left over."""
    shuffled = np.random.default_rng(seed).permutation(rows)
    n_blocks = max(len(rows) // k, 1)
    return np.split(shuffled, np.arange(1, n_blocks) * k)


# Seconds, measured on tables of 5,000 to 100,000 rows and four columns.
_PER_ROW = 1.2e-4

_PER_LOOK = 1.1e-8

METHODS = {
    "k-member": "Grow by the cheapest row (k-member)",
    "sequential": "A row and its k - 1 nearest",
    "random": "Random blocks, to compare with",
}


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Clustering(Algorithm):
    """Gathers rows in clusters of k under the LM distance, and merges clusters that violate another goal.

    The distance of two rows is the cost of hypothetically putting them into one class: (1/M) times the sum over
    the M quasi-identifiers of the LM of the common ancestor, added up in the order of the columns (columns of
    different weight: the weighted sum). k is the fewest rows that any goal asks for.
    Level bounds: rows that may not share a class are clustered apart.
    """

    name: ClassVar[str] = "cluster"
    title: ClassVar[str] = "Clustering"
    summary: ClassVar[str] = "Gathers rows that are cheap to publish together in clusters of k."
    reference: ClassVar[str] = (
        "Byun, Kamra, Bertino, Li, Efficient k-anonymization using clustering techniques, DASFAA 2007"
    )
    attacks: ClassVar[str] = (
        "Minimality: with goals on sensitive values, merged clusters tell that one of them violated a goal. "
        "Downcoding (Cohen 2022) applies: a cell is the lowest common node of its rows, and clusters overlap, so that "
        "finer values can be inferred."
    )
    reach: ClassVar[SizeLimit | None] = SizeLimit(20_000, 20_000)
    takes_rows_in_turn: ClassVar[bool] = True

    method: str = param(
        Choice(METHODS),
        default="k-member",
        label="Method",
        help=(
            "How clusters are gathered: grown by the row that adds least loss, each starting far from the last "
            "one; the first unused row, in the order of the values, and its k - 1 nearest; or blocks of k rows "
            "at random."
        ),
    )

    def memory(self, size: ProblemSize) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        per_row = 250 + 24 * size.columns + 56 * size.sensitive
        return per_row * size.rows + distance_cache_memory(size) + merging_memory(size)

    def seconds(self, size: ProblemSize) -> float:
        """Every cluster looks at all tuples that are left, half of them in the mean, and every row at those near it."""
        if self.method == "random":
            return 0.0
        looks = (size.rows / size.least_rows) * (size.tuples / 2) * size.columns
        return _PER_ROW * size.rows + _PER_LOOK * looks

    def run(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        """Cluster the rows; raises Infeasible when even merging everything does not satisfy the goals."""
        clusters = self._clusters(encoded, goals, limits, progress)
        if is_about_population(goals):
            return merge_for_population(encoded, goals, limits, clusters, progress.sub(0.7, 1.0))
        rows = one_tuple_per_row(encoded)
        repair = ClassMerger(rows, goals, clusters, progress.sub(0.7, 1.0))
        groups, fine = repair.merge_until_fine(), repair.fine()
        if not fine.all():
            settled = suppress_groups(
                rows.groups(groups, len(fine)), goals, allowed_suppressions(encoded.n_rows, limits.suppression)
            )
            if settled is None:
                raise explain_infeasible(encoded, goals, limits)
            groups = np.where(settled.kept[groups], groups, -1)
        return recoding_of_groups(rows, groups)

    def _clusters(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Ints:
        """Give the cluster of every row; rows in different most general cells are never in the same cluster."""
        top = most_general_groups(encoded)[encoded.tuple_of_row]
        cluster_of_row, done = np.zeros(encoded.n_rows, dtype=np.int64), 0
        order = np.argsort(top, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(top[order])) + 1):
            share = progress.sub(0.7 * done / max(encoded.n_rows, 1), 0.7)
            for cluster in self._gathered(encoded, rows, goals.least_rows, limits.seed, share):
                cluster_of_row[cluster] = done
                done += 1
        return cluster_of_row

    def _gathered(self, encoded: EncodedTable, rows: Ints, k: int, seed: int, progress: Progress) -> list[Ints]:
        progress(0.0, "Gathering clusters")
        if len(rows) < 2 * k:
            return [rows]
        if self.method == "random":
            return cluster_randomly(rows, k, seed)
        return (cluster_k_member if self.method == "k-member" else cluster_sequentially)(encoded, rows, k, progress)
