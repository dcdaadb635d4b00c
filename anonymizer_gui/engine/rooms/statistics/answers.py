"""Noisy answers with mechanism, cost and error; their JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget, amount_text
from anonymizer_gui.engine.core.messages import pack_message, unpack_message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.accountant import Part
from anonymizer_gui.engine.rooms.statistics.question import Number

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class NoiseRecord:
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
    steps: tuple[NoiseRecord, ...] = ()
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


_PLAIN = (
    "ask", "question", "mechanism", "error95", "error95_all", "value", "values", "part", "parameters", "has_interval",
    "model", "is_cached",
)  # fmt: skip

_EXACT = ("sensitivity", "scale", "epsilon")

_SAID = ("why", "in_unit", "notes")


def answer_to_json(answer: Answer) -> dict[str, Json]:
    """Give all of an answer."""
    return {
        **{name: _listed(getattr(answer, name)) for name in _PLAIN},
        **{name: amount_text(getattr(answer, name)) for name in _EXACT},
        **{name: pack_message(getattr(answer, name)) for name in _SAID},
        "spend": answer.spend.to_json(),
        "steps": [_step_json(step) for step in answer.steps],
    }


def answer_from_json(told: Mapping[str, Json]) -> Answer:
    """Make the answer again; raises KeyError, TypeError or ValueError when it is none."""
    value, part = told["value"], told["part"]
    plain = {name: told.get(name) if name == "model" else told[name] for name in _PLAIN} | {
        "value": tuple(value) if isinstance(value, list) else value,
        "values": tuple((label, number) for label, number in told["values"]),
        "part": tuple(part) if part is not None else None,
    }
    exact: dict[str, Json] = {name: Fraction(told[name]) for name in _EXACT}
    said = {name: unpack_message(told[name]) for name in _SAID}
    steps = tuple(_step(step) for step in told["steps"])
    return Answer(**plain, **exact, **said, spend=Budget.from_json(told["spend"]), steps=steps)


def _step_json(step: NoiseRecord) -> dict[str, Json]:
    plain = {name: getattr(step, name) for name in ("mechanism", "distance", "is_monotone", "picks", "cells", "times")}
    return {**plain, "spend": step.spend.to_json(), "scale": amount_text(step.scale)}


def _step(told: Mapping[str, Json]) -> NoiseRecord:
    return NoiseRecord(**{**told, "spend": Budget.from_json(told["spend"]), "scale": Fraction(told["scale"])})


def _listed(value: Json) -> Json:
    return [_listed(item) for item in value] if isinstance(value, tuple) else value
