"""Clustering: rows that are cheap to publish together form the classes."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.params import Choice, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.clustering.distances import kept_distances
from anonymizer_gui.engine.rooms.microdata.algorithms.clustering.methods import at_random, k_member, sequential
from anonymizer_gui.engine.rooms.microdata.algorithms.clustering.repair import Ints, Repair, by_rows, repair_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.people_repair import about_people, merged_for_people
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_rows, settle
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.method import Reach
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.recoding import first_groups, from_groups
from anonymizer_gui.engine.rooms.microdata.size import Size

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
    reach: ClassVar[Reach | None] = Reach(20_000, 20_000)
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

    def memory(self, size: Size) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        per_row = 250 + 24 * size.columns + 56 * size.sensitive
        return per_row * size.rows + kept_distances(size) + repair_memory(size)

    def seconds(self, size: Size) -> float:
        """Every cluster looks at all tuples that are left, half of them in the mean, and every row at those near it."""
        if self.method == "random":
            return 0.0
        looks = (size.rows / size.least_rows) * (size.tuples / 2) * size.columns
        return _PER_ROW * size.rows + _PER_LOOK * looks

    def run(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        """Cluster the rows; raises Infeasible when even merging everything does not satisfy the goals."""
        clusters = self._clusters(encoded, goals, limits, progress)
        if about_people(goals):
            return merged_for_people(encoded, goals, limits, clusters, progress.sub(0.7, 1.0))
        rows = by_rows(encoded)
        repair = Repair(rows, goals, clusters, progress.sub(0.7, 1.0))
        groups, fine = repair.merge_until_fine(), repair.fine()
        if not fine.all():
            settled = settle(rows.groups(groups, len(fine)), goals, allowed_rows(encoded.n_rows, limits.suppression))
            if settled is None:
                raise infeasible(encoded, goals, limits)
            groups = np.where(settled.kept[groups], groups, -1)
        return from_groups(rows, groups)

    def _clusters(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Ints:
        """Give the cluster of every row; rows in different most general cells are never in the same cluster."""
        top = first_groups(encoded)[encoded.tuple_of_row]
        cluster_of_row, done = np.zeros(encoded.n_rows, dtype=np.int64), 0
        order = np.argsort(top, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(top[order])) + 1):
            share = progress.sub(0.7 * done / max(encoded.n_rows, 1), 0.7)
            for cluster in self._gathered(encoded, rows, goals.least_rows, limits.seed, share):
                cluster_of_row[cluster] = done
                done += 1
        return cluster_of_row

    def _gathered(self, encoded: Encoded, rows: Ints, k: int, seed: int, progress: Progress) -> list[Ints]:
        progress(0.0, "Gathering clusters")
        if len(rows) < 2 * k:
            return [rows]
        if self.method == "random":
            return at_random(rows, k, seed)
        return (k_member if self.method == "k-member" else sequential)(encoded, rows, k, progress)
