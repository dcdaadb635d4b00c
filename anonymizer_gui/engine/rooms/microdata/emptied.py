"""Rows with nothing left: published, but with `*` or the root in every quasi-identifier."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.errors import Infeasible
from anonymizer_gui.engine.hierarchy.coverage import cell_range
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.set_counts import SetCounts
from anonymizer_gui.engine.shapes.tables.table import SUPPRESSED, Table
from anonymizer_gui.engine.words import say


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
    return tuple(label for label in (tree.labels[0], SUPPRESSED) if cell_range(label, tree) == whole)


def refuse_too_many(emptied: int, left_out: int, rows: int, limit: float) -> None:
    """Refuse a result that tells nothing of more rows than may be suppressed; raises Infeasible."""
    lost = emptied + left_out
    if lost <= limit * rows + 1e-9:
        return
    raise Infeasible(
        say(
            "{lost:,} of {rows:row|rows} would be left out or keep nothing in any quasi-identifier; "
            "the limit is {limit:.2%}.",
            lost=lost,
            rows=rows,
            limit=limit,
        ),
        say(
            "Ask for less, choose another algorithm, or let the limit be {share:.2%}.",
            share=np.ceil(lost / max(rows, 1) * 10_000) / 10_000,
        ),
    )
