"""Where the nodes of a lattice are on the screen: rows centred one under the other, at any zoom."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QSize

from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import PRUNED
from anonymizer_gui.engine.rooms.microdata.views.search_trace import LatticeMap

DENSE = 6.0
"""Below this distance in pixels, nodes that were not checked are drawn as one line."""
_NARROWEST = 0.02
_WIDER_THAN_LABELS = 1.6
_LOWEST_ROW, _LOWEST_ROW_WITH_LABELS, _HIGHEST_ROW = 1.4, 1.9, 4.0


@dataclass(slots=True)
class LatticeSpace:
    """A laid-out lattice seen through a window of some size, scrolled to some place.

    `unit` is the height of a line of text, to which all sizes relate; `label` the width of a node with its levels
    written in it, `gutter` that of the numbers at the left edge.
    """

    found: LatticeMap
    unit: int
    label: float
    gutter: int
    size: QSize
    spacing: float = 16.0
    across: int = 0
    down: int = 0

    @property
    def has_labels(self) -> bool:
        """Whether there is room to write the levels into the nodes."""
        return self.spacing >= self.label

    @property
    def diameter(self) -> float:
        """The size of a node without a label."""
        return min(max(self.spacing * 0.75, self.unit * 0.45), self.unit * 0.9)

    @property
    def row_height(self) -> float:
        """The distance between rows: all in sight, if they can still be told apart."""
        room = (self.size.height() - self.unit) / max(len(self.found.height), 1)
        least = _LOWEST_ROW_WITH_LABELS if self.has_labels else _LOWEST_ROW
        return min(max(room, self.unit * least), self.unit * _HIGHEST_ROW)

    @property
    def whole(self) -> QSize:
        """The size of everything."""
        width = round(self.found.widest * self.spacing) + self.gutter + 2 * self.unit
        return QSize(width, round(len(self.found.height) * self.row_height) + self.unit)

    @property
    def fitting(self) -> float:
        """The distance at which the longest row is just in sight."""
        room = self.size.width() - self.gutter - 2 * self.unit
        return min(room / max(self.found.widest, 1), self.label * _WIDER_THAN_LABELS)

    def zoom_to(self, spacing: float) -> None:
        """Set the distance of nodes, within reason."""
        self.spacing = min(max(spacing, _NARROWEST), max(self.label * _WIDER_THAN_LABELS, DENSE * 20))

    def left_of(self, row: int) -> float:
        """Give the middle of the first node of a row."""
        in_row = int(self.found.starts[row + 1] - self.found.starts[row])
        room = max(self.found.widest * self.spacing, self.size.width() - self.gutter - 2 * self.unit)
        return self.gutter + self.unit + room / 2 - (in_row - 1) / 2 * self.spacing - self.across

    def y_of(self, row: int) -> float:
        """Give the middle of a row."""
        return (row + 0.5) * self.row_height + self.unit / 2 - self.down

    def centre(self, node: int) -> QPointF:
        """Give the middle of a node."""
        row = int(self.found.row[node])
        return QPointF(self.left_of(row) + int(self.found.place[node]) * self.spacing, self.y_of(row))

    def rows_in_sight(self) -> range:
        """Give the rows of which something is in the window."""
        first = max(int(self.down // self.row_height) - 1, 0)
        last = first + int(self.size.height() // self.row_height) + 3
        return range(first, min(last, len(self.found.height)))

    def places_in_sight(self, row: int) -> range:
        """Give the places of a row that are in the window."""
        left, in_row = self.left_of(row), int(self.found.starts[row + 1] - self.found.starts[row])
        first = max(int(-left // self.spacing), 0)
        return range(first, min(int((self.size.width() - left) // self.spacing) + 2, in_row))

    def node_at(self, place: QPointF) -> int:
        """Give the node at a place of the window, -1 when there is none."""
        row = int((place.y() - self.unit / 2 + self.down) // self.row_height)
        if place.x() < self.gutter or not 0 <= row < len(self.found.height):
            return -1
        at = (place.x() - self.left_of(row)) / self.spacing
        at = self._checked_near(row, at) if self.spacing < DENSE else at
        nodes = self.found.in_row(row)
        return int(nodes[round(at)]) if 0 <= round(at) < len(nodes) else -1

    def _checked_near(self, row: int, at: float) -> float:
        """Give the place of the checked node nearest to a place, if it is within reach; else the place itself."""
        checked = np.flatnonzero(self.found.lattice.state[self.found.in_row(row)] != PRUNED)
        if not len(checked):
            return at
        nearest = int(checked[np.abs(checked - at).argmin()])
        return nearest if abs(nearest - at) * self.spacing <= self.diameter else at
