"""Which requirements no longer hold for whom."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.data.tables.normalisation import fold_text
from anonymizer_gui.engine.hierarchy.coverage import node_heights
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.composition.equations import NO_LIMIT, LinearSystem, linear_system
from anonymizer_gui.engine.rooms.microdata.composition.exact_search import refine_bounds, unions_of_classes
from anonymizer_gui.engine.rooms.microdata.composition.most_favourable_distribution import (
    Floats,
    ShareBounds,
    ValueTree,
    most_even,
    most_proportional,
    nearest_euclidean,
    path_tree,
)
from anonymizer_gui.engine.rooms.microdata.composition.published_view import (
    Bools,
    ClassIntersections,
    Ints,
    PublishedView,
    ValueOrder,
)
from anonymizer_gui.engine.rooms.microdata.composition.solution_bounds import (
    CellKinds,
    FeasibleCounts,
    cell_kinds,
    feasible_counts,
    known_counts,
    matching_rows,
    with_slack,
)
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    PRIVACY_MODELS,
    ClassGroups,
    PrivacyModel,
    SensitiveAttribute,
    WholeTable,
)
from anonymizer_gui.engine.rooms.microdata.models.distances import value_positions


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing that must stay true: a goal of a release, about a column or about rows alone.

    Without a goal it is that everybody has more than one value of the column left.
    """

    column: str = ""
    release: int = -1
    goal: PrivacyModel | None = None


def judgeable_goals(release: PublishedView) -> tuple[tuple[PrivacyModel, ...], int]:
    """Give the goals of a release that can be judged here, and count the others.

    Those about a population cannot: which people of it fit several releases at once is not known; nor those about all
    classes of a table together. Of a release whose
    rows were not counted only numbers of values can be judged.
    """
    found, others = [], 0
    for entry in release.goals:
        goal = _goal(entry)
        if (
            goal is None
            or goal.needs_population
            or goal.of_table
            or (not _is_counted(release) and not _counts_values(goal))
        ):
            others += 1
        else:
            found.append(goal)
    return tuple(found), others


def _goal(entry: Mapping[str, Json]) -> PrivacyModel | None:
    try:
        return from_json(PRIVACY_MODELS.get(str(entry["model"])), entry["parameters"])
    except (AnonymizerError, KeyError, TypeError, ValueError, AttributeError):
        return None  # of a newer version, or damaged


def _is_counted(release: PublishedView) -> bool:
    return all(values.counts is not None for values in release.values)


def _counts_values(goal: PrivacyModel) -> bool:
    return goal.least_values() > 1 and not goal.compares_with_whole


def requirements(system: LinearSystem, releases: Sequence[PublishedView]) -> Iterator[Requirement]:
    """List what must stay true and can be told from the columns of a system."""
    for column in system.columns:
        yield Requirement(column)
    for number in system.releases:
        for goal in judgeable_goals(releases[number])[0]:
            if not goal.needs_sensitive:
                yield Requirement("", number, goal)
            for column in system.columns:
                if goal.needs_sensitive and goal.looks_at(column):
                    yield Requirement(column, number, goal)


def table_of_release(system: LinearSystem, column: str, release: PublishedView) -> WholeTable:
    """Describe the whole table of a release in the values of a system; labels the system does not have come after."""
    rows = sum(int(values.counts.sum()) for values in release.values[:1] if values.counts is not None)
    held = release.holding([column])
    if not column or held is None:
        return WholeTable(rows)
    at = held.columns.index(column)
    own = [fold_text(label) for label in held.labels[at]]
    known = system.labels[system.columns.index(column)]
    labels = (*known, *sorted(set(own) - set(known)))
    place = {label: number for number, label in enumerate(labels)}
    code = np.array([place[label] for label in own], dtype=np.int64)
    counted = np.ones_like(held.classes) if held.counts is None else held.counts
    counts = np.bincount(code[held.codes[at]], counted, len(labels)).astype(np.int64)
    number_of = {label: number for number, label in enumerate(own)}
    return WholeTable(rows, {column: _sensitive(column, labels, counts, number_of, release.orders.get(column))})


