"""Tells a file with the levels of a hierarchy from one with the rows of a table."""

from pathlib import Path

import numpy as np

from anonymizer_gui.engine.data.tables.io import preview

_ROWS_SEEN = 50


def is_level_table(path: Path) -> bool:
    """Tell a level table by its last column: below a possible header all its rows name the root."""
    columns = preview(path, rows=_ROWS_SEEN).table.columns
    return len(columns) > 1 and len(np.unique(columns[-1].codes[1:])) == 1
