"""Full k-anonymity and l-diversity, vertex by vertex: k records share their whole structure."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.trees.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.trees.clustering import Clustering
from anonymizer_gui.engine.rooms.trees.domains import ABSENT
from anonymizer_gui.engine.rooms.trees.grown import Position
from anonymizer_gui.engine.rooms.trees.outcome import Outcome
from anonymizer_gui.engine.rooms.trees.patterns_pool import Pool
from anonymizer_gui.engine.rooms.trees.placing import Placed
from anonymizer_gui.engine.rooms.trees.promises import diverse_vertices, whole_structure
from anonymizer_gui.engine.rooms.trees.variety import Variety


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Full:
    """Classes of k records alike in every quasi-identifier of every vertex; children are matched optimally."""

    name: ClassVar[str] = "full"
    title: ClassVar[str] = "Whole structure (full k-anonymity)"
    summary: ClassVar[str] = (
        "Records become alike in groups of k, vertex by vertex: children are matched, what finds no partner goes."
    )
    reference: ClassVar[str] = (
        "after Ozalp, Gursoy, Nergiz and Saygin, Privacy-preserving publishing of hierarchical data, TOPS 2016"
    )
    attacks: ClassVar[str] = (
        "Whoever knows the method knows that left out children had no partner in their class; that tells that somebody "
        "of the class had more, not who."
    )
    intervals: ClassVar[bool] = True
    expects_patterns: ClassVar[bool] = False

    k: int = param(Int(low=1), default=5, label="k", help="Fewest records that are alike.", series=(2, 5, 10, 25))
    l: int = param(  # noqa: E741 - what everybody calls it
        Int(low=1), default=2, label="l", help="Fewest sensitive values at every vertex of a class.", series=(1, 2, 3)
    )
    near: int = param(
        Int(low=1, high=10_000), default=60, label="Candidates", series=(30, 60, 120),
        help="How many records are compared each time a class grows; more take longer and lose less.",
    )  # fmt: skip

    def promised(self, *, has_sensitive: bool) -> tuple[Promise, ...]:
        """Promise alike records, and values that differ where some are sensitive."""
        return (whole_structure(self.k), *([diverse_vertices(self.l)] if self.l > 1 and has_sensitive else []))

    def run(self, held: Placed, progress: Progress) -> Outcome:
        """Grow classes and suppress what is not various enough; raises Infeasible."""
        if self.k > len(held.roots):
            raise Infeasible(
                message(
                    "There are only {records:record|records}, fewer than k = {k}.", records=len(held.roots), k=self.k
                ),
                "Take a smaller k.",
                goal="full",
            )
        variety = Variety(held, self.l)
        pool = Pool(held)
        growing = Clustering(pool, self.k, self.near, variety.holds_at)
        growing.run(progress.sub(0.0, 0.95))
        if not growing.classes:
            raise Infeasible(
                message("The records themselves have fewer than l = {l} sensitive values.", l=self.l),
                "Take a smaller l, or another path as sensitive.",
                goal="l",
            )
        return _outcome(held, pool, growing, variety)


def _outcome(held: Placed, pool: Pool, growing: Clustering, variety: Variety) -> Outcome:
    """Write down which vertices stay, with which labels."""
    size = len(held.trees.vertices)
    kept = np.zeros(size, dtype=np.bool_)
    codes = tuple(np.full(size, ABSENT, dtype=np.int64) for _ in held.known)
    classes = np.full(len(held.trees), -1, dtype=np.int64)

    def keep(place: Position) -> None:
        vertices = np.array(place.vertices, dtype=np.int64)
        kept[vertices] = True
        for at, code in zip(pool.quasi(pool.branch[place.pattern]), pool.labels[place.pattern], strict=True):
            codes[at][vertices] = code
        for some in place.below.values():
            for each in some:
                if variety.holds_at(each.vertices):
                    keep(each)

    for number, shared in enumerate(growing.classes):
        classes[held.trees.record_of[shared.vertices]] = number
        keep(shared)
    _keep_around(held, kept)
    notes = (
        (message("{left:record is|records are} of a kind too rare to leave.", left=len(growing.left)),)
        if growing.left
        else ()
    )
    return Outcome(kept, codes, classes, notes=notes)


def _keep_around(held: Placed, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
    """Keep what stands around the records that leave."""
    for root in held.roots:
        at = int(held.trees.parent_of[root]) if kept[root] else -1
        while at >= 0:
            kept[at] = True
            at = int(held.trees.parent_of[at])
