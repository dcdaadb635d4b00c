"""Bins of equal width between two public bounds; the last one holds its upper bound, too."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.hierarchy.leaf_encoding import NO_PLACE
from anonymizer_gui.engine.rooms.statistics.bounds import grid_of, plain

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bins:
    """Bins from `low` to `high`."""

    low: Fraction
    high: Fraction
    count: int

    def edge(self, place: int) -> Fraction:
        """Give where a bin begins."""
        return self.low + (self.high - self.low) * place / self.count

    def places(self, numbers: npt.NDArray[np.float64]) -> Places:
        """Give the bin of every number, -1 for one outside and for none."""
        edges = np.array([float(self.edge(place)) for place in range(self.count + 1)])
        found = np.searchsorted(edges, numbers, side="right") - 1
        found[numbers == edges[-1]] = self.count - 1
        is_inside = (numbers >= edges[0]) & (numbers <= edges[-1])
        return np.where(is_inside, found, NO_PLACE).astype(np.int64)

    def labels(self) -> tuple[str, ...]:
        """Name the bins: whole numbers by themselves where each bin holds one, otherwise by their bounds.

        >>> Bins(Fraction(0), Fraction(10), 2).labels(), Bins(Fraction(17), Fraction(19), 2).labels()
        (('[0, 5)', '[5, 10]'), ('17', '18'))
        """
        numbers = [plain(self.edge(place)) for place in range(self.count + 1)]
        if self.high - self.low == self.count and isinstance(numbers[0], int):
            return tuple(str(number) for number in numbers[:-1])
        edges, last = _texts(numbers), self.count - 1
        return tuple(f"[{edges[at]}, {edges[at + 1]}{']' if at == last else ')'}" for at in range(self.count))


def _texts(numbers: list[int | float]) -> list[str]:
    """Write numbers with as few figures as keep them apart."""
    short = [str(number) if isinstance(number, int) else f"{number:.6g}" for number in numbers]
    return short if len(set(short)) == len(short) else [repr(number) for number in numbers]


def bins_of(column: str, low: float, high: float, count: int) -> Bins:
    """Give the bins between two bounds; raises BadParameter without bounds."""
    grid = grid_of(column, low, high)
    return Bins(grid.low, grid.high, count)
