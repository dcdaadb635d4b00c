"""What a project tells of the way to its release: an algorithm as far as it is chosen, not how it works."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.size import Size

LOSS = "lm"
"""The objective that everything follows unless asked otherwise."""


@dataclass(frozen=True, slots=True)
class Reach:
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
    reach: ClassVar[Reach | None] = None
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
        return LOSS, ""

    def following(self, objective: str, target: str = "") -> Self:
        """Give itself so set that it follows an objective; unchanged where it follows the loss alone."""
        return self

    def told_levels(self) -> Mapping[str, int] | None:
        """Give the level of each column that the user has chosen; None where levels are found."""
        return None

    def memory(self, size: Size) -> int:
        """Give the bytes a run takes at most beside the encoded table."""

    def seconds(self, size: Size) -> float:
        """Estimate how long a run takes where that may be very long; 0 where it never is."""
        return 0.0
