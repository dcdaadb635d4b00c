"""Bottom-up: one level per column, the one of least loss among all that satisfy."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Int, Text, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.check import Checker, kept_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.effort import checks_that_suit, go_down, narrowed
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.lattice import Node, ladder_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.objectives import OBJECTIVES
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.search import Search
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_rows
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.method import Reach
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.size import Size

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
    aims_at: ClassVar[str] = ""

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
    objective: str = param(
        Choice({name: objective.title for name, objective in OBJECTIVES.items()}),
        default="lm",
        label="Objective",
        help=(
            "What is made as small as possible, or as large for precision. Nodes that are equal in it are told apart "
            "by MD, then by their height."
        ),
    )
    target: str = param(
        Text(column=True, empty="the first sensitive column"),
        default="",
        label="Target",
        help="The column that is to be told from the quasi-identifiers of the release (classification metric).",
        when=("objective", "classification"),
    )

    def judges(self, models: Sequence[PrivacyModel]) -> bool:
        """Judge every goal on whole tables."""
        return True

    def target_columns(self) -> tuple[str, ...]:
        """The column whose values must be counted by class for the classification metric."""
        return (self.target,) if self.objective == "classification" else ()

    def objective_asked(self) -> tuple[str, str]:
        """Tell the objective that was chosen."""
        return self.objective, self.target

    def following(self, objective: str, target: str = "") -> Self:
        """Follow another objective."""
        return replace(self, objective=objective, target=target)

    def memory(self, size: Size) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        seen = _BYTES_PER_NODE * min(size.lattice, self.nodes)
        return ladder_memory(size) + kept_memory(size) + seen

    def run(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        """Find the node of least loss; raises Infeasible when no node satisfies."""
        allowed = allowed_rows(encoded.n_rows, limits.suppression)
        checker = Checker(encoded, goals, allowed, self.objective, self.target)
        if _size(checker) > self.nodes:
            fewer = narrowed(checker, progress.sub(0.0, 0.1))
            checker = Checker(fewer, goals, allowed, self.objective, self.target)
        if _size(checker) > self.nodes:
            proven = go_down(checker, checks_that_suit(self.checks, encoded), progress)
            bound = checker.best if proven else checker.objective.least(tuple(0 for _ in checker.top))
            return _best_so_far(checker, bound, limits)
        search = Search(checker, self.checks)
        node = search.find_optimum(progress) if self.stop == "optimum" else search.find_first_level(progress)
        if not search.finished:
            go_down(checker, checks_that_suit(max(self.checks // 10, 10), encoded), progress)
            return _best_so_far(checker, search.least_loss(), limits)
        if node is None:
            raise infeasible(encoded, goals, limits)
        told = _doubt(checker, search.least_loss()) or _proven(checker, node, self.stop == "optimum")
        return checker.publish(node, search.lattice(node), told)


def _doubt(checker: Checker, bound: float) -> tuple[str, ...]:
    """Say that a better node may be left, where rows that are left out change what classes are compared with."""
    if bound >= checker.best - checker.slack or all(verdict.decided for verdict in checker.seen.values()):
        return ()
    told = message(
        "Which rows are left out changes what classes are compared with, and not every choice was tried: it is not "
        "proven that none loses less, only that none has an LM below {bound:.6f}."
        if checker.goals.compare_with_whole and checker.is_by_loss
        else "Which rows are left out was not tried in every way: it is not proven that none costs less, only that "
        "none costs less than {bound:.6g} per record.",
        bound=bound / max(checker.encoded.n_rows, 1),
    )
    return (told,)


def _proven(checker: Checker, node: Node, is_optimum: bool) -> tuple[str, ...]:
    """Tell what another objective than LM came to, which no other figure tells."""
    if checker.is_by_loss:
        return ()
    found = checker.seen[node].cost / max(checker.encoded.n_rows, 1)
    told = message(
        "{objective} was made as good as can be: it costs {cost:.6g} per record, and no combination of levels that "
        "satisfies costs less."
        if is_optimum
        else "{objective} costs {cost:.6g} per record.",
        objective=message(checker.objective.title),
        cost=found,
    )
    return (told,)


def _best_so_far(checker: Checker, bound: float, limits: Limits) -> Recoding:
    """Publish the best node of a search in part, and say how far from the optimum it can be."""
    if checker.best_node is None:
        raise infeasible(checker.encoded, checker.goals, limits)
    if bound >= checker.best:
        return checker.publish(checker.best_node, checker.lattice(checker.best_node, bound))
    n_rows = max(checker.encoded.n_rows, 1)
    note = message(
        "The lattice has {nodes:node|nodes} and was searched in part: this is the best of {seen:node|nodes}, "
        "with LM {loss:.6f}; no node has less than {bound:.6f}."
        if checker.is_by_loss
        else "The lattice has {nodes:node|nodes} and was searched in part: this is the best of {seen:node|nodes}; it "
        "costs {loss:.6g} per record, and no node less than {bound:.6g}.",
        nodes=_size(checker),
        seen=len(checker.seen),
        loss=checker.best / n_rows,
        bound=bound / n_rows,
    )
    return checker.publish(checker.best_node, checker.lattice(checker.best_node, bound), (note,))


def _size(checker: Checker) -> int:
    """Give the number of nodes of the lattice."""
    return math.prod(checker.ladder.shape)
