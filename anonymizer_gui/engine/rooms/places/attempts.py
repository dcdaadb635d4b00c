"""Several settings to be tried: a range of values of k, or of a number of the method."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, Param, check_params, params_of, replace_params
from anonymizer_gui.engine.room import Attempt
from anonymizer_gui.engine.rooms.places.project import Project

K = Param("k", Int(low=1), 5, "k", "Fewest people who fit whatever leaves.", (2, 5, 10, 25, 50))


def what_varies(project: Project) -> list[Param]:
    """List the numbers that can be varied: k, and those of the method."""
    return [K, *(param for param in params_of(type(project.algorithm)) if isinstance(param.kind, Int | Float))]


def every_value(project: Project, varied: Param, values: Sequence[Any]) -> list[Attempt]:
    """Give a run for each value; raises BadParameter for a value that is not allowed."""
    return [
        Attempt(
            message("{label} = {value}", label=message(varied.label), value=f"{value:g}"), _set(project, varied, value)
        )
        for value in values
    ]


def _set(project: Project, varied: Param, value: Any) -> Project:
    if varied is K:
        return replace(project, k=value)
    return replace(project, algorithm=check_params(replace_params(project.algorithm, **{varied.name: value})))
