"""Classes to cells: common ancestors, loss, labels, the published table."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows, number_rows
from anonymizer_gui.engine.data.tables.table import MISSING, SUPPRESSED, Column, Role, Table, smallest_codes
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, QuasiIdentifier
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding

RANGE_NODE = -1


def most_general_groups(encoded: EncodedTable) -> npt.NDArray[np.int64]:
    """Give the group of every tuple in the most general table the level bounds allow."""
    bounded = [(j, qi) for j, qi in enumerate(encoded.qis) if qi.top < qi.hierarchy.height]
    columns = [qi.levels()[-1][encoded.tuples[:, j]] for j, qi in bounded]
    return group_rows(columns, len(encoded.tuples)).ids.astype(np.int64)


def recoding_of_groups(encoded: EncodedTable, group_of_tuple: npt.NDArray[np.int64]) -> Recoding:
    """Publish each group of tuples as the common ancestor of its leaves, column by column; group -1 is suppressed.

    Groups are renumbered without gaps in the order of their numbers; those without rows disappear.
    Cells finer than the lowest level allowed are lifted to it; they cover the people of the population counted
    in their group, too.
    """
    rows = np.bincount(group_of_tuple[group_of_tuple >= 0], encoded.counts[group_of_tuple >= 0], minlength=1)
    live = np.flatnonzero((group_of_tuple >= 0) & (rows[group_of_tuple] > 0))
    numbers, of_live = np.unique(group_of_tuple[live], return_inverse=True)
    order = np.argsort(of_live, kind="stable")
    starts = np.searchsorted(of_live[order], np.arange(len(numbers)))
    class_of_tuple = np.full(len(group_of_tuple), -1, dtype=np.int64)
    class_of_tuple[live] = of_live
    return recoding_of_nodes(encoded, class_of_tuple, common_ancestors(encoded, live[order], starts))


def recoding_of_nodes(
    encoded: EncodedTable,
    class_of_tuple: npt.NDArray[np.int64],
    node: npt.NDArray[np.int32],
    search: object | None = None,
) -> Recoding:
    """Publish each class with the hierarchy nodes given, one row of nodes per class; class -1 is suppressed."""
    low = np.empty_like(node)
    high = np.empty_like(node)
    for j, qi in enumerate(encoded.qis):
        low[:, j] = qi.hierarchy.first_leaf[node[:, j]]
        high[:, j] = qi.hierarchy.end_leaf[node[:, j]] - 1
    return Recoding(class_of_tuple.take(encoded.tuple_of_row), low, high, node, search)


def common_ancestors(
    encoded: EncodedTable, tuples: npt.NDArray[np.integer[Any]], starts: npt.NDArray[np.int64]
) -> npt.NDArray[np.int32]:
    """Give the node of each class and column that covers its tuples, not finer than the lowest level allowed.

    The tuples of a class are neighbours; `starts` says where each class begins.
    """
    nodes = np.empty((len(starts), len(encoded.qis)), dtype=np.int32)
    for j, qi in enumerate(encoded.qis if len(starts) else ()):
        tree, leaves = qi.hierarchy, encoded.tuples[:, j].take(tuples)
        if not qi.lowest:
            nodes[:, j] = tree.common_ancestors(
                np.minimum.reduceat(leaves, starts), np.maximum.reduceat(leaves, starts)
            )
            continue
        finest = qi.levels()[0][leaves]
        low = np.minimum.reduceat(tree.first_leaf[finest], starts)
        high = np.maximum.reduceat(tree.end_leaf[finest], starts) - 1
        # Nodes are numbered from the top: of a chain of nodes over the same leaves the highest asked for is taken.
        nodes[:, j] = np.minimum(tree.common_ancestors(low, high), np.minimum.reduceat(finest, starts))
    return nodes


def cell_losses(encoded: EncodedTable, recoding: Recoding) -> npt.NDArray[np.float64]:
    """Give the LM of each class and column: (leaves covered - 1) / (leaves in all - 1)."""
    widths = (recoding.high - recoding.low).astype(np.float64)
    spans = np.array([max(qi.hierarchy.n_leaves - 1, 1) for qi in encoded.qis], dtype=np.float64)
    return np.asarray(widths / spans, dtype=np.float64)


def recoding_loss(encoded: EncodedTable, recoding: Recoding) -> float:
    """Give the LM of the table, from 0 to 1; a suppressed record costs 1."""
    if not encoded.n_rows:
        return 0.0
    kept = recoding.class_of_row >= 0
    times = None if encoded.times is None else encoded.times[kept]
    sizes = np.bincount(recoding.class_of_row[kept], weights=times, minlength=recoding.n_classes)
    per_class = (cell_losses(encoded, recoding) * encoded.weights).sum(axis=1)
    return float(((sizes * per_class).sum() + encoded.n_rows - sizes.sum()) / encoded.n_rows)


def cell_label(qi: QuasiIdentifier, node: int, low: int, high: int) -> str:
    """Give the text of one published cell: the node's label, `[35-38]`, or `{A, B}`."""
    if node != RANGE_NODE:
        return qi.hierarchy.labels[node]
    leaves = qi.hierarchy.leaf_labels[low : high + 1]
    if len(leaves) == 1:
        return leaves[0]
    if qi.ordered and MISSING not in leaves:
        return f"[{leaves[0]}-{leaves[-1]}]"
    return "{" + ", ".join(leaves) + "}"


