"""What is decided about nested records: a role for every path, hierarchies, and by which means nobody is found."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Schema
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.rooms.trees.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.trees.algorithms.full import Full
from anonymizer_gui.engine.rooms.trees.roles import AS_COLUMN, UNDECIDED, PathRole
from anonymizer_gui.engine.storage.sources import Source

TABLE = "table"
"""The role of the file; the shared pages know it by this name."""


@dataclass(frozen=True, slots=True)
class PathSchema:
    """The role of a path of labels, and how its texts are read."""

    path: str
    role: PathRole = PathRole.PUBLIC
    type: ColumnType = ColumnType.CATEGORY
    format: str = ""

    def column(self) -> ColumnSchema:
        """Give it as the tree editor knows columns."""
        return ColumnSchema(self.path, self.type, self.format, AS_COLUMN[self.role])


@dataclass(frozen=True)
class Project:
    """Everything that is decided about some records; an edit makes a new value."""

    room: ClassVar[str] = "trees"

    name: str = ""
    source: Source | None = None
    paths: tuple[PathSchema, ...] = ()
    removed: tuple[str, ...] = ()
    """Paths of vertices that do not leave, with all below them."""
    algorithm: Algorithm = field(default_factory=Full)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    uneven: Uneven = "cap"
    """How the tree editor shows levels; no algorithm looks at levels."""
    seed: int = 0
    """By which the records of the release are shuffled."""

    @property
    def schema(self) -> Schema:
        """Say what the paths are to the tree editor."""
        known = _SCHEMAS.get(self.paths)
        if known is None:
            _SCHEMAS.clear()
            known = _SCHEMAS[self.paths] = Schema(tuple(path.column() for path in self.paths))
        return known

    def sources(self) -> dict[str, Source]:
        """Give the files the project speaks of, by role."""
        return {TABLE: self.source} if self.source is not None else {}

    def with_sources(self, sources: Mapping[str, Source]) -> Self:
        """Take another file; without one there is none."""
        return replace(self, source=sources.get(TABLE))

    def role(self, path: str) -> PathRole:
        """Give the role of a path, also of one nobody has decided about."""
        return next((each.role for each in self.paths if each.path == path), UNDECIDED)

    def of_role(self, role: PathRole) -> tuple[str, ...]:
        """List the paths of a role."""
        return tuple(each.path for each in self.paths if each.role is role)

    def with_role(self, path: str, role: PathRole) -> Self:
        """Give a path another role, or its first one."""
        if all(each.path != path for each in self.paths):
            return replace(self, paths=(*self.paths, PathSchema(path, role)))
        return replace(self, paths=tuple(replace(p, role=role) if p.path == path else p for p in self.paths))


_SCHEMAS: dict[tuple[PathSchema, ...], Schema] = {}
"""One value for the same paths: what pages compute from it is known again."""
