"""A project as JSON, there and back; whatever is not exactly what it should be is refused in one sentence."""

from collections.abc import Mapping
from typing import get_args

from anonymizer_gui.engine.core.errors import BadProject
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.baskets.baskets import ITEMS
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Uneven
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    bad_project,
    refuse_unknown_entries,
    registered,
    registered_json,
)
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.baskets.project import RELEASE_LAYOUTS, Project
from anonymizer_gui.engine.rooms.baskets.promises.contract import GOALS


def to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources, in the order a person would read it."""
    return {
        "goals": [registered_json(goal) for goal in project.goals],
        "algorithm": registered_json(project.algorithm) if project.algorithm is not None else None,
        "layout": project.layout,
        "seed": project.seed,
        "uneven": project.uneven,
        "hierarchies": {name: json_tree.to_json(tree) for name, tree in project.hierarchies.items()},
    }


def from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    refuse_unknown_entries(entries, to_json(Project()))
    read = EntryReader(entries)
    project = Project(
        goals=read.list_of("goals", lambda entry: registered(GOALS, entry)),
        algorithm=read.optional("algorithm", lambda entry: registered(ALGORITHMS, entry)),
        layout=_one_of("layout", read.text("layout", "lines"), tuple(RELEASE_LAYOUTS)),
        seed=read.whole("seed", low=0),
        uneven=_one_of("uneven", read.text("uneven", "cap"), get_args(Uneven)),  # type: ignore[arg-type]
        hierarchies=read.mapping_of("hierarchies", json_tree.from_json),
    )
    if set(project.hierarchies) - {ITEMS}:
        raise _wrong("hierarchies")
    names = [goal.name for goal in project.goals]
    if len(set(names)) < len(names):
        raise _wrong("goals")
    return project


def _one_of(name: str, text: str, options: tuple[str, ...]) -> str:
    if text not in options:
        raise _wrong(name)
    return text


def _wrong(name: str) -> BadProject:
    return bad_project(message("its entry “{name}” is not what it should be", name=name))
