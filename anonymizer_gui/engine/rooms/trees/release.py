"""A finished run: the records as they leave, what became of each part, and what was counted; never changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.trees.trees import FileForm, Vertex
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.trees.algorithms.contract import Outcome
from anonymizer_gui.engine.rooms.trees.encoding import EncodedRecords
from anonymizer_gui.engine.rooms.trees.project import Project


@dataclass(frozen=True, slots=True)
class Measurement:
    """The numbers of a release; `vertices` are those of the source without what the roles removed."""

    records: int
    vertices: int
    suppressed: int
    smallest_class: int
    lm: float
    disassociated: int
    by_path: Mapping[str, float]
    changed: int
    """Records that are not as they were."""
    released: int
    """Records that leave."""
    released_vertices: int
    gone: Mapping[str, float] = field(default_factory=dict)
    """The share of the labels of each sensitive path that do not leave."""

    @property
    def share_suppressed(self) -> float:
        """The share of all vertices that was suppressed."""
        return self.suppressed / max(self.vertices, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A finished run; `published` has the records in the order of the source, `source_of` says which each was."""

    id: str
    name: str
    project: Project
    held: EncodedRecords
    outcome: Outcome
    published: tuple[Vertex, ...]
    source_of: tuple[int, ...]
    detached: str
    """The name of the part that holds what was taken apart; nothing where nothing was."""
    form: FileForm
    measured: Measurement
    promises: tuple[Promise, ...]
    seconds: Mapping[str, float]
    version: str
    created: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What the algorithm has to say about its result."""
        return self.outcome.notes

    def sentence(self) -> str:
        """Say in a few words what was made."""
        return message(
            "{records:record|records}, loss {lm:.1%}, {suppressed:.1%} of the vertices suppressed, smallest set {k}",
            records=self.measured.released,
            lm=self.measured.lm,
            suppressed=self.measured.share_suppressed,
            k=self.measured.smallest_class,
        )

    def to_json(self) -> dict[str, Json]:
        """Give the numbers of the run as the command line prints them."""
        measured = self.measured
        return {
            "records": measured.records,
            "vertices": measured.vertices,
            "suppressed": measured.suppressed,
            "smallest_class": measured.smallest_class,
            "lm": measured.lm,
            "disassociated": measured.disassociated,
        }
