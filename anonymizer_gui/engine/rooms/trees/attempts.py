"""Several settings to be tried: a range of values of k, l, m, n or the deletions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, Param, check_params, params_of, replace_params
from anonymizer_gui.engine.room import Attempt
from anonymizer_gui.engine.rooms.trees.project import Project

Varied = tuple[str, Param]
"""The name of the algorithm, and its parameter."""


def what_varies(project: Project) -> list[Varied]:
    """List the numbers that can be varied."""
    kind = type(project.algorithm)
    return [(project.algorithm.name, each) for each in params_of(kind) if isinstance(each.kind, Int | Float)]


def every_value(project: Project, varied: Varied, values: Sequence[Any]) -> list[Attempt]:
    """Give a run for each value; raises BadParameter for a value that is not allowed."""
    param = varied[1]
    return [
        Attempt(
            message("{label} = {value}", label=message(param.label), value=f"{value:g}"),
            replace(project, algorithm=check_params(replace_params(project.algorithm, **{param.name: value}))),
        )
        for value in values
    ]
