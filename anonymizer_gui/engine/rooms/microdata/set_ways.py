"""Ways out where sets are hard to protect: larger classes, fewer known items, unlinked files; each with its loss."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.room import Attempt
from anonymizer_gui.engine.rooms.microdata.anonymize import anonymize
from anonymizer_gui.engine.rooms.microdata.privacy.k_km import APART, CLASSES, TABLE, KKm
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.set_counts import Exposed

_LARGER = (2, 4)


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """One way, and what a run with it gives: exposed rows, the loss of the classes and that of the sets."""

    title: str
    project: Project
    exposed: Exposed | None = None
    of_classes: float | None = None
    of_sets: float | None = None
    problem: AnonymizerError | None = None


def ways_for_sets(project: Project) -> list[Attempt]:
    """List what may be tried for the sets of a project: as it is, then the ways out, then each part alone."""
    goal = next((goal for goal in project.goals if isinstance(goal, KKm)), None) or KKm()
    return [Attempt(title, with_goal(project, other)) for title, other in _ways(goal)]


def with_goal(project: Project, goal: KKm) -> Project:
    """Give the project with this goal about sets, in the place of the one it has."""
    others = [each for each in project.goals if each.about_sets() is None]
    return replace(project, goals=(*others, goal))


def _ways(goal: KKm) -> Iterator[tuple[str, KKm]]:
    inside = replace(goal, where=CLASSES)
    yield message("Inside classes of {rows:row|rows}", rows=inside.least_rows()), inside
    for times in _LARGER:
        larger = replace(inside, rows=times * inside.least_rows())
        yield message("Larger classes: {rows:row|rows}", rows=larger.rows), larger
    if goal.m > 1:
        yield message("Only one item known (m = 1)"), replace(inside, m=1)
    yield message("Two unlinked files"), replace(goal, where=APART)
    yield message("Each part alone: items in the whole table"), replace(goal, where=TABLE)


def tried_ways(table: Table, project: Project, population: Table | None, progress: Progress) -> tuple[Way, ...]:
    """Run every way; one that cannot be gone says why."""
    attempts = ways_for_sets(project)
    found = []
    for at, attempt in enumerate(attempts):
        part = progress.sub(at / len(attempts), (at + 1) / len(attempts))
        found.append(_tried(Way(attempt.name, attempt.project), table, population, part))
    return tuple(found)


def _tried(way: Way, table: Table, population: Table | None, progress: Progress) -> Way:
    try:
        measured = anonymize(table, way.project, progress, population).measured
    except AnonymizerError as error:
        progress.check()
        return replace(way, problem=error)
    sets, losses = way.project.schema.sets, measured.loss.lm_columns
    return replace(
        way,
        exposed=measured.exposed,
        of_classes=_mean([loss for name, loss in losses.items() if name not in sets]),
        of_sets=_mean([losses[name] for name in sets if name in losses]),
    )


def _mean(losses: list[float | None]) -> float | None:
    known = [loss for loss in losses if loss is not None]
    return sum(known) / len(known) if known else None