def _sensitive(
    name: str, labels: tuple[str, ...], counts: Ints, place: Mapping[str, int], order: ValueOrder | None
) -> SensitiveAttribute:
    """Describe a column with the order of its labels; labels of other releases come last."""
    if order is None:
        return SensitiveAttribute(name, labels, counts, np.argsort(np.argsort(np.array(labels, dtype=object))))
    key = [order.rank[place[label]] if label in place else len(labels) + number for number, label in enumerate(labels)]
    rank = np.argsort(np.argsort(key))
    if not order.parents:
        return SensitiveAttribute(name, labels, counts, rank)
    tree = Hierarchy([str(number) for number in range(len(order.parents))], order.parents)
    leaf = np.array([order.leaves[place[label]] if label in place else 0 for label in labels], dtype=np.int64)
    return SensitiveAttribute(name, labels, counts, rank, tree, leaf)


def most_favourable_by_order(box: ShareBounds, sensitive: SensitiveAttribute, reference: Floats) -> Floats:
    """Read every cell in the kindest way for distances along the tree or the order of the values."""
    tree, place = _tree(sensitive)
    starts = np.searchsorted(box.cell, np.arange(box.n_cells + 1))
    aim = np.zeros(len(tree.leaves))
    np.add.at(aim, place, reference)
    shares = np.zeros(len(box.cell))
    for cell in range(box.n_cells):
        mine = slice(int(starts[cell]), int(starts[cell + 1]))
        at = place[box.value[mine]]
        low, high = np.zeros(len(aim)), np.zeros(len(aim))
        low[at], high[at] = box.low[mine], box.high[mine]
        shares[mine] = np.array(tree.kindest(low.tolist(), high.tolist(), aim.tolist()))[at]
    return shares


def _tree(sensitive: SensitiveAttribute) -> tuple[ValueTree, Ints]:
    """Give the tree distances are measured in, and the place of each value among those the tree is asked about."""
    if sensitive.hierarchy is None or sensitive.leaf is None:
        place, order = value_positions(sensitive)
        return path_tree(len(order)), place
    tree = sensitive.hierarchy
    heights = node_heights(tree)
    lengths = [0.0, *((heights[tree.parents[1:]] - heights[1:]) / 2).tolist()]
    return ValueTree(tree.parents.tolist(), lengths, tree.leaves[sensitive.leaf].tolist()), np.arange(
        len(sensitive.labels)
    )


_MOST_BY_STEPS = 20_000
"""For so many kinds of cells distances along an order or a tree are read in the kindest way; for more, nearly so."""


