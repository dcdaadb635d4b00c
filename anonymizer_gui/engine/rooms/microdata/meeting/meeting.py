"""The meeting of a new release with earlier ones: what they tell together that none of them tells alone.

Somebody who is in several releases is in one class of each, so the value is one that all these classes hold (Ganta,
Kasiviswanathan, Smith: Composition attacks and auxiliary information in data privacy, KDD 2008). The counts of the
classes say more: who joins, leaves or changes class takes a value along. The attacker is taken to know who is in
which class of every release, and all that the releases publish.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.meeting.changes import changes_told
from anonymizer_gui.engine.rooms.microdata.meeting.demands import Demand, goals_of
from anonymizer_gui.engine.rooms.microdata.meeting.found import Beside, Harm, Meeting
from anonymizer_gui.engine.rooms.microdata.meeting.left import Left
from anonymizer_gui.engine.rooms.microdata.meeting.linked import JoinedRows, joined_by_pseudonyms
from anonymizer_gui.engine.rooms.microdata.meeting.people_cells import Cells, cells_of, numbered_keys
from anonymizer_gui.engine.rooms.microdata.meeting.remaining import in_several, remaining
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Bools, Shown
from anonymizer_gui.engine.rooms.microdata.meeting.system import system_of
from anonymizer_gui.engine.rooms.microdata.meeting.verdict import Verdict, judged
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups, Whole


def meet(new: Shown, earlier: Sequence[Shown], progress: Progress = SILENT) -> Meeting:
    """Attack everybody with all releases together, and judge by the goals of each and by whether one value is left.

    Releases whose people cannot be compared with those of the new one take no part.
    """
    beside = _beside(new, earlier)
    releases = [release for release, known in zip(earlier, beside, strict=True) if known.is_comparable] + [new]
    linked = joined_by_pseudonyms(releases)
    everything = [*releases, *(joined.shown for joined in linked)]
    cells = cells_of(everything)
    number = len(releases) - 1
    found = _Found(cells, releases, number)
    column_sets = _column_sets(releases)
    for done, columns in enumerate(column_sets):
        system = system_of(cells, everything, columns)
        if system is not None:
            part = progress.sub(done / len(column_sets), (done + 1) / len(column_sets))
            left, verdicts = judged(system, cells, everything, number, part)
            found.add(left, verdicts)
    for joined in linked:
        found.add_joined(joined, everything.index(joined.shown))
    return found.meeting(beside)


def _beside(new: Shown, earlier: Sequence[Shown]) -> tuple[Beside, ...]:
    """Count the people each earlier release shares with the new one, and tell whether they can be compared at all."""
    found = []
    numbers, n_people = numbered_keys([new.keys, *(release.keys for release in earlier)])
    mine = np.bincount(numbers[0], minlength=n_people) > 0
    for release, theirs in zip(earlier, numbers[1:], strict=True):
        people = int(np.count_nonzero(mine & (np.bincount(theirs, minlength=n_people) > 0)))
        is_counted = all(values.counts is not None for values in release.values)
        found.append(Beside(release.name, people, new.can_meet(release, people), is_counted))
    return tuple(found)


def _column_sets(releases: Sequence[Shown]) -> list[tuple[str, ...]]:
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

    def __init__(self, cells: Cells, releases: Sequence[Shown], new: int) -> None:
        self.cells, self.releases, self.new = cells, releases, new
        self.broken: dict[Demand, Bools] = {}
        self.undecided = np.zeros(len(cells), dtype=np.bool_)
        self.fewest: tuple[int, str] | None = None
        self.share = 0.0
        self.changes = 0

    def add(self, left: Left, verdicts: Iterable[Verdict]) -> None:
        """Take note of what one system tells."""
        for verdict in verdicts:
            nobody = np.zeros(len(self.cells), dtype=np.bool_)
            self.broken[verdict.demand] = self.broken.get(verdict.demand, nobody) | verdict.broken
            self.undecided |= verdict.undecided
        several = np.flatnonzero(in_several(left) & ~left.sums.left_out)
        for column in left.system.columns if len(several) else ():
            what = remaining(left, column, several, seen=False)
            fewest = int(what.values_left().min())
            if self.fewest is None or fewest < self.fewest[0]:
                self.fewest = (fewest, column)
            self.share = max(self.share, what.certain_share())
        if len(left.system.columns) == 1:
            self.changes += changes_told(left.system, self.new)

    def add_joined(self, joined: JoinedRows, number: int) -> None:
        """Judge the numbers of rows that are left when rows are joined by their pseudonyms."""
        classes = self.cells.classes[number]
        rows = np.where(classes >= 0, joined.sizes[classes], 0)
        for release in joined.releases:
            mine = (classes >= 0) & (self.cells.classes[release] >= 0)
            own = np.bincount(self.releases[release].classes, minlength=self.releases[release].n_classes())
            alone = own[self.cells.classes[release]]
            for goal in goals_of(self.releases[release])[0]:
                if goal.by_size_alone:
                    is_fine = goal.satisfied(Groups(rows), Whole(int(own.sum())))
                    was_fine = goal.satisfied(Groups(alone), Whole(int(own.sum())))
                    demand = Demand("", release, goal)
                    nobody = np.zeros(len(self.cells), dtype=np.bool_)
                    self.broken[demand] = self.broken.get(demand, nobody) | (mine & was_fine & ~is_fine)

    def meeting(self, beside: tuple[Beside, ...]) -> Meeting:
        """Sum up."""
        known = np.zeros(len(self.cells), dtype=np.bool_)
        harms = []
        for demand, broken in self.broken.items():
            known |= broken
            if broken.any():
                harms.append(self._harm(demand, self.cells.people(broken)))
        here = self.cells.classes[self.new] >= 0
        elsewhere = np.any([classes >= 0 for classes in self.cells.classes[: self.new]], axis=0) if self.new else ~here
        return Meeting(
            beside,
            self.cells.people(here & elsewhere),
            None if self.fewest is None else self.fewest[0],
            "" if self.fewest is None else self.fewest[1],
            self.share,
            tuple(sorted(harms, key=lambda harm: (harm.goal != "", -harm.people))),
            self.cells.people(self.undecided & ~known),
            self.changes,
            self.cells.scattered,
            sum(goals_of(release)[1] for release in self.releases),
        )

    def _harm(self, demand: Demand, people: int) -> Harm:
        if demand.goal is None:
            return Harm(people, demand.column)
        return Harm(people, demand.column, self.releases[demand.release].name, demand.goal.title)
