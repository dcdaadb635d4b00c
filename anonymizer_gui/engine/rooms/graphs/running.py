"""A run: the algorithm changes the graph, other code measures what came out."""

import time
import uuid
from datetime import UTC, datetime

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.graphs.algorithms.contract import Made, Wanted
from anonymizer_gui.engine.rooms.graphs.knowledge import DEPTHS, Exposure, candidate_sets, exposure
from anonymizer_gui.engine.rooms.graphs.notes import notes_on
from anonymizer_gui.engine.rooms.graphs.people import People, people_of
from anonymizer_gui.engine.rooms.graphs.project import GRAPH, Project
from anonymizer_gui.engine.rooms.graphs.promises import promises_of
from anonymizer_gui.engine.rooms.graphs.publishing import publish
from anonymizer_gui.engine.rooms.graphs.release import Release


def run(project: Project, files: Files, progress: Progress = SILENT) -> Release:
    """Make a release; raises Infeasible, BadParameter."""
    started = time.perf_counter()
    people = people_of(files[GRAPH], project.table_among(files), project)
    wanted = _wanted(project, people)
    made = project.algorithm.run(people.graph, wanted, progress.sub(0.0, 0.6))
    changed = time.perf_counter()
    before = _exposed(people, project, people.graph, None, progress.sub(0.6, 0.75))
    after = _exposed(people, project, made.graph, made.groups, progress.sub(0.75, 0.8))
    classes = made.groups if made.groups is not None else after[1]
    measured = time.perf_counter()
    published = publish(people, made, project, classes, progress.sub(0.8, 0.95))
    progress(0.95, "Measuring")
    # Rows are made alike while they are published: that is part of the work.
    seconds = {"anonymize": changed - started + time.perf_counter() - measured, "measure": measured - changed}
    return Release(
        uuid.uuid4().hex, project.name, project, people, made.graph, classes, published, before[0], after[0],
        made.lower_bound, promises_of(project, people, after[0], classes, published),
        (*_notes(project, people, made, after[0]), *published.notes),
        seconds, __version__, datetime.now(UTC).isoformat(timespec="seconds"),
    )  # fmt: skip


def exposed_before(project: Project, files: Files, progress: Progress = SILENT) -> Exposure:
    """Measure what a graph with numbers in the place of names gives away; raises BadParameter."""
    people = people_of(files[GRAPH], project.table_among(files), project)
    return _exposed(people, project, people.graph, None, progress)[0]


def sets_after(release: Release, progress: Progress = SILENT) -> dict[str, Ints]:
    """Give who cannot be told apart in a release, by what is known; of a group nobody can."""
    if release.published.is_grouped:
        return dict.fromkeys(DEPTHS, release.classes)
    return candidate_sets(release.graph, progress)


def _wanted(project: Project, people: People) -> Wanted:
    if project.l <= 1:
        return Wanted(project.k, seed=project.seed)
    if len(project.columns(Role.SA)) != 1:
        raise BadParameter("l needs exactly one sensitive column.", "Choose one, or set l to 1.")
    return Wanted(project.k, project.l, people.labels(project), project.seed)


def _exposed(
    people: People, project: Project, graph: Graph, groups: Ints | None, progress: Progress
) -> tuple[Exposure, Ints]:
    """Measure the threats; who sees only groups cannot tell their members apart, whatever is known."""
    sets = candidate_sets(graph, progress)
    if groups is not None:
        sets = dict.fromkeys(sets, groups)
    return exposure(graph, sets, project.k, people.labels(project), groups), sets["h1"]


def _notes(project: Project, people: People, made: Made, after: Exposure) -> tuple[Message, ...]:
    told = [message(note) if not isinstance(note, Message) else note for note in made.notes]
    told += notes_on(project.k, people.graph.n_nodes, 0.0 if made.groups is not None else after.unique["h2"])
    if people.unknown:
        told.append(message("The table says nothing about {people:person|people} of the graph.", people=people.unknown))
    return tuple(told)
