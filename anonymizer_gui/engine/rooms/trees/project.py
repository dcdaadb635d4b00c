"""What is decided, its JSON, suggested roles."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, get_args

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Int, Json, Param, check_params, params_of, replace_params
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.suggestions import suggest_columns
from anonymizer_gui.engine.data.tables.table import MISSING, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.data.trees.trees import TAIL, TEXT, Leaf, Trees
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    bad_project,
    entry_at,
    registered,
    registered_json,
    require_all_entries,
    text_in,
)
from anonymizer_gui.engine.room import Attempt
from anonymizer_gui.engine.rooms.trees.algorithms.clustree import FullKAnonymity
from anonymizer_gui.engine.rooms.trees.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.trees.encoding import AS_COLUMN, OF_COLUMN, UNDECIDED, PathRole
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
    algorithm: Algorithm = field(default_factory=FullKAnonymity)
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

_PATH = {"path", "role", "type", "format"}


def project_to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources, in the order a person would read it."""
    return {
        "paths": [
            {"path": each.path, "role": each.role.value, "type": each.type.value, "format": each.format}
            for each in project.paths
        ],
        "removed": list(project.removed),
        "algorithm": registered_json(project.algorithm),
        "seed": project.seed,
        "uneven": project.uneven,
        "hierarchies": {name: json_tree.to_json(tree) for name, tree in project.hierarchies.items()},
    }


def project_from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    told = require_all_entries(entries, project_to_json(Project()))
    read = EntryReader(told)
    paths = read.list_of("paths", _path)
    if len({each.path for each in paths}) < len(paths):
        raise bad_project("its entry “paths” is not what it should be")
    return Project(
        paths=paths,
        removed=read.list_of("removed", text_in),
        algorithm=entry_at("algorithm", lambda entry: registered(ALGORITHMS, entry), told["algorithm"]),
        seed=read.whole("seed", 0),
        uneven=entry_at("uneven", _uneven, told["uneven"]),
        hierarchies=read.mapping_of("hierarchies", json_tree.from_json),
    )


def _path(entry: Json) -> PathSchema:
    if not isinstance(entry, dict) or set(entry) != _PATH:
        raise ValueError
    return PathSchema(
        text_in(entry["path"]), PathRole(entry["role"]), ColumnType(entry["type"]), text_in(entry["format"])
    )


def _uneven(entry: Json) -> Uneven:
    if entry not in get_args(Uneven):
        raise ValueError
    return entry  # type: ignore[no-any-return]


_JUDGED = re.compile(r"grade|score|mark|gpa|rating|evaluat|price|cost|amount|paid|fee|result|note$", re.IGNORECASE)

_FREE = re.compile(r"comment|remark|note|text|description|message", re.IGNORECASE)

_LONG = 40


@dataclass(frozen=True, slots=True)
class PathSuggestion:
    """What a path seems to be, and why."""

    schema: PathSchema
    reason: str


def suggest_roles(trees: Trees, progress: Progress = SILENT) -> tuple[PathSuggestion, ...]:
    """Propose the role and the type of every path, in order."""
    found = []
    for at, leaf in enumerate(trees.leaves):
        progress(at / len(trees.leaves), message("Looking at “{name}”", name=leaf.path))
        found.append(_suggested(leaf, trees))
    return tuple(found)


def _suggested(leaf: Leaf, trees: Trees) -> PathSuggestion:
    name = leaf.name.lstrip("@") if leaf.name not in ("", TEXT, TAIL) else trees.branches[leaf.branch].name
    column = replace(leaf.column, name=name.rpartition(":")[2] or leaf.path)
    told = suggest_columns(Table((column,)))[0]
    labels = [label for label in leaf.column.labels if label != MISSING]
    length = sum(map(len, labels)) / max(len(labels), 1)
    role, reason = OF_COLUMN[told.role], told.reason
    if role is PathRole.PUBLIC or (role is PathRole.IDENTIFIER and length > _LONG):
        if length > _LONG or (_FREE.search(name) and told.type is ColumnType.TEXT):
            role, reason = PathRole.REMOVE, message("This is free text, which may name anybody.")
        elif told.role is Role.OTHER:
            role, reason = _by_meaning(name)
    return PathSuggestion(PathSchema(leaf.path, role, told.type, told.format), reason)


def _by_meaning(name: str) -> tuple[PathRole, str]:
    if _JUDGED.search(name):
        return PathRole.SENSITIVE, message("The name speaks of a judgement or of money: people may not want it known.")
    return PathRole.QUASI, message("Others may know what somebody did or has; a few of these can point to one person.")


SweptParameter = tuple[str, Param]
"""The name of the algorithm, and its parameter."""


def numeric_parameters(project: Project) -> list[SweptParameter]:
    """List the numbers that can be varied."""
    kind = type(project.algorithm)
    return [(project.algorithm.name, each) for each in params_of(kind) if isinstance(each.kind, Int | Float)]


def sweep_parameter(project: Project, varied: SweptParameter, values: Sequence[Any]) -> list[Attempt]:
    """Give a run for each value; raises BadParameter for a value that is not allowed."""
    param = varied[1]
    return [
        Attempt(
            message("{label} = {value}", label=message(param.label), value=f"{value:g}"),
            replace(project, algorithm=check_params(replace_params(project.algorithm, **{param.name: value}))),
        )
        for value in values
    ]
