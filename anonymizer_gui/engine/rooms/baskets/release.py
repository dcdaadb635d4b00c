"""What a run brings out: the published baskets, what became of every item, and what was counted."""

from collections.abc import Mapping
from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.baskets.project import Project
from anonymizer_gui.engine.sets.encoding import EncodedTransactions, ItemRecoding


@dataclass(frozen=True, slots=True)
class Measured:
    """The numbers of a release: what is known of it from the recount, and what was lost.

    `exposed` are baskets that hold a set of up to m items which fewer than k hold, `unique` those which nobody else
    holds; both before and after.
    """

    baskets: int
    items: int
    occurrences: int
    k: int
    m: int
    ncp: float
    values_left: int
    deleted: int
    smallest_support: int
    smallest_group: int
    exposed_before: int
    exposed_after: int
    unique_before: int
    unique_after: int

    @property
    def share_deleted(self) -> float:
        """The share of all occurrences that was deleted."""
        return self.deleted / max(self.occurrences, 1)

    def to_json(self) -> dict[str, Json]:
        """Give the numbers."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A finished run; never changed afterwards.

    `published` has the baskets in the order of the data; `recoding` says what became of the occurrences in `data`.
    """

    id: str
    name: str
    project: Project
    published: Baskets
    data: EncodedTransactions
    recoding: ItemRecoding
    measured: Measured
    promises: tuple[Promise, ...]
    seconds: Mapping[str, float]
    version: str
    created: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What the algorithm has to say about its result."""
        return self.recoding.notes

    def sentence(self) -> str:
        """Say in a few words what was made."""
        return message(
            "{baskets:basket|baskets}, {values:value|values} left of {items:,}, loss {ncp:.1%}",
            baskets=self.measured.baskets,
            values=self.measured.values_left,
            items=self.measured.items,
            ncp=self.measured.ncp,
        )

    def to_json(self) -> dict[str, Json]:
        """Give the numbers of the run as the command line prints them."""
        algorithm = self.project.algorithm
        return {
            **self.measured.to_json(),
            "algorithm": "" if algorithm is None else algorithm.name,
            "parameters": {} if algorithm is None else params_json(algorithm),
            "seconds": dict(self.seconds),
            "seed": self.project.seed,
            "version": self.version,
            "notes": list(self.notes),
        }
