"""The one frozen value a user edits: promises, tree of items, algorithm, and how the release leaves."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from anonymizer_gui.engine.data.baskets.baskets import ITEMS, LAYOUTS
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.baskets.promises.contract import Goal
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
    goals: tuple[Goal, ...] = ()
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
