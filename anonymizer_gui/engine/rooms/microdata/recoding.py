"""The method chosen, the size of a problem, the recoding found: values shared by both halves."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel


@dataclass(frozen=True, slots=True)
class ProblemSize:
    """Rows, different QI tuples at most, and per QI the leaves, nodes and levels of its hierarchy.

    `sensitive` counts the sensitive columns, `values` the values of the one that has most; `least_rows` is what the
    goals ask of a class, `by_size_alone` says that they ask nothing else.
    """

    rows: int
    tuples: int
    leaves: tuple[int, ...]
    nodes: tuple[int, ...]
    levels: tuple[int, ...]
    sensitive: int = 0
    values: int = 1
    least_rows: int = 1
    by_size_alone: bool = True

    @property
    def columns(self) -> int:
        """The number of QIs."""
        return len(self.leaves)

    @property
    def entries(self) -> int:
        """How often, at most, another sensitive value occurs in a tuple, over all sensitive columns."""
        return self.sensitive * min(self.rows, self.tuples * self.values)

    @property
    def lattice(self) -> int:
        """The number of combinations of levels."""
        return math.prod(self.levels)


LEAST_LOSS = "lm"
"""The objective that everything follows unless asked otherwise."""


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """The number of different QI tuples above which an algorithm would take too long; None where there is none.

    `among_people` is the same where people of a population are counted in cells that overlap: each cell is compared
    with everybody.
    """

    tuples: int | None = None
    among_people: int | None = None

    def covers(self, n_tuples: int, *, counts_people: bool) -> bool:
        """Tell whether so many tuples are done in reasonable time."""
        limit = self.among_people if counts_people else self.tuples
        return limit is None or n_tuples <= limit


class Method(Protocol):
    """A frozen dataclass of declared parameters; an algorithm inherits what it does not say."""

    __slots__ = ()

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    reference: ClassVar[str]
    attacks: ClassVar[str]
    """Known attacks on the method (minimality, downcoding) and whether they apply."""
    reach: ClassVar[SizeLimit | None] = None
    """None: it is not tried where all are, since it tries the others itself or is told its result."""
    tried_by_auto: ClassVar[bool] = True
    """Whether Auto tries it, too, and not only Try All."""
    takes_rows_in_turn: ClassVar[bool] = False
    """Whether it takes rows one after the other: they are put in an order of their own first."""
    walks_levels: ClassVar[bool] = False
    """Whether it looks through the combinations of levels, so that their number matters."""
    aims_at: ClassVar[str] = "Loss (LM)"
    """What it makes small, where nothing else can be asked of it; empty: the objective is a parameter."""

    def judges(self, models: Sequence[PrivacyModel]) -> bool:
        """Say whether it keeps goals of which some are about all classes together; else classes are made larger."""
        return False

    def target_columns(self) -> tuple[str, ...]:
        """Name columns that are to stay predictable, whose values are counted, too; empty: the first sensitive one."""
        return ()

    def objective_asked(self) -> tuple[str, str]:
        """Tell which objective is followed (loss, entropy ...), and which column is to stay predictable by it."""
        return LEAST_LOSS, ""

    def following(self, objective: str, target: str = "") -> Self:
        """Give itself so set that it follows an objective; unchanged where it follows the loss alone."""
        return self

    def told_levels(self) -> Mapping[str, int] | None:
        """Give the level of each column that the user has chosen; None where levels are found."""
        return None

    def memory(self, size: ProblemSize) -> int:
        """Give the bytes a run takes at most beside the encoded table."""

    def seconds(self, size: ProblemSize) -> float:
        """Estimate how long a run takes where that may be very long; 0 where it never is."""
        return 0.0


@dataclass(frozen=True, slots=True)
class Attempted:
    """One of several algorithms that were tried: its loss, None where the goals were not reached.

    `cost` is what it costs by another objective, where results were ranked by one.
    """

    title: str
    lm: float | None
    cost: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Recoding:
    """What an algorithm decided: the class of every row (-1: suppressed) and the cell of each class and QI.

    A cell covers the leaves `low` to `high` (both included). `node` is the hierarchy node it is published as,
    or -1 where a data-driven range is published instead.
    `search` tells how the result was found, for the pages that draw it (see each algorithm).
    """

    class_of_row: npt.NDArray[np.int64]
    low: npt.NDArray[np.int32]
    high: npt.NDArray[np.int32]
    node: npt.NDArray[np.int32]
    search: object | None = None
    notes: tuple[str, ...] = ()
    tried: tuple[Attempted, ...] = ()
    """What was tried where that was several."""
    made_by: str = ""
    """The title of the algorithm whose result it is, where another one was asked."""
    attacks: str = ""
    """The known attacks on that algorithm."""
    told_tried: tuple[str, ...] = ()
    """The notes that say the same as `tried`."""
    method: Method | None = None
    """With what the same is found again, where the user ended the search before its time."""

    def remarks(self) -> list[str]:
        """Give the notes that say something else than what was tried."""
        return [note for note in self.notes if note not in self.told_tried]

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.low)
