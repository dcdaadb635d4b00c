"""Grid, quadtree, clusters on a map.

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

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Float, Int, Text, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import USUAL_SHARE, Mechanism
from anonymizer_gui.engine.rooms.statistics.public_domains import (
    MOST_CELLS,
    Bins,
    bins_of,
    cell_of_rows,
    count_pairs,
    parse_column_numbers,
)
from anonymizer_gui.engine.rooms.statistics.question import (
    NOISES,
    QUESTIONS,
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Question,
    Step,
    format_number,
    parse_number,
    quote_word,
    unquote,
)
from anonymizer_gui.engine.rooms.statistics.questions.clustering import WAYS, KMeans
from anonymizer_gui.engine.rooms.statistics.questions.column_question import HistogramQuestion

_USUAL_CELLS = 10


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class MapGrid(HistogramQuestion):
    """The number of rows in each rectangle between public corners, from west to east, then from south to north."""

    name: ClassVar[str] = "grid"
    title: ClassVar[str] = "Map"
    summary: ClassVar[str] = "How many rows lie in each cell of a regular grid over two coordinates."
    verbs: ClassVar[tuple[str, ...]] = ("grid",)
    usage: ClassVar[str] = "grid X-COLUMN WEST EAST Y-COLUMN SOUTH NORTH [COLUMNS ROWS]"
    example: ClassVar[str] = "grid longitude 5 16 latitude 47 56 20 20"

    x: str = param(Text(column=True), default="", label="From west to east", help="The column of longitudes.")
    west: float = param(Float(), default=0.0, label="West", help="The western edge of the map.")
    east: float = param(Float(), default=0.0, label="East", help="The eastern edge of the map.")
    y: str = param(Text(column=True), default="", label="From south to north", help="The column of latitudes.")
    south: float = param(Float(), default=0.0, label="South", help="The southern edge of the map.")
    north: float = param(Float(), default=0.0, label="North", help="The northern edge of the map.")
    across: int = param(
        Int(low=1, high=10_000), default=_USUAL_CELLS, label="Cells across", help="Cells from west to east."
    )
    up: int = param(Int(low=1, high=10_000), default=_USUAL_CELLS, label="Cells up", help="Cells from south to north.")
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take each column with its edges, and perhaps the numbers of cells."""
        if len(words) not in (6, 8):
            return None
        edges = [parse_number(words[at]) for at in (1, 2, 4, 5)]
        cells = [parse_number(word) for word in words[6:]] or [float(_USUAL_CELLS)] * 2
        known = [number for number in (*edges, *cells) if number is not None]
        if len(known) < 6 or any(number != int(number) or number < 1 for number in known[4:]):
            return None
        x, y = unquote(words[0]), unquote(words[3])
        return cls(x, known[0], known[1], y, known[2], known[3], int(known[4]), int(known[5]))

    def words(self) -> tuple[str, ...]:
        """Give columns, edges and cells."""
        west, east, south, north = map(format_number, (self.west, self.east, self.south, self.north))
        across = "grid", quote_word(self.x), west, east
        return *across, quote_word(self.y), south, north, str(self.across), str(self.up)

    def columns(self) -> tuple[str, ...]:
        """Name both coordinates."""
        return self.x, self.y

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the cells by their edges."""
        x, y = self._bins()
        return tuple(f"{one} × {two}" for two in y.labels() for one in x.labels())

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send one number for each cell."""
        self._bins()
        return (Step(self.noise, sensitivity.histogram(public.unit), self.across * self.up),)

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the rows of each cell; who is off the map is not counted."""
        x, y = self._bins()
        columns = data.column(self.x), data.column(self.y)
        places = x.places(parse_column_numbers(columns[0], public)), y.places(parse_column_numbers(columns[1], public))
        across, up = (cell_of_rows(column, place) for column, place in zip(columns, places, strict=True))
        return (count_pairs(up, across, (self.up, self.across)),)

    def _bins(self) -> tuple[Bins, Bins]:
        if self.across * self.up > MOST_CELLS:
            raise BadParameter("The map would have too many cells.", "Take fewer cells.")
        return bins_of(self.x, self.west, self.east, self.across), bins_of(self.y, self.south, self.north, self.up)


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
        told = [parse_number(word) for word in words]
        known = [number for number in told if number is not None]
        if len(words) not in (4, 5) or len(known) < len(words):
            return None
        depth = known[4] if len(known) > 4 else float(_USUAL)
        if depth != int(depth) or not 1 <= depth <= _DEEPEST:
            return None
        return cls(known[0], known[1], known[2], known[3], int(depth))

    def words(self) -> tuple[str, ...]:
        """Give edges and depth."""
        return "quadtree", *map(format_number, (self.west, self.east, self.south, self.north)), str(self.depth)

    def columns(self) -> tuple[str, ...]:
        """Name both coordinates."""
        return "x", "y"

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the finest cells by their edges."""
        x, y = self._bins(self.depth)
        return tuple(f"{one} × {two}" for two in y.labels() for one in x.labels())

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send the finest level first, then each coarser one; every level has its share."""
        self._bins(self.depth)
        moved = sensitivity.histogram(public.unit)
        whole = sum(_WEIGHTS[: self.depth])
        return tuple(
            Step(self.noise, moved, 4**level, Fraction(_WEIGHTS[level - 1], whole)) for level in self._levels()
        )

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Count the points of each finest cell, and add up quarters; who is off the map is not counted."""
        side = 1 << self.depth
        columns = data.column("x"), data.column("y")
        bins = self._bins(self.depth)
        placed = [
            cell_of_rows(column, each.places(parse_column_numbers(column, public)))
            for column, each in zip(columns, bins, strict=True)
        ]
        return self._added_up(count_pairs(placed[1], placed[0], (side, side)))

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
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
        return AnswerValue(values=values, notes=(note,) if coarse else ())

    def simulated(self, public: PublicKnowledge, rows: int) -> tuple[Ints, ...]:
        """Let most points lie in the middle of the map."""
        along = np.exp(-(np.linspace(-2, 2, 1 << self.depth) ** 2))
        weights = np.outer(along, along)
        return self._added_up(np.rint(rows * weights / weights.sum()).astype(np.int64).ravel())

    def error(
        self,
        mechanisms: Sequence[Mechanism],
        public: PublicKnowledge,
        cells: int = 1,
        noisy: NoisySteps | None = None,
        share: float = USUAL_SHARE,
    ) -> float | None:
        """Say how far off the noisy count of a finest cell is; counts that add up are nearer."""
        return float(mechanisms[0].error(cells, share))

    def in_unit(self) -> Message:
        """Say that points are counted."""
        return message("points")

    def why(self, public: PublicKnowledge) -> str:
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


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class PlacesGrid(MapGrid):
    """The number of points in each rectangle between public corners, from west to east, then from south to north."""

    name: ClassVar[str] = "places-grid"
    title: ClassVar[str] = "Map of points"
    summary: ClassVar[str] = "How many points lie in each cell of a regular grid."
    usage: ClassVar[str] = "grid WEST EAST SOUTH NORTH [COLUMNS ROWS]"
    example: ClassVar[str] = "grid -8.7 -8.5 41.1 41.2 20 20"
    shape: ClassVar[str] = "places"

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take four edges, and perhaps the numbers of cells."""
        if len(words) not in (4, 6):
            return None
        told = [parse_number(word) for word in words]
        known = [number for number in told if number is not None]
        cells = known[4:] or [float(_USUAL_CELLS)] * 2
        if len(known) < len(words) or any(number != int(number) or number < 1 for number in cells):
            return None
        return cls("x", known[0], known[1], "y", known[2], known[3], int(cells[0]), int(cells[1]))

    def in_unit(self) -> Message:
        """Say that points are counted."""
        return message("points")

    def words(self) -> tuple[str, ...]:
        """Give edges and cells."""
        edges = map(format_number, (self.west, self.east, self.south, self.north))
        return "grid", *edges, str(self.across), str(self.up)


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class PlacesKMeans(KMeans):
    """Centres and noisy sizes of clusters of points: ordinary k-means on a noisy grid (Su et al. 2016)."""

    name: ClassVar[str] = "places-k-means"
    title: ClassVar[str] = "Clusters of points (k-means)"
    summary: ClassVar[str] = "Centres and sizes of clusters of points that are near each other, found on a noisy grid."
    usage: ClassVar[str] = "k-means NUMBER WEST EAST SOUTH NORTH"
    example: ClassVar[str] = "k-means 5 -8.7 -8.5 41.1 41.2"
    shape: ClassVar[str] = "places"
    charted: ClassVar[str] = " points"

    way: str = param(Choice({"grid": WAYS["grid"]}), default="grid", label="Way", help="How the centres are found.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a number, and four edges."""
        told = [parse_number(word) for word in words]
        known = [number for number in told if number is not None]
        if len(words) != 5 or len(known) < 5 or known[0] != int(known[0]) or known[0] < 1:
            return None
        return cls(int(known[0]), ("x", "y"), (known[1], known[3]), (known[2], known[4]))

    def in_unit(self) -> Message:
        """Say that sizes are counted in points."""
        return message("points")

    def words(self) -> tuple[str, ...]:
        """Give number and edges."""
        edges = [side for pair in zip(self.lows, self.highs, strict=True) for side in pair]
        return "k-means", str(self.clusters), *map(format_number, edges)
