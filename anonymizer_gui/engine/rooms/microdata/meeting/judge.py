"""Judging what is left: a goal is broken when not even the kindest reading of the bounds satisfies it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.meeting.demands import Demand
from anonymizer_gui.engine.rooms.microdata.meeting.favourable import Box, Floats, flattest, most_alike, nearest
from anonymizer_gui.engine.rooms.microdata.meeting.left import Left
from anonymizer_gui.engine.rooms.microdata.meeting.remaining import Kinds, rows_left
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Bools, Ints, Shown
from anonymizer_gui.engine.rooms.microdata.meeting.system import NO_LIMIT, System
from anonymizer_gui.engine.rooms.microdata.meeting.whole import by_steps, whole_of
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups, PrivacyModel, Whole

_MOST_BY_STEPS = 20_000
"""For so many kinds of cells distances along an order or a tree are read in the kindest way; for more, nearly so."""


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Judges cells of a system by one demand, from what certainly holds or from what was seen to be possible."""

    demand: Demand
    system: System
    whole: Whole
    readings: tuple[str, ...]

    @classmethod
    def of(cls, demand: Demand, system: System, releases: Sequence[Shown]) -> "Judge":
        """Set up what the demand compares with; its release need not be one of the system's."""
        if demand.goal is None:
            return cls(demand, system, Whole(0), ())
        whole = whole_of(system, demand.column, releases[demand.release])
        return cls(demand, system, whole, _readings(demand.goal))

    def concerns(self) -> Bools:
        """Tell whose promise it is: everybody's, or the people's of the release."""
        if self.demand.release not in self.system.releases:
            return np.ones(len(self.system), dtype=np.bool_)
        return self.system.classes[self.system.releases.index(self.demand.release)] >= 0

    def holds(self, left: Left, cells: Ints, kinds: Kinds | None, *, seen: bool) -> Bools:
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

    def _holds_plainly(self, left: Left, cells: Ints, kinds: Kinds | None, *, seen: bool) -> Bools:
        """Judge a demand that needs no distribution: several values are left, or rows enough."""
        if kinds is not None:
            return np.asarray(kinds.box.values()[kinds.kind_of_cell[cells]] > 1)
        rows = self._rows(left, cells, seen=seen)
        return np.ones(len(cells), dtype=np.bool_) if self.demand.goal is None else self._enough(self.demand.goal, rows)

    def _enough(self, goal: PrivacyModel, rows: Ints) -> Bools:
        return goal.satisfied(Groups(rows), self.whole)

    def _rows(self, left: Left, cells: Ints, *, seen: bool) -> Ints:
        """Count the rows left in the demand's release; in a system without it that is no matter."""
        if self.demand.release not in self.system.releases:
            return np.full(len(cells), NO_LIMIT, dtype=np.int64)
        return rows_left(left, self.demand.release, cells, seen=seen)

    def _kindest(self, goal: PrivacyModel, box: Box, sizes: Ints) -> Bools:
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
        groups = Groups(sizes)
        if self.demand.column:
            histogram = Histogram.weighted(entries[0], classes, entries[1], self._n_codes(), entries[2])
            groups = Groups(sizes, {self.demand.column: histogram})
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

    def _read(self, box: Box, reading: str) -> Floats:
        """Give the kindest distribution in one sense of the word."""
        if reading == "flat":
            return flattest(box)
        sensitive = self.whole.sensitive[self.demand.column]
        reference = sensitive.counts / max(int(sensitive.counts.sum()), 1)
        if reading == "nearest":
            return nearest(box, reference)
        if reading == "steps" and box.n_cells <= _MOST_BY_STEPS:
            return by_steps(box, sensitive, reference)
        return most_alike(box, reference)

    def _satisfied(self, goal: PrivacyModel, box: Box, shares: Floats, size: Ints) -> Bools:
        """Ask the goal about distributions; their counts are fractions, which no formula minds."""
        there = np.flatnonzero(shares > 0)
        people = (size / np.maximum(box.total(shares), 0.5))[box.cell[there]]
        counts = shares[there] * people * (1 + 1e-12)  # cut to whole numbers, the total stays the size
        histogram = Histogram(box.n_cells, self._n_codes(), box.cell[there], box.value[there], cast(Ints, counts))
        rows = np.full(box.n_cells, NO_LIMIT, dtype=np.int64)
        return goal.satisfied(Groups(rows, {self.demand.column: histogram}), self.whole)


def _readings(goal: PrivacyModel) -> tuple[str, ...]:
    """Say which distributions the goal may like best: the even one, or the one that is like the whole table."""
    if not goal.needs_sensitive or not goal.compares_with_whole:
        return ("flat",)
    if goal.distance == "euclidean":
        return ("nearest",)
    return ("alike", "steps") if goal.distance in ("emd-ordered", "emd-hierarchical") else ("alike",)
