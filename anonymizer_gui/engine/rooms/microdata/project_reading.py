"""A project made of JSON; whatever is not exactly what it should be is refused in one sentence."""

import dataclasses
import math
from collections.abc import Mapping
from typing import get_args

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.registry import Named
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.projects.json_entries import (
    EntryReader,
    bad_project,
    flag_in,
    number_in,
    refuse_unknown_entries,
    registered,
    require_only,
    text_in,
    whole_in,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import rule_set_in
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import MADE_BY, Project, Publishing, to_json


def from_json(entries: Mapping[str, Json]) -> Project:
    """Make the project; raises BadProject with one sentence for the first thing that is wrong."""
    refuse_unknown_entries(entries, {*to_json(Project()), "rules", "policies"})
    read = EntryReader(entries)
    schema = Schema(read.list_of("columns", _column))
    project = Project(
        schema=schema,
        goals=read.list_of("goals", lambda entry: registered(PRIVACY_MODELS, entry)),
        algorithm=read.optional("algorithm", lambda entry: registered(ALGORITHMS, entry)),
        suppression=read.number("suppression", 0.0, 1.0),
        limit_covers_emptied=read.optional("limit_covers_emptied", flag_in) or False,
        weights=read.mapping_of("weights", lambda entry: number_in(entry, 0.0, math.inf)),
        bounds=read.mapping_of("bounds", _bounds),
        uneven=_uneven(read.text("uneven", "cap")),
        seed=read.whole("seed", low=0),
        publishing=read.optional("publishing", _publishing) or Publishing(),
        acknowledged=read.list_of("acknowledged", text_in),
        person=read.text("person", ""),
        sampling_weight=read.text("sampling_weight", ""),
        household=read.text("household", ""),
        hierarchies=read.mapping_of("hierarchies", _tree),
        policies=read.list_of("policies", rule_set_in),
        rules=read.mapping_of("rules", _rule),
    )
    _refuse_contradictions(project)
    return project


def _tree(entry: Json) -> Hierarchy:
    """Make a hierarchy; raises BadHierarchy, and BadParameter for a builder that there is not."""
    tree = json_tree.from_json(entry)
    builder = entry.get(MADE_BY) if isinstance(entry, Mapping) else None
    return tree if builder is None else tree.built_by(_rule(builder))


def _rule(entry: Json) -> Named:
    """Make a builder of its name and parameters; raises BadParameter."""
    from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS  # few projects need them

    return registered(BUILDERS, entry)


def _bounds(entry: Json) -> tuple[int, int]:
    lowest, highest = (whole_in(item) for item in entry)
    if not 0 <= lowest <= highest:
        raise ValueError
    return lowest, highest


def _uneven(entry: str) -> Uneven:
    for choice in get_args(Uneven):
        if entry == choice:
            return choice  # type: ignore[no-any-return]
    raise bad_project("its entry “uneven” is not what it should be")


def _column(entry: Json) -> ColumnSchema:
    known = require_only(entry, "name", "type", "format", "role")
    return ColumnSchema(
        text_in(known["name"]), ColumnType(known["type"]), text_in(known.get("format", "")), Role(known["role"])
    )


def _publishing(entry: Json) -> Publishing:
    known = require_only(entry, *(f.name for f in dataclasses.fields(Publishing)))
    default = Publishing()
    listed = ("left_out", "public_values")
    values = {name: item for name, item in known.items() if name not in ("pseudonyms", *listed)}
    for name, item in values.items():
        if type(item) is not type(getattr(default, name)):
            raise ValueError
    pseudonyms = tuple((text_in(column), text_in(way)) for column, way in known.get("pseudonyms", []))
    left_out, public = (tuple(text_in(column) for column in known.get(name, [])) for name in listed)
    return Publishing(pseudonyms=pseudonyms, left_out=left_out, public_values=public, **values)


def _refuse_contradictions(project: Project) -> None:
    names = [column.name for column in project.schema.columns]
    if len(set(names)) < len(names):
        raise bad_project("two of its columns have the same name")
    used = {*project.hierarchies, *project.rules, *project.weights, *project.bounds, *project.acknowledged}
    used |= {project.sampling_weight, project.household} - {""}
    strangers = sorted(used - set(names))
    if strangers:
        raise bad_project(
            message("it speaks of the column “{name}”, which its table does not have", name=strangers[0][:60])
        )
    if project.person and project.person not in project.schema.names(Role.EI):
        raise bad_project(message("its person column “{name}” is not an identifier", name=project.person[:60]))
