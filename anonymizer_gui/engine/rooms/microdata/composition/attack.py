"""The composition (intersection) attack and its result.

Somebody who is in several releases is in one class of each, so the value is one that all these classes hold (Ganta,
Kasiviswanathan, Smith: Composition attacks and auxiliary information in data privacy, KDD 2008). The counts of the
classes say more: who joins, leaves or changes class takes a value along. The attacker is taken to know who is in
which class of every release, and all that the releases publish.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from anonymizer_gui.engine.core.messages import Message, join_messages, message, quote
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.composition.equations import LinearSystem, linear_system
from anonymizer_gui.engine.rooms.microdata.composition.judging import (
    Requirement,
    RequirementVerdict,
    judge_requirements,
    judgeable_goals,
)
from anonymizer_gui.engine.rooms.microdata.composition.published_view import (
    Bools,
    ClassIntersections,
    Ints,
    JoinedRows,
    PublishedView,
    intersect_classes,
    join_by_pseudonyms,
    number_keys,
)
from anonymizer_gui.engine.rooms.microdata.composition.solution_bounds import (
    FeasibleCounts,
    in_several_releases,
    remaining_values,
)
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups, WholeTable

_MOST_SAID = 5


@dataclass(frozen=True, slots=True)
class EarlierRelease:
    """An earlier release, and how many people are in both."""

    name: str
    people: int
    is_comparable: bool = True
    is_counted: bool = True

    def sentence(self) -> Message:
        """Say why it cannot be told who is in both."""
        return message(
            "The people of “{name}” were remembered with another key or by other identifying columns: it cannot be "
            "told who is in both.",
            name=self.name,
        )


@dataclass(frozen=True, slots=True)
class HarmedPeople:
    """A demand that holds no longer for some people: a goal of a release, or more than one value of a column left."""

    people: int
    column: str = ""
    release: str = ""
    goal: str = ""

    def sentence(self) -> Message:
        """Say what holds no longer, and for how many."""
        said = {"people": self.people, "column": self.column, "release": self.release, "goal": message(self.goal)}
        if not self.goal:
            return message("For {people:person|people} only one value of “{column}” is left.", **said)
        if not self.column:
            return message("For {people:person|people} {goal} of “{release}” holds no longer.", **said)
        return message("For {people:person|people} {goal} of “{release}” holds no longer in “{column}”.", **said)


@dataclass(frozen=True, slots=True)
class CompositionResult:
    """How a release meets earlier ones: people in several, what is left for them, and whom it harms.

    Harm is what the new release adds; what the earlier ones told before is not counted again.
    """

    beside: tuple[EarlierRelease, ...] = ()
    people: int = 0
    fewest_values: int | None = None
    """The fewest values of a sensitive column that are left for somebody in several releases; None without such one."""
    column: str = ""
    """The column with the fewest values left."""
    certain_share: float = 0.0
    """The largest share of people in the same classes who certainly have the same value."""
    harms: tuple[HarmedPeople, ...] = ()
    undecided: int = 0
    """People for whom it was too much to work out."""
    changes: int = 0
    """Values corrected in between that can be read off by whoever knows whose."""
    scattered: int = 0
    """People with rows in several classes of a release, who cannot be followed from one release to the other."""
    unjudged: int = 0
    """Goals that cannot be judged here."""

    @property
    def keeps_promises(self) -> bool:
        """Whether nobody is harmed, as far as that can be told."""
        return not self.harms and not self.undecided and not self.changes

    @property
    def is_harmless(self) -> bool:
        """Whether nobody is harmed, and everybody could be compared."""
        return self.keeps_promises and all(release.is_comparable for release in self.beside)

    def told(self) -> Iterator[Message]:
        """Say all that stands in the report."""
        if any(release.is_comparable for release in self.beside):
            yield from self.sentences()
        yield from (release.sentence() for release in self.beside if not release.is_comparable)

    def sentence(self) -> Message:
        """Say in words what was found."""
        return join_messages(*self.sentences())

    def sentences(self) -> Iterator[Message]:
        """Say one after the other what was found."""
        if not self.people:
            yield message("Nobody is in both this release and an earlier one.")
            return
        names = quote(release.name for release in self.beside if release.people)
        yield message("{people:person is|people are} also in {names}.", people=self.people, names=names)
        yield from (harm.sentence() for harm in self.harms[:_MOST_SAID])
        if len(self.harms) > _MOST_SAID:
            more = len(self.harms) - _MOST_SAID
            yield message("{more:further promise holds|further promises hold} no longer for everybody.", more=more)
        if self.undecided:
            yield message(
                "For {people:person|people} it is too much to work out whether all promises still hold, so nobody "
                "calls them safe.",
                people=self.undecided,
            )
        if self.changes:
            yield message(
                "{changes:value was|values were} changed between the releases, and whoever knows whose can read what "
                "became of it.",
                changes=self.changes,
            )
        if self.keeps_promises:
            yield message("Taken together the releases still keep what they promise.")
        yield from self._left()
        yield from self._doubts()

    def _left(self) -> Iterator[Message]:
        if self.fewest_values is None:
            yield message("They share no sensitive column.")
            return
        said = {"values": self.fewest_values, "column": self.column}
        if self.fewest_values == 1 and not any(not harm.goal for harm in self.harms):
            yield message("Whoever is worst off has one value of “{column}” left, as was known before.", **said)
            return
        yield message("Whoever is worst off has {values:value|values} of “{column}” left.", **said)
        if self.certain_share < 1:
            share = self.certain_share
            yield message(
                "Of people in the same classes at most {share:.0%} certainly have the same value.", share=share
            )

    def _doubts(self) -> Iterator[Message]:
        uncounted = quote(release.name for release in self.beside if release.people and not release.is_counted)
        if uncounted:
            yield message(
                "Of {names} an earlier version kept no counts; only the values are compared.", names=uncounted
            )
        if self.scattered:
            yield message(
                "{people:person has|people have} rows in several classes of one release; which of them is which in "
                "another cannot be told, and each row counts for itself.",
                people=self.scattered,
            )
        if self.unjudged:
            yield message(
                "{goals:goal is|goals are} about more than the ledger knows, and not judged.", goals=self.unjudged
            )


def disclosed_corrections(system: LinearSystem, new: int) -> int:
    """Count the values that whoever knows whose were corrected can read off, for the new release and any other.

    Looked at are groups of classes with the same people in both releases: what one has more and the other less was
    changed. It is told when all that came, or all that went, is one and the same value.
    """
    place = system.releases.index(new)
    return sum(_told(system, place, other) for other in range(len(system.releases)) if other != place)


def _told(system: LinearSystem, new: int, other: int) -> int:
    entries = system.entries
    group_of_node = _groups(system.classes[new], system.classes[other], entries.n_nodes)
    mine, theirs = (_within(system, place) for place in (new, other))
    if not entries.is_counted[theirs].all():
        return 0
    signed = np.zeros(len(entries.node), dtype=np.int64)
    signed[mine] += entries.counts[mine]
    signed[theirs] -= entries.counts[theirs]
    at = np.flatnonzero((signed != 0) & (group_of_node[entries.node] >= 0))
    key, where = np.unique(group_of_node[entries.node[at]] * entries.n_values + entries.value[at], return_inverse=True)
    more = np.bincount(where, signed[at], len(key)).astype(np.int64)
    return _changed(key // max(entries.n_values, 1), more)


def _changed(group: Ints, more: Ints) -> int:
    """Add up how much was changed in groups where one value alone came, or one alone went."""
    came, went = np.maximum(more, 0), np.maximum(-more, 0)
    is_told = (np.bincount(group, came > 0) == 1) | (np.bincount(group, went > 0) == 1)
    return int(np.bincount(group, came)[is_told].sum())


def _within(system: LinearSystem, place: int) -> Ints:
    start, end = (*system.offsets, system.entries.n_nodes)[place : place + 2]
    return np.arange(*np.searchsorted(system.entries.node, [start, end]))


def _groups(new: Ints, other: Ints, n_nodes: int) -> Ints:
    """Number groups of classes that hold the same people in both releases; -1 where somebody is in one of them only."""
    both = (new >= 0) & (other >= 0)
    label = np.arange(n_nodes)
    while True:
        before = label.copy()
        least = np.minimum(label[new[both]], label[other[both]])
        np.minimum.at(label, new[both], least)
        np.minimum.at(label, other[both], least)
        label = label[label]
        if np.array_equal(before, label):
            break
    is_open = np.zeros(n_nodes, dtype=np.bool_)
    is_open[label[new[(new >= 0) & (other < 0)]]] = True
    is_open[label[other[(other >= 0) & (new < 0)]]] = True
    return np.where(is_open[label], -1, label)


def attack_composition(
    new: PublishedView, earlier: Sequence[PublishedView], progress: Progress = SILENT
) -> CompositionResult:
    """Attack everybody with all releases together, and judge by the goals of each and by whether one value is left.

    Releases whose people cannot be compared with those of the new one take no part.
    """
    beside = _beside(new, earlier)
    releases = [release for release, known in zip(earlier, beside, strict=True) if known.is_comparable] + [new]
    linked = join_by_pseudonyms(releases)
    everything = [*releases, *(joined.shown for joined in linked)]
    cells = intersect_classes(everything)
    number = len(releases) - 1
    found = _Found(cells, releases, number)
    column_sets = _column_sets(releases)
    for done, columns in enumerate(column_sets):
        system = linear_system(cells, everything, columns)
        if system is not None:
            part = progress.sub(done / len(column_sets), (done + 1) / len(column_sets))
            left, verdicts = judge_requirements(system, cells, everything, number, part)
            found.add(left, verdicts)
    for joined in linked:
        found.add_joined(joined, everything.index(joined.shown))
    return found.meeting(beside)


def _beside(new: PublishedView, earlier: Sequence[PublishedView]) -> tuple[EarlierRelease, ...]:
    """Count the people each earlier release shares with the new one, and tell whether they can be compared at all."""
    found = []
    numbers, n_people = number_keys([new.keys, *(release.keys for release in earlier)])
    mine = np.bincount(numbers[0], minlength=n_people) > 0
    for release, theirs in zip(earlier, numbers[1:], strict=True):
        people = int(np.count_nonzero(mine & (np.bincount(theirs, minlength=n_people) > 0)))
        is_counted = all(values.counts is not None for values in release.values)
        found.append(EarlierRelease(release.name, people, new.can_meet(release, people), is_counted))
    return tuple(found)


def _column_sets(releases: Sequence[PublishedView]) -> list[tuple[str, ...]]:
    """List the sets of columns that the new release shares with others: each alone, and those that are shared together.

    The rows are published whole, so combinations of values tell more than each column does.
    """
    new = releases[-1]
    shared = [[name for name in new.columns() if release.holding([name])] for release in releases[:-1]]
    alone = [(name,) for name in new.columns() if any(name in names for names in shared)]
    joint = {tuple(names) for names in shared if len(names) > 1}
    both = {tuple(name for name in one if name in other) for one, other in combinations(sorted(joint), 2)}
    several = sorted(joint | {names for names in both if len(names) > 1}, key=len)
    return [*alone, *several]


class _Found:
    """Collects over several systems of equations what is found about everybody."""

    def __init__(self, cells: ClassIntersections, releases: Sequence[PublishedView], new: int) -> None:
        self.cells, self.releases, self.new = cells, releases, new
        self.broken: dict[Requirement, Bools] = {}
        self.undecided = np.zeros(len(cells), dtype=np.bool_)
        self.fewest: tuple[int, str] | None = None
        self.share = 0.0
        self.changes = 0

    def add(self, left: FeasibleCounts, verdicts: Iterable[RequirementVerdict]) -> None:
        """Take note of what one system tells."""
        for verdict in verdicts:
            nobody = np.zeros(len(self.cells), dtype=np.bool_)
            self.broken[verdict.demand] = self.broken.get(verdict.demand, nobody) | verdict.broken
            self.undecided |= verdict.undecided
        several = np.flatnonzero(in_several_releases(left) & ~left.sums.left_out)
        for column in left.system.columns if len(several) else ():
            what = remaining_values(left, column, several, seen=False)
            fewest = int(what.values_left().min())
            if self.fewest is None or fewest < self.fewest[0]:
                self.fewest = (fewest, column)
            self.share = max(self.share, what.certain_share())
        if len(left.system.columns) == 1:
            self.changes += disclosed_corrections(left.system, self.new)

    def add_joined(self, joined: JoinedRows, number: int) -> None:
        """Judge the numbers of rows that are left when rows are joined by their pseudonyms."""
        classes = self.cells.classes[number]
        rows = np.where(classes >= 0, joined.sizes[classes], 0)
        for release in joined.releases:
            mine = (classes >= 0) & (self.cells.classes[release] >= 0)
            own = np.bincount(self.releases[release].classes, minlength=self.releases[release].n_classes())
            alone = own[self.cells.classes[release]]
            for goal in judgeable_goals(self.releases[release])[0]:
                if goal.by_size_alone:
                    is_fine = goal.satisfied(ClassGroups(rows), WholeTable(int(own.sum())))
                    was_fine = goal.satisfied(ClassGroups(alone), WholeTable(int(own.sum())))
                    demand = Requirement("", release, goal)
                    nobody = np.zeros(len(self.cells), dtype=np.bool_)
                    self.broken[demand] = self.broken.get(demand, nobody) | (mine & was_fine & ~is_fine)

    def meeting(self, beside: tuple[EarlierRelease, ...]) -> CompositionResult:
        """Sum up."""
        known = np.zeros(len(self.cells), dtype=np.bool_)
        harms = []
        for demand, broken in self.broken.items():
            known |= broken
            if broken.any():
                harms.append(self._harm(demand, self.cells.people(broken)))
        here = self.cells.classes[self.new] >= 0
        elsewhere = np.any([classes >= 0 for classes in self.cells.classes[: self.new]], axis=0) if self.new else ~here
        return CompositionResult(
            beside,
            self.cells.people(here & elsewhere),
            None if self.fewest is None else self.fewest[0],
            "" if self.fewest is None else self.fewest[1],
            self.share,
            tuple(sorted(harms, key=lambda harm: (harm.goal != "", -harm.people))),
            self.cells.people(self.undecided & ~known),
            self.changes,
            self.cells.scattered,
            sum(judgeable_goals(release)[1] for release in self.releases),
        )

    def _harm(self, demand: Requirement, people: int) -> HarmedPeople:
        if demand.goal is None:
            return HarmedPeople(people, demand.column)
        return HarmedPeople(people, demand.column, self.releases[demand.release].name, demand.goal.title)
