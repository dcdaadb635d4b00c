"""A tournament of trees: each is made, the project is run with it, and the losses stand side by side."""

from dataclasses import dataclass, replace

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.baskets.lookahead import look_ahead
from anonymizer_gui.engine.rooms.baskets.project import Project
from anonymizer_gui.engine.rooms.baskets.trees.contract import TREES, build

FAN_OUTS = (3, 5, 10)


@dataclass(frozen=True, slots=True, eq=False)
class Contestant:
    """A tree, and what a run with it loses; a problem where it cannot be run."""

    title: str
    fan_out: int
    """How many are in a group; 0 for the tree that was given."""
    tree: Hierarchy
    ncp: float = 1.0
    values_left: int = 0
    deleted: int = 0
    problem: AnonymizerError | None = None


def tournament(
    baskets: Baskets, project: Project, progress: Progress = SILENT, fan_outs: tuple[int, ...] = FAN_OUTS
) -> tuple[Contestant, ...]:
    """Run the project with the tree it has and with every automatic one; the least loss first."""
    made: list[tuple[str, int, Hierarchy]] = []
    if project.tree is not None:
        made.append((message("The tree of the project"), 0, project.tree))
    kinds = [(kind, fan) for kind in TREES for fan in fan_outs]
    for at, (kind, fan) in enumerate(kinds):
        maker = kind(fan_out=fan)  # type: ignore[call-arg]
        made.append((message(kind.title), fan, build(maker, baskets, progress.sub(0.2 * at / len(kinds), 0.2))))
    results = []
    for at, (title, fan, tree) in enumerate(made):
        part = progress.sub(0.2 + 0.8 * at / len(made), 0.2 + 0.8 * (at + 1) / len(made))
        results.append(_run(Contestant(title, fan, tree), baskets, project, part))
    return tuple(sorted(results, key=lambda each: (each.problem is not None, each.ncp, -each.values_left)))


def _run(entry: Contestant, baskets: Baskets, project: Project, progress: Progress) -> Contestant:
    found = look_ahead(baskets, replace(project, hierarchies={ITEMS: entry.tree}), None, progress)
    return replace(entry, ncp=found.ncp, values_left=found.values_left, deleted=found.deleted, problem=found.problem)
