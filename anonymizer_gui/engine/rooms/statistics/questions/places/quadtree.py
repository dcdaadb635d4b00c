"""A map that is fine where there are many points: a quadtree of noisy counts, the budget split over its levels.

Cormode, Procopiuc, Srivastava, Shen and Yu, Differentially private spatial decompositions, ICDE 2012: more budget for
finer levels, by the cube root of two for each; then the counts are made to add up (Hay et al., VLDB 2010), and quarters
that noise would drown are not told apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Float, Int, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import USUAL_SHARE, Mechanism
from anonymizer_gui.engine.rooms.statistics.bins import Bins, bins_of
from anonymizer_gui.engine.rooms.statistics.categories import counted_pairs, numbers_in, placed_rows
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Noisy, Question, Step, Told
from anonymizer_gui.engine.rooms.statistics.wording import number_in, shortest

Floats = npt.NDArray[np.float64]
_DEEPEST, _USUAL = 6, 4
_WEIGHTS = (1000, 1260, 1587, 2000, 2520, 3175)
"""The cube root of two to the power of the level, in thousandths: whole numbers, so that shares are exact."""
_FEW = 2.0
"""Quarters are told apart where a node holds more than so many times what noise may be."""


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class Quadtree(Question):
    """Noisy counts of quarters of quarters between public corners; fine where points are, coarse elsewhere."""

    name: ClassVar[str] = "places-quadtree"
    title: ClassVar[str] = "Adaptive map of points"
    summary: ClassVar[str] = "How many points lie where, finer where there are many; the levels share the budget."
    verbs: ClassVar[tuple[str, ...]] = ("quadtree",)
    usage: ClassVar[str] = "quadtree WEST EAST SOUTH NORTH [DEPTH]"
    example: ClassVar[str] = "quadtree -8.7 -8.5 41.1 41.2 5"
    shape: ClassVar[str] = "places"
    has_interval: ClassVar[bool] = False

    west: float = param(Float(), default=0.0, label="West", help="The western edge of the map.")
    east: float = param(Float(), default=0.0, label="East", help="The eastern edge of the map.")
    south: float = param(Float(), default=0.0, label="South", help="The southern edge of the map.")
    north: float = param(Float(), default=0.0, label="North", help="The northern edge of the map.")
    depth: int = param(
        Int(low=1, high=_DEEPEST), default=_USUAL, label="Depth", help="How often the map is cut into quarters."
    )
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single point.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take four edges, and perhaps the depth."""
        told = [number_in(word) for word in words]
        known = [number for number in told if number is not None]
        if len(words) not in (4, 5) or len(known) < len(words):
            return None
        depth = known[4] if len(known) > 4 else float(_USUAL)
        if depth != int(depth) or not 1 <= depth <= _DEEPEST:
            return None
        return cls(known[0], known[1], known[2], known[3], int(depth))

    def words(self) -> tuple[str, ...]:
        """Give edges and depth."""
        return "quadtree", *map(shortest, (self.west, self.east, self.south, self.north)), str(self.depth)

    def columns(self) -> tuple[str, ...]:
        """Name both coordinates."""
        return "x", "y"

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the finest cells by their edges."""
        x, y = self._bins(self.depth)
        return tuple(f"{one} × {two}" for two in y.labels() for one in x.labels())

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send the finest level first, then each coarser one; every level has its share."""
        self._bins(self.depth)
        moved = sensitivity.histogram(public.unit)
        whole = sum(_WEIGHTS[: self.depth])
        return tuple(
            Step(self.noise, moved, 4**level, Fraction(_WEIGHTS[level - 1], whole)) for level in self._levels()
        )

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Count the points of each finest cell, and add up quarters; who is off the map is not counted."""
        side = 1 << self.depth
        columns = data.column("x"), data.column("y")
        bins = self._bins(self.depth)
        placed = [
            placed_rows(column, each.places(numbers_in(column, public)))
            for column, each in zip(columns, bins, strict=True)
        ]
        return self._added_up(counted_pairs(placed[1], placed[0], (side, side)))

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell the finest cells, of counts that add up; quarters of nearly empty squares share their count."""
        levels = {level: noisy[at].astype(float).reshape(1 << level, -1) for at, level in enumerate(self._levels())}
        noise = {level: float(noisy.mechanisms[at].error(1, USUAL_SHARE)) for at, level in enumerate(self._levels())}
        cells, coarse = _spread(_fitted(levels, noise), noise)
        values = tuple(zip(self.labels(public), cells.ravel().round(2).tolist(), strict=True))
        note = message(
            "{cells:cell|cells} of {all} are not told apart from their neighbours: there are too few points.",
            cells=coarse,
            all=cells.size,
        )
        return Told(values=values, notes=(note,) if coarse else ())

    def simulated(self, public: Public, rows: int) -> tuple[Ints, ...]:
        """Let most points lie in the middle of the map."""
        along = np.exp(-(np.linspace(-2, 2, 1 << self.depth) ** 2))
        weights = np.outer(along, along)
        return self._added_up(np.rint(rows * weights / weights.sum()).astype(np.int64).ravel())

    def error(
        self,
        mechanisms: Sequence[Mechanism],
        public: Public,
        cells: int = 1,
        noisy: Noisy | None = None,
        share: float = USUAL_SHARE,
    ) -> float | None:
        """Say how far off the noisy count of a finest cell is; counts that add up are nearer."""
        return float(mechanisms[0].error(cells, share))

    def in_unit(self) -> Message:
        """Say that points are counted."""
        return message("points")

    def why(self, public: Public) -> str:
        """Say it for a level."""
        return message(
            "On each of {levels} levels the cells do not overlap, so that a level is a histogram. The levels share the "
            "budget, finer ones have more of it.",
            levels=self.depth,
        )

    def _levels(self) -> range:
        return range(self.depth, 0, -1)

    def _bins(self, level: int) -> tuple[Bins, Bins]:
        return bins_of("x", self.west, self.east, 1 << level), bins_of("y", self.south, self.north, 1 << level)

    def _added_up(self, finest: Ints) -> tuple[Ints, ...]:
        found = [finest.reshape(1 << self.depth, -1)]
        for _level in range(self.depth - 1):
            found.append(_quarters(found[-1]).astype(np.int64))
        return tuple(level.ravel().astype(np.int64) for level in found)


