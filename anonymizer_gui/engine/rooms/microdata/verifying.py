"""Measure a released table again and compare it with its certificate: what differs is told, cell changes included."""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.params import Json, from_json, params_of, to_json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.room import Findings
from anonymizer_gui.engine.rooms.microdata.measures import measure_table
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.told import column_digest
from anonymizer_gui.engine.rooms.microdata.written import read_file
from anonymizer_gui.engine.shapes.tables.io import WriteOptions
from anonymizer_gui.engine.shapes.tables.table import SUPPRESSED, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.words import Sentence, say

_CLOSE = 1e-9
_NEEDS_TREE = "emd-hierarchical"
"""The one distance that needs the hierarchy of the sensitive values, which does not leave the house."""


def measured_again(path: Path, told: Mapping[str, Json], progress: Progress) -> Findings:
    """Read a released table and compare cells and numbers with its certificate; raises UnreadableFile."""
    written = told["written"]
    table = read_file(path, from_json(WriteOptions, written["options"]), progress.sub(0.0, 0.5))
    differences = list(_columns(table, written["columns"]))
    if set(written["columns"]) != set(table.names):
        return Findings(tuple(differences))
    numbers, unchecked = _measured(table, told, progress.sub(0.5, 1.0))
    differences += _numbers(numbers, told)
    return Findings(tuple(differences), tuple(unchecked), numbers)


def _columns(table: Table, digests: Mapping[str, str]) -> Iterator[str]:
    for name in digests:
        if name not in table.names:
            yield say("The column “{name}” is missing.", name=name)
        elif column_digest(table.column(name)) != digests[name]:
            yield say("The column “{name}” has changed.", name=name)
    for name in table.names:
        if name not in digests:
            yield say("The column “{name}” was not in the release.", name=name)
    if set(digests) == set(table.names) and list(digests) != list(table.names):
        yield say("The columns stand in another order.")


def _measured(table: Table, told: Mapping[str, Json], progress: Progress) -> tuple[dict[str, Json], list[str]]:
    """Measure what the file alone tells; goals about a population need that table and are named as unchecked."""
    columns = [c for c in told["columns"] if c["name"] in table.names]
    roles = {c["name"]: Role(c["role"]) for c in columns}
    schema = Schema(tuple(ColumnSchema(c["name"], ColumnType(c["type"]), c["format"]) for c in columns))
    goals = [_as_promised(goal) for goal in told["promises"]]
    measured = measure_table(
        table,
        [name for name, role in roles.items() if role is Role.QI],
        [name for name, role in roles.items() if role is Role.SA],
        goals=[goal for goal in goals if _is_measurable(goal)],
        hierarchies=_orders(table, told["sensitive_order"]),
        schema=schema,
        suppressed=told["numbers"]["suppressed"],
        missing_counts=told["numbers"].get("missing_counts", True),
        progress=progress,
    )
    numbers = {**measured.to_json(), "lm": _lm(table, told)}
    return numbers, [say(goal.title) for goal in goals if not _is_measurable(goal)]


def _as_promised(goal: Mapping[str, Json]) -> PrivacyModel:
    """Give the goal a certificate speaks of; one that does not say whether missing counts was written when it did."""
    declared = PRIVACY_MODELS.get(goal["name"])
    counts = {"missing": True} if any(p.name == "missing" for p in params_of(declared)) else {}
    return from_json(declared, {**counts, **goal["parameters"]})


def _orders(table: Table, orders: Mapping[str, list[str]]) -> dict[str, Hierarchy]:
    """Rebuild the order of sensitive values; a value the certificate does not know comes last."""
    trees = {}
    for name, order in orders.items():
        labels = [*order, *(label for label in table.column(name).labels if label not in order)]
        trees[name] = Hierarchy([SUPPRESSED, *labels], [-1, *([0] * len(labels))])
    return trees


def _is_measurable(goal: PrivacyModel) -> bool:
    return not goal.needs_population and getattr(goal, "distance", "") != _NEEDS_TREE


def _lm(table: Table, told: Mapping[str, Json]) -> float | None:
    """Add up the loss of the published cells; rows that were left out cost 1."""
    weights, losses = told["recipe"]["weights"], told["loss_of_cells"]
    if set(losses) != set(weights):
        return None
    left_out = told["source"]["rows"] - table.n_rows
    total = float(left_out)
    for name, weight in weights.items():
        column = table.column(name)
        per_label = np.array([losses[name].get(label, math.nan) for label in column.labels])
        total += weight * float(per_label @ column.counts())
    return float(total / max(told["source"]["rows"], 1))


def _numbers(found: Mapping[str, Json], told: Mapping[str, Json]) -> Iterator[str]:
    expected = told["numbers"]
    for name in ("rows", "classes", "k", "lm"):
        if not _same(found[name], expected[name]):
            yield _another(name, found[name], expected[name])
    for family in ("l", "t"):
        for kind, value in found[family].items():
            if (
                kind in expected[family]
                and kind != _NEEDS_TREE.replace("-", "_")
                and not _same(value, expected[family][kind])
            ):
                yield _another(f"{family} ({kind})", value, expected[family][kind])
    promised = [(goal, to_json(_as_promised(goal))) for goal in told["promises"]]
    held = {(goal["name"], json.dumps(parameters)): goal["holds"] for goal, parameters in promised}
    for goal in found["goals"]:
        if goal["holds"] != held[goal["model"], json.dumps(goal["parameters"])]:
            yield say(
                "The goal {goal} holds, unlike in the certificate."
                if goal["holds"]
                else "The goal {goal} does not hold, unlike in the certificate.",
                goal=goal["model"],
            )


def _same(a: Json, b: Json) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=_CLOSE, abs_tol=_CLOSE)


def _another(name: str, found: Json, told: Json) -> Sentence:
    return say(
        "{name} is {found:.6g}, the certificate says {told:.6g}.",
        name=name,
        found=say("unknown") if found is None else found,
        told=say("unknown") if told is None else told,
    )
