"""A finished run: what may be published of a graph, and what was measured on it; never changed afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.graphs.knowledge import Exposure
from anonymizer_gui.engine.rooms.graphs.people import People
from anonymizer_gui.engine.rooms.graphs.project import Project
from anonymizer_gui.engine.rooms.graphs.publishing import Published


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A finished run. `graph` is what leaves, in the numbers of `people.graph`; with groups it is the original."""

    id: str
    name: str
    project: Project
    people: People
    graph: Graph
    classes: Ints
    """The candidate set of each node: its degree, or its group."""
    published: Published
    before: Exposure
    after: Exposure
    lower_bound: int
    promises: tuple[Promise, ...]
    notes: tuple[str, ...]
    seconds: Mapping[str, float]
    version: str
    created: str

    @property
    def added(self) -> int:
        """How many ties are new."""
        return self.graph.n_lacking_in(self.people.graph)

    @property
    def removed(self) -> int:
        """How many ties are gone; published groups tell of none."""
        return self.people.graph.n_lacking_in(self.graph)

    def sentence(self) -> str:
        """Say in a few words what was made."""
        return message(
            "{nodes:node|nodes}, {added:edge|edges} added, {removed} removed, smallest set {k}",
            nodes=self.graph.n_nodes,
            added=self.added,
            removed=self.removed,
            k=self.after.smallest,
        )

    def numbers(self) -> dict[str, Json]:
        """Give what was measured."""
        return {
            "nodes": self.graph.n_nodes,
            "edges": self.graph.n_edges,
            "added": self.added,
            "removed": self.removed,
            "lower_bound": self.lower_bound,
            "smallest_class": self.after.smallest,
            "unique": {"before": dict(self.before.unique), "after": dict(self.after.unique)},
            "certain_edges": {"before": self.before.certain_edges, "after": self.after.certain_edges},
            "labels": {"before": self.before.fewest_labels, "after": self.after.fewest_labels},
            "lm": self.published.lm,
        }

    def to_json(self) -> dict[str, Json]:
        """Give the numbers of the run as the command line prints them."""
        return {
            **self.numbers(),
            "k": self.project.k,
            "l": self.project.l,
            "algorithm": self.project.algorithm.name,
            "parameters": params_json(self.project.algorithm),
            "seconds": dict(self.seconds),
            "seed": self.project.seed,
            "version": self.version,
            "notes": list(self.notes),
        }
