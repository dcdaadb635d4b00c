"""What a release of a graph promises, as it was measured."""

from collections import Counter
from collections.abc import Sequence

from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.graphs.knowledge import Exposure
from anonymizer_gui.engine.rooms.graphs.people import People
from anonymizer_gui.engine.rooms.graphs.project import Project
from anonymizer_gui.engine.rooms.graphs.publishing import Published
from anonymizer_gui.engine.shapes.graphs.graph import Ints
from anonymizer_gui.engine.shapes.tables.table import Role
from anonymizer_gui.engine.words import Sentence, say

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


def promises_of(
    project: Project, people: People, after: Exposure, classes: Ints, published: Published
) -> tuple[Promise, ...]:
    """Give the promises: k people in every candidate set, the rows beside it, and l values of the sensitive column."""
    made = [_people(project, after, published.is_directed)]
    width = 1 + len(project.columns(Role.QI))
    rows = [published.nodes[place][1:width] for place in published.place.tolist()]
    candidates = list(zip(classes.tolist(), rows, strict=True))
    if width > 1:
        made.append(_rows(project, min(Counter(candidates).values(), default=0)))
    if project.l > 1:
        made.append(_labels(project, _fewest(candidates, people.labels(project))))
    return tuple(made)


def _fewest(candidates: Sequence[Candidate], labels: Sequence[str]) -> int:
    """Count the fewest sensitive values among people of the same ties and row; a missing one is none."""
    seen: dict[Candidate, set[str]] = {}
    for candidate, label in zip(candidates, labels, strict=True):
        seen.setdefault(candidate, set()).update([label] if label else [])
    return min(map(len, seen.values()), default=0)


def _sentence(project: Project, is_directed: bool) -> Sentence:
    if project.algorithm.protects == "all":
        return say("every group has at least {k:person|people}", k=project.k)
    if is_directed:
        return say("every pair of ties that leave and reach is shared by at least {k:person|people}", k=project.k)
    return say("every number of ties is shared by at least {k:person|people}", k=project.k)


def _people(project: Project, after: Exposure, is_directed: bool) -> Promise:
    against = project.algorithm.protects
    is_grouped = against == "all"
    return Promise(
        "node-k" if is_grouped else "degree-k",
        "Groups of k people" if is_grouped else "k-degree anonymity",
        _sentence(project, is_directed),
        after.smallest >= project.k,
        after.smallest,
        {"k": project.k},
        _STOPS[against],
        _LEAVES[against],
        "|cand(x)| ≥ k",
        "Hay et al., VLDB 2008" if is_grouped else "Liu and Terzi, SIGMOD 2008",
    )


def _rows(project: Project, smallest: int) -> Promise:
    return Promise(
        "row-k",
        "k-anonymity of the rows",
        say("at least {k:person shares|people share} ties and quasi-identifiers", k=project.k),
        smallest >= project.k,
        smallest,
        {"k": project.k},
        "Finding a person by the number of their ties and their row together.",
        "What the sensitive values of these people have in common.",
        "|cand(x) ∩ row(x)| ≥ k",
        "Samarati and Sweeney 1998",
    )


def _labels(project: Project, fewest: int) -> Promise:
    column = project.columns(Role.SA)[0]
    return Promise(
        "label-l",
        "l-diversity of the label",
        say("people who cannot be told apart have at least {l:value|values} of “{column}”", l=project.l, column=column),
        fewest >= project.l,
        fewest,
        {"l": project.l, "column": column},
        "Learning the sensitive value of a person whose candidates all share it.",
        "Values that differ but mean the same, and what is known of a person besides.",
        "|values(cand(x))| ≥ l",
        "Machanavajjhala et al., ICDE 2006",
    )
