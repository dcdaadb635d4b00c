"""What questions about graphs share: one step, public bounds, and numbers that are told as they are."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, Sensitivity
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import NOISES, Noisy, Question, Step, Told

MOST_DEGREE = 100_000


@dataclass(frozen=True, slots=True)
class OfGraphs(Question):
    """A question about ties, sent in one step."""

    def columns(self) -> tuple[str, ...]:
        """Name nothing: it is about ties."""
        return ()

    @abstractmethod
    def moved(self, unit: PrivacyUnit) -> Sensitivity:
        """Say how far one unit of protection moves the numbers; raises BadParameter where nothing bounds that."""

    def told(self, noisy: Noisy, public: Public) -> Told:
        """Tell the number, or one for each label."""
        labels = self.labels(public)
        if labels:
            return Told(values=tuple(zip(labels, noisy[0].tolist(), strict=True)))
        return Told(int(noisy[0][0]))

    def in_unit(self) -> Message:
        """Say that people are counted."""
        return message("people")


def hiding() -> Any:
    """Declare the noise, the last field of every question about graphs."""
    return param(NOISES, default="laplace", label="Noise", help="What hides a single person or tie.")


def one_step(noise: str, moved: Sensitivity, labels: tuple[str, ...] = ()) -> tuple[Step, ...]:
    """Send a number for each cell."""
    return (Step(noise, moved, max(len(labels), 1)),)


def ties_of_a_person() -> Any:
    """Declare the bound that questions about whole people need."""
    return param(
        Int(low=0, high=MOST_DEGREE),
        default=0,
        label="Ties of a person",
        help="More ties of a person are left out. As many as there are people cut nothing; 0 is not said.",
    )


def bound_of(degree: int) -> int:
    """Give how many ties a person has at most; raises BadParameter when nobody has said so."""
    if not degree:
        raise BadParameter(
            "One person more can bring as many ties as there are people, and change those of everybody: without a "
            "bound no noise hides that.",
            "Say how many ties of a person count, such as with degree=10; the number of people cuts nothing.",
        )
    return degree


def number(count: int) -> tuple[Ints, ...]:
    """Give one number as the only step."""
    return (np.array([count], dtype=np.int64),)


def falling(rows: int, cells: int) -> Ints:
    """Spread people over numbers of ties as they often are: few have many."""
    weights = 1.0 / np.arange(1, cells + 1) ** 1.5
    return np.asarray(np.rint(rows * weights / weights.sum()), dtype=np.int64)
