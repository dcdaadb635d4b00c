"""The certificate of a release (`release.json`): checksum, numbers and recipe, with no cell of the source in it."""

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from anonymizer_gui.engine.files.digests import feed_list
from anonymizer_gui.engine.files.source import Source
from anonymizer_gui.engine.hierarchy.coverage import cells_of, domain_of
from anonymizer_gui.engine.hierarchy.encode import find_leaves, with_missing
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.params import to_json as params_json
from anonymizer_gui.engine.rooms.microdata.checklist import Check
from anonymizer_gui.engine.rooms.microdata.intersection import Meeting
from anonymizer_gui.engine.rooms.microdata.measures import Measured
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.project_json import params_free_json
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.utility.loss import scaled_weights
from anonymizer_gui.engine.rooms.microdata.written import as_read
from anonymizer_gui.engine.shapes.tables.classes import size_bins
from anonymizer_gui.engine.shapes.tables.io.byte_cells import text_order
from anonymizer_gui.engine.shapes.tables.io.options import WriteOptions
from anonymizer_gui.engine.shapes.tables.table import Column, ColumnSchema, Role, Table

CERTIFICATE = ".release.json"
WAITING = ".new"
"""Added to the name of a certificate until its release is in its place."""
REPORT = ".report.html"
REPORT_PDF = ".report.pdf"
FORMAT = "anonymizer release"
VERSION = 1


@dataclass(frozen=True, slots=True, eq=False)
class Departure:
    """Everything that is known when a release leaves: the file, the table in it, what was checked and why it may go."""

    file: str
    sha256: str
    table: Table
    measured: Measured
    options: WriteOptions
    checks: tuple[Check, ...]
    meetings: tuple[Meeting, ...] = ()
    reason: str = ""


def certificate(release: Release, original: Table, departure: Departure) -> dict[str, Json]:
    """Write down what left, what it holds, and how it was made; source values that are not published stay out."""
    told = _told(release, original, departure)
    return {**told, "sha256": certificate_digest(told)}


