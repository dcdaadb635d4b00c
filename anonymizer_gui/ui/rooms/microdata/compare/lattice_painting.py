"""Draws the part of a lattice that is in sight."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import PRUNED
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.rooms.microdata.compare.lattice_marks import Marks, vector
from anonymizer_gui.ui.rooms.microdata.compare.lattice_space import DENSE, LatticeSpace


def paint_edges(painter: QPainter, space: LatticeSpace, edges: list[tuple[int, int]], current: int) -> None:
    """Draw the edges given, and those of the node that is looked at."""
    painter.setPen(QPen(theme.color("line"), 1))
    for below, above in edges:
        painter.drawLine(space.centre(below), space.centre(above))
    painter.setPen(QPen(theme.color("accent"), 1.2))
    for step in (1, -1):
        for other in space.found.neighbours(current, step).tolist():
            painter.drawLine(space.centre(current), space.centre(other))


def paint_row(painter: QPainter, space: LatticeSpace, row: int, marks: Marks) -> None:
    """Draw the nodes of a row: with their levels, as shapes, or dense ones as a line with the checked ones on it."""
    left, y, seen = space.left_of(row), space.y_of(row), space.places_in_sight(row)
    nodes = space.found.in_row(row)
    if space.has_labels:
        for place in seen:
            _paint_label(painter, space, int(nodes[place]), QPointF(left + place * space.spacing, y), marks)
        return
    places = np.arange(seen.start, max(seen.stop, seen.start))
    states = space.found.lattice.state[nodes[places]]
    if space.spacing < DENSE:
        painter.setPen(QPen(theme.color("line"), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(left - 0.5, y), QPointF(left + (len(nodes) - 1) * space.spacing + 0.5, y))
        places, states = places[states != PRUNED], states[states != PRUNED]
    order = np.argsort(states, kind="stable")  # the chosen one comes last and lies on top
    marks.draw(painter, states[order].tolist(), (left + places[order] * space.spacing).tolist(), y)


def paint_current(painter: QPainter, space: LatticeSpace, node: int, *, has_focus: bool) -> None:
    """Draw a frame around the node that is looked at."""
    side = max(space.diameter * 1.7, space.unit) + 6
    around = QRectF(0, 0, space.label + 6, space.unit * 1.5 + 6) if space.has_labels else QRectF(0, 0, side, side)
    around.moveCenter(space.centre(node))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("accent"), 2.5 if has_focus else 1.5))
    painter.drawRoundedRect(around, 6, 6)


def paint_gutter(painter: QPainter, space: LatticeSpace) -> None:
    """Draw the sum of levels of every row at the left edge."""
    painter.fillRect(0, 0, space.gutter, space.size.height(), theme.color("alternate"))
    painter.setPen(theme.color("muted"))
    flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    for row in space.rows_in_sight():
        box = QRectF(0, space.y_of(row) - space.unit, space.gutter - space.unit / 2, space.unit * 2)
        painter.drawText(box, flags, str(space.found.height[row]))


def _paint_label(painter: QPainter, space: LatticeSpace, node: int, centre: QPointF, marks: Marks) -> None:
    lattice, unit = space.found.lattice, space.unit
    box = QRectF(0, 0, space.label, unit * 1.5)
    box.moveCenter(centre)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.setBrush(theme.color("alternate"))
    painter.drawRoundedRect(box, unit / 3, unit / 3)
    marks.draw(painter, [int(lattice.state[node])], [box.left() + unit * 0.9], centre.y())
    painter.setPen(theme.color("text"))
    text = box.adjusted(unit * 1.7, 0, 0, 0)
    painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, vector(lattice, node))
