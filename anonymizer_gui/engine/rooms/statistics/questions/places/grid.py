"""How many points lie in each cell of a map, and where they cluster on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, param
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS
from anonymizer_gui.engine.rooms.statistics.questions.tables.grid import MapGrid
from anonymizer_gui.engine.rooms.statistics.questions.tables.k_means import WAYS, KMeans
from anonymizer_gui.engine.rooms.statistics.wording import number_in, shortest

_USUAL_CELLS = 10


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
        told = [number_in(word) for word in words]
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
        edges = map(shortest, (self.west, self.east, self.south, self.north))
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
        told = [number_in(word) for word in words]
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
        return "k-means", str(self.clusters), *map(shortest, edges)
