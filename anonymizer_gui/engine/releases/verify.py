"""Measure a release again and compare it with its certificate: what differs is told, cell changes included."""

import contextlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anonymizer_gui.engine.errors import AnonymizerError, UnreadableFile
from anonymizer_gui.engine.files.partials import sweep
from anonymizer_gui.engine.files.regular import read_regular
from anonymizer_gui.engine.files.source import checksum
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.params import Json, from_json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.releases.certificate import (
    CERTIFICATE,
    FORMAT,
    VERSION,
    WAITING,
    certificate_digest,
    column_digest,
)
from anonymizer_gui.engine.rooms.microdata.measures import measure_table
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.written import read_file
from anonymizer_gui.engine.shapes.tables.io import WriteOptions
from anonymizer_gui.engine.shapes.tables.table import SUPPRESSED, ColumnSchema, ColumnType, Role, Schema, Table

_LARGEST_BYTES = 64 << 20
_CLOSE = 1e-9
_NEEDS_TREE = "emd-hierarchical"
"""The one distance that needs the hierarchy of the sensitive values, which does not leave the house."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found: nothing when the file is what its certificate says."""

    certificate: Path
    differences: tuple[str, ...]
    unchecked: tuple[str, ...]
    numbers: Mapping[str, Json]

    @property
    def holds(self) -> bool:
        """Whether the release is what its certificate says."""
        return not self.differences


def verify(path: Path, certificate: Path | None = None, progress: Progress = SILENT) -> Verification:
    """Measure a release again against its certificate, which lies beside it unless it is given.

    What an export that was killed has left half-written beside it is swept.
    Raises UnreadableFile when there is no certificate or the release cannot be read at all.
    """
    sweep(path)
    beside = certificate or certificate_of(path)
    told = read_certificate(beside)
    try:
        return _compared(path, beside, told, progress)
    except AnonymizerError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError):
        raise _damaged(beside) from None


def certificate_of(path: Path) -> Path:
    """Find the certificate; an export that was killed at its very end has left the right one waiting."""
    placed = path.with_name(path.name + CERTIFICATE)
    waiting = path.with_name(path.name + CERTIFICATE + WAITING)
    with contextlib.suppress(AnonymizerError, KeyError, TypeError, OSError):
        is_there = waiting.is_file() and path.is_file()
        if is_there and read_certificate(waiting)["release"]["sha256"] == checksum(path):
            return waiting
    return placed


def read_certificate(path: Path) -> Mapping[str, Json]:
    """Read a certificate; raises UnreadableFile with one sentence."""
    try:
        if not path.exists():
            raise UnreadableFile(
                f"There is no certificate “{path.name}” beside the release.",
                "Put it there, or name it with --certificate.",
            )
        told = json.loads(read_regular(path, _LARGEST_BYTES))
    except (ValueError, RecursionError):
        raise _damaged(path) from None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise UnreadableFile(
            f"“{path.name}” is not a certificate of a release.", "Choose the release.json of the file."
        )
    if told.get("version") != VERSION:
        raise UnreadableFile(f"“{path.name}” was written by a newer version.", "Install the newer version.")
    return told


def _compared(path: Path, beside: Path, told: Mapping[str, Json], progress: Progress) -> Verification:
    release = told["release"]
    if not path.is_file():
        raise UnreadableFile(f"There is no file “{path.name}”.", "Check the name and the folder.")
    differences = []
    if told.get("sha256") != certificate_digest(told):
        differences.append("The certificate has been changed since it was written.")
    if checksum(path) != release["sha256"]:
        differences.append("The file's checksum (SHA-256) is another one.")
    table = read_file(path, from_json(WriteOptions, release["options"]), progress.sub(0.0, 0.5))
    differences += _columns(table, release["columns"])
    if set(release["columns"]) != set(table.names):
        return Verification(beside, tuple(differences), (), {})
    numbers, unchecked = _measured(table, told, progress.sub(0.5, 1.0))
    differences += _numbers(numbers, told)
    return Verification(beside, tuple(differences), tuple(unchecked), numbers)


def _columns(table: Table, digests: Mapping[str, str]) -> Iterator[str]:
    for name in digests:
        if name not in table.names:
            yield f"The column “{name}” is missing."
        elif column_digest(table.column(name)) != digests[name]:
            yield f"The column “{name}” has changed."
    for name in table.names:
        if name not in digests:
            yield f"The column “{name}” was not in the release."
    if set(digests) == set(table.names) and list(digests) != list(table.names):
        yield "The columns stand in another order."


def _measured(table: Table, told: Mapping[str, Json], progress: Progress) -> tuple[dict[str, Json], list[str]]:
    """Measure what the file alone tells; goals about a population need that table and are named as unchecked."""
    columns = [c for c in told["columns"] if c["name"] in table.names]
    roles = {c["name"]: Role(c["role"]) for c in columns}
    schema = Schema(tuple(ColumnSchema(c["name"], ColumnType(c["type"]), c["format"]) for c in columns))
    goals = [from_json(PRIVACY_MODELS.get(goal["model"]), goal["parameters"]) for goal in told["goals"]]
    measured = measure_table(
        table,
        [name for name, role in roles.items() if role is Role.QI],
        [name for name, role in roles.items() if role is Role.SA],
        goals=[goal for goal in goals if _is_measurable(goal)],
        hierarchies=_orders(table, told["sensitive_order"]),
        schema=schema,
        suppressed=told["numbers"]["suppressed"],
        progress=progress,
    )
    numbers = {**measured.to_json(), "lm": _lm(table, told)}
    return numbers, [goal.title for goal in goals if not _is_measurable(goal)]


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
            yield f"{name} is {_text(found[name])}, the certificate says {_text(expected[name])}."
    for family in ("l", "t"):
        for kind, value in found[family].items():
            if (
                kind in expected[family]
                and kind != _NEEDS_TREE.replace("-", "_")
                and not _same(value, expected[family][kind])
            ):
                yield f"{family} ({kind}) is {_text(value)}, the certificate says {_text(expected[family][kind])}."
    held = {(goal["model"], json.dumps(goal["parameters"])): goal["holds"] for goal in told["goals"]}
    for goal in found["goals"]:
        if goal["holds"] != held[goal["model"], json.dumps(goal["parameters"])]:
            state = "holds" if goal["holds"] else "does not hold"
            yield f"The goal {goal['model']} {state}, unlike in the certificate."


def _same(a: Json, b: Json) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=_CLOSE, abs_tol=_CLOSE)


def _text(value: Json) -> str:
    return "unknown" if value is None else f"{value:.6g}"


def _damaged(path: Path) -> UnreadableFile:
    return UnreadableFile(f"The certificate “{path.name}” is damaged.", "Ask for it again where the release came from.")
