"""The k best candidates: in k rounds with the winners removed, or all at once."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.gateway import Ints, Request
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, USUAL_SHARE, Mechanism
from anonymizer_gui.engine.dp.mechanisms.exponential import shortfall


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
        return shortfall(float(self.scale()), cells * self.picks, share)

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

    def _request(self, values: Ints) -> Request:
        share = self.limit / self.picks
        return Request("exponential", values, self.sensitivity.linf, share, self.sensitivity.is_monotone)


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
        return shortfall(float(self.scale()), cells, share)

    def release(self, values: Ints, progress: Progress = SILENT) -> Ints:
        """Ask the gateway once."""
        return gateway.answer(self._request(self.checked(values)), progress)

    def simulate(self, values: Ints, generator: np.random.Generator) -> Ints:
        """Add exponential noise and take the k largest."""
        noisy = self.checked(values) + generator.exponential(float(self.scale()), len(values))
        return np.argsort(-noisy)[: self.picks].astype(np.int64)

    def _request(self, values: Ints) -> Request:
        is_monotone = self.sensitivity.is_monotone
        return Request("permute-and-flip", values, self.sensitivity.linf, self.limit, is_monotone, self.picks)
