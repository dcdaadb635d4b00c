"""Recipes: everything that is decided about one table, applied to another whose columns may have other names."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from anonymizer_gui.engine.params import Json, Listing, Param, PerColumn, Text, params_of
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.shapes.tables.table import ColumnSchema, Schema

T = TypeVar("T")


def recipe_of(project: Project) -> Project:
    """Take the settings without the data they were made for."""
    return replace(project, source=None, population=None, acknowledged=())


def likely_columns(recipe: Project, schema: Schema) -> dict[str, str]:
    """Find for each column of a recipe the one of the table: by name, or by name but for case, blanks and signs."""
    names = [column.name for column in schema.columns]
    plain = {_plain(name): name for name in reversed(names)}
    return {
        column.name: column.name if column.name in names else plain.get(_plain(column.name), "")
        for column in recipe.schema.columns
    }


def applied(project: Project, recipe: Project, columns: Mapping[str, str]) -> Project:
    """Apply a recipe to a project; `columns` gives the table's column for each of the recipe, or nothing.

    What the recipe says about columns that have no counterpart is left out; other columns keep what they are.
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
        goals=tuple(_with_columns(goal, known) for goal in recipe.goals),
        algorithm=None if recipe.algorithm is None else _with_columns(recipe.algorithm, known),
        suppression=recipe.suppression,
        limit_covers_emptied=recipe.limit_covers_emptied,
        weights=_renamed(recipe.weights, known),
        bounds=_renamed(recipe.bounds, known),
        uneven=recipe.uneven,
        seed=recipe.seed,
        publishing=publishing,
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
    if isinstance(kind, Listing) and isinstance(kind.of, Text) and kind.of.column:
        return tuple(known[name] for name in value if name in known)
    if isinstance(kind, Text) and kind.column:
        return known.get(value, "")
    return value


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
