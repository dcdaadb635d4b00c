"""How a hierarchy stands with its column, in one word: for a glance at all columns."""

import enum

import numpy as np

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.set_valued_cells import hierarchy_values
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.contradictions import contradictions
from anonymizer_gui.engine.hierarchy.encode import NO_PLACE, find_leaves
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


class Standing(enum.Enum):
    """The worst that is to be said of a hierarchy."""

    GOOD = "good"
    CONTRADICTED = "contradicted"
    UNPLACED = "unplaced"


def standing(
    column: Column, hierarchy: Hierarchy, schema: ColumnSchema | None = None, progress: Progress = SILENT
) -> Standing:
    """Say whether every value has a place and every label is true of what lies below it.

    >>> tree = Hierarchy.from_nested({"*": {"Europe": ["Italy"]}})
    >>> standing(Column.from_texts("land", ["Peru"]), tree)
    <Standing.UNPLACED: 'unplaced'>
    """
    progress(0.0)
    column = hierarchy_values(column, schema)
    try:
        leaf_of_label = find_leaves(column, hierarchy, schema)
    except BadHierarchy:  # intervals overlap: no value can be placed for sure
        return Standing.UNPLACED
    progress(0.5)
    homeless = np.flatnonzero((leaf_of_label == NO_PLACE) & (column.counts() > 0)).tolist()
    if any(column.labels[at] != MISSING for at in homeless):
        return Standing.UNPLACED
    return Standing.CONTRADICTED if contradictions(hierarchy) else Standing.GOOD
