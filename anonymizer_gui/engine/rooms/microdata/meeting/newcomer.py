"""A table about to leave, as it will meet earlier releases: its people, classes, goals and pseudonyms."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Role, Table
from anonymizer_gui.engine.releases.ledger.chain import key_check
from anonymizer_gui.engine.rooms.microdata.meeting.people import exact_keys, person_keys
from anonymizer_gui.engine.rooms.microdata.meeting.remembered import Newcomer
from anonymizer_gui.engine.rooms.microdata.meeting.shown import KEY_BYTES, Keys, Order, folded, shown_by
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.sensitive_values import describe_sensitive


def newcomer(
    published: Table,
    rows: npt.NDArray[np.int64],
    original: Table,
    project: Project,
    key: bytes,
    progress: Progress = SILENT,
) -> Newcomer:
    """Take from a published table what the ledger will remember; `rows` gives the original row of each of its rows.

    Raises BadParameter without an identifying column.
    """
    # The order of the table's columns is no part of a person; a column that says whom a row is about says it alone.
    columns = [project.person] if project.person else sorted(project.schema.names(Role.EI))
    identifiers = original.select(columns).take(rows)
    keys = person_keys(identifiers, key, progress.sub(0.0, 0.5))
    exact = exact_keys(identifiers, key, progress.sub(0.5, 1.0))
    shown = shown_by(
        project.name,
        published,
        project.schema.names(Role.QI),
        project.schema.names(Role.SA),
        keys,
        _marks(published, project),
    )
    goals = tuple({"model": goal.name, "parameters": params_json(goal)} for goal in project.goals)
    matched_by = tuple(folded(name) for name in columns)
    told = replace(
        shown, goals=goals, key_check=key_check(key), matched_by=matched_by, orders=_orders(published, project)
    )
    other = exact != keys
    return Newcomer(told, dict(zip(exact[other].tolist(), keys[other].tolist(), strict=True)))


def _orders(published: Table, project: Project) -> Mapping[str, Order]:
    """Describe how far values are apart, for the columns of goals that measure by order or hierarchy."""
    orders = {}
    for name in project.schema.names(Role.SA):
        distances = {goal.distance for goal in project.goals if goal.needs_sensitive and goal.looks_at(name)}
        if distances & {"emd-ordered", "emd-hierarchical"}:
            column = published.column(name).compact()
            found = describe_sensitive(column, project.hierarchies.get(name), project.schema)
            order = Order(tuple(found.rank.tolist()))
            if "emd-hierarchical" in distances and found.hierarchy is not None and found.leaf is not None:
                tree = tuple(found.hierarchy.parents.tolist())
                order = replace(order, parents=tree, leaves=tuple(found.leaf.tolist()))
            orders[name] = order
    return orders


def _marks(published: Table, project: Project) -> dict[str, Keys]:
    """Mark the rows by pseudonyms that people keep from release to release."""
    if not project.publishing.linkable:
        return {}
    ways = dict(project.publishing.pseudonyms)
    return {f"{name} ({way})": _marked(published.column(name)) for name, way in ways.items() if name in published.names}


def _marked(column: Column) -> Keys:
    digests = [
        b"" if label == MISSING else hashlib.sha256(label.encode()).digest()[: KEY_BYTES - 1] + b"\1"
        for label in column.labels
    ]
    return np.array(digests, dtype=f"S{KEY_BYTES}")[column.codes]
