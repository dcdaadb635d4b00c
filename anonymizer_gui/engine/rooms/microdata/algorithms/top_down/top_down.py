"""Top-down: from the most general table towards the values, as long as the goals hold."""

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import Choice, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.dropping import remaining
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.check import Checker, Verdict, kept_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.lattice import Node, ladder_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.prices import (
    CLASSIFICATION,
    Prices,
    cheapest,
    objective_param,
    target_param,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_rows, settle_tuples
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down.local import LocalSplitting
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down.splits import Rules
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.method import LOSS, Reach
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.recoding import first_groups
from anonymizer_gui.engine.rooms.microdata.size import Size

READINGS = {
    "local": "Each class on its own (local)",
    "full-domain": "One level for each column",
}
CHOICES = {
    "lm-gain": "Largest gain in the objective",
    "fewest-children": "Fewest children",
    "most-children": "Most children",
}
EMPTY_CHILDREN = {
    "ignored": "An empty child does not matter",
    "violates": "An empty child forbids the split",
}


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class TopDown(Algorithm):
    """Specialization of the most general table, per column or per class."""

    name: ClassVar[str] = "top-down"
    title: ClassVar[str] = "Top-down (specialization)"
    summary: ClassVar[str] = (
        "Starts with everything at the top of the hierarchies and goes down step by step while the goals hold, until "
        "no step is possible; each class on its own, or one level for each column."
    )
    reference: ClassVar[str] = "Fung, Wang, Yu, ICDE 2005; LeFevre, DeWitt, Ramakrishnan, SIGMOD 2005"
    attacks: ClassVar[str] = (
        "Minimality: a class that was not split tells that every split would have violated the goals. Downcoding "
        "(Cohen 2022) applies to the local reading: cells of different levels side by side hint at what is behind them."
    )
    reach: ClassVar[Reach | None] = Reach()

    reading: str = param(Choice(READINGS), default="local", label="Reading", help="What is specialized in a step.")
    split: str = param(
        Choice(CHOICES),
        default="lm-gain",
        label="Split",
        help=(
            "Which split of a class is taken; where numbers of children are equal the most even split, then the "
            "order of the columns."
        ),
    )
    empty_child: str = param(
        Choice(EMPTY_CHILDREN),
        default="ignored",
        label="Empty child",
        help=("What it means that no row of the class falls into a child of the hierarchy's node."),
    )

    objective: str = objective_param(
        "What every step makes as small as it can, or as large for precision. Steps by the loss are tried, too, and "
        "the better of both is taken; where the number of children chooses the split, little is left to the objective."
    )
    target: str = target_param()

    aims_at: ClassVar[str] = ""

    def target_columns(self) -> tuple[str, ...]:
        """The column whose values must be counted by class for the classification metric."""
        return (self.target,) if self.objective == CLASSIFICATION else ()

    def objective_asked(self) -> tuple[str, str]:
        """Tell the objective that was chosen."""
        return self.objective, self.target

    def following(self, objective: str, target: str = "") -> Self:
        """Follow another objective."""
        return replace(self, objective=objective, target=target)

    def memory(self, size: Size) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        if self.reading == "full-domain":
            return ladder_memory(size) + kept_memory(size)
        return (100 + 16 * size.columns) * size.tuples + 72 * size.entries

    def run(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        """Specialize until no step is possible; raises Infeasible when the most general table violates the goals."""
        asked, by_loss = self.objective_asked(), self.following(LOSS)
        if asked == by_loss.objective_asked():
            return self._specialize(encoded, goals, limits, progress)
        ways = [partial(each._specialize, encoded, goals, limits) for each in (self, by_loss)]
        return cheapest(encoded, asked, ways, progress)

    def _specialize(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        if self.reading == "full-domain":
            return _full_domain(encoded, goals, limits, progress, self)
        first = settle_tuples(encoded, goals, limits, first_groups(encoded))
        if first is None:
            raise infeasible(encoded, goals, limits)
        fallen = int(encoded.counts[first < 0].sum())
        left = allowed_rows(encoded.n_rows, limits.suppression) - fallen
        rules = Rules(self.split, self.empty_child == "violates")
        prices = Prices.of(encoded, *self.objective_asked())
        return LocalSplitting(encoded, _after(encoded, goals, first), prices, rules, left, first).run(progress)


def _after(encoded: Encoded, goals: Goals, first: npt.NDArray[np.int64]) -> Goals:
    """Give the goals against the rows that remain."""
    if (first >= 0).all():
        return goals
    groups = encoded.groups(np.where(first >= 0, 0, 1), 2)
    return replace(goals, whole=remaining(goals.whole, groups, np.array([True, False])))


def _full_domain(encoded: Encoded, goals: Goals, limits: Limits, progress: Progress, asked: TopDown) -> Recoding:
    """Go down one level of one column at a time: the step of most gain for the anonymity it costs."""
    checker = Checker(encoded, goals, allowed_rows(encoded.n_rows, limits.suppression), *asked.objective_asked())
    node, height = checker.top, max(sum(checker.top), 1)
    if not checker.check(node).satisfied:
        raise infeasible(encoded, goals, limits)
    step: Node | None = node
    while step is not None:
        node = step
        progress(1 - sum(node) / height, "Going down the levels")
        step = _best_step(checker, node, progress)
    bottom = tuple(0 for _ in node)
    return checker.publish(node, checker.lattice(node, checker.objective.least(bottom)))


def _best_step(checker: Checker, node: Node, progress: Progress) -> Node | None:
    now = checker.check(node)
    found: dict[Node, Verdict] = {}
    for j, level in enumerate(node):
        progress.check()
        if level:
            lower = (*node[:j], level - 1, *node[j + 1 :])
            found[lower] = checker.check(lower)
    slack = checker.slack
    possible = [lower for lower, verdict in found.items() if verdict.satisfied and verdict.cost <= now.cost + slack]
    return max(possible, key=lambda lower: _worth(now, found[lower], slack), default=None)


def _worth(now: Verdict, then: Verdict, slack: float) -> tuple[bool, float]:
    """Rank a step by its gain for each row of k it costs; a gain that costs nothing comes first."""
    gain, lost = now.cost - then.cost, now.k - then.k
    if abs(gain) <= slack:  # rounding alone
        return False, 0.0
    return lost <= 0 and gain > 0, gain / max(lost, 1)
