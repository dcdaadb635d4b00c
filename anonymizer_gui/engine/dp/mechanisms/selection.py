"""Exponential, permute and flip, concentrated, top k."""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.gateway import Ints, NoiseRequest
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, USUAL_SHARE, Mechanism
from anonymizer_gui.engine.dp.safe_rounding import root_below


@MECHANISMS.register
@dataclass(frozen=True, slots=True)
class Exponential(Mechanism):
    """Chooses with P proportional to exp(score / scale), scale = 2 S / epsilon, or S / epsilon for monotone scores."""

    name: ClassVar[str] = "exponential"
    title: ClassVar[str] = "Exponential mechanism"
    summary: ClassVar[str] = "Chooses one candidate, the likelier the higher its score, and tells no score."
    formula: ClassVar[str] = "P(c) ∝ exp(ε score(c) / 2S); without the 2 when all scores move one way"
    reference: ClassVar[str] = "McSherry and Talwar, Mechanism design via differential privacy, FOCS 2007"
    chooses: ClassVar[bool] = True

    def error(self, cells: int = 1, share: float = USUAL_SHARE) -> int:
        """Each worse candidate is chosen with probability of at most exp(-shortfall / scale)."""
        return utility_shortfall(float(self.scale()), cells, share)

    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Choose by Gumbel noise, which has the same probabilities."""
        noisy = values + generator.gumbel(0.0, float(self.scale()), len(values))
        return np.array([np.argmax(noisy)], dtype=np.int64)

    def _request(self, values: Ints) -> NoiseRequest:
        return NoiseRequest("exponential", values, self.sensitivity.linf, self.limit, self.sensitivity.is_monotone)


def utility_shortfall(scale: float, ways: int, share: float) -> int:
    """Give the largest distance from the best that is not too unlikely, when so many ways lead to each."""
    return max(math.ceil(scale * math.log(ways / (1 - share)) - 1 - 1e-9), 0)


@MECHANISMS.register
@dataclass(frozen=True, slots=True)
class ConcentratedChoice(Mechanism):
    """Chooses as the exponential mechanism with epsilon = sqrt(8 rho) does, which is rho-zCDP by its bounded range."""

    name: ClassVar[str] = "concentrated-choice"
    title: ClassVar[str] = "Exponential mechanism, paid with rho"
    summary: ClassVar[str] = (
        "Chooses one candidate as the exponential mechanism does, where the rest is Gaussian noise."
    )
    formula: ClassVar[str] = "P(c) ∝ exp(ε score(c) / 2S), ε = √(8ρ)"
    reference: ClassVar[str] = "Cesar and Rogers, Bounding, concentrating, and truncating, ALT 2021"
    spends: ClassVar[Literal["epsilon", "rho"]] = "rho"
    chooses: ClassVar[bool] = True

    def error(self, cells: int = 1, share: float = USUAL_SHARE) -> int:
        """Each worse candidate is chosen with probability of at most exp(-shortfall / scale)."""
        return utility_shortfall(float(self.scale()), cells, share)

    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Choose by Gumbel noise, which has the same probabilities."""
        noisy = values + generator.gumbel(0.0, float(self.scale()), len(values))
        return np.array([np.argmax(noisy)], dtype=np.int64)

    def _request(self, values: Ints) -> NoiseRequest:
        return NoiseRequest("exponential", values, self.sensitivity.linf, self._epsilon(), self.sensitivity.is_monotone)

    def _epsilon(self) -> Fraction:
        """Give the epsilon whose square is no more than 8 rho."""
        return root_below(8 * self.limit)


