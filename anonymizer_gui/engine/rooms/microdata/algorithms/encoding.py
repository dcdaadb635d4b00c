"""The table as algorithms see it: leaf numbers of the QIs, equal tuples collapsed, sensitive values counted.

Methods that take rows one after the other see them in one order, whatever order their source had.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.dictionary_encoding import text_order
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram, classes_of, group_rows
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType, Role, Table
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.coverage import flat_domain
from anonymizer_gui.engine.hierarchy.leaf_encoding import EncodedColumn, encode_column, find_leaves, with_missing
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, QuasiIdentifier
from anonymizer_gui.engine.rooms.microdata.models.contract import COMBINED, GoalSet, SensitiveAttribute, WholeTable
from anonymizer_gui.engine.rooms.microdata.models.persons import PersonGroups
from anonymizer_gui.engine.rooms.microdata.models.reference_distribution import (
    describe_with_reference,
    values_only_in_reference,
    with_zero_counts,
)
from anonymizer_gui.engine.rooms.microdata.people import check_person, marks_of, person_column
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding
from anonymizer_gui.engine.rooms.microdata.utility.information_loss import scaled_weights

RowOrder = npt.NDArray[np.int64]
ORDERED_TYPES = (ColumnType.INTEGER, ColumnType.DECIMAL, ColumnType.DATE)


def encode_table(
    table: Table, project: Project, population: Table | None = None, progress: Progress = SILENT
) -> EncodedTable:
    """Place every QI cell in its hierarchy and collapse equal tuples.

    A QI without a hierarchy gets a flat one, every value under `*`. Tuples that only the population has
    follow with count 0. Raises BadParameter and BadHierarchy when project and table do not fit together.
    """
    names = project.schema.names(Role.QI)
    if not names:
        raise BadParameter("No column is a quasi-identifier.", "Mark at least one column as a quasi-identifier.")
    check_person(table, project, population)
    placed, counted = [], []
    for done, name in enumerate(names):
        progress(done / len(names), message("Placing “{name}” in its hierarchy", name=name))
        here, there = _placed(table, project, population, name)
        placed.append(here)
        counted.append(there)
    qis = []
    for name, p in zip(names, placed, strict=True):
        progress.check()
        qis.append(_quasi_identifier(name, p.hierarchy, project))
    known = _known_people(counted) if population is not None else []
    return _collapsed(table, project, tuple(qis), [p.codes for p in placed], known, progress)


def goal_set_for(encoded: EncodedTable, project: Project, table: Table) -> GoalSet:
    """Put the goals of the project against the whole table."""
    sensitive = {name: _described(table.column(name), project) for name in project.schema.names(Role.SA)}
    for model in project.goals:
        if model.needs_sensitive and not sensitive:
            raise BadParameter(
                message("{goal} needs a sensitive column.", goal=message(model.title)), "Mark a column as sensitive."
            )
        if model.needs_population and encoded.population is None:
            raise BadParameter(
                message("{goal} needs a population table.", goal=message(model.title)), "Choose a population table."
            )
    if _needs_combinations(project):
        sensitive[COMBINED] = _combined(table, project.schema.names(Role.SA))
    return GoalSet(project.goals, WholeTable(table.n_rows, sensitive), by_people=encoded.persons is not None)


def value_order(labels: Sequence[str], schema: ColumnSchema) -> npt.NDArray[np.int64]:
    """Sort values by number or date where the column has such a type, by label otherwise; missing comes last."""
    values = parse_by_type(labels, schema) if schema.type in ORDERED_TYPES else np.zeros(len(labels))
    rank = np.empty(len(labels), dtype=np.int64)
    rank[text_order(labels)] = np.arange(len(labels))
    missing = np.fromiter((label == MISSING for label in labels), np.bool_, len(labels))
    unreadable = np.isnan(values)
    order: npt.NDArray[np.int64] = np.lexsort([rank, np.where(unreadable, 0.0, values), unreadable, missing])
    return order


def _placed(
    table: Table, project: Project, population: Table | None, name: str
) -> tuple[EncodedColumn, npt.NDArray[np.int32] | None]:
    schema, column = project.schema.column(name), table.column(name)
    other = None if population is None else population.column(name)
    hierarchy = project.hierarchies.get(name) or flat_domain(_values(column, other), schema)
    if other is None:
        return encode_column(column, hierarchy, schema), None
    placed = encode_column(column, with_missing(hierarchy, other), schema)
    # People of the population whose value has no place in the hierarchy cannot be in a class of the table.
    return placed, find_leaves(other, placed.hierarchy, schema)[other.codes]


def _values(column: Column, other: Column | None) -> Column:
    """Give a column with every value of the table and of the population, once each."""
    labels = column.compact().labels if other is None else (*column.compact().labels, *other.compact().labels)
    distinct = tuple(dict.fromkeys(labels))
    return Column(column.name, np.arange(len(distinct), dtype=np.uint32), distinct)


def _quasi_identifier(name: str, hierarchy: Hierarchy, project: Project) -> QuasiIdentifier:
    weight = scaled_weights(project.schema.names(Role.QI), project.weights)[name]
    lowest, highest = project.bounds.get(name, (0, hierarchy.height))
    if not 0 <= lowest <= min(highest, hierarchy.height):
        raise BadParameter(
            message("The level bounds of “{name}” leave no level.", name=name),
            message("Its hierarchy has the levels 0 to {height}.", height=hierarchy.height),
        )
    ordered = _is_ordered(hierarchy, project.schema.column(name))
    return QuasiIdentifier(name, hierarchy, weight, lowest, highest, project.uneven, ordered)


def _is_ordered(hierarchy: Hierarchy, schema: ColumnSchema) -> bool:
    if schema.type not in ORDERED_TYPES:
        return False
    labels = [label for label in hierarchy.leaf_labels if label != MISSING]
    values = parse_by_type(labels, schema)
    return not np.isnan(values).any() and bool((np.diff(values) >= 0).all())


def _collapsed(
    table: Table,
    project: Project,
    qis: tuple[QuasiIdentifier, ...],
    codes: Sequence[npt.NDArray[np.int32]],
    known: Sequence[npt.NDArray[np.int32]],
    progress: Progress,
) -> EncodedTable:
    n_told, times = table.n_told, table.times
    population: npt.NDArray[np.int64] | None = None
    both = [np.concatenate([c, p]) for c, p in zip(codes, known, strict=True)] if known else list(codes)
    progress.check()
    classes = group_rows(both, len(both[0]))
    progress.check()
    ids = classes.ids[:n_told]
    if known:
        population = np.bincount(classes.ids[n_told:], minlength=len(classes)).astype(np.int64)
    tuples = np.stack([c[classes.first_rows] for c in both], axis=1).astype(np.int32)
    of_row = {name: table.column(name).codes.astype(np.int64) for name in project.schema.names(Role.SA)}
    n_values = {name: len(table.column(name).labels) for name in of_row}
    if _needs_combinations(project):
        together = classes_of(table, project.schema.names(Role.SA))
        of_row[COMBINED], n_values[COMBINED] = together.ids, len(together)
    sensitive = {}
    for name, values in of_row.items():
        progress.check()
        sensitive[name] = Histogram.count(ids, len(classes), values, n_values[name], times)
    counts = np.bincount(ids, weights=times, minlength=len(classes)).astype(np.int64)
    persons = _persons(table, project, ids.astype(np.int64), len(classes))
    targets, target_of_row = {}, {}
    for name in project.algorithm.target_columns() if project.algorithm else ():
        chosen = name or next(iter(project.schema.names(Role.SA)), "")
        if not chosen:
            continue
        column = table.column(chosen)
        target_of_row[name] = column.codes.astype(np.int64)
        targets[name] = Histogram.count(ids, len(classes), target_of_row[name], len(column.labels), times)
    return EncodedTable(
        qis,
        tuples,
        counts,
        ids.astype(np.int64),
        sensitive,
        of_row,
        population,
        persons,
        times,
        targets,
        target_of_row,
    )


def _persons(table: Table, project: Project, ids: npt.NDArray[np.int64], n_tuples: int) -> PersonGroups | None:
    """Find who has which tuple; values matter only where a goal counts people by them."""
    about_values = any(model.counts_people and model.needs_sensitive for model in project.goals)
    names = project.schema.names(Role.SA) if about_values else []
    marks = marks_of(person_column(table, project), {name: table.column(name) for name in names})
    return None if marks is None else PersonGroups.count(marks, ids, n_tuples)


def _known_people(counted: Sequence[npt.NDArray[np.int32] | None]) -> list[npt.NDArray[np.int32]]:
    columns = [leaves for leaves in counted if leaves is not None]
    known = np.all([leaves >= 0 for leaves in columns], axis=0)
    return [leaves[known] for leaves in columns]


def _described(column: Column, project: Project) -> SensitiveAttribute:
    """Describe a sensitive column, and once more with the values that goals compare it with and it does not have."""
    found = replace(_sensitive(column, project), input=column.counts())
    more = values_only_in_reference(project.goals, column)
    if not more:
        return found
    described = describe_with_reference(lambda each: _sensitive(each, project), column, more, project.goals)
    wider = with_zero_counts(described, found.counts)
    return replace(found, wider=replace(wider, input=wider.counts))


def _sensitive(column: Column, project: Project) -> SensitiveAttribute:
    schema = project.schema.column(column.name)
    hierarchy, leaf = project.hierarchies.get(column.name), None
    if hierarchy is not None:
        placed = encode_column(column, hierarchy, schema)
        hierarchy, leaf = placed.hierarchy, placed.leaf_of_label.astype(np.int64)
    order = value_order(column.labels, schema)
    if schema.type not in ORDERED_TYPES and leaf is not None:
        order = np.lexsort([order.argsort(), leaf])
    rank = np.empty(len(column.labels), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return SensitiveAttribute(column.name, column.labels, column.counts(), rank, hierarchy, leaf)


def _needs_combinations(project: Project) -> bool:
    """Whether a goal reads several sensitive columns together."""
    together = any(model.reads_together for model in project.goals)
    return together and len(project.schema.names(Role.SA)) > 1


def _combined(table: Table, names: Sequence[str]) -> SensitiveAttribute:
    classes = classes_of(table, names)
    parts = {name: table.column(name).codes[classes.first_rows].astype(np.int64) for name in names}
    labels = tuple(str(number) for number in range(len(classes)))
    return SensitiveAttribute(COMBINED, labels, classes.sizes, np.arange(len(classes)), parts=parts)


def canonical_order(table: Table, project: Project) -> RowOrder:
    """Sort rows by quasi-identifiers, then sensitive columns, then all others; rows that agree in all may change place.

    What the source's order could tell is lost, and a table gives the same release however its rows were sorted.
    """
    roles = (Role.QI, Role.SA, Role.OTHER, Role.EI)
    listed = [*(name for role in roles for name in project.schema.names(role)), *project.schema.sets]
    names = [name for name in listed if name in table.names]
    keys = [_ranks(table.column(name)) for name in names]
    order: RowOrder = np.lexsort(keys[::-1]) if keys else np.arange(table.n_rows)
    return order


def in_original_order(found: Recoding, order: RowOrder) -> Recoding:
    """Tell what was found for rows in an order of their own in the order they came in."""
    classes = np.empty_like(found.class_of_row)
    classes[order] = found.class_of_row
    return replace(found, class_of_row=classes)


def _ranks(column: Column) -> RowOrder:
    ranks = np.empty(len(column.labels), dtype=np.int64)
    ranks[text_order(column.labels)] = np.arange(len(column.labels))
    return np.asarray(ranks[column.codes], dtype=np.int64)
