"""How large the search is, in words."""

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.resource_estimate import (
    MIN_SECONDS_SHOWN,
    duration_text,
    estimated_seconds,
    lattice_size,
)
from anonymizer_gui.ui.i18n import format_integer, tr

_MANY_NODES = 1_000_000


def size_words(table: Table, project: Project) -> str:
    """Say how many rows, columns and combinations of levels there are, and what that means for a search."""
    size = lattice_size(table, project)
    parts = [
        tr(
            "{rows:row|rows}, {columns:quasi-identifier|quasi-identifiers}, "
            "{nodes:combination|combinations} of levels.",
            rows=format_integer(size.rows),
            columns=size.columns,
            nodes=format_integer(size.nodes),
        )
    ]
    if project.algorithm is not None and project.algorithm.walks_levels:
        if size.nodes > _MANY_NODES:
            parts.append(tr("That is too many to prove the best one; bottom-up then searches as well as it can."))
        if size.compares_while_suppressing:
            parts.append(tr("These goals with suppression cannot be pruned: the search takes longer."))
    # How many rows of a table that an engine holds are different is known only when it has counted them.
    seconds = 0.0 if table.is_sample else estimated_seconds(table, project)
    if seconds > MIN_SECONDS_SHOWN:
        parts.append(tr("The search takes at most about {time}.", time=tr(duration_text(seconds))))
    return " ".join(parts)
