"""Recipes: everything that is decided about one table, applied to another whose columns may have other names.

A recipe names no value of the data it was made with: of a hierarchy it holds the rule that made it. One that was drawn
by hand or read from a file can only be kept with its values, and is kept when somebody says that these are public.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

from anonymizer_gui.engine.core.errors import BadParameter, BadProject
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json, ListOf, Param, PerColumn, Text, params_of
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.core.registry import Named
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Schema, Table
from anonymizer_gui.engine.hierarchy.builders.contract import Builder, build_hierarchy, lists_values
from anonymizer_gui.engine.projects.project_file import load_project
from anonymizer_gui.engine.rooms.microdata.project import Project

T = TypeVar("T")


def make_recipe(project: Project, public: Collection[str] = ()) -> Project:
    """Take the settings without the data they were made for; the values of `public` hierarchies are kept as they are.

    Raises BadParameter when a column that is called public has no hierarchy. What the parameters of goals name, such as
    a distribution of one's own, stands in every certificate, and in the recipe.
    """
    trees = project.saved_hierarchies()
    unknown = [name for name in public if name not in trees]
    if unknown:
        raise BadParameter(
            message("There is no hierarchy of “{name}” to be kept.", name=unknown[0]),
            message("There are those of: {known}.", known=list(trees) or message("none")),
        )
    return replace(
        project,
        source=None,
        population=None,
        acknowledged=(),
        hierarchies={name: tree for name, tree in trees.items() if name in public},
        rules={name: rule for name, rule in _rules(project).items() if name not in public},
    )


def load_recipe(path: Path) -> Project:
    """Read a project whose settings are to be saved for, or applied to, another table; raises BadProject."""
    project = load_project(path)
    if not isinstance(project, Project):
        raise BadProject("Recipes are projects about a table of people.", "Choose another file.")
    return project


def hierarchies_without_rule(project: Project) -> list[str]:
    """Name the hierarchies that no rule makes: a recipe can keep them only with the values of the data."""
    rules = _rules(project)
    return [name for name in project.saved_hierarchies() if name not in rules]


def with_hierarchies(project: Project, table: Table, progress: Progress = SILENT) -> Project:
    """Make the hierarchies of which a recipe holds the rule of the values of a table; others stay as they are."""
    wanted = {name: rule for name, rule in project.rules.items() if name in table.names}
    if not wanted:
        return project
    made = {}
    for done, (name, rule) in enumerate(wanted.items()):
        share = progress.sub(done / len(wanted), (done + 1) / len(wanted))
        made[name] = build_hierarchy(cast(Builder, rule), table.whole(name), project.schema.column(name), share)
    return replace(project, hierarchies={**project.hierarchies, **made}, rules={})


def _rules(project: Project) -> dict[str, Named]:
    """Give the builders that can make the hierarchies again, unless their parameters list values themselves."""
    made = {name: tree.made_by for name, tree in project.saved_hierarchies().items()}
    known = {name: cast(Builder, rule) for name, rule in {**project.rules, **made}.items() if rule is not None}
    return {name: rule for name, rule in known.items() if not lists_values(rule)}


def match_columns(recipe: Project, schema: Schema) -> dict[str, str]:
    """Find for each column of a recipe the one of the table: by name, or by name but for case, blanks and signs."""
    names = [column.name for column in schema.columns]
    plain = {_plain(name): name for name in reversed(names)}
    return {
        column.name: column.name if column.name in names else plain.get(_plain(column.name), "")
        for column in recipe.schema.columns
    }


def apply_recipe(project: Project, recipe: Project, columns: Mapping[str, str]) -> Project:
    """Apply a recipe to a project; `columns` gives the table's column for each of the recipe, or nothing.

    What the recipe says about columns that have no counterpart is left out; other columns keep what they are. The
    hierarchies of which it holds the rule are made by `with_hierarchies`.
    """
    known = {old: new for old, new in columns.items() if new}
    told = {known[entry.name]: entry for entry in recipe.schema.columns if entry.name in known}
    publishing = replace(
        recipe.publishing, pseudonyms=tuple((known[n], way) for n, way in recipe.publishing.pseudonyms if n in known)
    )
    return replace(
        project,
        schema=Schema(tuple(_like(entry, told.get(entry.name)) for entry in project.schema.columns)),
        hierarchies={**project.hierarchies, **_renamed(recipe.hierarchies, known)},
        rules=_renamed(recipe.rules, known),
        goals=tuple(_with_columns(goal, known) for goal in recipe.goals),
        algorithm=None if recipe.algorithm is None else _with_columns(recipe.algorithm, known),
        suppression=recipe.suppression,
        limit_covers_emptied=recipe.limit_covers_emptied,
        weights=_renamed(recipe.weights, known),
        bounds=_renamed(recipe.bounds, known),
        uneven=recipe.uneven,
        seed=recipe.seed,
        publishing=publishing,
        person=known.get(recipe.person, ""),
        sampling_weight=known.get(recipe.sampling_weight, ""),
        household=known.get(recipe.household, ""),
    )


def _like(entry: ColumnSchema, told: ColumnSchema | None) -> ColumnSchema:
    return entry if told is None else replace(told, name=entry.name)


def _renamed(values: Mapping[str, T], known: Mapping[str, str]) -> dict[str, T]:
    return {known[name]: value for name, value in values.items() if name in known}


def _with_columns(value: Any, known: Mapping[str, str]) -> Any:
    """Rename the columns that the parameters of a goal or algorithm speak of."""
    changed = {p.name: _renamed_param(p, getattr(value, p.name), known) for p in params_of(type(value))}
    return replace(value, **changed)


def _renamed_param(param: Param, value: Json, known: Mapping[str, str]) -> Json:
    kind = param.kind
    if isinstance(kind, PerColumn):
        return kind.check(_renamed(dict(value), known))
    if isinstance(kind, ListOf) and isinstance(kind.of, Text) and kind.of.column:
        return tuple(known[name] for name in value if name in known)
    if isinstance(kind, Text) and kind.column:
        return known.get(value, "")
    return value


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