def published_column(qi: QuasiIdentifier, j: int, recoding: Recoding, class_of_row: npt.NDArray[np.int64]) -> Column:
    """Give the QI column j as it is published, for the rows whose classes are given."""
    parts = recoding.low[:, j], recoding.high[:, j], recoding.node[:, j]
    of_distinct, cell_of_class = number_rows(parts)
    distinct = zip(*(part[of_distinct].tolist() for part in parts), strict=True)
    texts = [cell_label(qi, node, low, high) for low, high, node in distinct]
    labels = tuple(dict.fromkeys(texts))
    place = {label: code for code, label in enumerate(labels)}
    code_of_class = np.array([place[text] for text in texts], dtype=np.int64)[cell_of_class]
    codes = code_of_class[class_of_row]
    return Column(qi.name, smallest_codes(codes, len(labels)), labels).compact()


@dataclass(frozen=True, slots=True, eq=False)
class PublishedTable:
    """A published table, and the original row of each of its rows."""

    table: Table
    rows: npt.NDArray[np.int64]


def publish_table(
    table: Table, project: Project, encoded: EncodedTable, recoding: Recoding, *, stars: bool
) -> PublishedTable:
    """Make the published table.

    EI columns are left out, QI cells recoded, the rest is unchanged. Suppressed rows are left out, or with `stars`
    published with `*` in every QI.
    """
    kept = recoding.class_of_row >= 0
    rows = np.arange(table.n_told) if stars else np.flatnonzero(kept)
    times = None if table.times is None else table.times[rows]
    place = {qi.name: j for j, qi in enumerate(encoded.qis)}
    dropped = set(project.schema.names(Role.EI))
    columns = []
    for column in table.columns:
        if column.name in place:
            j = place[column.name]
            recoded = published_column(encoded.qis[j], j, recoding, recoding.class_of_row[kept])
            starred = _with_stars(recoded, kept) if stars and not kept.all() else recoded
            columns.append(replace(starred, times=times))
        elif column.name not in dropped:
            columns.append(column.take(rows))
    return PublishedTable(Table(tuple(columns), len(rows) if times is None else int(times.sum())), rows)


def _with_stars(column: Column, kept: npt.NDArray[np.bool_]) -> Column:
    labels = column.labels if SUPPRESSED in column.labels else (*column.labels, SUPPRESSED)
    codes = np.full(len(kept), labels.index(SUPPRESSED), dtype=np.int64)
    codes[kept] = column.codes
    return Column(column.name, smallest_codes(codes, len(labels)), labels)
