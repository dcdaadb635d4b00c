"""What each k would cost: the same graph run with several of them, one after the other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Schema
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, Project
from anonymizer_gui.engine.rooms.graphs.running import run

_USUAL = (2, 3, 5, 10, 15, 20, 25)
_FEWEST_SETS = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one way gives for one k: ties changed and people still found by the ties of neighbours, as shares."""

    way: str
    k: int
    changed: float
    found: float


def usual_ks(people: int) -> tuple[int, ...]:
    """Give the k that are worth a try among so many people.

    >>> usual_ks(34)
    (2, 3, 5, 10)
    """
    return tuple(k for k in _USUAL if k * _FEWEST_SETS <= people)


def outcomes(project: Project, files: Files, ks: Sequence[int] = (), progress: Progress = SILENT) -> list[Outcome]:
    """Run every way that changes ties with every k; what cannot be reached is left out."""
    graph = files[GRAPH]
    ks = ks or usual_ks(graph.n_nodes)
    ways = [way for way in ALGORITHMS if way.protects == "h1"]
    found = []
    for at, (way, k) in enumerate((way, k) for way in ways for k in ks):
        part = progress.sub(at / (len(ways) * len(ks)), (at + 1) / (len(ways) * len(ks)))
        try:
            release = run(replace(project, algorithm=way(), k=k, l=1, schema=Schema(), hierarchies={}), files, part)
        except Infeasible:
            continue
        changed = (release.added + release.removed) / max(graph.n_edges, 1)
        found.append(Outcome(way.name, k, changed, release.after.unique["h2"]))
    return found