@dataclass(frozen=True, slots=True, eq=False)
class RequirementJudge:
    """Judges cells of a system by one demand, from what certainly holds or from what was seen to be possible."""

    demand: Requirement
    system: LinearSystem
    whole: WholeTable
    readings: tuple[str, ...]

    @classmethod
    def of(cls, demand: Requirement, system: LinearSystem, releases: Sequence[PublishedView]) -> "RequirementJudge":
        """Set up what the demand compares with; its release need not be one of the system's."""
        if demand.goal is None:
            return cls(demand, system, WholeTable(0), ())
        whole = table_of_release(system, demand.column, releases[demand.release])
        return cls(demand, system, whole, _readings(demand.goal))

    def concerns(self) -> Bools:
        """Tell whose promise it is: everybody's, or the people's of the release."""
        if self.demand.release not in self.system.releases:
            return np.ones(len(self.system), dtype=np.bool_)
        return self.system.classes[self.system.releases.index(self.demand.release)] >= 0

    def holds(self, left: FeasibleCounts, cells: Ints, kinds: CellKinds | None, *, seen: bool) -> Bools:
        """Tell for which of some cells the demand holds, in the kindest reading of what is left.

        `kinds` are those of the column, for a demand about one.
        """
        goal = self.demand.goal
        if kinds is None or goal is None:
            return self._holds_plainly(left, cells, kinds, seen=seen)
        kind = kinds.kind_of_cell[cells]
        asked = np.unique(kind)
        fine_kinds = np.zeros(kinds.box.n_cells, dtype=np.bool_)
        fine_kinds[asked] = self._kindest(goal, kinds.box.only(asked), kinds.sizes[asked])
        is_fine: Bools = fine_kinds[kind]
        # There is a row of every value that is left, so rows are counted only where that are too few.
        unsure = np.flatnonzero(is_fine & (kinds.box.values()[kind] < goal.least_rows()))
        is_fine[unsure] = self._rows(left, cells[unsure], seen=seen) >= goal.least_rows()
        return is_fine

    def _holds_plainly(self, left: FeasibleCounts, cells: Ints, kinds: CellKinds | None, *, seen: bool) -> Bools:
        """Judge a demand that needs no distribution: several values are left, or rows enough."""
        if kinds is not None:
            return np.asarray(kinds.box.values()[kinds.kind_of_cell[cells]] > 1)
        rows = self._rows(left, cells, seen=seen)
        return np.ones(len(cells), dtype=np.bool_) if self.demand.goal is None else self._enough(self.demand.goal, rows)

    def _enough(self, goal: PrivacyModel, rows: Ints) -> Bools:
        return goal.satisfied(ClassGroups(rows), self.whole)

    def _rows(self, left: FeasibleCounts, cells: Ints, *, seen: bool) -> Ints:
        """Count the rows left in the demand's release; in a system without it that is no matter."""
        if self.demand.release not in self.system.releases:
            return np.full(len(cells), NO_LIMIT, dtype=np.int64)
        return matching_rows(left, self.demand.release, cells, seen=seen)

    def _kindest(self, goal: PrivacyModel, box: ShareBounds, sizes: Ints) -> Bools:
        """Tell for which cells of a box the goal holds in the kindest reading, if there are rows enough."""
        is_fine = np.zeros(box.n_cells, dtype=np.bool_)
        for reading in self.readings:
            still = np.flatnonzero(~is_fine & box.has_any())
            part = box.only(still)
            is_fine[still] = self._satisfied(goal, part, self._read(part, reading), sizes[still])
        return is_fine

    def holds_alone(self) -> Bools:
        """Tell for which cells the demand held before: in each class of its people on its own."""
        if self.demand.goal is None:
            return self._several_values_everywhere()
        place = self.system.releases.index(self.demand.release)
        nodes = self.system.classes[place]
        classes, entries = self._classes(place)
        sizes = np.bincount(entries[0], entries[2], classes).astype(np.int64)
        groups = ClassGroups(sizes)
        if self.demand.column:
            histogram = Histogram.weighted(entries[0], classes, entries[1], self._n_codes(), entries[2])
            groups = ClassGroups(sizes, {self.demand.column: histogram})
        fine = self.demand.goal.satisfied(groups, self.whole)
        return np.asarray((nodes < 0) | fine[np.maximum(nodes - self.system.offsets[place], 0)])

    def _classes(self, place: int) -> tuple[int, tuple[Ints, Ints, Ints]]:
        """Give how many classes a release has, and class, value and count of its entries."""
        entries, offsets = self.system.entries, (*self.system.offsets, self.system.entries.n_nodes)
        mine = (entries.node >= offsets[place]) & (entries.node < offsets[place + 1])
        values = self._codes()[entries.value[mine]] if self.demand.column else entries.value[mine]
        counts = np.where(entries.is_counted[mine], entries.counts[mine], 1)
        return max(offsets[place + 1] - offsets[place], 1), (entries.node[mine] - offsets[place], values, counts)

    def _several_values_everywhere(self) -> Bools:
        entries = self.system.entries
        pairs = np.unique(entries.node * (self._n_codes() + 1) + self._codes()[entries.value])
        held = np.bincount(pairs // (self._n_codes() + 1), minlength=entries.n_nodes)
        classes = [self.system.classes[place] for place in self.system.published]
        several = [(nodes < 0) | (held[nodes] > 1) for nodes in classes]
        return np.asarray(np.logical_and.reduce(several))

    def _codes(self) -> Ints:
        return self.system.parts[self.system.columns.index(self.demand.column)]

    def _n_codes(self) -> int:
        known = self.whole.sensitive.get(self.demand.column)
        labels = self.system.labels[self.system.columns.index(self.demand.column)]
        return len(labels) if known is None else len(known.labels)

    def _read(self, box: ShareBounds, reading: str) -> Floats:
        """Give the kindest distribution in one sense of the word."""
        if reading == "flat":
            return most_even(box)
        sensitive = self.whole.sensitive[self.demand.column]
        reference = sensitive.counts / max(int(sensitive.counts.sum()), 1)
        if reading == "nearest":
            return nearest_euclidean(box, reference)
        if reading == "steps" and box.n_cells <= _MOST_BY_STEPS:
            return most_favourable_by_order(box, sensitive, reference)
        return most_proportional(box, reference)

    def _satisfied(self, goal: PrivacyModel, box: ShareBounds, shares: Floats, size: Ints) -> Bools:
        """Ask the goal about distributions; their counts are fractions, which no formula minds."""
        there = np.flatnonzero(shares > 0)
        people = (size / np.maximum(box.total(shares), 0.5))[box.cell[there]]
        counts = shares[there] * people * (1 + 1e-12)  # cut to whole numbers, the total stays the size
        histogram = Histogram(box.n_cells, self._n_codes(), box.cell[there], box.value[there], cast(Ints, counts))
        rows = np.full(box.n_cells, NO_LIMIT, dtype=np.int64)
        return goal.satisfied(ClassGroups(rows, {self.demand.column: histogram}), self.whole)


def _readings(goal: PrivacyModel) -> tuple[str, ...]:
    """Say which distributions the goal may like best: the even one, or the one that is like the whole table."""
    if not goal.needs_sensitive or not goal.compares_with_whole:
        return ("flat",)
    if goal.distance == "euclidean":
        return ("nearest",)
    return ("alike", "steps") if goal.distance in ("emd-ordered", "emd-hierarchical") else ("alike",)


@dataclass(frozen=True, slots=True, eq=False)
class RequirementVerdict:
    """What was found about one demand, for all cells: whether it holds no longer, and whether that stays open."""

    demand: Requirement
    broken: Bools
    undecided: Bools


@dataclass(slots=True, eq=False)
class _Case:
    """A demand with the cells of the system it is still open for."""

    judge: RequirementJudge
    concerned: Bools
    broken: Bools
    fine: Bools

    @classmethod
    def about(cls, judge: RequirementJudge) -> "_Case":
        nobody = np.zeros(len(judge.system), dtype=np.bool_)
        return cls(judge, judge.concerns(), nobody, nobody.copy())

    def open_cells(self) -> Bools:
        return self.concerned & ~self.broken & ~self.fine


class _Cases:
    """All demands on a system; judges them by what is known so far."""

    def __init__(self, cases: Sequence[_Case]) -> None:
        self.cases = cases
        self._stamp = -1

    def wanted(self, left: FeasibleCounts) -> Bools:
        """Tell which numbers should be known better: those of cells that a demand is still open for."""
        if left.stamp != self._stamp:
            self.judge(left, seen=False)
        self._stamp = left.stamp
        self.judge(left, seen=True)
        return self._open()[left.sums.cell]

    def _open(self) -> Bools:
        return np.asarray(np.logical_or.reduce([case.open_cells() for case in self.cases]))

    def judge(self, left: FeasibleCounts, *, seen: bool) -> None:
        """Find the cells for which demands certainly do not hold, or certainly do."""
        there = ~left.sums.left_out & (left.has_way() if seen else True)
        for column in ("", *left.system.columns):
            mine = [case for case in self.cases if case.judge.demand.column == column]
            open_cells = np.logical_or.reduce([case.open_cells() & there for case in mine]) if mine else there & False
            if not open_cells.any():
                continue
            kinds = cell_kinds(left, column, np.flatnonzero(open_cells), seen=seen) if column else None
            for case in mine:
                cells = np.flatnonzero(case.open_cells() & there)
                holds = case.judge.holds(left, cells, kinds, seen=seen)
                if seen:
                    case.fine[cells] = holds
                else:
                    case.broken[cells] = ~holds


def judge_requirements(
    system: LinearSystem,
    cells: ClassIntersections,
    releases: Sequence[PublishedView],
    new: int,
    progress: Progress = SILENT,
) -> tuple[FeasibleCounts, list[RequirementVerdict]]:
    """Judge what is left by every demand; harm is what the new release does, not what was known before it."""
    concerned = _touched(system, new)
    slack = None
    while True:
        left = feasible_counts(system, slack, progress.sub(0.0, 0.4))
        cases = _cases(system, releases, concerned)
        exactly = any(case.judge.demand.column and case.judge.demand.goal is not None for case in cases)
        asking = _Cases(cases)
        hint = known_counts(left, cells, releases)
        impossible = refine_bounds(left, asking.wanted, hint, exactly=exactly, progress=progress.sub(0.4, 0.9))
        if not len(impossible):
            break
        slack = with_slack(system, left.slack, impossible, None)
    asking.wanted(left)
    known_before = _broken_before(system, cells, releases, new, cases)
    return left, [_verdict(system, case, before) for case, before in zip(cases, known_before, strict=True)]


def _cases(system: LinearSystem, releases: Sequence[PublishedView], concerned: Bools) -> list[_Case]:
    cases = []
    for demand in requirements(system, releases):
        case = _Case.about(RequirementJudge.of(demand, system, releases))
        case.concerned &= concerned & case.judge.holds_alone()
        cases.append(case)
    return cases


def _touched(system: LinearSystem, new: int) -> Bools:
    """Tell which cells the new release can tell something about: through classes that do not follow from another one.

    The same release once more tells nothing.
    """
    group_of_cell, group_of_node = _connected(system)
    telling = np.zeros(len(system) + 1, dtype=np.bool_)
    for place, nodes in enumerate(system.classes):
        if system.releases[place] == new or place not in system.published:
            adds = (nodes >= 0) & ~_follows(system, nodes, new)
            telling[group_of_node[nodes[adds]]] = True
    return telling[group_of_cell]


def _follows(system: LinearSystem, asked: Ints, new: int) -> Bools:
    """Tell for each cell whether its class is made up of whole classes of an earlier release."""
    counted = np.zeros(system.entries.n_nodes, dtype=np.bool_)
    counted[system.entries.node[system.entries.is_counted]] = True
    follows = np.zeros(system.entries.n_nodes, dtype=np.bool_)
    for place in system.published:
        if system.releases[place] != new:
            nodes = system.classes[place]
            certain = np.where((nodes >= 0) & counted[nodes], nodes, -1)
            follows |= unions_of_classes(asked, certain, system.entries.n_nodes)
    return np.asarray(follows[asked])


def _connected(system: LinearSystem) -> tuple[Ints, Ints]:
    """Number the groups of cells and classes that hang together."""
    cell = np.arange(len(system))
    node = np.full(system.entries.n_nodes, len(system), dtype=np.int64)
    while True:
        for nodes in system.classes:
            there = nodes >= 0
            np.minimum.at(node, nodes[there], cell[there])
        new = cell.copy()
        for nodes in system.classes:
            there = nodes >= 0
            new[there] = np.minimum(new[there], node[nodes[there]])
        new = new[new]
        if np.array_equal(new, cell):
            return cell, node
        cell = new


def _broken_before(
    system: LinearSystem, cells: ClassIntersections, releases: Sequence[PublishedView], new: int, cases: Sequence[_Case]
) -> list[Bools]:
    """Tell for each demand which cells of all releases it did not hold for already, without the new release."""
    nobody = np.zeros(len(cells), dtype=np.bool_)
    others = [system.releases[place] for place in system.published if system.releases[place] != new]
    before = linear_system(cells, releases, system.columns, among=others)
    if before is None or not any(case.broken.any() for case in cases):
        return [nobody] * len(cases)
    doubted = [np.append(case.broken, False)[system.cell_of] for case in cases]
    earlier = [_Case.about(RequirementJudge.of(case.judge.demand, before, releases)) for case in cases]
    for case, doubt in zip(earlier, doubted, strict=True):
        asked = np.zeros(len(before) + 1, dtype=np.bool_)
        asked[before.cell_of[doubt]] = True
        case.concerned &= asked[:-1]
    _Cases(earlier).judge(feasible_counts(before), seen=False)
    return [np.append(case.broken, False)[before.cell_of] for case in earlier]


def _verdict(system: LinearSystem, case: _Case, before: Bools) -> RequirementVerdict:
    """Bring the cells of a system back to those of all releases; people in none of its releases are not concerned."""
    broken = np.concatenate([case.broken, [False]])[system.cell_of]
    undecided = np.concatenate([case.open_cells(), [False]])[system.cell_of]
    return RequirementVerdict(case.judge.demand, broken & ~before, undecided)
