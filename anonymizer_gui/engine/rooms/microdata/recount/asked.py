"""What the recount is told beside the bytes of a file: plain values, none of them of the rest of the program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

SUPPRESSED = "*"
PUBLISHED = "published"
"""The reference of a goal that compares classes with the published rows; every other is given as plain counts."""
UNIFORM = "uniform"
"""The reference of a goal that takes every published value to be equally frequent."""
OWN = "own"
"""The reference of a goal that names its distribution itself."""

Goal = Mapping[str, object]
"""A goal as a certificate tells it: `model`, and `parameters` by name."""
Counts = Mapping[str, int]
"""How often each text occurs."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How bytes become cells: kind of file (csv, xlsx, parquet), letters, delimiter, texts that mean missing.

    A release is read strictly, and its cells are taken as they stand. The other entries are for population tables,
    which come from elsewhere.
    """

    format: str = "csv"
    encoding: str = "utf-8"
    delimiter: str = ","
    missing: tuple[str, ...] = ()
    quote: str = '"'
    header: bool = True
    skip_lines: int = 0
    part: str = ""
    strict: bool = True

    def is_missing(self, text: str) -> bool:
        """Say whether a cell is missing; an empty one always is."""
        return not text or text in self.missing


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that matter, by their names in the project; `headers` where the file spells a name differently."""

    qis: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    sets: tuple[str, ...] = ()
    """Quasi-identifiers whose cells are sets of items; they make no classes."""
    forms: Mapping[str, str] = field(default_factory=dict)
    """How the sets of a column are written."""

    def in_file(self) -> list[str]:
        """Give the names as the file has them, quasi-identifiers first, sets last."""
        return [self.headers.get(name, name) for name in (*self.qis, *self.sensitive, *self.sets)]

    def sets_in_file(self) -> list[str]:
        """Give the names of the sets as a file has them."""
        return [self.headers.get(name, name) for name in self.sets]

    def apart(self) -> "Columns":
        """Give the same columns without the sets, which are in a file of their own."""
        return replace(self, sets=())


@dataclass(frozen=True, slots=True)
class Order:
    """How the values of a column follow each other: as a `number` or `date` of a format, in a `list`, or as `text`.

    With `auto` they are numbers or ISO dates if every one can be read as such, else texts.
    """

    kind: str = "auto"
    format: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers or day ordinals from `low` up to `high`; `closed`: with `high`, `open_low`: without `low`."""

    low: float
    high: float
    closed: bool = False
    open_low: bool = False

    def holds(self, value: float) -> bool:
        """Say whether a value lies in it."""
        begins = value >= self.low if not self.open_low else value > self.low
        return begins and (value <= self.high if self.closed else value < self.high)


@dataclass(frozen=True, slots=True)
class Tree:
    """A hierarchy as a list of labels, each with the place of its parent before it (-1: the root)."""

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    spans: Mapping[int, Span] = field(default_factory=dict)
    """The interval of a node, where values are placed by number or date."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the file does not tell: orders and trees of columns, references of goals, groups of (n,t)-closeness.

    `meanings[column]` says what a published text stands for where a population spells it differently.
    `references[reference][column]` are counts (or shares) of texts; `groups[number of the goal][column]` the records
    with each text of the group that is said to be near every class. The recount believes a group only after
    it has seen that the published table has such records.
    """

    orders: Mapping[str, Order] = field(default_factory=dict)
    trees: Mapping[str, Tree] = field(default_factory=dict)
    references: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    groups: Mapping[int, Mapping[str, Counts]] = field(default_factory=dict)
    meanings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tops: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The texts of a column that leave nothing of a value; `*` where nothing else is said."""
    look_alikes_count_once: bool = True
    """Whether sensitive values of the same look are one; in earlier certificates they were not."""
    by_alphabet: Sequence[str] = ()
    """Columns whose distance along the alphabet is to be counted: earlier certificates told it."""
    sets_apart: Sequence[Sequence[str]] = ()
    """The cells of the sets, column by column, where they leave in a file of their own."""
    missing_counts: bool = False
    """Whether missing is one more value of every l that is told without a goal, as it was in earlier certificates."""
    attacked_rows: int = 0
    """Files of at most so many rows are attacked, too."""


@dataclass(frozen=True, slots=True)
class Population:
    """The people a table was drawn from: the bytes of a file, or cells by column where there is no file to read."""

    path: Path | None = None
    reading: Reading = Reading(strict=False)
    cells: Mapping[str, Sequence[str]] = field(default_factory=dict)
