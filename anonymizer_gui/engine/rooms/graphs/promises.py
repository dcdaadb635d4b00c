"""What a release of a graph promises, as it was measured."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.data.graphs.graph import Ints
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.graphs.knowledge import Exposure
from anonymizer_gui.engine.rooms.graphs.people import People
from anonymizer_gui.engine.rooms.graphs.project import Project
from anonymizer_gui.engine.rooms.graphs.publishing import Published

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


def promises_of(
    project: Project, people: People, after: Exposure, classes: Ints, published: Published
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
