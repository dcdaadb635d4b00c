"""The table exactly as it leaves the house: pseudonyms in place, rows in an order that tells nothing."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.dictionary_encoding import text_order
from anonymizer_gui.engine.data.tables.equivalence_classes import number_rows
from anonymizer_gui.engine.data.tables.table import Codes, Column, Role, Table, smallest_codes
from anonymizer_gui.engine.rooms.microdata.models.contract import set_requirements
from anonymizer_gui.engine.rooms.microdata.project import Project, project_entries
from anonymizer_gui.engine.rooms.microdata.release.pseudonyms import pseudonymise
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.storage.json_io import hash_json_list

_LATER_IN_GOALS: Mapping[str, Json] = {"missing": False, "reference": "published", "distribution": []}
"""Parameters of goals that version 1 of the project file did not have, with what they say when they say nothing."""
_LATER_IN_PUBLISHING: Mapping[str, Json] = {"left_out": [], "labels_file": False, "public_values": []}
ROW_ORDERS = {
    "shuffled": "Shuffled, by the seed",
    "sorted": "Sorted by what is published",
}


def output_table(release: Release, original: Table, key: bytes = b"") -> tuple[Table, npt.NDArray[np.int64]]:
    """Make the table that is written, and give the original row of each of its rows.

    Rows are first sorted by what is published, so that nothing of the source's order is left, and only then
    shuffled: whoever knows the seed can undo the shuffling, but not the sorting.
    Raises BadParameter when pseudonyms are wanted and there is no key, or the order is unknown.
    """
    table = _with_pseudonyms(release, original, key)
    # Sets that leave unlinked must not order the rows they were in.
    order = _order(separate_sets(table, release.project)[0], release.project)
    return table.take(order), release.rows[order]


def separate_sets(table: Table, project: Project) -> tuple[Table, Table | None]:
    """Take the sets out of a table that must leave unlinked, sorted by what they are so that no order links them."""
    names = [name for name in project.schema.sets if name in table.names]
    if not names or not any(asked.is_apart for asked in set_requirements(project.goals)):
        return table, None
    sets = table.select(names)
    order = np.lexsort([_ranks(column) for column in reversed(sets.columns)])
    return table.select([name for name in table.names if name not in names]), sets.take(order)


def sets_path(path: Path) -> Path:
    """Name the file of the sets beside that of the table."""
    return path.with_name(f"{path.stem}_sets{path.suffix}")


def pseudonym_salt(project: Project, original: Table) -> str:
    """Give the salt that keeps the pseudonyms of two releases apart: a digest of the table and of all decisions."""
    if project.publishing.linkable:
        return ""
    decided = _decided(project)
    checksum = project.source.sha256 if project.source else ""
    return hashlib.sha256(json.dumps([checksum or _counted(original), decided], sort_keys=True).encode()).hexdigest()


def _decided(project: Project) -> dict[str, Json]:
    """Give all decisions; what earlier versions did not know is left out where it says nothing, so that their projects
    keep their pseudonyms."""
    nothing = {"name": "", "source": None, "population": None}  # as projects were written when the salt was made up
    later = {"limit_covers_emptied": False, "person": ""}
    told = _without_later(project_entries(replace(project, acknowledged=(), policies=())), later)
    publishing = _without_later(told["publishing"], _LATER_IN_PUBLISHING)
    goals = [{**goal, "parameters": _without_later(goal["parameters"], _LATER_IN_GOALS)} for goal in told["goals"]]
    return {**told, **nothing, "goals": goals, "publishing": publishing}


def _without_later(entries: Mapping[str, Json], later: Mapping[str, Json]) -> dict[str, Json]:
    return {name: entry for name, entry in entries.items() if name not in later or entry != later[name]}


def _counted(table: Table) -> str:
    """Digest how often each value is in each column: a database has no checksum, and gives its rows in any order."""
    digest = hashlib.sha256()
    for column in table.columns:
        used = column.compact()
        counts = used.counts().tolist()
        digest.update(f"[{json.dumps(column.name)}, ".encode())
        hash_json_list(digest, [(used.labels[at], counts[at]) for at in text_order(used.labels).tolist()])
        digest.update(b"]")
    return digest.hexdigest()


def pseudonym_mapping(release: Release, original: Table, key: bytes) -> Table:
    """Give the mapping from identifiers to pseudonyms, to be kept apart from the release."""
    columns: list[Column] = []
    salt = pseudonym_salt(release.project, original)
    for name, way in release.project.publishing.pseudonyms:
        raw = original.column(name).take(release.rows)
        replaced = pseudonymise(raw, way, key, salt)
        columns += [raw, replace(replaced, name=f"{name} (pseudonym)")]
    mapping = Table(tuple(columns), len(release.rows))
    return mapping.take(_distinct_rows(mapping))


def _with_pseudonyms(release: Release, original: Table, key: bytes) -> Table:
    """Put pseudonym columns where their identifiers stood."""
    project = release.project
    ways = dict(project.publishing.pseudonyms)
    strangers = [name for name in ways if name not in project.schema.names(Role.EI)]
    if strangers:
        raise BadParameter(
            message("“{name}” is not an identifier.", name=strangers[0]), "Pseudonyms are for identifiers."
        )
    salt = pseudonym_salt(project, original) if ways else ""
    published = {column.name: column for column in release.table.columns}
    left_out = set(project.left_out_columns())
    columns = []
    for name in original.names:
        if name in ways:
            columns.append(pseudonymise(original.column(name).take(release.rows), ways[name], key, salt))
        elif name in published and name not in left_out:
            columns.append(published[name])
    return Table(tuple(columns), release.table.n_rows)


def _order(table: Table, project: Project) -> npt.NDArray[np.int64]:
    if project.publishing.row_order not in ROW_ORDERS:
        raise BadParameter(
            message("There is no order of rows “{name}”.", name=project.publishing.row_order),
            message("There are: {known}.", known=list(ROW_ORDERS)),
        )
    if not table.columns:
        return np.arange(table.n_rows)
    by_value: npt.NDArray[np.int64] = np.lexsort([_ranks(column) for column in reversed(table.columns)])
    if project.publishing.row_order == "sorted":
        return by_value
    shuffled: npt.NDArray[np.int64] = by_value[np.random.default_rng(project.seed).permutation(table.n_rows)]
    return shuffled


def _ranks(column: Column) -> Codes:
    """Number the cells by the order of their labels, in the narrowest type: those are sorted fastest."""
    rank = np.empty(len(column.labels), dtype=np.int64)
    rank[text_order(column.labels)] = np.arange(len(column.labels))
    return smallest_codes(rank, len(rank))[column.codes]


def _distinct_rows(table: Table) -> npt.NDArray[np.int64]:
    """Give one row of each kind, in the order of the values."""
    return number_rows([_ranks(column) for column in table.columns])[0]
