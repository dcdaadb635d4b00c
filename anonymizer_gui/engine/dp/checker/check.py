"""Proven, refuted or open; examples; two tables side by side."""

import itertools
import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp.accountant import compose
from anonymizer_gui.engine.dp.checker.counterexample import (
    Counterexample,
    Table,
    neighbouring_pairs,
    refute,
    table_text,
)
from anonymizer_gui.engine.dp.checker.expression import Term, has_bins_from_data, parse_expression
from anonymizer_gui.engine.dp.checker.proof import Proof, prove
from anonymizer_gui.engine.dp.checker.sampling_bound import (
    LowerBound,
    sample_answers,
    sample_lower_bound,
    seeded_generator,
)
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit


@dataclass(frozen=True, slots=True)
class Example:
    """A named mechanism: its expression, and the neighbours it is meant for."""

    name: str
    title: str
    summary: str
    expression: str
    kind: Neighbours = Neighbours.ROW

    @property
    def unit(self) -> PrivacyUnit:
        """The unit of protection."""
        return PrivacyUnit(self.kind)


EXAMPLES = (
    Example("constant", "A constant", "It tells nothing about anybody.", "42"),
    Example("shift", "A fixed shift", "Adding the same number every time hides nothing.", "count() + 10"),
    Example("row", "Returns a row", "The value of one person, published as it is.", "row(1)"),
    Example("laplace", "Laplace noise on a count", "The usual way to publish a count.", "count() + laplace(1)"),
    Example("gaussian", "Gaussian noise on a count", "Private with a delta only.", "count() + gaussian(2)"),
    Example("unbounded", "A sum without bounds", "One value may be larger than any noise.", "sum(x) + laplace(100)"),
    Example(
        "mean", "A noisy mean", "A noisy sum divided by a noisy count: dividing costs nothing.",
        "(sum(x, 0, 100) + laplace(200)) / (count() + laplace(2))",
    ),
    Example(
        "exponential", "Exponential mechanism", "Chooses the most common of 1, 2 and 3 by weighted chance.",
        "exponential(1)",
    ),
    Example(
        "noisy-max", "Noisy maximum", "Tells which of 1, 2 and 3 is the most common, but no count.", "noisy_max(2)",
    ),
    Example(
        "randomised-response", "Randomised response",
        "Everybody tells the truth with probability 3/4: a factor of 3, so epsilon is ln 3.",
        "randomised_response(3/4)", Neighbours.CHANGE,
    ),
    Example(
        "bins-from-data", "A histogram whose bins come from the data",
        "That there is a bin tells that somebody is in it, whatever the noise.", "histogram() + laplace(1)",
    ),
)  # fmt: skip

