"""Run, and what each k would cost."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.data.tables.table import Role, Schema
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import ALGORITHMS, AnonymisedGraph, GraphDemands
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, Project
from anonymizer_gui.engine.rooms.graphs.published_graph import People, join_people, publish_graph
from anonymizer_gui.engine.rooms.graphs.release import Release, notes_on, promises
from anonymizer_gui.engine.rooms.graphs.structural_knowledge import DEPTHS, Exposure, candidate_sets, measure_exposure


def run(project: Project, files: Files, progress: Progress = SILENT) -> Release:
    """Make a release; raises Infeasible, BadParameter."""
    started = time.perf_counter()
    people = join_people(files[GRAPH], project.table_among(files), project)
    wanted = _wanted(project, people)
    made = project.algorithm.run(people.graph, wanted, progress.sub(0.0, 0.6))
    changed = time.perf_counter()
    before = _exposed(people, project, people.graph, None, progress.sub(0.6, 0.75))
    after = _exposed(people, project, made.graph, made.groups, progress.sub(0.75, 0.8))
    classes = made.groups if made.groups is not None else after[1]
    measured = time.perf_counter()
    published = publish_graph(people, made, project, classes, progress.sub(0.8, 0.95))
    progress(0.95, "Measuring")
    # Rows are made alike while they are published: that is part of the work.
    seconds = {"anonymize": changed - started + time.perf_counter() - measured, "measure": measured - changed}
    return Release(
        uuid.uuid4().hex, project.name, project, people, made.graph, classes, published, before[0], after[0],
        made.lower_bound, promises(project, people, after[0], classes, published),
        (*_notes(project, people, made, after[0]), *published.notes),
        seconds, __version__, datetime.now(UTC).isoformat(timespec="seconds"),
    )  # fmt: skip


def exposure_of_source(project: Project, files: Files, progress: Progress = SILENT) -> Exposure:
    """Measure what a graph with numbers in the place of names gives away; raises BadParameter."""
    people = join_people(files[GRAPH], project.table_among(files), project)
    return _exposed(people, project, people.graph, None, progress)[0]


def published_sets(release: Release, progress: Progress = SILENT) -> dict[str, Ints]:
    """Give who cannot be told apart in a release, by what is known; of a group nobody can."""
    if release.published.is_grouped:
        return dict.fromkeys(DEPTHS, release.classes)
    return candidate_sets(release.graph, progress)


def _wanted(project: Project, people: People) -> GraphDemands:
    if project.l <= 1:
        return GraphDemands(project.k, seed=project.seed)
    if len(project.columns(Role.SA)) != 1:
        raise BadParameter("l needs exactly one sensitive column.", "Choose one, or set l to 1.")
    return GraphDemands(project.k, project.l, people.labels(project), project.seed)


def _exposed(
    people: People, project: Project, graph: Graph, groups: Ints | None, progress: Progress
) -> tuple[Exposure, Ints]:
    """Measure the threats; who sees only groups cannot tell their members apart, whatever is known."""
    sets = candidate_sets(graph, progress)
    if groups is not None:
        sets = dict.fromkeys(sets, groups)
    return measure_exposure(graph, sets, project.k, people.labels(project), groups), sets["h1"]


def _notes(project: Project, people: People, made: AnonymisedGraph, after: Exposure) -> tuple[Message, ...]:
    told = [message(note) if not isinstance(note, Message) else note for note in made.notes]
    told += notes_on(project.k, people.graph.n_nodes, 0.0 if made.groups is not None else after.unique["h2"])
    if people.unknown:
        told.append(message("The table says nothing about {people:person|people} of the graph.", people=people.unknown))
    return tuple(told)


_USUAL = (2, 3, 5, 10, 15, 20, 25)

_FEWEST_SETS = 3


@dataclass(frozen=True, slots=True)
class SweepResult:
    """What one way gives for one k: ties changed and people still found by the ties of neighbours, as shares."""

    way: str
    k: int
    changed: float
    found: float


def default_ks(people: int) -> tuple[int, ...]:
    """Give the k that are worth a try among so many people.

    >>> default_ks(34)
    (2, 3, 5, 10)
    """
    return tuple(k for k in _USUAL if k * _FEWEST_SETS <= people)


def sweep_k(project: Project, files: Files, ks: Sequence[int] = (), progress: Progress = SILENT) -> list[SweepResult]:
    """Run every way that changes ties with every k; what cannot be reached is left out."""
    graph = files[GRAPH]
    ks = ks or default_ks(graph.n_nodes)
    ways = [way for way in ALGORITHMS if way.protects == "h1"]
    found = []
    for at, (way, k) in enumerate((way, k) for way in ways for k in ks):
        part = progress.sub(at / (len(ways) * len(ks)), (at + 1) / (len(ways) * len(ks)))
        try:
            release = run(replace(project, algorithm=way(), k=k, l=1, schema=Schema(), hierarchies={}), files, part)
        except Infeasible:
            continue
        changed = (release.added + release.removed) / max(graph.n_edges, 1)
        found.append(SweepResult(way.name, k, changed, release.after.unique["h2"]))
    return found
