"""What the recount is told beside the bytes of a file: plain values, none of them of the rest of the program."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from anonymizer_gui.engine.core.messages import Message

SUPPRESSED = "*"

PUBLISHED = "published"
"""The reference of a goal that compares classes with the published rows; every other is given as plain counts."""

UNIFORM = "uniform"
"""The reference of a goal that takes every published value to be equally frequent."""

OWN_DISTRIBUTION = "own"
"""The reference of a goal that names its distribution itself."""

PlainGoal = Mapping[str, object]
"""A goal as a certificate tells it: `model`, and `parameters` by name."""

Counts = Mapping[str, int]
"""How often each text occurs."""


@dataclass(frozen=True, slots=True)
class FileFormat:
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
class ColumnRoles:
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

    def apart(self) -> "ColumnRoles":
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
class KnownFacts:
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
    reading: FileFormat = FileFormat(strict=False)
    cells: Mapping[str, Sequence[str]] = field(default_factory=dict)


Numbers = Mapping[str, float]


class Undecided(Exception):
    """A goal cannot be decided from what is known; the sentence says why."""

    def __init__(self, sentence: Message) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class GoalVerdict:
    """Whether a goal holds, with the value found; both are None where the file alone does not tell, and why not."""

    goal: PlainGoal
    value: float | None
    holds: bool | None
    sentence: Message | str = ""

    @property
    def model(self) -> str:
        """The name of the privacy model."""
        return str(self.goal["model"])


@dataclass(frozen=True, slots=True)
class Struck:
    """The number an attack is told by, and the rows it hits."""

    value: float
    hit: int


@dataclass(frozen=True, slots=True)
class RecountResult:
    """The numbers of a published file, counted from its bytes.

    `people` is None where rows were counted, and `k` counts people where they are known. `sizes` says how many
    classes have so many rows (or people), `emptied` how many rows have nothing left in any quasi-identifier.
    `l`, `t` and `largest_share` are per sensitive column.
    """

    rows: int
    people: int | None
    classes: int
    k: int
    sizes: Mapping[int, int]
    emptied: int
    l: Mapping[str, Numbers] = field(default_factory=dict)  # noqa: E741
    t: Mapping[str, Numbers] = field(default_factory=dict)
    largest_share: Numbers = field(default_factory=dict)
    verdicts: tuple[GoalVerdict, ...] = ()
    notes: tuple[Message, ...] = ()
    exposed: Mapping[str, int] | None = None
    """The rows that a class and a few items give away, where there are sets and a goal about them; who is left."""
    attacks: Mapping[str, Struck] = field(default_factory=dict)
    """What each attack finds that needs nothing but the rows."""

    @property
    def holds(self) -> bool:
        """Whether every goal was decided and holds."""
        return all(verdict.holds for verdict in self.verdicts)

    def worst(self) -> tuple[dict[str, float], dict[str, float]]:
        """Give the least l and the largest t of each kind over the sensitive columns."""
        least, most = _gathered(self.l), _gathered(self.t)
        return {kind: min(found) for kind, found in least.items()}, {kind: max(found) for kind, found in most.items()}

    def bins(self) -> list[tuple[int, int, int]]:
        """Count classes by size, as (smallest, largest size, classes): single sizes below 10, then doubling.

        >>> RecountResult(21, None, 3, 4, {4: 1, 8: 1, 19: 1}, 0).bins()
        [(4, 4, 1), (8, 8, 1), (10, 19, 1)]
        """
        found: dict[tuple[int, int], int] = {}
        for size, many in sorted(self.sizes.items()):
            low = size if size < 10 else 10 << (size // 10).bit_length() - 1
            both = low, low if low < 10 else 2 * low - 1
            found[both] = found.get(both, 0) + many
        return [(low, high, many) for (low, high), many in found.items()]

    def risk(self, threshold: float = 0.2) -> dict[str, float]:
        """Give the risk of being picked out, from the class sizes alone."""
        counted = sum(size * many for size, many in self.sizes.items())
        above = sum(size * many for size, many in self.sizes.items() if 1 / size > threshold * (1 + 1e-9))
        alone = self.sizes.get(1, 0)
        return {
            "highest": 1 / self.k if self.k else 0.0,
            "average": self.classes / counted if counted else 0.0,
            "unique_rows": alone,
            "unique_share": alone / counted if counted else 0.0,
            "rows_above": above,
            "threshold": threshold,
        }


def finite_or_none(value: float | None) -> float | None:
    """Give a number as JSON can hold it: what is infinite is unknown."""
    return value if value is not None and math.isfinite(value) else None


def _gathered(columns: Mapping[str, Numbers]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for numbers in columns.values():
        for kind, value in numbers.items():
            found.setdefault(kind, []).append(value)
    return found
