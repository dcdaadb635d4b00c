"""Steps that draw by chance, each from a secret seed of its own: whoever knows it takes noise off or undoes swaps."""

import secrets
from dataclasses import replace
from typing import Any, Protocol, Self

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.rooms.microdata.preparing.contract import Step

_MOST = (1 << 63) - 1
"""Too many to be tried one by one."""


class DrawingStep(Step, Protocol):
    """A step with a parameter `seed`, in which 0 stands for one that is still to be drawn."""

    __slots__ = ()

    @property
    def seed(self) -> int:
        """What all chance of the step follows from."""

    def with_secret_seed(self) -> Self:
        """Give the step with a seed nobody can guess where none was chosen."""
        # A step is a frozen dataclass, which a protocol cannot say.
        return replace(self, seed=self.seed or 1 + secrets.randbelow(_MOST))  # type: ignore[type-var]

    def random(self) -> np.random.Generator:
        """Give the chance of the step; raises BadParameter where no seed was drawn, as everybody would know it."""
        if not self.seed:
            raise BadParameter(
                message("The step “{title}” has no seed, so anybody could undo it.", title=message(self.title)),
                "Call with_secret_seed() first.",
            )
        return np.random.default_rng(self.seed)


def seed_param() -> Any:
    """Declare the seed of a step."""
    return param(
        Int(low=0, high=_MOST),
        default=0,
        label="Seed",
        help="0 draws a secret one. Whoever knows it can undo the step: it stays in the house.",
    )
