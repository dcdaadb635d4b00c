"""What is left of a sensitive column in cells: bounds of counts and shares of its values, and the rows that remain."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.equivalence_classes import number_rows
from anonymizer_gui.engine.rooms.microdata.meeting.favourable import Box
from anonymizer_gui.engine.rooms.microdata.meeting.left import Left
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Bools, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Remaining:
    """Bounds of how many people of some cells have each value of a column, sorted by cell.

    Cells are numbered by their place among those asked for.
    """

    cell: Ints
    value: Ints
    low: Ints
    high: Ints
    sizes: Ints

    def values_left(self) -> Ints:
        """Count the values people of each cell can have."""
        return np.bincount(self.cell, self.high > 0, len(self.sizes)).astype(np.int64)

    def certain_share(self) -> float:
        """Give the largest share of people in a cell who certainly have the same value."""
        return float((self.low / np.maximum(self.sizes[self.cell], 1)).max(initial=0.0))

    def box(self) -> Box:
        """Give the bounds as shares; values nobody can have are left out."""
        there = np.flatnonzero(self.high > 0)
        size = np.maximum(self.sizes[self.cell[there]], 1)
        low, high = self.low[there] / size, np.minimum(self.high[there] / size, 1.0)
        return Box(self.cell[there], self.value[there], low, high, len(self.sizes))

    def alike(self) -> tuple[Ints, Ints]:
        """Number the kinds of cells, which have the same bounds: a cell of each kind, and the kind of each cell."""
        halves = []
        for seed in (1, 2):
            mixed = _mixed([self.value + seed, self.low, self.high])
            added = np.zeros(len(self.sizes), dtype=np.uint64)
            np.add.at(added, self.cell, np.where(self.high > 0, mixed, 0))
            halves.append(_mixed([self.sizes + seed, added.view(np.int64)]).view(np.int64))
        return number_rows(halves)


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """Cells by what is left of a column for their people; those of one kind are judged alike."""

    kind_of_cell: Ints
    """For every cell of the system its kind, -1 for those that were not asked for."""
    box: Box
    sizes: Ints


def kinds_of(left: Left, column: str, cells: Ints, *, seen: bool) -> Kinds:
    """Group cells by what is left of a column: what certainly holds, or what was seen to be possible."""
    found = remaining(left, column, cells, seen=seen)
    first, kind = found.alike()
    kind_of_cell = np.full(len(left.system), -1, dtype=np.int64)
    kind_of_cell[cells] = kind
    return Kinds(kind_of_cell, found.box().only(first), found.sizes[first])


def _mixed(parts: Sequence[Ints]) -> npt.NDArray[np.uint64]:
    """Give rows of numbers one number each that other rows hardly ever have."""
    found = np.zeros(len(parts[0]), dtype=np.uint64)
    for part in parts:
        found = (found ^ part.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(29)
    return found


def remaining(left: Left, column: str, cells: Ints, *, seen: bool) -> Remaining:
    """Give what is left of a column in some cells: what certainly holds, or what was seen to be possible."""
    system = left.system
    numbers, cell = left.numbers_of(cells)
    value = system.parts[system.columns.index(column)][left.sums.value[numbers]]
    entry = np.arange(len(numbers))
    if len(system.columns) > 1:
        n_codes = int(value.max(initial=0)) + 1
        keys, entry = np.unique(cell * n_codes + value, return_inverse=True)
        cell, value = keys // n_codes, keys % n_codes
    sizes = system.sizes[cells]
    low, high = (_seen if seen else _certain)(left, numbers, entry, cell, sizes)
    return Remaining(cell, value, low, high, sizes)


def _certain(left: Left, numbers: Ints, entry: Ints, cell: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Add up the outer bounds over the combinations that agree in the column."""
    low, high = (_added(part[numbers], entry, len(cell)) for part in (left.low, left.high))
    most = sizes[cell] - _added(low, cell, len(sizes))[cell] + low
    least = sizes[cell] - _added(high, cell, len(sizes))[cell] + high
    return np.maximum(low, least), np.minimum(high, most)


def _seen(left: Left, numbers: Ints, entry: Ints, cell: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Give bounds that were reached: of single numbers, and of the one way that is known for all of them."""
    solution = left.solution[numbers]
    unknown = np.zeros(len(cell), dtype=np.bool_)
    unknown[entry[solution < 0]] = True
    way = _added(np.maximum(solution, 0), entry, len(cell))
    low = np.where(unknown, sizes[cell], way)
    high = np.where(unknown, 0, way)
    np.maximum.at(high, entry, np.maximum(left.seen_high, left.low)[numbers])
    if len(numbers) == len(cell):
        np.minimum.at(low, entry, left.seen_low[numbers])
    return low, high


def _added(amounts: Ints, entry: Ints, n_entries: int) -> Ints:
    return np.bincount(entry, amounts, n_entries).astype(np.int64)


def rows_left(left: Left, release: int, cells: Ints, *, seen: bool) -> Ints:
    """Count the rows of a release that can belong to people of some cells: those of their class with a value left."""
    numbers, cell = left.numbers_of(cells)
    possible = np.maximum(left.seen_high[numbers], left.low[numbers]) if seen else left.high[numbers]
    counts = np.where(possible > 0, left.rows_of(release)[numbers], 0)
    return np.bincount(cell, counts, len(cells)).astype(np.int64)


def in_several(left: Left) -> Bools:
    """Tell which cells are in at least two releases of the system."""
    there = [left.system.classes[place] >= 0 for place in left.system.published]
    return np.asarray(np.sum(there, axis=0) > 1)
