"""At which level of its hierarchy every quasi-identifier is published, and with which labels (the cuts)."""

from anonymizer_gui.engine.hierarchy.coverage import node_heights
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.shapes.tables.table import MISSING, SUPPRESSED, Column, Role, Table

MOST_LABELS = 40


def chosen_levels(table: Table, project: Project) -> dict[str, Json]:
    """Tell levels and labels of every published quasi-identifier; nothing but what stands in the file."""
    names = [name for name in project.schema.names(Role.QI) if name in table.names]
    return {name: _told(table.column(name).compact(), project.hierarchies.get(name)) for name in names}


def _told(column: Column, tree: Hierarchy | None) -> dict[str, Json]:
    pairs = zip(column.labels, column.counts().tolist(), strict=True)
    used = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
    found = [] if tree is None else _levels([label for label, _ in used], tree)
    return {
        "levels": [min(found), max(found)] if found else None,
        "height": None if tree is None else tree.height,
        "distinct": len(used),
        "labels": [[label, rows] for label, rows in used[:MOST_LABELS]],
    }


def _levels(labels: list[str], tree: Hierarchy) -> list[int]:
    """Give the level of each label that is a node; ranges that no hierarchy names have none."""
    heights = node_heights(tree)
    nodes = [tree.node_of_label.get(label) for label in labels if label not in (MISSING, SUPPRESSED)]
    tops = [tree.height for label in labels if label == SUPPRESSED]
    return [int(heights[node]) for node in nodes if node is not None] + tops
