"""What the recount answers."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from anonymizer_gui.engine.core.messages import Message
from anonymizer_gui.engine.rooms.microdata.recount.asked import Goal

Numbers = Mapping[str, float]


class Undecided(Exception):
    """A goal cannot be decided from what is known; the sentence says why."""

    def __init__(self, sentence: Message) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a goal holds, with the value found; both are None where the file alone does not tell, and why not."""

    goal: Goal
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
class Recount:
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
    verdicts: tuple[Verdict, ...] = ()
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

        >>> Recount(21, None, 3, 4, {4: 1, 8: 1, 19: 1}, 0).bins()
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


def finite(value: float | None) -> float | None:
    """Give a number as JSON can hold it: what is infinite is unknown."""
    return value if value is not None and math.isfinite(value) else None


def _gathered(columns: Mapping[str, Numbers]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for numbers in columns.values():
        for kind, value in numbers.items():
            found.setdefault(kind, []).append(value)
    return found
