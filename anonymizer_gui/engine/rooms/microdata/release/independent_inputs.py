"""What the recount has to know beside a file, told in plain values: nothing of the engine's own goes over."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.data.tables.io import ReadOptions, WriteOptions
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.data.tables.normalisation import merge_homographs_in
from anonymizer_gui.engine.data.tables.table import (
    MISSING,
    SUPPRESSED,
    Column,
    ColumnSchema,
    ColumnType,
    Role,
    Schema,
    Table,
)
from anonymizer_gui.engine.hierarchy.leaf_encoding import find_leaves, with_missing
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.independent import (
    ColumnRoles,
    FileFormat,
    KnownFacts,
    Order,
    Population,
    Span,
    Tree,
    format_by_name,
)
from anonymizer_gui.engine.rooms.microdata.measurement import published_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import SensitiveAttribute
from anonymizer_gui.engine.rooms.microdata.models.reference_distribution import (
    values_only_in_reference,
    with_further_values,
)
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import NTCloseness, nearest_reference_group
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.output_format import column_in_file, name_in_file
from anonymizer_gui.engine.storage.sources import Source, checksum

ReferenceGroups = dict[int, dict[str, dict[str, int]]]
_NUMBERS = (ColumnType.INTEGER, ColumnType.DECIMAL)
_INPUT = "input"
"""The reference of goals that compare with the table before rows were left out."""
_COUNTABLE = (".csv", ".tsv", ".tab", ".txt", ".xlsx", ".parquet", ".pq")


def file_format(path: Path, options: WriteOptions) -> FileFormat:
    """Say how a release was written."""
    is_tabbed = path.suffix.lower() in (".tsv", ".tab") and options.delimiter == ","
    return FileFormat(
        format=format_by_name(path),
        encoding=options.encoding,
        delimiter="\t" if is_tabbed else options.delimiter,
        missing=(_spelled(MISSING, options),) if options.missing else (),
    )


def column_roles(schema: Sequence[ColumnSchema], options: WriteOptions) -> ColumnRoles:
    """Name the columns that count, and those whose names a spreadsheet would run and that are written otherwise."""
    known = Schema(tuple(schema))
    headers = {name: name_in_file(name, options) for name in (*known.quasi, *known.names(Role.SA))}
    forms = {name: known.column(name).format for name in known.sets}
    return ColumnRoles(known.names(Role.QI), known.names(Role.SA), headers, known.sets, forms)


def plain_goal(model: str, parameters: Mapping[str, Json], options: WriteOptions) -> dict[str, Json]:
    """Tell a goal; values that it names are spelled as the file has them."""
    named = dict(parameters.get("distribution") or {})
    spelled = {"distribution": {_spelled(value, options): share for value, share in named.items()}} if named else {}
    return {"model": model, "parameters": {**parameters, **spelled}}


def plain_order(entry: ColumnSchema, listed: Sequence[str] | None) -> Order:
    """Say how the values of a column follow each other: by value, else as they are listed, else as texts."""
    if entry.type in _NUMBERS:
        return Order("number", entry.format)
    if entry.type is ColumnType.DATE:
        return Order("date", entry.format)
    return Order("text") if listed is None else Order("list", values=tuple(listed))


def known_facts(project: Project, table: Table, original: Table, options: WriteOptions) -> KnownFacts:
    """Tell orders, hierarchies, groups and references of a table that leaves, spelled as its file has the values."""
    schema, trees = project.schema, project.used_hierarchies()
    listed = sensitive_value_orders(project, table, options, original)
    counted = {*schema.names(Role.QI), *schema.names(Role.SA)}
    spelled = {
        name: plain_tree(tree, options if name in schema.names(Role.SA) else None) for name, tree in trees.items()
    }
    return KnownFacts(
        orders={
            entry.name: plain_order(entry, listed.get(entry.name)) for entry in schema.columns if entry.name in counted
        },
        trees=spelled,
        references={_INPUT: {name: _counts(original.column(name), options) for name in schema.names(Role.SA)}},
        groups=reference_groups(project, table, options),
        meanings={name: _meanings(table, name, options) for name in schema.names(Role.QI)},
        tops=fully_generalised_labels(project, table, options),
    )


def separate_set_cells(table: Table | None, options: WriteOptions) -> list[list[str]]:
    """Give the cells of sets that leave in a file of their own, column by column, as that file has them."""
    columns = () if table is None else table.columns
    return [[_spelled(text, options) for text in column.texts().tolist()] for column in columns]


def sensitive_value_orders(
    project: Project, table: Table, options: WriteOptions, original: Table | None = None
) -> dict[str, list[str]]:
    """Give the published sensitive values in the order of their hierarchy, which ordered distances follow.

    Values that a goal names stand among them, with `original` also those it had.
    """
    orders = {}
    for name in project.schema.names(Role.SA):
        tree = project.hierarchies.get(name)
        if tree is not None:
            before = () if original is None else original.column(name).labels
            column = with_further_values(
                table.column(name), values_only_in_reference(project.goals, table.column(name), before)
            )
            leaf = find_leaves(column, with_missing(tree, column), project.schema.column(name))
            texts = column_in_file(column, options).labels
            orders[name] = [texts[code] for code in np.argsort(leaf, kind="stable").tolist()]
    return orders


def plain_tree(tree: Hierarchy, options: WriteOptions | None) -> Tree:
    """Give a hierarchy as lists; with options its labels are spelled as they would be written."""
    labels = [label if options is None else _spelled(label, options) for label in tree.labels]
    spans = {
        node: Span(interval.low, interval.high, interval.closed, interval.open_low)
        for node, interval in tree.intervals.items()
    }
    return Tree(tuple(labels), tuple(tree.parents.tolist()), spans)


def fully_generalised_labels(project: Project, table: Table, options: WriteOptions) -> dict[str, list[str]]:
    """Name the published texts of each quasi-identifier that leave nothing of a value, as its file has them."""
    found = {}
    for name in project.schema.names(Role.QI):
        tree, labels = project.hierarchies.get(name), table.column(name).labels
        tops = {SUPPRESSED} if tree is None else _tops(tree)
        found[name] = [_spelled(label, options) for label in sorted(tops & set(labels))]
    return found


def _tops(tree: Hierarchy) -> set[str]:
    """Give the root's text, and `*` unless it names a group that is not all of the tree."""
    parents, below = tree.parents.tolist(), tree.labels[1:]
    if SUPPRESSED not in below:
        return {tree.labels[0], SUPPRESSED}
    at = 1 + below.index(SUPPRESSED)
    while at and parents.count(parents[at]) == 1:
        at = parents[at]
    return {tree.labels[0], SUPPRESSED} if at == 0 else {tree.labels[0]} - {SUPPRESSED}


