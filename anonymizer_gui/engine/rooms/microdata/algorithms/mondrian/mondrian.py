"""Mondrian: cut the table in ever smaller boxes of the quasi-identifiers' space."""

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Choice, ListOf, PerColumn, Text, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.cuts import cutting_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.partition import Parted, Partitioner, Rule
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.space import Ints, Leaves, Space
from anonymizer_gui.engine.rooms.microdata.algorithms.people_repair import about_people, merged_for_people
from anonymizer_gui.engine.rooms.microdata.algorithms.prices import (
    CLASSIFICATION,
    Prices,
    cheapest,
    objective_param,
    target_param,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_rows, settle
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.method import LOSS, Reach
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.recoding import RANGE, common_nodes, first_groups, from_groups, from_nodes
from anonymizer_gui.engine.rooms.microdata.size import Size

MODES = {
    "strict": "Equal values stay together",
    "relaxed": "Equal values may be parted",
}
CHOICES = {
    "width": "The most widely spread",
    "lm-gain": "The one that gains most in the objective",
    "priority": "The first of the list below",
}
CUTS = {
    "order": "In two, near the median",
    "hierarchy": "Into the children of a node",
}
LABELS = {
    "node": "The node that covers all rows",
    "range": "The range, such as [35-38] or {A, B}",
}


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Mondrian(Algorithm):
    """Multidimensional partitioning (LeFevre, DeWitt, Ramakrishnan 2006).

    Starts from one partition (or from the most general cells the level bounds allow) and cuts every partition
    on one column as long as all parts satisfy the goals; the result cannot be cut further under its own rule.
    A cut in order is made at the feasible place nearest to the median, not only at the median itself: columns
    with a few frequent values can be cut too, and far less is lost.

    A range is published as the region between the cuts around it, never as the least and greatest value of the
    partition: those are exact values of single persons. A cut point lies midway between two neighbouring values.

    With a goal about the population, boxes whose cells hold too few or too many people are merged at the end, and
    cells are common nodes.

    `search` of the result are the `Splits` from which a map of the partitions is drawn.
    """

    name: ClassVar[str] = "mondrian"
    title: ClassVar[str] = "Mondrian"
    summary: ClassVar[str] = "Cuts the table in ever smaller boxes while every box satisfies the goals; very fast."
    reference: ClassVar[str] = "LeFevre, DeWitt, Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006"
    attacks: ClassVar[str] = (
        "Minimality: somebody who knows the method knows that no box could be cut; with goals on sensitive values "
        "this can sharpen a guess. Downcoding (Cohen 2022) applies to common nodes: they are as low as the rows of a "
        "box allow, so that finer values can be inferred, the more so where boxes overlap; ranges end at the cuts, "
        "not at the rows."
    )
    reach: ClassVar[Reach | None] = Reach(among_people=100_000)

    mode: str = param(
        Choice(MODES),
        default="strict",
        label="Mode",
        help=(
            "Strict: all rows with the same value stay on the same side of a cut. Relaxed: where no such cut is "
            "left, rows with the value at the cut may go to either side."
        ),
    )
    choice: str = param(
        Choice(CHOICES),
        default="width",
        label="Column to cut",
        help=(
            "Which column is cut next: the one whose values in the box cover most of their range, the one whose "
            "cut gains most in the objective, or the first of the list below that can be cut."
        ),
    )
    priority: tuple[str, ...] = param(
        ListOf(Text(column=True)),
        default=(),
        label="Columns to cut first",
        help=("The columns that shall stay finest, the most wanted first; they count when the list is chosen above."),
    )
    cuts: tuple[tuple[str, str], ...] = param(
        PerColumn(Choice(CUTS)),
        default=(),
        label="Cut a column",
        help=(
            "How a column is cut: in two along its order at the feasible place nearest to the median, as usual, "
            "or into the children of a node of its hierarchy."
        ),
    )
    labels: tuple[tuple[str, str], ...] = param(
        PerColumn(Choice(LABELS)),
        default=(),
        label="Cells show",
        help=(
            "What stands in the cells of a column: the most specific node of the hierarchy that covers all rows "
            "of the box, as usual, or the range between the cuts."
        ),
    )
    objective: str = objective_param(
        "What the choice of the column makes as small as it can, or as large for precision. Choices by the loss and by "
        "the spread are tried, too, and the best of all is taken.",
        when=("choice", "lm-gain"),
    )
    target: str = target_param()

    aims_at: ClassVar[str] = ""

    def target_columns(self) -> tuple[str, ...]:
        """The column whose values must be counted by class for the classification metric."""
        objective, target = self.objective_asked()
        return (target,) if objective == CLASSIFICATION else ()

    def objective_asked(self) -> tuple[str, str]:
        """Tell the objective that chooses the column; the other choices ask for none."""
        return (self.objective, self.target) if self.choice == "lm-gain" else (LOSS, "")

    def following(self, objective: str, target: str = "") -> Self:
        """Follow another objective in the choice of the column; by the loss the usual choice does about as well."""
        if (objective, target) == self.objective_asked():
            return self
        return replace(self, choice="lm-gain", objective=objective, target=target)

    def memory(self, size: Size) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        return cutting_memory(size)

    def run(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        """Partition the table; raises Infeasible when even the uncut table violates the goals."""
        asked = self.objective_asked()
        if asked[0] == LOSS:
            return self._cut(encoded, goals, limits, progress)
        ways = (self, replace(self, objective=LOSS, target=""), replace(self, choice="width"))
        return cheapest(encoded, asked, [partial(each._cut, encoded, goals, limits) for each in ways], progress)

    def _cut(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        rule, ranges = self._rule(encoded), _chosen(encoded, self.labels, "range")
        if not encoded.n_rows:
            nothing = np.full(len(encoded.tuples), -1, dtype=np.int64)
            if about_people(goals):
                return merged_for_people(encoded, goals, limits, nothing[:0], progress)
            return from_groups(encoded, nothing)
        space = Space.of(encoded, progress)
        parted = Partitioner(space, Judge(encoded, goals, progress), rule, progress).run(first_groups(encoded))
        if about_people(goals):
            groups = parted.group_of_tuple()
            return merged_for_people(encoded, goals, limits, groups[encoded.tuple_of_row], progress, groups)
        kept = np.ones(len(parted.lengths), dtype=np.bool_)
        if not parted.all_fine:
            kept = _settled(encoded, goals, limits, parted)
        return _published(space, parted, kept, ranges)

    def _rule(self, encoded: Encoded) -> Rule:
        names = [qi.name for qi in encoded.qis]
        _refuse_unknown(encoded, self.priority)
        priority = tuple(names.index(name) for name in self.priority) if self.choice == "priority" else ()
        by_hierarchy = _chosen(encoded, self.cuts, "hierarchy")
        by_gain = self.choice == "lm-gain"
        prices = Prices.of(encoded, *self.objective_asked()) if by_gain else None
        return Rule(by_hierarchy, self.mode == "relaxed", by_gain, priority, prices)


def _settled(encoded: Encoded, goals: Goals, limits: Limits, parted: Parted) -> npt.NDArray[np.bool_]:
    """Drop the groups that violate the goals, or say why that cannot be."""
    groups = encoded.groups(parted.group_of_tuple(), len(parted.lengths))
    settled = settle(groups, goals, allowed_rows(encoded.n_rows, limits.suppression))
    if settled is None:
        raise infeasible(encoded, goals, limits)
    return settled.kept


def _published(space: Space, parted: Parted, kept: npt.NDArray[np.bool_], ranges: tuple[bool, ...]) -> Recoding:
    """Label the groups that are kept and have rows; the others have no class."""
    group = np.repeat(np.arange(len(parted.lengths), dtype=np.int32), parted.lengths)
    live = kept[group] & (space.encoded.counts[parted.order] > 0)
    order, lengths = parted.order[live], np.bincount(group[live], minlength=len(kept))
    shown = np.flatnonzero(lengths)
    class_of_tuple = np.full(len(parted.order), -1, dtype=np.int64)
    class_of_tuple[order] = np.repeat(np.arange(len(shown)), lengths[shown])
    del group, live
    starts = np.cumsum(lengths[shown]) - lengths[shown]
    splits = replace(parted.splits, partition=parted.splits.partition[shown])
    nodes = common_nodes(space.encoded, order, starts)
    recoding = from_nodes(space.encoded, class_of_tuple, nodes, splits)
    for j in np.flatnonzero(ranges).tolist():
        low, high = _covered(space, j, order, starts)
        gap = space.encoded.qis[j].hierarchy.leaf_number.get(MISSING, -1)
        # A range of values ends before the missing ones, unless some of its rows are.
        begin, end = parted.low[shown, j], parted.high[shown, j]
        recoding.low[:, j] = np.minimum(begin + ((begin == gap) & (low > gap)), low)
        recoding.high[:, j] = np.maximum(end - ((end == gap) & (high < gap)), high)
        recoding.node[:, j] = RANGE
    return recoding


def _covered(space: Space, j: int, order: npt.NDArray[np.int32], starts: Ints) -> tuple[Leaves, Leaves]:
    """Give the first and last leaf under the finest cells of each class in one column."""
    qi = space.encoded.qis[j]
    finest = qi.levels()[0][space.encoded.tuples[order, j]]
    first, end = qi.hierarchy.first_leaf[finest], qi.hierarchy.end_leaf[finest]
    return np.minimum.reduceat(first, starts), np.maximum.reduceat(end, starts) - 1


def _chosen(encoded: Encoded, options: tuple[tuple[str, str], ...], wanted: str) -> tuple[bool, ...]:
    """Say for every QI whether it has the option wanted."""
    _refuse_unknown(encoded, tuple(column for column, _ in options))
    by_name = dict(options)
    return tuple(by_name.get(qi.name) == wanted for qi in encoded.qis)


def _refuse_unknown(encoded: Encoded, columns: tuple[str, ...]) -> None:
    names = [qi.name for qi in encoded.qis]
    for column in columns:
        if column not in names:
            raise BadParameter(
                message("“{name}” is no quasi-identifier.", name=column), message("There are: {known}.", known=names)
            )
