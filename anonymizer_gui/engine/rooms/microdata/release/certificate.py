"""What the certificate tells of a released table: columns, hierarchies, recipe, losses; no unpublished value."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.tables.dictionary_encoding import text_order
from anonymizer_gui.engine.data.tables.equivalence_classes import size_bins
from anonymizer_gui.engine.data.tables.io.contract import PERTURBED_SUFFIX
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType, Role, Table
from anonymizer_gui.engine.hierarchy.coverage import domain_of, place_cells
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.json_entries import plain_json
from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.microdata.masking.effects import masking_effects
from anonymizer_gui.engine.rooms.microdata.masking.steps import change_text, is_masked, step_changes, top_coded_cells
from anonymizer_gui.engine.rooms.microdata.models.contract import set_requirements
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.codebook import published_levels, published_summary, source_summary
from anonymizer_gui.engine.rooms.microdata.release.independent_inputs import (
    fully_generalised_labels,
    reference_groups,
    sensitive_value_orders,
)
from anonymizer_gui.engine.rooms.microdata.release.output_format import column_in_file, untruthful_output_columns
from anonymizer_gui.engine.rooms.microdata.release.output_table import sets_path
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.risk.attacks import attack_candidate
from anonymizer_gui.engine.rooms.microdata.set_valued_attributes import loss_per_label
from anonymizer_gui.engine.rooms.microdata.utility.information_loss import Loss, scaled_weights
from anonymizer_gui.engine.storage.json_io import hash_json_list
from anonymizer_gui.engine.storage.sources import Source

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate

_ATTACKS_ON_SETS = (
    "Items of sets are made coarser by rules of their own: minimality applies to them, and downcoding where each class "
    "has its own rules."
)

LM_DIGITS = 3
COLUMN_DIGITS = 2
OF_A_PERSON = "; says whom a record is about"
STANDS_FOR = "; says how many people a record stands for"
IN_HOUSEHOLD = "; says which records are of one household"


def certificate_entries(leaving: "ReleaseCandidate", path: Path, options: WriteOptions) -> dict[str, Json]:
    """Write down what left and how it was made; source values that are not published stay out."""
    release, original, project = leaving.release, leaving.original, leaving.release.project
    return {
        "written": {
            "options": params_json(options),
            "columns": {c.name: column_digest(column_in_file(c, options)) for c in leaving.table.columns},
            **({} if leaving.apart is None else {"apart": _apart(leaving.apart, path, options)}),
        },
        "source": {**_source(project.source), "rows": original.n_rows},
        "population": _source(project.population) if project.population else None,
        "prepared": [
            {"step": step.without_values(), "changed": change_text(step, *counts)}
            for step, *counts in step_changes(project.source)
        ],
        "columns": _columns(project, _as_in_file(leaving.table, options)),
        "untruthful": list(options.untruthful),
        "masks": _masks(leaving),
        "hierarchies": {name: _hierarchy(tree) for name, tree in project.used_hierarchies().items()},
        "recipe": _recipe(project),
        "class_sizes": size_bins(leaving.measured.class_heads),
        "loss_per_column": rounded_loss(release.measured.loss)["lm_columns"],
        "sensitive_order": sensitive_value_orders(project, leaving.table, options),
        "reference_groups": {str(at): shown for at, shown in reference_groups(project, leaving.table, options).items()},
        "nothing_left": fully_generalised_labels(project, leaving.table, options),
        "suppression": join_messages(
            suppression_sentence(
                release.suppressed, original.n_rows, project.suppression, are_stars=_are_stars(release, original)
            ),
            emptied_sentence(leaving.measured.emptied, leaving.table.n_rows),
        ),
        "levels": published_levels(_as_in_file(leaving.table, options), project),
        "summary": {} if leaving.table.times is not None else published_summary(leaving.table, project, options),
        **_tried(release),
        "policies": [policy.told() for policy in leaving.policies],
        "questions": [question.told() for question in leaving.questions],
        "meetings": list(leaving.meeting.told()),
        "ledger": leaving.head.to_json() if leaving.head else None,
        "warnings": [*release.recoding.remarks(), *_warnings(project, leaving.checks)],
        "attacks": _attacks_on_method(release),
        "attacks_run": attack_candidate(leaving),
    }


def private_entries(leaving: "ReleaseCandidate", options: WriteOptions) -> dict[str, Json]:
    """Write down what only the house may know: it tells of values that no published row has."""
    project = leaving.release.project
    return {
        "loss": {"lm": leaving.measured.lm, "lm_columns": dict(leaving.measured.loss.lm_columns)},
        "loss_of_cells": _loss_of_cells(leaving, options),
        "loss_of_sets": _loss_of_sets(leaving, options),
        "hierarchies": {name: _whole_hierarchy(tree) for name, tree in project.used_hierarchies().items()},
        "summary_before": source_summary(leaving.original, leaving.table, project),
    }


def _masks(leaving: "ReleaseCandidate") -> dict[str, Json]:
    """Tell how far masks moved the cells that leave, rounded, and whom distance still links."""
    if leaving.rows is None or leaving.table.times is not None:
        return {}
    found = masking_effects(leaving.release, leaving.original)
    if not found.columns:
        return {}
    linked = {"share": round(found.linked, 4), "people": found.people, "by_chance": round(found.by_chance, 6)}
    return {"columns": {each.column: each.told() for each in found.columns}, "linked_by_distance": linked}


def _as_in_file(table: Table, options: WriteOptions) -> Table:
    return Table(tuple(column_in_file(column, options) for column in table.columns), table.n_rows)


def _tried(release: Release) -> dict[str, Json]:
    """Tell which algorithm made the release, and what else was tried for it; losses are rounded as everywhere.

    What an objective costs is rounded further: it may be about a column that does not leave.
    """
    tried = []
    for each in release.recoding.tried:
        cost = {} if each.cost is None else {"cost": float(f"{each.cost:.3g}")}
        lm = None if each.lm is None else round(each.lm, LM_DIGITS)
        tried.append({"algorithm": each.title, "lm": lm, **cost})
    return {"tried": tried, "made_by": release.recoding.made_by or _title(release.project)}


def _attacks_on_method(release: Release) -> str:
    """Name the known attacks on the method; where several were tried, on the one whose result was taken."""
    project = release.project
    own = project.algorithm.attacks if project.algorithm else ""
    on_sets = " " + _ATTACKS_ON_SETS if set_requirements(project.goals) else ""
    return (release.recoding.attacks or own) + on_sets


def _title(project: Project) -> str:
    return project.algorithm.title if project.algorithm else ""


def rounded_loss(loss: Loss) -> dict[str, Json]:
    """Round the loss: its last digits would tell how many values a column has, those of left out rows included."""
    total = loss.lm_total
    return {
        "lm": None if loss.lm is None else round(loss.lm, LM_DIGITS),
        "lm_total": None if total is None else float(f"{total:.{LM_DIGITS}g}"),
        "lm_columns": {name: round(lm, COLUMN_DIGITS) for name, lm in loss.lm_columns.items() if lm is not None},
    }


def column_digest(column: Column) -> str:
    """Give the SHA-256 of a column's texts in their order, so that a change can be told to the column."""
    used = column.compact()
    order = text_order(used.labels)
    rank = np.empty(len(order), dtype="<u4")
    rank[order] = np.arange(len(order))
    digest = hashlib.sha256()
    hash_json_list(digest, [used.labels[i] for i in order.tolist()])
    digest.update(rank[used.codes].tobytes() if len(order) else b"")
    return digest.hexdigest()