def reference_groups(project: Project, table: Table, options: WriteOptions) -> ReferenceGroups:
    """Show for every goal of (n,t)-closeness the group of records that was found near all classes."""
    places = {place: goal for place, goal in enumerate(project.goals) if isinstance(goal, NTCloseness)}
    if not any(goal.group == "one" for goal in places.values()):
        return {}
    schema = project.schema
    _, groups, whole = published_groups(
        merge_homographs_in(table, schema.names(Role.SA)),
        schema.names(Role.QI),
        schema.names(Role.SA),
        project.hierarchies,
        schema,
    )
    found: ReferenceGroups = {}
    for place, goal in places.items():
        shown: dict[str, dict[str, int]] = {}

        def show(
            histogram: Histogram,
            sensitive: SensitiveAttribute,
            goal: NTCloseness = goal,
            shown: dict[str, dict[str, int]] = shown,
        ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
            if goal.group == "one" and int(sensitive.counts.sum()) >= goal.n:
                records = nearest_reference_group(goal.distance, histogram, sensitive, goal.n).tolist()
                texts = [_spelled(label, options) for label in sensitive.labels]
                shown[sensitive.name] = {text: count for text, count in zip(texts, records, strict=True) if count}
            return np.zeros(histogram.n_groups)

        goal.worst_values(groups, whole, show)
        found[place] = shown
    return found


def _counts(column: Column, options: WriteOptions) -> dict[str, float]:
    used = column.compact()
    texts = [_spelled(label, options) for label in used.labels]
    return dict(zip(texts, used.counts().tolist(), strict=True))


def plain_population(source: Source | None, table: Table | None, names: Sequence[str]) -> Population | None:
    """Give the population by the bytes of its file, where that is still the same; else by its cells."""
    if table is None:
        return None
    path = None if source is None or "://" in source.path else Path(source.path)
    if path is not None and source is not None and path.suffix.lower() in _COUNTABLE and path.is_file():
        options = from_json(ReadOptions, source.options)
        if source.sha256 == checksum(path) and options.long_rows == "refuse" and not options.query:
            return Population(path, _foreign_reading(path, options))
    cells = {name: ["" if text == MISSING else text for text in table.column(name).texts().tolist()] for name in names}
    return Population(cells=cells)


def _foreign_reading(path: Path, options: ReadOptions) -> FileFormat:
    return FileFormat(
        format_by_name(path),
        options.encoding,
        options.delimiter,
        tuple({*options.missing, MISSING}),
        options.quote,
        options.header,
        options.skip_lines,
        options.part,
        strict=False,
    )


def _meanings(table: Table, name: str, options: WriteOptions) -> Mapping[str, str]:
    """Say which labels stand behind texts that are written differently."""
    labels = table.column(name).labels
    return {text: label for label in labels if label != MISSING and (text := _spelled(label, options)) != label}


def _spelled(label: str, options: WriteOptions) -> str:
    text = options.missing if label == MISSING else label
    return escape_formula(text) if options.escape_formulas else text
