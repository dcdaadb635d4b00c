"""What every promise about baskets has: words, what it asks of algorithms, and how it is read from what was counted."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.params import to_json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.sets.encoding import ItemsetDemands


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted in the published baskets for one promise: its figure, and whether that is enough."""

    value: int
    holds: bool


class Goal(ABC):
    """A frozen dataclass of declared parameters, registered in `GOALS`."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    stops: ClassVar[str]
    leaves_open: ClassVar[str]
    formula: ClassVar[str]
    source: ClassVar[str]
    is_about_sensitive: ClassVar[bool] = False
    """Whether something must be named as sensitive."""

    __slots__ = ()

    @abstractmethod
    def wants(self) -> ItemsetDemands:
        """Say what an algorithm must bring about."""

    @abstractmethod
    def sentence(self) -> str:
        """Say the promise in words."""

    @abstractmethod
    def short(self) -> str:
        """Say the promise in a few letters, such as `5^2`."""

    @abstractmethod
    def measure(self, published: Baskets, known: Baskets, progress: Progress) -> Counted:
        """Count what is promised in published baskets; `known` are the same without a sensitive item.

        The recount counts the same by code that shares nothing with this.
        """

    def protects(self) -> str:
        """Name the sensitive item or column; nothing where there is none."""
        return ""

    def promise(self, counted: Counted) -> Promise:
        """Give the promise as certificate and report hold it."""
        return Promise(
            name=self.name,
            title=self.title,
            sentence=self.sentence(),
            holds=counted.holds,
            value=counted.value,
            parameters=to_json(self),
            stops=self.stops,
            leaves_open=self.leaves_open,
            formula=self.formula,
            reference=self.source,
        )


GOALS: Registry[Goal] = Registry("promise", __package__)


def together(goals: tuple[Goal, ...]) -> ItemsetDemands:
    """Put what several promises ask into one: the strictest of each."""
    wanted = [goal.wants() for goal in goals]
    return ItemsetDemands(
        *(max((getattr(each, name) for each in wanted), default=1) for name in ("k", "m", "whole", "l"))
    )