def _source(source: Source | None) -> dict[str, Json]:
    """Name a table without the folder it is in, which may tell about the house; a checksum would confirm guesses."""
    name = Path(source.path).name if source and "://" not in source.path else "database" if source else ""
    return {"file": name}


def _columns(project: Project, table: Table) -> list[Json]:
    """Tell what became of every column; a cell that stands for all above it is published, so it may be told."""
    tops = top_coded_cells(project.source, {column.name: column.labels for column in table.columns})
    return [
        _column(entry, project) | ({"top": tops[entry.name]} if entry.name in tops else {})
        for entry in project.schema.columns
    ]


def _column(entry: ColumnSchema, project: Project) -> dict[str, Json]:
    published = way_of_leaving(entry, project)
    if entry.name == project.sampling_weight:
        published += STANDS_FOR
    if entry.name == project.household:
        published += IN_HOUSEHOLD
    if is_masked(project.source, entry.name):
        published = masked_way(published)
    if entry.name in untruthful_output_columns(project):
        published = f"{published}; {PERTURBED_SUFFIX}"
    return {
        "name": entry.name,
        "role": entry.role.value,
        "type": entry.type.value,
        "format": entry.format,
        "published": published,
    }


def way_of_leaving(entry: ColumnSchema, project: Project) -> str:
    """Say how a column leaves, by its role and what was decided about it."""
    return {
        Role.EI: _identifier(entry, project),
        Role.QI: _quasi(entry, project),
        Role.SA: f"unchanged, {'protected by the goals' if project.protects(entry.name) else 'no goal protects it'}",
        Role.OTHER: "left out" if entry.name in project.left_out_columns() else "unchanged",
    }[entry.role]


def masked_way(published: str) -> str:
    """Say of a column that steps of the preparation changed it."""
    return published.replace("unchanged", "masked")


