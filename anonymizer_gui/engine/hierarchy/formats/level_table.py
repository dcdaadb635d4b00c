"""The level table: one line per value, `value;group;...;*`, as ARX and many others keep it."""

import csv
import io
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS
from anonymizer_gui.engine.hierarchy.formats.delimited import DELIMITERS, Row, has_constant, sniff_rows
from anonymizer_gui.engine.hierarchy.formats.paths import PathTree, refusal
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


@HIERARCHY_FORMATS.register
@dataclass(frozen=True, slots=True)
class LevelTable:
    """Lines `value;group;...;root`; any delimiter, a header or none, lines of unequal length, either direction."""

    name: ClassVar[str] = "level-table"
    title: ClassVar[str] = "Level table"
    summary: ClassVar[str] = "One line per value: the value, its group, ..., the root, separated by semicolons."
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)
    rank: ClassVar[int] = 90

    @staticmethod
    def recognises(text: str) -> bool:
        """Say whether the text could be of this format."""
        return any(delimiter in text for delimiter in DELIMITERS)

    @staticmethod
    def read(text: str, name: str) -> Hierarchy:
        """Read the text; raises BadHierarchy with line and reason when it is no tree.

        >>> LevelTable.read("Italy;Europe;*\\nJapan;Asia;*\\n", "land.csv").labels
        ('*', 'Europe', 'Italy', 'Asia', 'Japan')
        """
        rows = _without_header(sniff_rows(text, name))
        tree = PathTree(name)
        for row in rows:
            if not all(row.cells[1:]):
                raise refusal(name, row.line, "a level between the value and the root is empty.", "Fill the gap.")
        upwards = has_constant(rows, -1) or not has_constant(rows, 0)
        for row in rows:
            tree.add(_from_root(row, upwards), row.line)
        return tree.tree()

    @staticmethod
    def write(hierarchy: Hierarchy) -> str:
        """Write one line per leaf, from the leaf to the root; leaves of lesser depth have shorter lines."""
        out = io.StringIO(newline="")
        writer = csv.writer(out, delimiter=";", lineterminator="\n")
        labels = hierarchy.labels
        writer.writerows([labels[node] for node in hierarchy.path(int(leaf))] for leaf in hierarchy.leaves)
        return out.getvalue()


def _without_header(rows: list[Row]) -> list[Row]:
    """Leave out a first line that does not end in the root all others end in (or begin with) and names no label."""
    labels = {cell for row in rows[1:] for cell in row.cells}
    if len(rows) < 3 or labels.intersection(rows[0].cells):
        return rows
    last = {row.cells[-1] for row in rows[1:]}
    first = {row.cells[0] for row in rows[1:]}
    upwards_header = len(last) == 1 and rows[0].cells[-1] not in last
    downwards_header = len(last) > 1 and len(first) == 1 and rows[0].cells[0] not in first
    return rows[1:] if upwards_header or downwards_header else rows


def _from_root(row: Row, upwards: bool) -> list[str]:
    cells = [row.cells[0] or MISSING, *row.cells[1:]]
    return cells[::-1] if upwards else cells
