"""Is this differentially private? Reads an expression and answers proven, refuted or open."""

import math
from dataclasses import dataclass
from typing import Any, Literal

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.accounting import composed
from anonymizer_gui.engine.dp.checker.proving import Proof, proven
from anonymizer_gui.engine.dp.checker.reading import read
from anonymizer_gui.engine.dp.checker.refuting import Counterexample, refuted
from anonymizer_gui.engine.dp.checker.sampling import certified
from anonymizer_gui.engine.dp.lower_bound import LowerBound
from anonymizer_gui.engine.dp.unit import Neighbours, Unit

Verdict = Literal["proven", "refuted", "open"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict with its argument: what it costs, the pair of tables that breaks it, or what sampling certifies."""

    expression: str
    unit: Unit
    verdict: Verdict
    argument: tuple[Message, ...]
    spend: Budget | None = None
    example: Counterexample | None = None
    bound: LowerBound | None = None

    def to_json(self) -> dict[str, Any]:
        """Give the answer for other programs."""
        told: dict[str, Any] = {"expression": self.expression, "unit": str(self.unit), "verdict": self.verdict}
        if self.spend is not None:
            told |= {"epsilon": float(self.spend.epsilon), "rho": float(self.spend.rho)}
        if self.example is not None:
            tables = [[float(value) for value in table] for table in (self.example.first, self.example.second)]
            ratio = self.example.ratio if math.isfinite(self.example.ratio) else "infinite"
            told |= {"neighbours": tables, "output": self.example.output, "ratio": ratio}
        if self.bound is not None:
            told |= {"epsilon_at_least": self.bound.epsilon, "confidence": 1 - self.bound.alpha}
        return {**told, "argument": list(self.argument)}


def check(
    expression: str,
    unit: Unit | None = None,
    claim: Budget | None = None,
    *,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Answer:
    """Say whether a mechanism is differentially private, or private with the claimed epsilon and delta.

    Noise is taken as its formula says; computed with floating-point numbers, a proven mechanism may still leak.
    Only the sampling of what no theorem covers uses the seed.

    >>> check("count() + laplace(2)").spend
    Budget(epsilon=Fraction(1, 2), delta=Fraction(0, 1), rho=Fraction(0, 1))
    """
    unit = unit or Unit()
    if unit.kind is Neighbours.PERSON:
        raise BadParameter("The checker looks at rows, not at people.", "Choose row or change.")
    term = read(expression)
    proof = proven(term, unit)
    if proof and _is_within(proof.spend, claim):
        return Answer(expression, unit, "proven", proof.steps, proof.spend)
    example = refuted(term, unit, claim)
    if example:
        return Answer(expression, unit, "refuted", (example.sentence(),), example=example)
    delta = float(claim.delta) if claim else 0.0
    bound, first, second = certified(term, unit, delta=delta, seed=seed, progress=progress)
    if claim and bound.epsilon > claim.epsilon:
        example = Counterexample(first, second, bound.event, math.log(bound.likely / bound.unlikely))
        argument = (example.sentence(), _certainty(bound))
        return Answer(expression, unit, "refuted", argument, example=example, bound=bound)
    return Answer(expression, unit, "open", _open(proof, bound), proof.spend if proof else None, bound=bound)


def _is_within(spend: Budget, claim: Budget | None) -> bool:
    if claim is None:
        return True
    if spend.rho and not claim.delta:
        return False
    total = composed([spend], claim.delta)
    return total.epsilon <= claim.epsilon and total.delta <= claim.delta


def _open(proof: Proof | None, bound: LowerBound) -> tuple[Message, ...]:
    known = message("No theorem covers it.")
    if proof:
        known = message("It is proven for {budget} only.", budget=proof.spend.sentence())
    return (
        known,
        message("Sampling shows that epsilon is at least {least:.3f}.", least=bound.epsilon),
        _certainty(bound),
    )


def _certainty(bound: LowerBound) -> Message:
    return message(
        "Wrong with a chance of {alpha:g}, from {runs:,} simulated answers.", alpha=bound.alpha, runs=bound.runs
    )
