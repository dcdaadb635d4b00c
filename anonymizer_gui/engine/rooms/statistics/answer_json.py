"""Answers as the ledger and the certificate keep them: exact numbers as texts, sentences with their values."""

from collections.abc import Mapping
from fractions import Fraction

from anonymizer_gui.engine.core.budget import Budget, amount_text
from anonymizer_gui.engine.core.messages import pack_message, unpack_message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.rooms.statistics.answers import Answer, Noise

_PLAIN = (
    "ask", "question", "mechanism", "error95", "error95_all", "value", "values", "part", "parameters", "has_interval",
    "model", "is_cached",
)  # fmt: skip
_EXACT = ("sensitivity", "scale", "epsilon")
_SAID = ("why", "in_unit", "notes")


def to_json(answer: Answer) -> dict[str, Json]:
    """Give all of an answer."""
    return {
        **{name: _listed(getattr(answer, name)) for name in _PLAIN},
        **{name: amount_text(getattr(answer, name)) for name in _EXACT},
        **{name: pack_message(getattr(answer, name)) for name in _SAID},
        "spend": answer.spend.to_json(),
        "steps": [_step_json(step) for step in answer.steps],
    }


def from_json(told: Mapping[str, Json]) -> Answer:
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


def _step_json(step: Noise) -> dict[str, Json]:
    plain = {name: getattr(step, name) for name in ("mechanism", "distance", "is_monotone", "picks", "cells", "times")}
    return {**plain, "spend": step.spend.to_json(), "scale": amount_text(step.scale)}


def _step(told: Mapping[str, Json]) -> Noise:
    return Noise(**{**told, "spend": Budget.from_json(told["spend"]), "scale": Fraction(told["scale"])})


def _listed(value: Json) -> Json:
    return [_listed(item) for item in value] if isinstance(value, tuple) else value
