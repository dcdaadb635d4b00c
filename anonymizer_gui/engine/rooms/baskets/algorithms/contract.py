"""The one contract of all algorithms: encoded baskets and what is wanted in, what became of every item out."""

from typing import ClassVar, Protocol, runtime_checkable

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.sets.encoding import EncodedTransactions, ItemRecoding, ItemsetDemands


class Algorithm(Protocol):
    """A frozen dataclass of declared parameters, registered in `ALGORITHMS`."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    reference: ClassVar[str]
    attacks: ClassVar[str]
    """Known attacks on the method, and what they are worth here."""

    def run(self, data: EncodedTransactions, wanted: ItemsetDemands, progress: Progress) -> ItemRecoding:
        """Make the baskets hold what is wanted; raises Infeasible when that cannot be."""


@runtime_checkable
class Deleting(Protocol):
    """A method that may delete a share of all occurrences where that loses less than a group."""

    @property
    def delete(self) -> float:
        """The largest share."""


ALGORITHMS: Registry[Algorithm] = Registry("algorithm", __package__)

MINIMALITY = (
    "Whoever knows the method knows that a group was made only because something in it was too rare; that tells that "
    "a rare set was there, not who held it."
)


def refuse_whole_baskets(wanted: ItemsetDemands) -> None:
    """Say that a method looks at a few items at a time; raises BadParameter."""
    if wanted.whole > 1:
        raise BadParameter(
            "This method protects against knowing a few items, not the whole basket.",
            "Choose local clustering, or leave out k-anonymity of whole baskets.",
        )