def _quarters(cells: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    """Add up the four quarters of each square of the next coarser level."""
    side = cells.shape[0] // 2
    return np.asarray(cells.reshape(side, 2, side, 2).sum(axis=(1, 3)))


def _fitted(levels: dict[int, Floats], noise: dict[int, float]) -> dict[int, Floats]:
    """Give the counts that add up and are nearest to the noisy ones: weighted upwards, corrected downwards."""
    deepest = max(levels)
    best, spread = {deepest: levels[deepest]}, {deepest: noise[deepest] ** 2}
    for level in range(deepest - 1, 0, -1):
        below, own = 4 * spread[level + 1], noise[level] ** 2
        best[level] = (levels[level] / own + _quarters(best[level + 1]) / below) / (1 / own + 1 / below)  # type: ignore[operator]
        spread[level] = 1 / (1 / own + 1 / below)
    for level in range(2, deepest + 1):
        missing = (best[level - 1] - _quarters(best[level])) / 4  # type: ignore[operator]
        best[level] = best[level] + np.kron(missing, np.ones((2, 2)))
    return best


def _spread(fitted: dict[int, Floats], noise: dict[int, float]) -> tuple[Floats, int]:
    """Give the finest cells, where a square with too few points shares its count evenly; and how many cells do."""
    deepest = max(fitted)
    cells, is_coarse = fitted[deepest].copy(), np.zeros(fitted[deepest].shape, dtype=bool)
    for level in range(deepest - 1, 0, -1):
        few = fitted[level] < _FEW * noise[level + 1]
        wide = 1 << (deepest - level)
        under = np.kron(few, np.ones((wide, wide), dtype=bool)).astype(bool)
        even = np.kron(fitted[level] / wide**2, np.ones((wide, wide)))
        cells, is_coarse = np.where(under, even, cells), is_coarse | under
    return cells, int(is_coarse.sum())
