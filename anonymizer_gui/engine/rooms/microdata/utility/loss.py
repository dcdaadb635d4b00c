"""LM and MD of a published table: how much detail its cells have lost against the hierarchies.

Rows with nothing left are published, but with `*` or the root in every quasi-identifier.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import SUPPRESSED, Column, Schema, Table
from anonymizer_gui.engine.hierarchy.coverage import (
    PublishedColumn,
    covered_leaves,
    domain_of,
    node_heights,
    place_cells,
)
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.set_counts import SetCounts


@dataclass(frozen=True, slots=True)
class Loss:
    """LM per record (0 to 1), summed over records, and per column; MD; None where no domain is known.

    A suppressed record costs 1 in every cell, and as many levels as the hierarchy is high.
    """

    lm: float | None
    lm_total: float | None
    lm_columns: Mapping[str, float | None]
    md: int | None


def scaled_weights(qis: Sequence[str], weights: Mapping[str, float]) -> dict[str, float]:
    """Scale the weights of the columns to add up to 1; a column without an entry counts 1."""
    raw = {name: float(weights.get(name, 1.0)) for name in qis}
    total = sum(raw.values())
    if any(weight < 0 for weight in raw.values()) or (qis and total <= 0):
        raise BadParameter("The weights of the columns must not be negative, and one must be above 0.")
    return {name: weight / total for name, weight in raw.items()}


def measure_loss(
    table: Table,
    qis: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema | None = None,
    original: Table | None = None,
    rows: npt.NDArray[np.int64] | None = None,
    weights: Mapping[str, float] | None = None,
    suppressed: int = 0,
) -> Loss:
    """Measure the loss of a published table; `rows` gives the original row of each published one.

    MD counts from the leaf of the original row where `rows` is given, and otherwise from the deepest leaf below
    the published node. A range that no node names counts as the lowest node that covers it.
    """
    scaled = scaled_weights(qis, weights or {})
    columns: dict[str, float | None] = {}
    levels: list[int | None] = []
    for name in qis:
        entry = None if schema is None else schema.column(name)
        published, raw = table.column(name), None if original is None else original.column(name)
        domain = domain_of(published, raw, hierarchies.get(name), entry)
        cells = None if domain is None else place_cells(published, domain, entry)
        columns[name] = None if cells is None else mean_loss(published, cells, suppressed)
        if cells is None:
            levels.append(None)
        elif raw is None or rows is None:
            levels.append(_levels_without_original(published, cells, suppressed))
        else:
            leaf = encode_column(raw, cells.hierarchy, entry).codes
            climbed = levels_climbed(published, cells, leaf, rows)
            levels.append(int(climbed.sum() if raw.times is None else climbed @ raw.times))
    return _summed(columns, levels, scaled, table.n_rows + suppressed)


def with_sets(loss: Loss, sets: Mapping[str, float | None], weights: Mapping[str, float], records: int) -> Loss:
    """Add what columns of sets have lost, which is measured by their items; they climb no levels of MD."""
    columns = {**loss.lm_columns, **sets}
    return _summed(columns, [loss.md], scaled_weights(tuple(columns), weights), records) if sets else loss


def levels_climbed(
    published: Column, cells: PublishedColumn, leaf: npt.NDArray[np.int32], rows: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Give the levels every original row has climbed in one column; a row that is left out climbed to the root."""
    tree = cells.hierarchy
    climbed = tree.depths[tree.leaves[leaf]].astype(np.int64)
    climbed[rows] -= _published_depths(published, cells)[published.codes]
    return np.asarray(np.maximum(climbed, 0), dtype=np.int64)


def mean_loss(published: Column, cells: PublishedColumn, suppressed: int) -> float:
    """Give the LM per record of one column; a suppressed record costs 1."""
    records = published.rows + suppressed
    return float((published.counts() @ cells.loss + suppressed) / records) if records else 0.0


def _summed(
    columns: Mapping[str, float | None], levels: Sequence[int | None], weights: Mapping[str, float], records: int
) -> Loss:
    known = [weights[name] * value for name, value in columns.items() if value is not None]
    lm = math.fsum(known) if len(known) == len(columns) else None
    climbed = [level for level in levels if level is not None]
    md = sum(climbed) if len(climbed) == len(levels) else None
    return Loss(lm, None if lm is None else lm * records, columns, md)


def _published_depths(published: Column, cells: PublishedColumn) -> npt.NDArray[np.int64]:
    """Give the depth each label is published at; `*` stands for the root, unless it names a group below."""
    starred = np.array([label == SUPPRESSED for label in published.labels], dtype=np.bool_)
    starred &= cells.widths == cells.hierarchy.n_leaves
    return np.where(starred, 0, cells.hierarchy.depths[cells.nodes].astype(np.int64))


def _levels_without_original(published: Column, cells: PublishedColumn, suppressed: int) -> int:
    tree = cells.hierarchy
    deepest = (node_heights(tree) + tree.depths)[cells.nodes]
    climbed = deepest - _published_depths(published, cells)
    return int(published.counts() @ climbed) + suppressed * tree.height


def emptied_rows(
    table: Table, qis: Sequence[str], hierarchies: Mapping[str, Hierarchy], sets: SetCounts | None = None
) -> int:
    """Count the rows that tell nothing in any quasi-identifier, and hold no item where there are sets."""
    if not qis:
        return 0
    empty: npt.NDArray[np.bool_] = np.ones(table.n_told, dtype=np.bool_)
    for name in qis:
        column, tops = table.column(name), top_labels(hierarchies.get(name))
        empty &= np.array([label in tops for label in column.labels], dtype=np.bool_)[column.codes]
    if sets is not None:
        empty[sets.row_of] = False
    return int(np.count_nonzero(empty) if table.times is None else table.times[empty].sum())


def top_labels(tree: Hierarchy | None) -> tuple[str, ...]:
    """Give the texts that leave nothing of a value: the root's, and `*` unless it names a group below."""
    if tree is None:
        return (SUPPRESSED,)
    whole = 0, tree.n_leaves - 1
    return tuple(label for label in (tree.labels[0], SUPPRESSED) if covered_leaves(label, tree) == whole)


def refuse_too_many(emptied: int, left_out: int, rows: int, limit: float) -> None:
    """Refuse a result that tells nothing of more rows than may be suppressed; raises Infeasible."""
    lost = emptied + left_out
    if lost <= limit * rows + 1e-9:
        return
    raise Infeasible(
        message(
            "{lost:,} of {rows:row|rows} would be left out or keep nothing in any quasi-identifier; "
            "the limit is {limit:.2%}.",
            lost=lost,
            rows=rows,
            limit=limit,
        ),
        message(
            "Ask for less, choose another algorithm, or let the limit be {share:.2%}.",
            share=np.ceil(lost / max(rows, 1) * 10_000) / 10_000,
        ),
    )
