"""What leaves: noisy numbers with the mechanism that made them, what they cost, and how far off they may be."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.accountant import Part
from anonymizer_gui.engine.rooms.statistics.question import Number

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Noise:
    """One step as it was drawn: whole numbers that move by no more than `distance` with noise of this scale.

    `distance` is the L1 distance, for Gaussian noise the squared L2 distance, for choices the largest one of a score.
    """

    mechanism: str
    distance: int
    is_monotone: bool
    picks: int
    cells: int
    spend: Budget
    scale: Fraction
    times: int = 1
    """How often in a row it was drawn alike."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, its noisy answer and how it was made; numbers stay as they were drawn, negative counts too."""

    ask: str
    question: str
    mechanism: str
    sensitivity: Fraction
    why: str
    scale: Fraction
    epsilon: Fraction
    spend: Budget
    error95: float | None
    error95_all: float | None
    in_unit: str
    value: str | Number | tuple[str, ...] | None = None
    values: tuple[tuple[str, Number], ...] = ()
    notes: tuple[str, ...] = ()
    part: Part | None = None
    steps: tuple[Noise, ...] = ()
    parameters: Mapping[str, Json] = field(default_factory=dict)
    has_interval: bool = True
    """Whether the error is that of the number itself, not of its place in an order."""
    model: Mapping[str, Json] | None = None
    """What more was made, such as the noisy counts a synthetic table is drawn from."""
    is_cached: bool = False
    """Whether it was drawn for an earlier release, and cost nothing now."""

    @property
    def chooses(self) -> bool:
        """Whether it names candidates rather than noisy numbers."""
        return isinstance(self.value, str | tuple)

    @property
    def cost(self) -> Budget:
        """What it cost this time."""
        return NO_BUDGET if self.is_cached else self.spend

    def interval(self, number: Number) -> tuple[float, float] | None:
        """Give the bounds between which the true number is in 95 of 100 releases; a choice has none."""
        if self.error95 is None or self.chooses or not self.has_interval:
            return None
        return round(number - self.error95, _DIGITS), round(number + self.error95, _DIGITS)

    def cells(self) -> tuple[tuple[str, Number | str], ...]:
        """Give label and number of each cell; a single value has no label."""
        if isinstance(self.value, tuple):
            return tuple((str(place + 1), label) for place, label in enumerate(self.value))
        return self.values if self.value is None else (("", self.value),)

    def to_json(self) -> dict[str, Json]:
        """Give the answer as the command line prints it."""
        told: dict[str, Json] = {
            "ask": self.ask,
            "mechanism": self.mechanism,
            "sensitivity": float(self.sensitivity),
            "scale": float(self.scale),
            "epsilon": float(self.epsilon),
            "error95": self.error95,
            "error95_all": self.error95_all,
            "unit": str(self.in_unit),
            "cached": self.is_cached,
        }
        if self.value is not None:
            told["value"] = list(self.value) if isinstance(self.value, tuple) else self.value
        if self.values or self.value is None:
            told["values"] = dict(self.values)
        return told
