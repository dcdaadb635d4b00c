"""Several settings to be tried: every method, or a range of values of k, m or the deletions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, Param, check_params, params_of, replace_params
from anonymizer_gui.engine.room import Attempt
from anonymizer_gui.engine.rooms.baskets.project import Project

Varied = tuple[str, Param]
"""The name of the promise or algorithm, and its parameter."""


def what_varies(project: Project) -> list[Varied]:
    """List the numbers that can be varied: those of the promises and of the method."""
    things: list[Any] = [*project.goals, *([project.algorithm] if project.algorithm else [])]
    return [
        (thing.name, param)
        for thing in things
        for param in params_of(type(thing))
        if isinstance(param.kind, Int | Float)
    ]


def what_varied(projects: Sequence[Project]) -> tuple[str, list[float]] | None:
    """Name the one number in which projects differ, and its value in each; nothing where more differs, or nothing."""
    numbers = [
        {(name, param.name): _value(project, name, param) for name, param in what_varies(project)}
        for project in projects
    ]
    if not projects or any(set(each) != set(numbers[0]) for each in numbers):
        return None
    differing = [key for key in numbers[0] if len({each[key] for each in numbers}) > 1]
    if len(differing) != 1 or any(each.tree != projects[0].tree for each in projects):
        return None
    label = next(param.label for name, param in what_varies(projects[0]) if (name, param.name) == differing[0])
    return label, [float(each[differing[0]]) for each in numbers]


def _value(project: Project, name: str, param: Param) -> Any:
    thing = next(each for each in (*project.goals, project.algorithm) if each is not None and each.name == name)
    return getattr(thing, param.name)


def every_value(project: Project, varied: Varied, values: Sequence[Any]) -> list[Attempt]:
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
