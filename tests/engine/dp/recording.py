"""Record and replay of what arrives at the gateway: the check that a question keeps to its declared sensitivity.

A question is asked about one table and everything it sends to the gateway is recorded. Then it is asked about a
neighbouring table, and the gateway gives the same answers again: as far as anybody can see the two runs are the same,
so the question must send the same requests, with numbers that moved by no more than the distance it declared.
The program has no such switch; this stands in the place of `gateway.answer` while a test runs.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TypeVar

import numpy as np
import pytest

from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.gateway import Ints, NoiseRequest

T = TypeVar("T")


class Recorder:
    """Stands in the place of the gateway."""

    def __init__(self, replayed: list[Ints] | None = None) -> None:
        self.requests: list[NoiseRequest] = []
        self.answers: list[Ints] = []
        self._replayed = replayed
        self._draw = gateway.answer

    def answer(self, request: NoiseRequest, progress: Progress = SILENT) -> Ints:
        """Record the request, and answer it truly or as in the run before."""
        place = len(self.requests)
        self.requests.append(request)
        is_known = self._replayed is not None and place < len(self._replayed)
        given = self._replayed[place] if self._replayed is not None and is_known else self._draw(request, progress)
        self.answers.append(given)
        return given

    def spent(self) -> Budget:
        """Add up what was asked for."""
        kinds = {"gaussian": "rho"}
        return sum((Budget(**{kinds.get(r.noise, "epsilon"): r.limit}) for r in self.requests), NO_BUDGET)


@contextmanager
def recording(monkeypatch: pytest.MonkeyPatch, replayed: list[Ints] | None = None) -> Iterator[Recorder]:
    """Put a recorder in the place of the gateway."""
    recorder = Recorder(replayed)
    with monkeypatch.context() as patched:
        patched.setattr(gateway, "answer", recorder.answer)
        yield recorder


def faults(
    question: Callable[[T], object], first: T, second: T, monkeypatch: pytest.MonkeyPatch, budget: Budget | None = None
) -> list[str]:
    """Ask about two neighbouring tables, and say what an onlooker could tell apart."""
    with recording(monkeypatch) as here:
        question(first)
    with recording(monkeypatch, here.answers) as there:
        question(second)
    if len(here.requests) != len(there.requests):
        return [f"asks {len(here.requests)} times about one table, {len(there.requests)} times about the other"]
    found = [fault for pair in zip(here.requests, there.requests, strict=True) for fault in differences(*pair)]
    return found + (["spends more than it says"] if budget is not None and not here.spent() <= budget else [])


def differences(one: NoiseRequest, other: NoiseRequest) -> list[str]:
    """Say how two requests differ that should be those of neighbours."""
    found = [
        f"{name} depends on the table"
        for name in ("noise", "distance", "limit", "is_monotone", "picks")
        if getattr(one, name) != getattr(other, name)
    ]
    if len(one.values) != len(other.values):
        return [*found, "the number of cells depends on the table"]
    moved = one.values.astype(object) - other.values.astype(object)
    if distance(one.noise, moved) > one.distance:
        found.append(f"moves by {distance(one.noise, moved)}, but declares {one.distance}")
    if one.is_monotone and (moved > 0).any() and (moved < 0).any():
        found.append("moves both ways, but declares one")
    return found


def distance(noise: str, moved: Ints) -> Fraction:
    """Measure a move as the noise does."""
    if not len(moved):
        return Fraction(0)
    if noise == "laplace":
        return Fraction(int(np.abs(moved).sum()))
    return Fraction(int((moved * moved).sum() if noise == "gaussian" else np.abs(moved).max()))
