"""A plan as JSON, there and back; whatever is not exactly what it should be is refused in one sentence."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, get_args

from anonymizer_gui.engine.core.budget import amount_text, exact_amount
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    entry_at,
    number_in,
    refuse_unknown_entries,
    registered,
    registered_json,
    require_only,
    text_in,
    whole_in,
)
from anonymizer_gui.engine.rooms.statistics.project import Asked, Policy, Project, Surplus
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS
from anonymizer_gui.engine.rooms.statistics.shape import SHAPES

_LARGEST_EPSILON = 1000
_LARGEST_ERROR = 1e300
_MOST_ROWS = 1 << 50


def to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources, in the order a person would read it."""
    return {
        "shape": project.shape,
        "unit": str(project.unit),
        "surplus": project.surplus,
        "questions": [_asked_json(asked) for asked in project.questions],
        "epsilon": amount_text(project.epsilon),
        "total": amount_text(project.total),
        "delta": amount_text(project.delta),
        "policy": project.policy,
        "ratio": amount_text(project.ratio),
        "rows": project.rows,
        "hierarchies": {name: json_tree.to_json(tree) for name, tree in project.hierarchies.items()},
    }


def from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    usual = to_json(Project())
    refuse_unknown_entries(entries, usual)
    told = {**usual, **entries}
    read = EntryReader(told)

    def made(name: str, make: Callable[[Json], Any]) -> Any:
        return entry_at(name, make, told[name])

    return Project(
        shape=made("shape", lambda entry: _one_of(SHAPES.names(), entry)),
        unit=made("unit", lambda entry: PrivacyUnit.parse(text_in(entry))),
        surplus=made("surplus", lambda entry: _one_of(get_args(Surplus), entry)),
        questions=read.list_of("questions", _asked),
        epsilon=made("epsilon", _epsilon),
        total=made("total", _epsilon),
        delta=made("delta", _delta),
        policy=made("policy", lambda entry: _one_of(get_args(Policy), entry)),
        ratio=made("ratio", _ratio),
        rows=made("rows", _rows),
        hierarchies=read.mapping_of("hierarchies", json_tree.from_json),
    )


def _asked_json(asked: Asked) -> Json:
    return {
        **registered_json(asked.question),
        "epsilon": None if asked.epsilon is None else amount_text(asked.epsilon),
        "weight": amount_text(asked.weight),
        "error": asked.error,
        "part": None if asked.part is None else list(asked.part),
    }


def _asked(entry: Json) -> Asked:
    known = require_only(entry, "name", "parameters", "epsilon", "weight", "error", "part")
    question = registered(QUESTIONS, {name: known[name] for name in ("name", "parameters") if name in known})
    epsilon, part = known.get("epsilon"), known.get("part")
    column, value = (text_in(side) for side in part) if part is not None else ("", "")
    return Asked(
        question,
        None if epsilon is None else _epsilon(epsilon),
        _above(known.get("weight", "1"), _LARGEST_EPSILON),
        number_in(known.get("error", 0.0), 0.0, _LARGEST_ERROR),
        None if part is None else (column, value),
    )


def _one_of(options: Sequence[str], entry: Json) -> str:
    if text_in(entry) not in options:
        raise ValueError
    return str(entry)


def _epsilon(entry: Json) -> Fraction:
    return _above(entry, _LARGEST_EPSILON)


def _above(entry: Json, most: int) -> Fraction:
    number = _exact(entry)
    if not 0 < number <= most:
        raise ValueError
    return number


def _delta(entry: Json) -> Fraction:
    number = _exact(entry)
    if number >= 1:
        raise ValueError
    return number


def _ratio(entry: Json) -> Fraction:
    number = _exact(entry)
    if not 0 < number < 1:
        raise ValueError
    return number


def _exact(entry: Json) -> Fraction:
    if isinstance(entry, bool) or not isinstance(entry, int | float | str):
        raise ValueError
    return exact_amount(entry)


def _rows(entry: Json) -> int:
    if not 0 <= whole_in(entry) <= _MOST_ROWS:
        raise ValueError
    return int(entry)
