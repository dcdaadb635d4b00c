"""Goals about a population after local recoding: classes are merged or widened until the people in them satisfy."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Codes, smallest_codes
from anonymizer_gui.engine.rooms.microdata.algorithms.clustering.repair import Bools, Ints, by_rows, covered
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_rows, settle
from anonymizer_gui.engine.rooms.microdata.algorithms.united import UnitedRepair, same_cells
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups
from anonymizer_gui.engine.rooms.microdata.recoding import first_groups, from_groups

_PAIRS_AT_ONCE = 1 << 21


def about_people(goals: Goals) -> bool:
    """Say whether a goal is about the population."""
    return any(model.needs_population for model in goals.models)


def merged_for_people(
    encoded: Encoded,
    goals: Goals,
    limits: Limits,
    group_of_row: Ints,
    progress: Progress,
    group_of_tuple: Ints | None = None,
) -> Recoding:
    """Merge and widen groups until goals about the population hold for their cells.

    Cells of local recoding overlap, and groups with the same cells are published as one class: the people of a
    class are known only once its cells are. Rows in group -1 (not published) are given another chance.
    `group_of_tuple` says in whose cells people without a row lie already, for algorithms that grouped them, too.
    Raises Infeasible when the goals cannot be reached so.
    """
    units, lonely = _with_people(encoded)
    top = first_groups(encoded)[encoded.tuple_of_row]
    rows = np.where(group_of_row >= 0, group_of_row, group_of_row.max(initial=-1) + 1 + top)
    there = np.full(len(lonely), -1, dtype=np.int64) if group_of_tuple is None else group_of_tuple[lonely]
    there[~np.isin(there, rows)] = -1
    repair = PeopleRepair(encoded, units, goals, np.concatenate([rows, there]), progress)
    groups = repair.settled(allowed_rows(encoded.n_rows, limits.suppression))
    if groups is None:
        raise infeasible(encoded, goals, limits)
    return from_groups(units, groups)


def _with_people(encoded: Encoded) -> tuple[Encoded, Ints]:
    """Give the table with a tuple for every row, then one for each tuple that only people have, and these."""
    rows = by_rows(encoded)
    lonely = np.flatnonzero(encoded.counts == 0)
    tuples = np.concatenate([rows.tuples, encoded.tuples[lonely]])
    counts = np.concatenate([rows.counts, np.zeros(len(lonely), dtype=np.int64)])
    sensitive = {name: replace(h, n_groups=len(tuples)) for name, h in rows.sensitive.items()}
    persons = None if rows.persons is None else replace(rows.persons, n_groups=len(tuples))
    return replace(rows, tuples=tuples, counts=counts, sensitive=sensitive, persons=persons), lonely


class PeopleRepair(UnitedRepair):
    """Merges groups of rows whose cells hold too few or too many people; takes people without a row into groups."""

    def __init__(self, encoded: Encoded, units: Encoded, goals: Goals, groups: Ints, progress: Progress) -> None:
        there = np.flatnonzero(_population(encoded))
        self._columns = [
            smallest_codes(encoded.tuples[there, j], qi.hierarchy.n_leaves) for j, qi in enumerate(encoded.qis)
        ]
        self._weight = _population(encoded)[there].astype(np.float64)
        self._people = np.zeros(0, dtype=np.int64)
        self._counted = np.zeros((0, len(encoded.qis)), dtype=np.int32)
        self._all_must_fit = _all_must_fit(goals)
        super().__init__(units, goals, groups, progress)

    def settled(self, allowed: int) -> Ints | None:
        """Merge and widen until everything holds or nothing helps; give the group of every unit, -1: suppressed."""
        while True:
            violating = np.flatnonzero(~self.fine())
            self.progress(
                0.0, message("Counting people: {count:class does|classes do} not satisfy yet", count=len(violating))
            )
            if self.merge(violating) or self._widen(violating):
                continue
            if not (self._all_must_fit and self._take_in()):
                break
        if self._all_must_fit and not self._fits_somewhere().all():
            return None
        settled = settle(self._with_people(), self.judge.goals, allowed)
        return None if settled is None else np.where(np.append(settled.kept, False)[self.group], self.group, -1)

    def fine(self) -> Bools:
        """Say for every group whether it satisfies the goals; people are those whose values lie in its cells."""
        return self.judge.goals.satisfied(self._with_people())

    def _with_people(self) -> Groups:
        known = len(self._counted)
        number = same_cells(np.concatenate([self._counted, self.cells])).ids[known:]
        people = np.append(self._people, 0)[np.minimum(number, known)]
        new = np.flatnonzero(number >= known)
        for here, inside in self._blocks(new, self._columns):
            people[here] = inside.astype(np.float64) @ self._weight
        self._people, self._counted = people, self.cells
        return replace(self.groups(), population=people)

    def _blocks(self, groups: Ints, columns: Sequence[Codes]) -> Iterator[tuple[Ints, Bools]]:
        """Say which people (columns) lie in the cells of which groups (rows), some groups at a time."""
        low, high = covered(self.encoded, self.cells)
        block = max(1, _PAIRS_AT_ONCE // max(len(columns[0]), 1))
        for start in range(0, len(groups), block):
            self.progress.check()
            here = groups[start : start + block]
            inside = np.ones((len(here), len(columns[0])), dtype=np.bool_)
            for j, leaves in enumerate(columns):
                inside &= leaves >= low[here, j, None].astype(leaves.dtype)
                inside &= leaves <= high[here, j, None].astype(leaves.dtype)
            yield here, inside

    def _widen(self, violating: Ints) -> bool:
        """Take all people of their most general cell into groups that nothing can be merged with."""
        waiting = np.flatnonzero(self.group < 0)
        group_of_top = np.full(int(self._top.max(initial=0)) + 1, -1, dtype=np.int64)
        open_ = violating[self.top[violating] >= 0]
        group_of_top[self.top[open_]] = open_
        return self._joins(waiting, group_of_top[self._top[waiting]])

    def _take_in(self) -> bool:
        """Take people who are in no cell into the group where that costs least."""
        waiting = np.flatnonzero(self.group < 0)
        waiting = waiting[~self._fits_somewhere()] if len(self.sizes) else waiting[:0]
        target = np.full(len(waiting), -1, dtype=np.int64)
        block = max(1, _PAIRS_AT_ONCE // max(len(self.sizes), 1))
        for start in range(0, len(waiting), block):
            self.progress.check()
            some = waiting[start : start + block]
            cost = (self.joined(self.finest_cells(some)) - self.loss.astype(np.float32)) * self.sizes
            cost[self._top[some, None] != self.top] = np.inf
            best = cost.argmin(axis=1)
            target[start : start + block] = np.where(np.isfinite(cost[np.arange(len(some)), best]), best, -1)
        return self._joins(waiting, target)

    def _joins(self, units: Ints, target: Ints) -> bool:
        joining = target >= 0
        if joining.any():
            group = self.group.copy()
            group[units[joining]] = target[joining]
            self.set_groups(group)
        return bool(joining.any())

    def _fits_somewhere(self) -> Bools:
        """Say for everybody in no group whether some cell has room for them."""
        waiting = np.flatnonzero(self.group < 0)
        found = np.zeros(len(waiting), dtype=np.bool_)
        for _, inside in self._blocks(np.arange(len(self.cells)), list(self.encoded.tuples[waiting].T)):
            found |= inside.any(axis=0)
        return found


def _population(encoded: Encoded) -> Ints:
    return np.zeros(len(encoded.tuples), dtype=np.int64) if encoded.population is None else encoded.population


def _all_must_fit(goals: Goals) -> bool:
    """Say whether a goal forbids that people of the population are in no class."""
    nobody = Groups(np.zeros(1, dtype=np.int64), {}, np.ones(1, dtype=np.int64))
    models = (model for model in goals.models if model.needs_population)
    return not all(model.satisfied(nobody, goals.whole)[0] for model in models)