def _quasi(entry: ColumnSchema, project: Project) -> str:
    if entry.type is not ColumnType.SET:
        return "generalised"
    is_apart = any(asked.is_apart for asked in set_requirements(project.goals))
    return "items grouped or deleted, in a file of its own" if is_apart else "items grouped or deleted"


def _apart(table: Table, path: Path, options: WriteOptions) -> dict[str, Json]:
    return {
        "file": sets_path(path).name,
        "columns": {c.name: column_digest(column_in_file(c, options)) for c in table.columns},
    }


def _identifier(entry: ColumnSchema, project: Project) -> str:
    way = dict(project.publishing.pseudonyms).get(entry.name)
    left = f"replaced by pseudonyms ({way})" if way else "removed"
    return f"{left}{OF_A_PERSON}" if entry.name == project.person else left


def _hierarchy(tree: Hierarchy) -> dict[str, Json]:
    return {"height": tree.height}


def _whole_hierarchy(tree: Hierarchy) -> dict[str, Json]:
    digest = hashlib.sha256(json.dumps([tree.labels, tree.parents.tolist()]).encode()).hexdigest()
    return {"leaves": tree.n_leaves, "height": tree.height, "sha256": digest}


def _recipe(project: Project) -> dict[str, Json]:
    return {
        "algorithm": project.algorithm.name if project.algorithm else "",
        "title": project.algorithm.title if project.algorithm else "",
        "parameters": params_json(project.algorithm) if project.algorithm else {},
        "suppression": project.suppression,
        "limit_covers_emptied": project.limit_covers_emptied,
        "weights": scaled_weights(project.schema.quasi, project.weights),
        "bounds": {name: list(bounds) for name, bounds in project.bounds.items()},
        "uneven": project.uneven,
        "seed": project.seed,
        **plain_json(project.publishing),
    }


def _loss_of_cells(leaving: "ReleaseCandidate", options: WriteOptions) -> dict[str, dict[str, float]]:
    """Give the LM of every published label, so that the loss can be measured again from the file alone."""
    losses, project = {}, leaving.release.project
    for name in project.schema.names(Role.QI):
        column, entry = leaving.table.column(name), project.schema.column(name)
        domain = domain_of(column, leaving.original.column(name), project.hierarchies.get(name), entry)
        if domain is not None:
            texts = column_in_file(column, options).labels
            losses[name] = dict(zip(texts, place_cells(column, domain, entry).loss.tolist(), strict=True))
    return losses


def _loss_of_sets(leaving: "ReleaseCandidate", options: WriteOptions) -> dict[str, dict[str, Json]]:
    """Give what a row with each published set has lost, and how many items there were."""
    found: dict[str, dict[str, Json]] = {}
    release, project = leaving.release, leaving.release.project
    for name in project.schema.sets:
        column, entry = release.table.column(name), project.schema.column(name)
        tree, raw = project.hierarchies.get(name), leaving.original.column(name)
        lost = loss_per_label(column, raw, release.rows.astype(np.int64, copy=False), tree, entry)
        per_row = dict(zip(column_in_file(column, options).labels, lost.per_row.tolist(), strict=True))
        found[name] = {"items": lost.items, "left_out": lost.left_out, "per_row": per_row}
    return found


def suppression_sentence(suppressed: int, records: int, limit: float, *, are_stars: bool) -> Message:
    """Say how many of the records were suppressed, and how they are shown."""
    if not suppressed:
        return message("No record was suppressed; the limit was {limit:.2%}.", limit=limit)
    return message(
        "{rows:,} of {all:record|records} ({share:.2%}) {rows:~was|were} suppressed and {shown}; "
        "the limit was {limit:.2%}.",
        rows=suppressed,
        all=records,
        share=suppressed / records if records else 0.0,
        shown=message("published with * in every quasi-identifier" if are_stars else "left out"),
        limit=limit,
    )


def emptied_sentence(emptied: int, rows: int) -> Message:
    """Say how many of the published records have nothing left in their quasi-identifiers."""
    if not emptied:
        return message("No published record has lost everything in its quasi-identifiers.")
    return message(
        "{rows:,} of {all:published record|published records} ({share:.2%}) {rows:~has|have} nothing left in any "
        "quasi-identifier.",
        rows=emptied,
        all=rows,
        share=emptied / max(rows, 1),
    )


def _are_stars(release: Release, original: Table) -> bool:
    return release.table.n_rows == original.n_rows


def _warnings(project: Project, checks: Sequence[Check]) -> list[str]:
    return unchanged_columns(project) + [check.sentence for check in checks if not check.holds]


def unchanged_columns(project: Project) -> list[str]:
    """Warn of every column of no role that leaves."""
    left_out = project.left_out_columns()
    names = [name for name in project.schema.names(Role.OTHER) if name not in left_out]
    return [message("“{name}” is published unchanged.", name=name) for name in names]
