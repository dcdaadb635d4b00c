"""Bottom-up: one level per column, the one of least loss among all that satisfy."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.params import Choice, Int, param
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.check import Checker, kept_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.effort import checks_that_suit, go_down, narrowed
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.lattice import ladder_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.search import Search
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_rows
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.method import Reach
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.size import Size
from anonymizer_gui.engine.words import say

_BYTES_PER_NODE = 150
STOPS = {
    "optimum": "The least loss of all",
    "first-level": "The best of the first level",
}


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class BottomUp(Algorithm):
    """Full-domain generalization with proof that no other choice of levels loses less."""

    name: ClassVar[str] = "bottom-up"
    title: ClassVar[str] = "Bottom-up (full-domain)"
    summary: ClassVar[str] = (
        "Lifts every column to one level of its hierarchy; searches the whole lattice of levels and proves that no "
        "node which satisfies the goals loses less."
    )
    reference: ClassVar[str] = (
        "Samarati, TKDE 13(6), 2001; LeFevre, DeWitt, Ramakrishnan, SIGMOD 2005; Kohlmayer et al., PASSAT 2012"
    )
    attacks: ClassVar[str] = (
        "Minimality: somebody who knows the algorithm and the goals can rule out tables for which a lower level "
        "would have been enough. Downcoding (Cohen 2022) does not apply: it needs cells that are lifted one by one, "
        "and here all values of a column are lifted to the same level."
    )
    reach: ClassVar[Reach | None] = Reach(500_000, 500_000)
    walks_levels: ClassVar[bool] = True

    stop: str = param(
        Choice(STOPS),
        default="optimum",
        label="Stop at",
        help=(
            "Which combination of levels is taken: the one of least loss of all, or, as in the classroom, the "
            "best of the first level of the lattice that satisfies the goals."
        ),
    )
    nodes: int = param(
        Int(low=1),
        default=1_000_000,
        label="Largest lattice",
        help="A lattice of more nodes is searched only in part, without proof.",
    )
    checks: int = param(
        Int(low=1),
        default=10_000,
        label="Most checks",
        help=(
            "After so many checked nodes the proof is given up. A search in part checks as many at most, fewer on "
            "large tables; no search ends by the clock."
        ),
    )

    def judges(self, models: Sequence[PrivacyModel]) -> bool:
        """Judge every goal on whole tables."""
        return True

    def memory(self, size: Size) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        seen = _BYTES_PER_NODE * min(size.lattice, self.nodes)
        return ladder_memory(size) + kept_memory(size) + seen

    def run(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        """Find the node of least loss; raises Infeasible when no node satisfies."""
        allowed = allowed_rows(encoded.n_rows, limits.suppression)
        checker = Checker(encoded, goals, allowed)
        if _size(checker) > self.nodes:
            checker = Checker(narrowed(checker, progress.sub(0.0, 0.1)), goals, allowed)
        if _size(checker) > self.nodes:
            proven = go_down(checker, checks_that_suit(self.checks, encoded), progress)
            bound = checker.best if proven else checker.pure_loss(tuple(0 for _ in checker.top))
            return _best_so_far(checker, bound, limits)
        search = Search(checker, self.checks)
        node = search.find_optimum(progress) if self.stop == "optimum" else search.find_first_level(progress)
        if not search.finished:
            go_down(checker, checks_that_suit(max(self.checks // 10, 10), encoded), progress)
            return _best_so_far(checker, search.least_loss(), limits)
        if node is None:
            raise infeasible(encoded, goals, limits)
        return checker.publish(node, search.lattice(node), _doubt(checker, search.least_loss()))


def _doubt(checker: Checker, bound: float) -> tuple[str, ...]:
    """Say that a better node may be left, where rows that are left out change what classes are compared with."""
    if bound >= checker.best - checker.slack or all(verdict.decided for verdict in checker.seen.values()):
        return ()
    told = say(
        "Which rows are left out changes what classes are compared with, and not every choice was tried: it is not "
        "proven that none loses less, only that none has an LM below {bound:.6f}.",
        bound=bound / max(checker.encoded.n_rows, 1),
    )
    return (told,)


def _best_so_far(checker: Checker, bound: float, limits: Limits) -> Recoding:
    """Publish the best node of a search in part, and say how far from the optimum it can be."""
    if checker.best_node is None:
        raise infeasible(checker.encoded, checker.goals, limits)
    if bound >= checker.best:
        return checker.publish(checker.best_node, checker.lattice(checker.best_node, bound))
    n_rows = max(checker.encoded.n_rows, 1)
    note = say(
        "The lattice has {nodes:node|nodes} and was searched in part: this is the best of {seen:node|nodes}, "
        "with LM {loss:.6f}; no node has less than {bound:.6f}.",
        nodes=_size(checker),
        seen=len(checker.seen),
        loss=checker.best / n_rows,
        bound=bound / n_rows,
    )
    return checker.publish(checker.best_node, checker.lattice(checker.best_node, bound), (note,))


def _size(checker: Checker) -> int:
    """Give the number of nodes of the lattice."""
    return math.prod(checker.ladder.shape)
