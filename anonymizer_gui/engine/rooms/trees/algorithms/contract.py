"""The one contract of all ways to make nested records safe: placed records in, what became of them out."""

from typing import ClassVar, Protocol

from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.registry import Registry
from anonymizer_gui.engine.rooms.trees.outcome import Outcome
from anonymizer_gui.engine.rooms.trees.placing import Placed


class Algorithm(Protocol):
    """A frozen dataclass of declared parameters, registered in `ALGORITHMS`; it never judges itself."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    reference: ClassVar[str]
    attacks: ClassVar[str]
    """Known attacks on the method, and what they are worth here."""
    intervals: ClassVar[bool]
    """Whether labels without a hierarchy may become any interval or set; otherwise they get a tree."""

    @property
    def k(self) -> int:
        """The fewest records that cannot be told apart."""

    def run(self, held: Placed, progress: Progress) -> Outcome:
        """Make the records hold what is wanted; raises Infeasible when that cannot be."""


ALGORITHMS: Registry[Algorithm] = Registry("algorithm", __package__)
