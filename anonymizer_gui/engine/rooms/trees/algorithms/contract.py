"""The one contract of all ways to make nested records safe: placed records in, what became of them out."""

from typing import ClassVar, Protocol, runtime_checkable

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.room import Promise
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
    expects_patterns: ClassVar[bool]
    """Whether it protects from who knows a few labels, as `Expecting` says; otherwise from who knows a whole record."""

    @property
    def k(self) -> int:
        """The fewest records that cannot be told apart."""

    def promised(self, *, has_sensitive: bool) -> tuple[Promise, ...]:
        """Give what it promises, before anybody counted; some of it may be about sensitive paths."""

    def run(self, held: Placed, progress: Progress) -> Outcome:
        """Make the records hold what is wanted; raises Infeasible when that cannot be."""


@runtime_checkable
class Expecting(Protocol):
    """A way that says how much an attacker knows."""

    @property
    def m(self) -> int:
        """The most labels."""

    @property
    def n(self) -> int:
        """The most relations between them."""


ALGORITHMS: Registry[Algorithm] = Registry("algorithm", __package__)
