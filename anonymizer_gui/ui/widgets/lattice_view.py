"""The lattice of a full-domain search: a row per height, nodes by shape and colour, walked by pointer and keys."""

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip

from anonymizer_gui.engine.algorithms.lattice import PRUNED
from anonymizer_gui.engine.views.lattice_map import LatticeMap
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.lattice_marks import Marks, node_words, vector

NARROWEST, WIDEST = 0.02, 120.0
DENSE = 6.0
"""Below this distance, nodes that were not checked are drawn as one line."""
_ZOOM = 1.25
_MOST_EDGES = 400
_LOWEST_ROW, _HIGHEST_ROW = 1.4, 4.0


class LatticeView(QAbstractScrollArea):
    """Draws only the nodes in sight, so that a million of them scroll as well as ten."""

    current_changed = Signal(int)
    """Carries the node that is looked at."""
    activated = Signal(int)
    """Carries the node on which Enter was pressed."""

    def __init__(self) -> None:
        super().__init__(objectName="lattice")
        self._map: LatticeMap | None = None
        self._current = -1
        self._spacing = 16.0
        self._marks = Marks()
        self._edges: list[tuple[int, int]] = []
        self.setAccessibleName(tr("Lattice"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setWhatsThis(
            tr(
                "Every node is one choice of levels. Higher rows are more general; in a row, nodes further left lose "
                "less. The arrow keys walk, Home returns to the chosen node, Enter applies the node."
            )
        )

    @property
    def current(self) -> int:
        """The node that is looked at, -1 when there is none."""
        return self._current

    def show_map(self, found: LatticeMap, current: int) -> None:
        """Show a lattice, with this node in sight."""
        self._map = found
        small = len(found.nodes) <= _MOST_EDGES
        nodes = found.nodes.tolist() if small else []
        self._edges = [(node, int(above)) for node in nodes for above in found.neighbours(node, 1)]
        self.fit()
        self.set_current(current if found.row[current] >= 0 else int(found.lattice.chosen))

    def set_current(self, node: int) -> None:
        """Look at a node and bring it into sight."""
        if self._map is None or self._map.row[node] < 0:
            return
        self._current = node
        self._bring_into_sight(node)
        self.setAccessibleDescription(node_words(self._map.lattice, node))
        self.viewport().update()
        self.current_changed.emit(node)

    def fit(self) -> None:
        """Choose the width at which the longest row is in sight, if nodes can still be told apart."""
        if self._map is not None:
            room = self.viewport().width() - self._gutter() - 2 * self._unit()
            self._zoom_to(min(room / max(self._map.widest, 1), self._label_width() * 1.6))

    def zoom(self, steps: int) -> None:
        """Draw nodes further apart, or nearer together."""
        self._zoom_to(self._spacing * _ZOOM**steps)

    def place_of(self, node: int) -> QPoint:
        """Give where a node is drawn, in the viewport."""
        return self._centre(node).toPoint()

    def _zoom_to(self, spacing: float) -> None:
        self._spacing = min(max(spacing, NARROWEST), max(WIDEST, self._label_width() * 1.6))
        self._marks.prepare(self._diameter(), self.devicePixelRatioF())
        self._set_ranges()
        if self._current >= 0:
            self._bring_into_sight(self._current)
        self.viewport().update()

    def _unit(self) -> int:
        return self.fontMetrics().height()

    def _gutter(self) -> int:
        return self.fontMetrics().horizontalAdvance("000") + self._unit()

    def _label_width(self) -> float:
        columns = len(self._map.top) if self._map is not None else 1
        return self.fontMetrics().horizontalAdvance("0 " * columns) + self._unit() * 1.6

    def _has_labels(self) -> bool:
        return self._spacing >= self._label_width()

    def _diameter(self) -> float:
        return min(max(self._spacing * 0.75, self._unit() * 0.45), self._unit() * 0.9)

    def _row_height(self) -> float:
        rows = len(self._map.height) if self._map is not None else 1
        room = (self.viewport().height() - self._unit()) / max(rows, 1)
        least = self._unit() * (1.9 if self._has_labels() else _LOWEST_ROW)
        return min(max(room, least), self._unit() * _HIGHEST_ROW)

    def _set_ranges(self) -> None:
        if self._map is None:
            return
        size = self.viewport().size()
        width = round(self._map.widest * self._spacing) + self._gutter() + 2 * self._unit()
        height = round(len(self._map.height) * self._row_height()) + self._unit()
        for bar, whole, seen in (
            (self.horizontalScrollBar(), width, size.width()),
            (self.verticalScrollBar(), height, size.height()),
        ):
            bar.setRange(0, max(whole - seen, 0))
            bar.setPageStep(seen)
            bar.setSingleStep(self._unit() * 2)

    def _left_of_row(self, row: int) -> float:
        """Give the middle of the first node of a row: rows stand centred."""
        assert self._map is not None
        in_row = int(self._map.starts[row + 1] - self._map.starts[row])
        whole = max(self._map.widest * self._spacing, self.viewport().width() - self._gutter() - 2 * self._unit())
        middle = self._gutter() + self._unit() + whole / 2
        return middle - (in_row - 1) / 2 * self._spacing - self.horizontalScrollBar().value()

    def _height_of_row(self, row: int) -> float:
        return (row + 0.5) * self._row_height() + self._unit() / 2 - self.verticalScrollBar().value()

    def _centre(self, node: int) -> QPointF:
        assert self._map is not None
        row, place = int(self._map.row[node]), int(self._map.place[node])
        return QPointF(self._left_of_row(row) + place * self._spacing, self._height_of_row(row))

    def _bring_into_sight(self, node: int) -> None:
        at, edge = self._centre(node), self._unit() * 3
        size = self.viewport().size()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        if not self._gutter() + edge < at.x() < size.width() - edge:
            across.setValue(across.value() + round(at.x() - size.width() / 2))
        if not edge / 2 < at.y() < size.height() - edge / 2:
            down.setValue(down.value() + round(at.y() - size.height() / 2))

    def node_at(self, place: QPointF) -> int:
        """Give the node at a place of the viewport, -1 when there is none."""
        if self._map is None or place.x() < self._gutter():
            return -1
        top = place.y() - self._unit() / 2 + self.verticalScrollBar().value()
        row = int(top // self._row_height())
        if not 0 <= row < len(self._map.height):
            return -1
        nodes = self._map.in_row(row)
        at = (place.x() - self._left_of_row(row)) / self._spacing
        if self._spacing < DENSE:
            at = self._nearest_checked(nodes, at)
        return int(nodes[round(at)]) if 0 <= round(at) < len(nodes) else -1

    def _nearest_checked(self, nodes: npt.NDArray[np.int64], at: float) -> float:
        """Give the place of the checked node nearest to a place, if it is within reach; else the place itself."""
        assert self._map is not None
        checked = np.flatnonzero(self._map.lattice.state[nodes] != PRUNED)
        if not len(checked):
            return at
        nearest = int(checked[np.abs(checked - at).argmin()])
        return nearest if abs(nearest - at) * self._spacing <= self._diameter() else at

    def _rows_in_sight(self) -> range:
        assert self._map is not None
        first = max(int(self.verticalScrollBar().value() // self._row_height()) - 1, 0)
        last = first + int(self.viewport().height() // self._row_height()) + 3
        return range(first, min(last, len(self._map.height)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw rows, edges, nodes, and a ring around the node that is looked at."""
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme.color("base"))
        if self._map is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_edges(painter)
        for row in self._rows_in_sight():
            self._paint_row(painter, row)
        self._paint_current(painter)
        self._paint_gutter(painter)

    def _paint_edges(self, painter: QPainter) -> None:
        assert self._map is not None
        painter.setPen(QPen(theme.color("line"), 1))
        for below, above in self._edges:
            painter.drawLine(self._centre(below), self._centre(above))
        if self._current < 0:
            return
        painter.setPen(QPen(theme.color("accent"), 1.2))
        for step in (1, -1):
            for other in self._map.neighbours(self._current, step):
                painter.drawLine(self._centre(self._current), self._centre(int(other)))

    def _paint_row(self, painter: QPainter, row: int) -> None:
        assert self._map is not None
        nodes, left, y = self._map.in_row(row), self._left_of_row(row), self._height_of_row(row)
        first = max(int(-left // self._spacing), 0)
        last = min(int((self.viewport().width() - left) // self._spacing) + 2, len(nodes))
        seen = nodes[first:last]
        if self._has_labels():
            for place, node in enumerate(seen.tolist(), start=first):
                self._paint_label(painter, node, QPointF(left + place * self._spacing, y))
            return
        states = self._map.lattice.state[seen]
        places = np.arange(first, first + len(seen))
        if self._spacing < DENSE:
            painter.setPen(QPen(theme.color("line"), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(left, y), QPointF(left + (len(nodes) - 1) * self._spacing, y))
            places, states = places[states != PRUNED], states[states != PRUNED]
        order = np.argsort(states, kind="stable")  # the chosen one comes last and lies on top
        self._marks.draw(painter, states[order].tolist(), (left + places[order] * self._spacing).tolist(), y)

    def _paint_label(self, painter: QPainter, node: int, centre: QPointF) -> None:
        assert self._map is not None
        lattice, unit = self._map.lattice, self._unit()
        box = QRectF(0, 0, self._label_width(), unit * 1.5)
        box.moveCenter(centre)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("alternate"))
        painter.drawRoundedRect(box, unit / 3, unit / 3)
        self._marks.draw(painter, [int(lattice.state[node])], [box.left() + unit * 0.8], centre.y())
        painter.setPen(theme.color("text"))
        text = box.adjusted(unit * 1.3, 0, 0, 0)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, vector(lattice, node))

    def _paint_current(self, painter: QPainter) -> None:
        if self._current < 0:
            return
        around = QRectF(0, 0, self._diameter() * 1.7 + 6, self._diameter() * 1.7 + 6)
        if self._has_labels():
            around = QRectF(0, 0, self._label_width() + 6, self._unit() * 1.5 + 6)
        around.moveCenter(self._centre(self._current))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent"), 2.5 if self.hasFocus() else 1.5))
        painter.drawRoundedRect(around, 6, 6)

    def _paint_gutter(self, painter: QPainter) -> None:
        assert self._map is not None
        painter.fillRect(0, 0, self._gutter(), self.viewport().height(), theme.color("alternate"))
        painter.setPen(theme.color("muted"))
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row in self._rows_in_sight():
            box = QRectF(
                0, self._height_of_row(row) - self._unit(), self._gutter() - self._unit() / 2, self._unit() * 2
            )
            painter.drawText(box, flags, str(self._map.height[row]))

    def sizeHint(self) -> QSize:
        """Be large enough to be read."""
        return QSize(self._unit() * 30, self._unit() * 20)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the node in sight."""
        super().resizeEvent(event)
        self.fit()

    def viewportEvent(self, event: QEvent) -> bool:
        """Tell what is under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            node = self.node_at(QPointF(event.pos()))
            words = node_words(self._map.lattice, node) if self._map is not None and node >= 0 else ""
            QToolTip.showText(event.globalPos(), words, self.viewport())
            return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Look at the node that is clicked."""
        node = self.node_at(event.position())
        if node >= 0:
            self.set_current(node)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, scroll otherwise."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk along the row and to the neighbours above and below; zoom with + and -."""
        steps = {
            Qt.Key.Key_Left: lambda: self._walk_in_row(-1),
            Qt.Key.Key_Right: lambda: self._walk_in_row(1),
            Qt.Key.Key_Up: lambda: self._walk_across(1),
            Qt.Key.Key_Down: lambda: self._walk_across(-1),
            Qt.Key.Key_Home: self._go_home,
            Qt.Key.Key_Plus: lambda: self.zoom(1),
            Qt.Key.Key_Minus: lambda: self.zoom(-1),
            Qt.Key.Key_0: self.fit,
            Qt.Key.Key_Return: lambda: self.activated.emit(self._current),
            Qt.Key.Key_Enter: lambda: self.activated.emit(self._current),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None or self._map is None or self._current < 0:
            super().keyPressEvent(event)
        else:
            step()

    def _go_home(self) -> None:
        if self._map is not None:
            self.set_current(int(self._map.lattice.chosen))

    def _walk_in_row(self, step: int) -> None:
        assert self._map is not None
        nodes = self._map.in_row(int(self._map.row[self._current]))
        at = int(self._map.place[self._current]) + step
        if 0 <= at < len(nodes):
            self.set_current(int(nodes[at]))

    def _walk_across(self, step: int) -> None:
        """Go to the neighbour of least loss; where none is drawn, to the best node of the next row."""
        assert self._map is not None
        near = self._map.neighbours(self._current, step)
        row = int(self._map.row[self._current]) - step
        if len(near):
            self.set_current(int(near[0]))
        elif 0 <= row < len(self._map.height):
            self.set_current(int(self._map.in_row(row)[0]))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the focus is."""
        super().focusInEvent(event)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        """Draw in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._marks.prepare(self._diameter(), self.devicePixelRatioF())
            self.viewport().update()
