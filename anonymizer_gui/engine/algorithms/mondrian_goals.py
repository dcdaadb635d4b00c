"""Whether the parts of many possible cuts satisfy the goals, asked for all cuts at once."""

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.algorithms.contract import Encoded
from anonymizer_gui.engine.algorithms.mondrian_space import Floats, Ints, Rows
from anonymizer_gui.engine.classes import Histogram
from anonymizer_gui.engine.goals import Goals
from anonymizer_gui.engine.privacy.contract import Groups

_CELLS_AT_ONCE = 1 << 21
Units = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """Places in a row: where each tuple stands, where each partition begins (and the last one ends), its tuples."""

    units: Units
    place: Ints
    first: Ints
    lengths: Ints

    def blocks(self, places: int) -> list["Row"]:
        """Part the row in blocks of whole partitions with about so many places."""
        number = self.first[:-1] // places
        edges = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(self.lengths)]
        ends = np.concatenate([[0], np.cumsum(self.lengths)])
        return [
            Row(
                self.units[ends[a] : ends[b]],
                self.place[ends[a] : ends[b]] - self.first[a],
                self.first[a : b + 1] - self.first[a],
                self.lengths[a:b],
            )
            for a, b in itertools.pairwise(edges)
            if b > a
        ]


class Judge:
    """The goals, asked about groups of tuples of one table."""

    def __init__(self, encoded: Encoded, goals: Goals) -> None:
        self.encoded = encoded
        self.goals = goals
        self.least_rows = goals.least_rows
        self.by_size_alone = all(model.name == "k" for model in goals.models)
        self._starts = {} if self.by_size_alone else {name: h.starts() for name, h in encoded.sensitive.items()}

    def parts_fine(self, units: Units, part: Ints, sizes: Rows) -> npt.NDArray[np.bool_]:
        """Say for every part, given the part of each tuple, whether it satisfies the goals."""
        enough = np.asarray((sizes >= self.least_rows) | (sizes == 0))
        if self.by_size_alone or not len(sizes):
            return enough
        sensitive = {name: self._of_units(name, units).merged(part, len(sizes)) for name in self.encoded.sensitive}
        groups = Groups(sizes.astype(np.int64), sensitive, self._people(units, part, len(sizes)))
        return np.asarray(enough & self.goals.satisfied(groups))

    def cuts_fine(self, row: Row, cuts: Ints) -> npt.NDArray[np.bool_]:
        """Say for every cut, given as the place after which it is, whether both sides satisfy the goals."""
        if self.by_size_alone or not len(cuts):
            return np.ones(len(cuts), dtype=np.bool_)
        widest = max([1, *(h.n_values for h in self.encoded.sensitive.values())])
        answers, offset, done = [], 0, 0
        for block in row.blocks(max(1, _CELLS_AT_ONCE // widest)):
            offset_after = offset + int(block.first[-1])
            upto = int(np.searchsorted(cuts, offset_after))
            if upto > done:
                answers.append(self._both_sides(block, cuts[done:upto] - offset))
            offset, done = offset_after, upto
        return np.concatenate(answers)

    def _both_sides(self, row: Row, cuts: Ints) -> npt.NDArray[np.bool_]:
        part = np.searchsorted(row.first, cuts, side="right") - 1
        ends = (row.first[part], cuts + 1, row.first[part + 1])
        n_places = int(row.first[-1])
        rows = np.bincount(row.place, self.encoded.counts[row.units], n_places)
        sensitive = {
            name: _sparse(_sides(self._of_units(name, row.units).merged(row.place, n_places).dense(), ends))
            for name in self.encoded.sensitive
        }
        people = self._people(row.units, row.place, n_places)
        population = None if people is None else _sides(people[:, None], ends)[:, 0]
        answer = self.goals.satisfied(Groups(_sides(rows[:, None], ends)[:, 0], sensitive, population))
        return np.asarray(answer[: len(cuts)] & answer[len(cuts) :])

    def _people(self, units: Units, part: Ints, n_parts: int) -> Ints | None:
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


def _sides(table: npt.NDArray[np.int64] | Floats, ends: tuple[Ints, Ints, Ints]) -> Ints:
    """Add up the places left and right of each cut: first all left sides, then all right ones."""
    sums = np.zeros((len(table) + 1, table.shape[1]), dtype=np.int64)
    np.cumsum(table, axis=0, out=sums[1:], dtype=np.int64)
    start, middle, end = (sums[place] for place in ends)
    return np.concatenate([middle - start, end - middle])


def _sparse(dense: Ints) -> Histogram:
    groups, values = np.nonzero(dense)
    return Histogram(dense.shape[0], dense.shape[1], groups, values, dense[groups, values])
