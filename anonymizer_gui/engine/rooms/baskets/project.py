"""What is decided; its JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self, get_args

from anonymizer_gui.engine.core.errors import BadProject
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, LAYOUTS
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    bad_project,
    refuse_unknown_entries,
    registered,
    registered_json,
)
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import MODELS, PrivacyModel
from anonymizer_gui.engine.storage.sources import Source

TABLE, RULES = "table", "rules"
"""The roles of the files a project may name."""

RELEASE_LAYOUTS = LAYOUTS

_SCHEMA = Schema((ColumnSchema(ITEMS, ColumnType.CATEGORY, "", Role.QI),))
"""One value for all: what pages compute from it is known again."""


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that is decided about some baskets; an edit makes a new value."""

    room: ClassVar[str] = "baskets"

    name: str = ""
    source: Source | None = None
    rules: Source | None = None
    """Which group each item was published as before, to be done again."""
    goals: tuple[PrivacyModel, ...] = ()
    algorithm: Algorithm | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """The tree of items, under the name of the one column there is."""
    uneven: Uneven = "cap"
    """How the tree editor shows levels; no algorithm looks at levels."""
    layout: str = "lines"
    """How the release is written, unless the name of its file says JSON."""
    seed: int = 0
    """By which the baskets of the release are shuffled."""

    @property
    def schema(self) -> Schema:
        """Say what the items are to the tree editor: the one column that is made coarser."""
        return _SCHEMA

    @property
    def tree(self) -> Hierarchy | None:
        """The tree of items."""
        return self.hierarchies.get(ITEMS)

    def sources(self) -> dict[str, Source]:
        """Give the files the project speaks of, by role."""
        named = {TABLE: self.source, RULES: self.rules}
        return {role: source for role, source in named.items() if source is not None}

    def with_sources(self, sources: Mapping[str, Source]) -> Self:
        """Take other files for these roles; a role that is not named has none."""
        return replace(self, source=sources.get(TABLE), rules=sources.get(RULES))

    def with_tree(self, tree: Hierarchy) -> Self:
        """Take another tree of items."""
        return replace(self, hierarchies={ITEMS: tree})

    def sensitive(self) -> str:
        """Name the sensitive item or column; nothing where there is none."""
        return next((goal.protects() for goal in self.goals if goal.protects()), "")


def project_to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources, in the order a person would read it."""
    return {
        "goals": [registered_json(goal) for goal in project.goals],
        "algorithm": registered_json(project.algorithm) if project.algorithm is not None else None,
        "layout": project.layout,
        "seed": project.seed,
        "uneven": project.uneven,
        "hierarchies": {name: json_tree.to_json(tree) for name, tree in project.hierarchies.items()},
    }


def project_from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    refuse_unknown_entries(entries, project_to_json(Project()))
    read = EntryReader(entries)
    project = Project(
        goals=read.list_of("goals", lambda entry: registered(MODELS, entry)),
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
