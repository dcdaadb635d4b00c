"""Bottom-up: one level per column, the one of least loss among all that satisfy."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, Int, PerColumn, Text, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.feasibility import explain_infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import LevelTables, Node, level_tables_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice_search import (
    LatticeSearch,
    NodeChecker,
    cache_memory,
    check_limit,
    narrow_levels,
    search_downwards,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.objectives import OBJECTIVES
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_suppressions, suppress_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize, Recoding, SizeLimit

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
    reach: ClassVar[SizeLimit | None] = SizeLimit(500_000, 500_000)
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

    def memory(self, size: ProblemSize) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        seen = _BYTES_PER_NODE * min(size.lattice, self.nodes)
        return level_tables_memory(size) + cache_memory(size) + seen

    def run(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        """Find the node of least loss; raises Infeasible when no node satisfies."""
        allowed = allowed_suppressions(encoded.n_rows, limits.suppression)
        checker = NodeChecker(encoded, goals, allowed, self.objective, self.target)
        if _size(checker) > self.nodes:
            fewer = narrow_levels(checker, progress.sub(0.0, 0.1))
            checker = NodeChecker(fewer, goals, allowed, self.objective, self.target)
        if _size(checker) > self.nodes:
            proven = search_downwards(checker, check_limit(self.checks, encoded), progress)
            bound = checker.best if proven else checker.objective.least(tuple(0 for _ in checker.top))
            return _best_so_far(checker, bound, limits)
        search = LatticeSearch(checker, self.checks)
        node = search.find_optimum(progress) if self.stop == "optimum" else search.find_first_level(progress)
        if not search.finished:
            search_downwards(checker, check_limit(max(self.checks // 10, 10), encoded), progress)
            return _best_so_far(checker, search.least_loss(), limits)
        if node is None:
            raise explain_infeasible(encoded, goals, limits)
        told = _doubt(checker, search.least_loss()) or _proven(checker, node, self.stop == "optimum")
        return checker.publish(node, search.lattice(node), told)


def _doubt(checker: NodeChecker, bound: float) -> tuple[str, ...]:
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


def _proven(checker: NodeChecker, node: Node, is_optimum: bool) -> tuple[str, ...]:
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


def _best_so_far(checker: NodeChecker, bound: float, limits: SearchLimits) -> Recoding:
    """Publish the best node of a search in part, and say how far from the optimum it can be."""
    if checker.best_node is None:
        raise explain_infeasible(checker.encoded, checker.goals, limits)
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


def _size(checker: NodeChecker) -> int:
    """Give the number of nodes of the lattice."""
    return math.prod(checker.ladder.shape)


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class ChosenLevels(Algorithm):
    """Full-domain generalization to levels the user names."""

    name: ClassVar[str] = "levels"
    title: ClassVar[str] = "Levels by hand"
    summary: ClassVar[str] = "Lifts every column to the level you choose; columns without a choice go to the top."
    reference: ClassVar[str] = "Samarati, TKDE 13(6), 2001"
    attacks: ClassVar[str] = (
        "Minimality and downcoding do not apply: the levels are yours, and one for the whole column. Whoever looked "
        "for the lowest levels that satisfy has done by hand what minimality speaks of."
    )
    levels: tuple[tuple[str, int], ...] = param(
        PerColumn(Int(low=0)),
        default=(),
        label="Levels",
        help="The level of each column, 0 being the values themselves.",
    )

    def judges(self, models: Sequence[PrivacyModel]) -> bool:
        """Judge every goal on the whole table."""
        return True

    def told_levels(self) -> Mapping[str, int]:
        """Give the level of each column that the user has chosen."""
        return dict(self.levels)

    def memory(self, size: ProblemSize) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        return level_tables_memory(size)

    def run(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        """Publish the chosen node; raises Infeasible when it does not satisfy the goals."""
        progress(0.0, "Lifting the columns")
        ladder = LevelTables(encoded)
        base = ladder.base()
        rolled = ladder.roll_up(base, self._node(encoded))
        rolled = ladder.with_cells(rolled) if goals.need_cells else rolled
        price = rolled.groups.sizes * (1.0 - ladder.row_losses(rolled.node, rolled.first_tuples))
        settled = suppress_groups(rolled.groups, goals, allowed_suppressions(encoded.n_rows, limits.suppression), price)
        if settled is None:
            raise explain_infeasible(encoded, goals, limits, rolled.groups)
        return ladder.recoding(rolled, settled)

    def _node(self, encoded: EncodedTable) -> Node:
        chosen = dict(self.levels)
        known = {qi.name: qi for qi in encoded.qis}
        for name, level in chosen.items():
            if name not in known:
                raise BadParameter(
                    message("“{name}” is no quasi-identifier.", name=name),
                    message("There are: {known}.", known=list(known)),
                )
            if not known[name].lowest <= level <= known[name].top:
                allowed = message("It may be {low} to {high}.", low=known[name].lowest, high=known[name].top)
                raise BadParameter(
                    message("“{name}” has no level {level} that may be published.", name=name, level=level), allowed
                )
        return tuple(chosen.get(qi.name, qi.top) - min(qi.lowest, qi.top) for qi in encoded.qis)
