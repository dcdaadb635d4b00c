"""Goals asked about many groups and many cuts at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups, GoalSet
from anonymizer_gui.engine.rooms.microdata.models.persons import NOBODY, PersonGroups
from anonymizer_gui.engine.rooms.microdata.recoding import ProblemSize

Ints = npt.NDArray[np.int64]

Rows = npt.NDArray[np.float64] | npt.NDArray[np.signedinteger[Any]]

_CELLS_AT_ONCE = 1 << 18

Units = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class SortedTuples:
    """Places in a row: where each tuple stands, and where each partition begins (and the last one ends)."""

    units: Units
    place: Ints
    first: Ints


class GoalEvaluator:
    """The goals, asked about groups of tuples of one table."""

    def __init__(self, encoded: EncodedTable, goals: GoalSet, progress: Progress = SILENT) -> None:
        self.encoded = encoded
        self.goals = goals
        self.progress = progress
        self.least_rows = goals.least_rows
        self.persons = encoded.persons
        self.by_size_alone = self.persons is None and all(model.by_size_alone for model in goals.models)
        self.about_values = any(model.needs_sensitive for model in goals.models)
        self._starts = {name: h.starts() for name, h in encoded.sensitive.items()} if self.about_values else {}

    @property
    def may_be_mistaken(self) -> bool:
        """Whether `cuts_fine` takes rows for people in their sensitive values, so that its answer must be checked."""
        return not self.goals.hold_in_union

    def parts_fine(self, units: Units, part: Ints, sizes: Rows) -> npt.NDArray[np.bool_]:
        """Say for every part, given the part of each tuple, whether it satisfies the goals."""
        enough = np.asarray((sizes >= self.least_rows) | (sizes == 0))
        if self.by_size_alone or not len(sizes):
            return enough
        sensitive = {name: self._of_units(name, units).merged(part, len(sizes)) for name in self._starts}
        persons = None if self.persons is None else self.persons.of_units(units).merged(part, len(sizes))
        groups = ClassGroups(sizes.astype(np.int64), sensitive, self._population(units, part, len(sizes)), persons)
        return np.asarray(enough & self.goals.satisfied(groups))

    def cuts_fine(self, row: SortedTuples, cuts: Ints) -> npt.NDArray[np.bool_]:
        """Say for every cut, given as the place after which it is, whether both sides satisfy the goals."""
        if self.by_size_alone or not len(cuts):
            return np.ones(len(cuts), dtype=np.bool_)
        histograms = {
            name: self._of_units(name, row.units).merged(row.place, int(row.first[-1])) for name in self._starts
        }
        at_once = max(1, _CELLS_AT_ONCE // max([1, *(h.n_values for h in histograms.values())]))
        running = PrefixSums(
            _running(row, self.encoded.counts),
            None if self.encoded.population is None else _running(row, self.encoded.population),
            None if self.persons is None else _people_running(row, self.persons.of_units(row.units)),
        )
        answers = []
        for begin in range(0, len(cuts), at_once):
            self.progress.check()
            answers.append(self._both_sides(row, cuts[begin : begin + at_once], histograms, running))
        return np.concatenate(answers)

    def _both_sides(
        self, row: SortedTuples, cuts: Ints, histograms: dict[str, Histogram], running: "PrefixSums"
    ) -> npt.NDArray[np.bool_]:
        part = np.searchsorted(row.first, cuts, side="right") - 1
        ends = (row.first[part], cuts + 1, row.first[part + 1])
        sensitive = {name: _sparse(_histogram_sides(histogram, ends)) for name, histogram in histograms.items()}
        population = None if running.population is None else _sides(running.population, ends)
        sizes = _sides(running.rows, ends)
        counted = None if running.people is None else _people_sides(running.people, ends, sizes)
        answer = self.goals.satisfied(ClassGroups(sizes, sensitive, population, counted=counted))
        return np.asarray(answer[: len(cuts)] & answer[len(cuts) :])

    def _population(self, units: Units, part: Ints, n_parts: int) -> Ints | None:
        if self.encoded.population is None:
            return None
        return np.bincount(part, self.encoded.population[units], n_parts).astype(np.int64)

    def _of_units(self, name: str, units: Units) -> Histogram:
        """Give the histogram of some tuples, renumbered in the order given."""
        whole, starts = self.encoded.sensitive[name], self._starts[name]
        begin, lengths = starts[units], starts[units + 1] - starts[units]
        before = np.cumsum(lengths) - lengths
        entries = np.repeat(begin - before, lengths) + np.arange(int(lengths.sum()))
        groups = np.repeat(np.arange(len(units)), lengths)
        return Histogram(len(units), whole.n_values, groups, whole.values[entries], whole.counts[entries])


@dataclass(frozen=True, slots=True, eq=False)
class PrefixSums:
    """What lies before every place, added up: rows, population, people by their first and by their last place."""

    rows: Ints
    population: Ints | None
    people: tuple[Ints, Ints] | None


def evaluation_memory(size: ProblemSize) -> int:
    """Give the bytes that asking the goals about cuts takes at most."""
    if size.by_size_alone:
        return 0
    cells = min(_CELLS_AT_ONCE, size.tuples * size.values)
    return 64 * size.entries + size.sensitive * 130 * cells


def _running(row: SortedTuples, counts: Ints) -> Ints:
    """Add up the counts of all places before each."""
    of_place = np.bincount(row.place, counts[row.units], int(row.first[-1]))
    return np.concatenate([[0], np.cumsum(of_place).astype(np.int64)])


def _people_running(row: SortedTuples, persons: PersonGroups) -> tuple[Ints, Ints]:
    """Add up the people of all places before each: by the first place of each in its partition, and by the last."""
    person = persons.marks.person[persons.entries]
    known = person != NOBODY
    place, person = row.place[persons.groups[known]], person[known]
    part = np.searchsorted(row.first, place, side="right") - 1
    order = np.lexsort((place, person, part))
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (part[order[1:]] != part[order[:-1]]) | (person[order[1:]] != person[order[:-1]])
    ends = np.append(begins[1:], True)[: len(order)]
    n_places = int(row.first[-1])
    first, last = (np.bincount(place[order[which]], minlength=n_places) for which in (begins, ends))
    return np.concatenate([[0], np.cumsum(first)]), np.concatenate([[0], np.cumsum(last)])


def _people_sides(people: tuple[Ints, Ints], ends: tuple[Ints, Ints, Ints], rows: Ints) -> Ints:
    """Count the people left and right of each cut; where only rows without an id are, one."""
    (start, middle, end), (first, last) = ends, people
    return np.maximum(np.concatenate([first[middle] - first[start], last[end] - last[middle]]), rows > 0)


def _histogram_sides(histogram: Histogram, ends: tuple[Ints, Ints, Ints]) -> Ints:
    """Count the values left and right of each cut; only sums at cuts and ends are made, for places may be many."""
    asked = np.unique(np.concatenate(ends))
    entries = slice(*np.searchsorted(histogram.groups, asked[[0, -1]]).tolist())
    before = np.searchsorted(asked, histogram.groups[entries], side="right")
    cell = before * histogram.n_values + histogram.values[entries]
    sums = np.bincount(cell, histogram.counts[entries], len(asked) * histogram.n_values).astype(np.int64)
    sums = np.cumsum(sums.reshape(len(asked), -1), axis=0)
    start, middle, end = (np.searchsorted(asked, place) for place in ends)
    return _sides(sums, (start, middle, end))


def _sides(sums: Ints, ends: tuple[Ints, Ints, Ints]) -> Ints:
    """Give what lies left and right of each cut from running sums: first all left sides, then all right ones."""
    start, middle, end = (sums[place] for place in ends)
    return np.concatenate([middle - start, end - middle])


def _sparse(dense: Ints) -> Histogram:
    groups, values = np.nonzero(dense)
    return Histogram(dense.shape[0], dense.shape[1], groups, values, dense[groups, values])
