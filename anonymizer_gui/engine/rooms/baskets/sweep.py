"""Several settings: parameters, trees, loss ahead."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, Param, check_params, params_of, replace_params
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.room import Attempt
from anonymizer_gui.engine.rooms.baskets.item_hierarchies.orders import ITEM_HIERARCHIES, build_tree
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import combine_demands
from anonymizer_gui.engine.rooms.baskets.project import Project
from anonymizer_gui.engine.rooms.baskets.release import RecodingRules
from anonymizer_gui.engine.rooms.baskets.run import encode_baskets
from anonymizer_gui.engine.sets.encoding import DELETED

SweptParameter = tuple[str, Param]
"""The name of the promise or algorithm, and its parameter."""


def numeric_parameters(project: Project) -> list[SweptParameter]:
    """List the numbers that can be varied: those of the promises and of the method."""
    things: list[Any] = [*project.goals, *([project.algorithm] if project.algorithm else [])]
    return [
        (thing.name, param)
        for thing in things
        for param in params_of(type(thing))
        if isinstance(param.kind, Int | Float)
    ]


def varied_parameter(projects: Sequence[Project]) -> tuple[str, list[float]] | None:
    """Name the one number in which projects differ, and its value in each; nothing where more differs, or nothing."""
    numbers = [
        {(name, param.name): _value(project, name, param) for name, param in numeric_parameters(project)}
        for project in projects
    ]
    if not projects or any(set(each) != set(numbers[0]) for each in numbers):
        return None
    differing = [key for key in numbers[0] if len({each[key] for each in numbers}) > 1]
    if len(differing) != 1 or any(each.tree != projects[0].tree for each in projects):
        return None
    label = next(param.label for name, param in numeric_parameters(projects[0]) if (name, param.name) == differing[0])
    return label, [float(each[differing[0]]) for each in numbers]


def _value(project: Project, name: str, param: Param) -> Any:
    thing = next(each for each in (*project.goals, project.algorithm) if each is not None and each.name == name)
    return getattr(thing, param.name)


def sweep_parameter(project: Project, varied: SweptParameter, values: Sequence[Any]) -> list[Attempt]:
    """Give a run for each value; raises BadParameter for a value that is not allowed."""
    name, param = varied
    return [
        Attempt(
            message("{label} = {value}", label=message(param.label), value=f"{value:g}"),
            _set(project, name, param.name, value),
        )
        for value in values
    ]


def _set(project: Project, name: str, parameter: str, value: Any) -> Project:
    goals = tuple(check_params(replace_params(g, **{parameter: value})) if g.name == name else g for g in project.goals)
    algorithm = project.algorithm
    if algorithm is not None and algorithm.name == name:
        algorithm = check_params(replace_params(algorithm, **{parameter: value}))
    return replace(project, goals=goals, algorithm=algorithm)


@dataclass(frozen=True, slots=True)
class LossPreview:
    """Loss, values left and deletions of a run; a problem where it cannot be run."""

    ncp: float = 1.0
    values_left: int = 0
    deleted: int = 0
    problem: AnonymizerError | None = None


def preview_loss(
    baskets: Baskets, project: Project, rules: RecodingRules | None, progress: Progress = SILENT
) -> LossPreview:
    """Run the method of a project, and say what is lost."""
    try:
        if project.algorithm is None:
            raise BadParameter("No algorithm is chosen.", "Choose one, such as aa-r.")
        data = encode_baskets(baskets, project, rules)
        recoding = project.algorithm.run(data, combine_demands(project.goals), progress)
    except AnonymizerError as error:
        return LossPreview(problem=error)
    return LossPreview(recoding.loss(data), len(set(recoding.became.tolist()) - {DELETED}), recoding.deleted())


FAN_OUTS = (3, 5, 10)


@dataclass(frozen=True, slots=True, eq=False)
class HierarchyTrial:
    """A tree, and what a run with it loses; a problem where it cannot be run."""

    title: str
    fan_out: int
    """How many are in a group; 0 for the tree that was given."""
    tree: Hierarchy
    ncp: float = 1.0
    values_left: int = 0
    deleted: int = 0
    problem: AnonymizerError | None = None


def compare_hierarchies(
    baskets: Baskets, project: Project, progress: Progress = SILENT, fan_outs: tuple[int, ...] = FAN_OUTS
) -> tuple[HierarchyTrial, ...]:
    """Run the project with the tree it has and with every automatic one; the least loss first."""
    made: list[tuple[str, int, Hierarchy]] = []
    if project.tree is not None:
        made.append((message("The tree of the project"), 0, project.tree))
    kinds = [(kind, fan) for kind in ITEM_HIERARCHIES for fan in fan_outs]
    for at, (kind, fan) in enumerate(kinds):
        maker = kind(fan_out=fan)  # type: ignore[call-arg]
        made.append((message(kind.title), fan, build_tree(maker, baskets, progress.sub(0.2 * at / len(kinds), 0.2))))
    results = []
    for at, (title, fan, tree) in enumerate(made):
        part = progress.sub(0.2 + 0.8 * at / len(made), 0.2 + 0.8 * (at + 1) / len(made))
        results.append(_run(HierarchyTrial(title, fan, tree), baskets, project, part))
    return tuple(sorted(results, key=lambda each: (each.problem is not None, each.ncp, -each.values_left)))


def _run(entry: HierarchyTrial, baskets: Baskets, project: Project, progress: Progress) -> HierarchyTrial:
    found = preview_loss(baskets, replace(project, hierarchies={ITEMS: entry.tree}), None, progress)
    return replace(entry, ncp=found.ncp, values_left=found.values_left, deleted=found.deleted, problem=found.problem)
