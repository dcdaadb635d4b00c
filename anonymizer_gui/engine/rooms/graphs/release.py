"""The release and its promises."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.graphs.project import Project
from anonymizer_gui.engine.rooms.graphs.published_graph import People, PublishedGraph
from anonymizer_gui.engine.rooms.graphs.structural_knowledge import Exposure

Candidate = tuple[int, tuple[str, ...]]
"""Who cannot be told apart: the set by ties, and the published row."""

_STOPS = {
    "h1": "Finding a person by the number of their ties.",
    "all": "Finding a person by anything that is known of the ties around them: a whole group fits.",
}

_LEAVES = {
    "h1": "Whoever knows the ties of a person's neighbours, too, may find them; added ties can often be told from real "
    "ones; people who know each other can find themselves together.",
    "all": "How many ties a group has inside and to others is true; a group in which everybody is tied to everybody "
    "tells that of each of them.",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What promises are about: whom the method protects against, k and l, and which columns leave."""

    protects: str
    is_directed: bool
    k: int
    l: int  # noqa: E741
    has_rows: bool
    """Whether quasi-identifiers leave."""
    label: str
    """The sensitive column; nothing where there is none."""


def promises(
    project: Project, people: People, after: Exposure, classes: Ints, published: PublishedGraph
) -> tuple[Promise, ...]:
    """Measure the promises: k people in every candidate set, the rows beside it, and l values of the label."""
    width = 1 + len(project.columns(Role.QI))
    rows = [published.nodes[place][1:width] for place in published.place.tolist()]
    candidates = list(zip(classes.tolist(), rows, strict=True))
    label = next(iter(project.columns(Role.SA)), "")
    asked = Asked(project.algorithm.protects, published.is_directed, project.k, project.l, width > 1, label)
    smallest = min(Counter(candidates).values(), default=0)
    fewest = _fewest(candidates, people.labels(project)) if project.l > 1 else 0
    return composed(asked, after.smallest, smallest, fewest)


def composed(asked: Asked, people: int, rows: int, labels: int) -> tuple[Promise, ...]:
    """Compose the promises of the figures: the smallest sets by ties and with rows, the fewest labels in them."""
    made = [_people(asked, people)]
    made += [_rows(asked, rows)] if asked.has_rows else []
    made += [_labels(asked, labels)] if asked.l > 1 else []
    return tuple(made)


def _fewest(candidates: Sequence[Candidate], labels: Sequence[str]) -> int:
    """Count the fewest sensitive values among people of the same ties and row; a missing one is none."""
    seen: dict[Candidate, set[str]] = {}
    for candidate, label in zip(candidates, labels, strict=True):
        seen.setdefault(candidate, set()).update([label] if label else [])
    return min(map(len, seen.values()), default=0)


def _sentence(asked: Asked) -> Message:
    if asked.protects == "all":
        return message("every group has at least {k:person|people}", k=asked.k)
    if asked.is_directed:
        return message("every pair of ties that leave and reach is shared by at least {k:person|people}", k=asked.k)
    return message("every number of ties is shared by at least {k:person|people}", k=asked.k)


def _people(asked: Asked, smallest: int) -> Promise:
    against = asked.protects
    is_grouped = against == "all"
    return Promise(
        "node-k" if is_grouped else "degree-k",
        "Groups of k people" if is_grouped else "k-degree anonymity",
        _sentence(asked),
        smallest >= asked.k,
        smallest,
        {"k": asked.k},
        _STOPS[against],
        _LEAVES[against],
        "|cand(x)| ≥ k",
        "Hay et al., VLDB 2008" if is_grouped else "Liu and Terzi, SIGMOD 2008",
    )


def _rows(asked: Asked, smallest: int) -> Promise:
    return Promise(
        "row-k",
        "k-anonymity of the rows",
        message("at least {k:person shares|people share} ties and quasi-identifiers", k=asked.k),
        smallest >= asked.k,
        smallest,
        {"k": asked.k},
        "Finding a person by the number of their ties and their row together.",
        "What the sensitive values of these people have in common.",
        "|cand(x) ∩ row(x)| ≥ k",
        "Samarati and Sweeney 1998",
    )


def _labels(asked: Asked, fewest: int) -> Promise:
    column = asked.label
    return Promise(
        "label-l",
        "l-diversity of the label",
        message(
            "people who cannot be told apart have at least {l:value|values} of “{column}”", l=asked.l, column=column
        ),
        fewest >= asked.l,
        fewest,
        {"l": asked.l, "column": column},
        "Learning the sensitive value of a person whose candidates all share it.",
        "Values that differ but mean the same, and what is known of a person besides.",
        "|values(cand(x))| ≥ l",
        "Machanavajjhala et al., ICDE 2006",
    )


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
    published: PublishedGraph
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


_MANY = 10
"""A k above a tenth of the people changes a graph beyond recognition."""


def notes_on(k: int, nodes: int, found: float) -> list[Message]:
    """Give the notes on a k that is large for a graph, and on the share of people found by their neighbours' ties."""
    notes = []
    if k * _MANY > nodes:
        notes.append(message("k is more than a tenth of the people: little of the graph is left as it was."))
    if found:
        notes.append(
            message(
                "Whoever also knows how many ties the neighbours have still finds {share:.1%} of the people.",
                share=found,
            )
        )
    return notes
