"""How many rows lie in each cell of a map: a histogram of two coordinates on a regular grid."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Float, Int, Text, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.bins import Bins, bins_of
from anonymizer_gui.engine.rooms.statistics.categories import MOST_CELLS, counted_pairs, numbers_in, placed_rows
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, QUESTIONS, Step
from anonymizer_gui.engine.rooms.statistics.questions.tables.of_a_column import Tally
from anonymizer_gui.engine.rooms.statistics.wording import number_in, quoted_word, shortest, unquoted

_USUAL_CELLS = 10


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class MapGrid(Tally):
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
        edges = [number_in(words[at]) for at in (1, 2, 4, 5)]
        cells = [number_in(word) for word in words[6:]] or [float(_USUAL_CELLS)] * 2
        known = [number for number in (*edges, *cells) if number is not None]
        if len(known) < 6 or any(number != int(number) or number < 1 for number in known[4:]):
            return None
        x, y = unquoted(words[0]), unquoted(words[3])
        return cls(x, known[0], known[1], y, known[2], known[3], int(known[4]), int(known[5]))

    def words(self) -> tuple[str, ...]:
        """Give columns, edges and cells."""
        west, east, south, north = map(shortest, (self.west, self.east, self.south, self.north))
        across = "grid", quoted_word(self.x), west, east
        return *across, quoted_word(self.y), south, north, str(self.across), str(self.up)

    def columns(self) -> tuple[str, ...]:
        """Name both coordinates."""
        return self.x, self.y

    def labels(self, public: Public) -> tuple[str, ...]:
        """Name the cells by their edges."""
        x, y = self._bins()
        return tuple(f"{one} × {two}" for two in y.labels() for one in x.labels())

    def steps(self, public: Public) -> tuple[Step, ...]:
        """Send one number for each cell."""
        self._bins()
        return (Step(self.noise, sensitivity.histogram(public.unit), self.across * self.up),)

    def counted(self, data: Table, public: Public) -> tuple[Ints, ...]:
        """Count the rows of each cell; who is off the map is not counted."""
        x, y = self._bins()
        columns = data.column(self.x), data.column(self.y)
        places = x.places(numbers_in(columns[0], public)), y.places(numbers_in(columns[1], public))
        across, up = (placed_rows(column, place) for column, place in zip(columns, places, strict=True))
        return (counted_pairs(up, across, (self.up, self.across)),)

    def _bins(self) -> tuple[Bins, Bins]:
        if self.across * self.up > MOST_CELLS:
            raise BadParameter("The map would have too many cells.", "Take fewer cells.")
        return bins_of(self.x, self.west, self.east, self.across), bins_of(self.y, self.south, self.north, self.up)