@MECHANISMS.register
@dataclass(frozen=True, slots=True)
class PermuteAndFlip(Mechanism):
    """Chooses the largest score after exponential noise: the same as flipping a coin for candidates in random order."""

    name: ClassVar[str] = "permute-and-flip"
    title: ClassVar[str] = "Noisy maximum (permute and flip)"
    summary: ClassVar[str] = (
        "Chooses one candidate; the best one is never less likely than by the exponential mechanism."
    )
    formula: ClassVar[str] = "largest score(c) + exponential noise of scale 2S / ε; S / ε when all scores move one way"
    reference: ClassVar[str] = "McKenna and Sheldon, Permute-and-flip, NeurIPS 2020"
    chooses: ClassVar[bool] = True

    def error(self, cells: int = 1, share: float = USUAL_SHARE) -> int:
        """No candidate gains more than its noise."""
        return utility_shortfall(float(self.scale()), cells, share)

    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Add exponential noise and take the largest."""
        noisy = values + generator.exponential(float(self.scale()), len(values))
        return np.array([np.argmax(noisy)], dtype=np.int64)

    def _request(self, values: Ints) -> NoiseRequest:
        return NoiseRequest("permute-and-flip", values, self.sensitivity.linf, self.limit, self.sensitivity.is_monotone)


@dataclass(frozen=True, slots=True)
class TopK(Mechanism):
    """What both ways share."""

    chooses: ClassVar[bool] = True

    picks: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        if self.picks < 1:
            raise BadParameter("At least one candidate is chosen.", "Ask for one or more.")
        Mechanism.__post_init__(self)

    @property
    def chosen(self) -> int:
        """As many as were asked for."""
        return self.picks

    def checked(self, values: Ints) -> Ints:
        """Return the scores; raises BadParameter when there are too few candidates, whose number is public."""
        if len(values) < self.picks:
            words = message("There are fewer than {picks:candidate|candidates}.", picks=self.picks)
            raise BadParameter(words, "Ask for fewer, or add candidates.")
        return values


@MECHANISMS.register
@dataclass(frozen=True, slots=True)
class TopKRounds(TopK):
    """Runs the exponential mechanism k times with epsilon / k each, without the winners so far."""

    name: ClassVar[str] = "top-k-rounds"
    title: ClassVar[str] = "Top k in rounds"
    summary: ClassVar[str] = "Chooses the best candidate by the exponential mechanism, removes it, and goes on k times."
    formula: ClassVar[str] = "k rounds of P(c) ∝ exp(ε score(c) / 2kS) over the candidates that are left"
    reference: ClassVar[str] = "Bhaskar et al., Discovering frequent patterns in sensitive data, KDD 2010"

    def error(self, cells: int = 1, share: float = USUAL_SHARE) -> int:
        """In any of the rounds, any worse candidate may win."""
        return utility_shortfall(float(self.scale()), cells * self.picks, share)

    def release(self, values: Ints, progress: Progress = SILENT) -> Ints:
        """Ask the gateway k times; which candidates are left is known from its answers."""
        left = np.arange(len(self.checked(values)), dtype=np.int64)
        chosen = np.empty(self.picks, dtype=np.int64)
        for place in range(self.picks):
            progress(place / self.picks, "Drawing noise")
            winner = int(gateway.answer(self._request(values[left]))[0])
            chosen[place], left = left[winner], np.delete(left, winner)
        return chosen

    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Take the k largest after Gumbel noise, which is the same as k rounds."""
        noisy = self.checked(values) + generator.gumbel(0.0, float(self.scale()), len(values))
        return np.argsort(-noisy)[: self.picks].astype(np.int64)

    def _request(self, values: Ints) -> NoiseRequest:
        share = self.limit / self.picks
        return NoiseRequest("exponential", values, self.sensitivity.linf, share, self.sensitivity.is_monotone)


@MECHANISMS.register
@dataclass(frozen=True, slots=True)
class TopKOnce(TopK):
    """Adds exponential noise once and takes the k largest."""

    name: ClassVar[str] = "top-k-once"
    title: ClassVar[str] = "Top k at once"
    summary: ClassVar[str] = "Adds noise to all scores once and takes the k largest, in their noisy order."
    formula: ClassVar[str] = "k largest of score(c) + exponential noise of scale 2kS / ε; kS / ε when all move one way"
    reference: ClassVar[str] = "Qiao, Su and Zhang, Oneshot differentially private top-k selection, ICML 2021"

    def error(self, cells: int = 1, share: float = USUAL_SHARE) -> int:
        """No candidate gains more than its noise."""
        return utility_shortfall(float(self.scale()), cells, share)

    def release(self, values: Ints, progress: Progress = SILENT) -> Ints:
        """Ask the gateway once."""
        return gateway.answer(self._request(self.checked(values)), progress)

    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Add exponential noise and take the k largest."""
        noisy = self.checked(values) + generator.exponential(float(self.scale()), len(values))
        return np.argsort(-noisy)[: self.picks].astype(np.int64)

    def _request(self, values: Ints) -> NoiseRequest:
        is_monotone = self.sensitivity.is_monotone
        return NoiseRequest("permute-and-flip", values, self.sensitivity.linf, self.limit, is_monotone, self.picks)