def certificate_digest(told: Mapping[str, Json]) -> str:
    """Give the SHA-256 of all entries of a certificate but this one, so that a change of any of them is found."""
    entries = {name: entry for name, entry in told.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()


def _told(release: Release, original: Table, departure: Departure) -> dict[str, Json]:
    project = release.project
    return {
        "format": FORMAT,
        "version": VERSION,
        "release": {
            "file": departure.file,
            "sha256": departure.sha256,
            "created": release.created,
            "options": params_json(departure.options),
            "columns": {c.name: column_digest(as_read(c, departure.options)) for c in departure.table.columns},
        },
        "source": {**_source(project.source), "rows": original.n_rows},
        "population": _source(project.population) if project.population else None,
        "columns": [_column(entry, project) for entry in project.schema.columns],
        "hierarchies": {name: _hierarchy(tree) for name, tree in project.used_hierarchies().items()},
        "recipe": _recipe(project),
        "numbers": {**departure.measured.to_json(), "md": release.measured.md, "suppressed": release.suppressed},
        "goals": [
            {"title": model.title, "sentence": model.sentence(), **numbers, **_words(model)}
            for (model, _), numbers in zip(departure.measured.goals, departure.measured.to_json()["goals"], strict=True)
        ],
        "class_sizes": size_bins(departure.measured.class_sizes),
        "loss_per_column": {n: v for n, v in release.measured.loss.lm_columns.items() if v is not None},
        "loss_of_cells": _loss_of_cells(departure, original, project),
        "sensitive_order": _sensitive_order(departure, project),
        "suppression": _suppression(release, original),
        "checks": [{"title": c.title, "holds": c.holds, "sentence": c.sentence} for c in departure.checks],
        "meetings": [meeting.sentence() for meeting in departure.meetings],
        "warnings": [*release.notes, *_warnings(project, departure.checks)],
        "override": _override(departure),
        "attacks": project.algorithm.attacks if project.algorithm else "",
        "program": {
            "anonymizer": release.version,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "pandas": pd.__version__,
        },
    }


def column_digest(column: Column) -> str:
    """Give the SHA-256 of a column's texts in their order, so that a change can be told to the column."""
    used = column.compact()
    order = text_order(used.labels)
    rank = np.empty(len(order), dtype="<u4")
    rank[order] = np.arange(len(order))
    digest = hashlib.sha256()
    feed_list(digest, [used.labels[i] for i in order.tolist()])
    digest.update(rank[used.codes].tobytes() if len(order) else b"")
    return digest.hexdigest()


def _source(source: Source | None) -> dict[str, Json]:
    """Name a table without the folder it is in, which may tell about the house."""
    name = Path(source.path).name if source and "://" not in source.path else "database" if source else ""
    return {"file": name, "sha256": source.sha256 if source else ""}


def _column(entry: ColumnSchema, project: Project) -> dict[str, Json]:
    way = dict(project.publishing.pseudonyms).get(entry.name)
    published = {
        Role.EI: f"replaced by pseudonyms ({way})" if way else "removed",
        Role.QI: "generalised",
        Role.SA: f"unchanged, {'protected by the goals' if project.protects(entry.name) else 'no goal protects it'}",
        Role.OTHER: "unchanged",
    }[entry.role]
    return {
        "name": entry.name,
        "role": entry.role.value,
        "type": entry.type.value,
        "format": entry.format,
        "published": published,
    }


def _words(model: PrivacyModel) -> dict[str, str]:
    """Give what help and window say about a goal, too."""
    return {
        "stops": model.stops,
        "leaves_open": model.leaves_open,
        "formula": model.formula,
        "reference": model.reference,
    }


def _hierarchy(tree: Hierarchy) -> dict[str, Json]:
    digest = hashlib.sha256(json.dumps([tree.labels, tree.parents.tolist()]).encode()).hexdigest()
    return {"leaves": tree.n_leaves, "height": tree.height, "sha256": digest}


def _recipe(project: Project) -> dict[str, Json]:
    return {
        "algorithm": project.algorithm.name if project.algorithm else "",
        "title": project.algorithm.title if project.algorithm else "",
        "parameters": params_json(project.algorithm) if project.algorithm else {},
        "suppression": project.suppression,
        "weights": scaled_weights(project.schema.names(Role.QI), project.weights),
        "bounds": {name: list(bounds) for name, bounds in project.bounds.items()},
        "uneven": project.uneven,
        "seed": project.seed,
        **params_free_json(project.publishing),
    }


def _loss_of_cells(departure: Departure, original: Table, project: Project) -> dict[str, dict[str, float]]:
    """Give the LM of every published label, so that the loss can be measured again from the file alone."""
    losses = {}
    for name in project.schema.names(Role.QI):
        column, entry = departure.table.column(name), project.schema.column(name)
        domain = domain_of(column, original.column(name), project.hierarchies.get(name), entry)
        if domain is not None:
            texts = as_read(column, departure.options).labels
            losses[name] = dict(zip(texts, cells_of(column, domain, entry).loss.tolist(), strict=True))
    return losses


def _sensitive_order(departure: Departure, project: Project) -> dict[str, list[str]]:
    """Give the published sensitive values in the order of their hierarchy, which ordered distances follow."""
    orders = {}
    for name in project.schema.names(Role.SA):
        tree = project.hierarchies.get(name)
        if tree is not None:
            column = departure.table.column(name)
            leaf = find_leaves(column, with_missing(tree, column), project.schema.column(name))
            texts = as_read(column, departure.options).labels
            orders[name] = [texts[code] for code in np.argsort(leaf, kind="stable").tolist()]
    return orders


def _suppression(release: Release, original: Table) -> str:
    share = release.suppressed / original.n_rows if original.n_rows else 0.0
    limit = f"the limit was {release.project.suppression:.2%}"
    if not release.suppressed:
        return f"No record was suppressed; {limit}."
    shown = "published with * in every quasi-identifier" if _are_stars(release, original) else "left out"
    return f"{release.suppressed:,} of {original.n_rows:,} records ({share:.2%}) were suppressed and {shown}; {limit}."


def _are_stars(release: Release, original: Table) -> bool:
    return release.table.n_rows == original.n_rows


def _warnings(project: Project, checks: Sequence[Check]) -> list[str]:
    others = [f"“{name}” is published unchanged." for name in project.schema.names(Role.OTHER)]
    return others + [check.sentence for check in checks if not check.holds]


def _override(departure: Departure) -> Mapping[str, Json] | None:
    failed = [f"{check.title}: {check.sentence}" for check in departure.checks if not check.holds]
    return {"reason": departure.reason, "failed": failed} if failed else None