Verdict = Literal["proven", "refuted", "open"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The verdict with its argument: what it costs, the pair of tables that breaks it, or what sampling certifies."""

    expression: str
    unit: PrivacyUnit
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
    unit: PrivacyUnit | None = None,
    claim: Budget | None = None,
    *,
    seed: int = 0,
    progress: Progress = SILENT,
) -> CheckResult:
    """Say whether a mechanism is differentially private, or private with the claimed epsilon and delta.

    Noise is taken as its formula says; computed with floating-point numbers, a proven mechanism may still leak.
    Only the sampling of what no theorem covers uses the seed.

    >>> check("count() + laplace(2)").spend
    Budget(epsilon=Fraction(1, 2), delta=Fraction(0, 1), rho=Fraction(0, 1))
    """
    unit = unit or PrivacyUnit()
    if unit.kind is Neighbours.PERSON:
        raise BadParameter("The checker looks at rows, not at people.", "Choose row or change.")
    term = parse_expression(expression)
    proof = prove(term, unit)
    if proof and _is_within(proof.spend, claim):
        return CheckResult(expression, unit, "proven", proof.steps, proof.spend)
    example = refute(term, unit, claim)
    if example:
        return CheckResult(expression, unit, "refuted", (example.sentence(),), example=example)
    delta = float(claim.delta) if claim else 0.0
    bound, first, second = sample_lower_bound(term, unit, delta=delta, seed=seed, progress=progress)
    if claim and bound.epsilon > claim.epsilon:
        example = Counterexample(first, second, bound.event, math.log(bound.likely / bound.unlikely))
        argument = (example.sentence(), _certainty(bound))
        return CheckResult(expression, unit, "refuted", argument, example=example, bound=bound)
    return CheckResult(expression, unit, "open", _open(proof, bound), proof.spend if proof else None, bound=bound)


def _is_within(spend: Budget, claim: Budget | None) -> bool:
    if claim is None:
        return True
    if spend.rho and not claim.delta:
        return False
    total = compose([spend], claim.delta)
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


Floats = npt.NDArray[np.float64]

_RUNS = 40_000

_TRIED_RUNS = 4_000

_TRIED_PAIRS = 20

_MOST_BARS = 25

_TAIL = 0.02

_AS_GOOD = 0.08
"""So much apart answers may seem by chance: of pairs that tell about as much the smallest is taken."""


@dataclass(frozen=True, slots=True)
class NeighbourComparison:
    """Two neighbours, and how often each answer, or run of answers, was given about either."""

    first: str
    second: str
    labels: tuple[str, ...]
    one: tuple[float, ...]
    other: tuple[float, ...]


def compare_neighbours(answer: CheckResult, seed: int = 0) -> NeighbourComparison | None:
    """Draw answers about the pair that refutes a mechanism, or about the most telling of some small ones.

    None where the answers of two tables cannot be compared: their bins come from the data.
    """
    term = parse_expression(answer.expression)
    if has_bins_from_data(term):
        return None
    generator = seeded_generator(seed)
    first, second = _pair(term, answer, generator)
    one, other = (sample_answers(term, table, _RUNS, generator) for table in (first, second))
    cell = int(np.argmax([_apart(one[:, place], other[:, place]) for place in range(one.shape[1])]))
    labels, shares = _counted(one[:, cell], other[:, cell])
    return NeighbourComparison(table_text(first), table_text(second), labels, *shares)


def _pair(term: Term, answer: CheckResult, generator: np.random.Generator) -> tuple[Table, Table]:
    if answer.example is not None:
        return answer.example.first, answer.example.second
    found = []
    for first, second in itertools.islice(neighbouring_pairs(term, answer.unit.kind), _TRIED_PAIRS):
        one, other = (sample_answers(term, table, _TRIED_RUNS, generator) for table in (first, second))
        apart = max(_apart(one[:, cell], other[:, cell]) for cell in range(one.shape[1]))
        found.append((apart, first, second))
    most = max(apart for apart, _, _ in found)
    return next((first, second) for apart, first, second in found if apart >= most - _AS_GOOD)


def _apart(one: Floats, other: Floats) -> float:
    _, shares = _counted(one, other)
    return float(np.abs(np.array(shares[0]) - np.array(shares[1])).sum() / 2)


def _counted(one: Floats, other: Floats) -> tuple[tuple[str, ...], list[tuple[float, ...]]]:
    """Count every answer, or runs of them between the ends that hardly any answer is beyond."""
    values = np.unique(np.concatenate([one, other]))
    if len(values) <= _MOST_BARS:
        counts = [np.array([np.count_nonzero(side == value) for value in values]) for side in (one, other)]
        return tuple(f"{value:g}" for value in values), [tuple((c / len(one)).tolist()) for c in counts]
    low, high = np.quantile(np.concatenate([one, other]), [_TAIL, 1 - _TAIL])
    edges = np.linspace(low, high, _MOST_BARS + 1)
    counts = [np.histogram(np.clip(side, low, high), edges)[0] for side in (one, other)]
    middles = (edges[:-1] + edges[1:]) / 2
    digits = max(1 - int(np.floor(np.log10(max(edges[1] - edges[0], 1e-12)))), 0)
    first, *between, last = (f"{middle:.{digits}f}" for middle in middles)
    labels = (f"≤ {first}", *between, f"≥ {last}")
    return labels, [tuple((c / len(one)).tolist()) for c in counts]
