"""Generalisation lattice: geometry, painting, keys, legend."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import PRUNED, STATES, Lattice
from anonymizer_gui.engine.rooms.microdata.views.search_trace import LatticeMap, state_of
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import plain_text

DENSE_ZOOM = 6.0
"""Below this distance in pixels, nodes that were not checked are drawn as one line."""

_NARROWEST = 0.02

_WIDER_THAN_LABELS = 1.6

_LOWEST_ROW, _LOWEST_ROW_WITH_LABELS, _HIGHEST_ROW = 1.4, 1.9, 4.0


@dataclass(slots=True)
class LatticeGeometry:
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
        self.spacing = min(max(spacing, _NARROWEST), max(self.label * _WIDER_THAN_LABELS, DENSE_ZOOM * 20))

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
        at = self._checked_near(row, at) if self.spacing < DENSE_ZOOM else at
        nodes = self.found.in_row(row)
        return int(nodes[round(at)]) if 0 <= round(at) < len(nodes) else -1

    def _checked_near(self, row: int, at: float) -> float:
        """Give the place of the checked node nearest to a place, if it is within reach; else the place itself."""
        checked = np.flatnonzero(self.found.lattice.state[self.found.in_row(row)] != PRUNED)
        if not len(checked):
            return at
        nearest = int(checked[np.abs(checked - at).argmin()])
        return nearest if abs(nearest - at) * self.spacing <= self.diameter else at


_COLORS = {"pruned": "muted", "violated": "bad", "satisfied": "good", "chosen": "accent"}

_LARGER = {"pruned": 0.45, "violated": 0.75, "satisfied": 0.85, "chosen": 1.7}


class NodeMarks:
    """Pictures of the four states in one size, drawn once and stamped for every node."""

    def __init__(self) -> None:
        self._pictures: list[QPixmap] = []

    def prepare(self, diameter: float, unit: float, ratio: float) -> None:
        """Draw the pictures for nodes of this size; the chosen one is never smaller than a letter."""
        sizes = {state: diameter * larger for state, larger in _LARGER.items()}
        sizes["chosen"] = max(sizes["chosen"], unit)
        self._pictures = [_picture(state, sizes[state], ratio) for state in STATES]

    def draw(self, painter: QPainter, states: Sequence[int], middles: Sequence[float], y: float) -> None:
        """Stamp nodes in one row, each with its middle at the place given."""
        halves = [picture.width() / picture.devicePixelRatio() / 2 for picture in self._pictures]
        for state, x in zip(states, middles, strict=True):
            half = halves[state]
            painter.drawPixmap(QPointF(x - half, y - half), self._pictures[state])


def paint_mark(painter: QPainter, state: str, centre: QPointF, diameter: float) -> None:
    """Draw a star (chosen), a disc (satisfied), a cross (violated) or a small ring (not checked)."""
    shade, half = theme.color(_COLORS[state]), diameter / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(shade)
    if state == "satisfied":
        painter.drawEllipse(centre, half, half)
    elif state == "chosen":
        painter.drawPolygon(_star(centre, half))
    elif state == "violated":
        painter.setPen(QPen(shade, max(diameter / 5, 1.2)))
        painter.drawLine(centre + QPointF(-half, -half), centre + QPointF(half, half))
        painter.drawLine(centre + QPointF(-half, half), centre + QPointF(half, -half))
    else:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(shade, 1.0))
        painter.drawEllipse(centre, half, half)


class LatticeLegend(QWidget):
    """The four shapes with their words and how many nodes have them."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lattice_legend")
        self._entries: list[tuple[str, str]] = []

    def show_counts(self, counts: dict[str, int]) -> None:
        """Say how many nodes are in each state."""
        self._entries = [
            (state, tr("{state} ({count})", state=state_text(state), count=format_integer(counts[state])))
            for state in reversed(STATES)
        ]
        self.setAccessibleName("; ".join(words for _, words in self._entries))
        self.updateGeometry()
        self.update()

    def _places(self, width: int) -> list[tuple[str, str, int, int]]:
        unit, places = self.fontMetrics().height(), []
        x = y = 0
        for state, words in self._entries:
            needed = self.fontMetrics().horizontalAdvance(words) + unit * 2
            if x and x + needed > width:
                x, y = 0, y + round(unit * 1.4)
            places.append((state, words, x, y))
            x += needed + unit // 2
        return places

    def hasHeightForWidth(self) -> bool:
        """Break into lines where it is narrow."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Give the height of the lines."""
        places = self._places(width)
        return (places[-1][3] if places else 0) + round(self.fontMetrics().height() * 1.4)

    def sizeHint(self) -> QSize:
        """Be one line high if possible."""
        unit = self.fontMetrics().height()
        return QSize(unit * 30, self.heightForWidth(max(self.width(), unit * 20)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw shapes and words."""
        painter, unit = QPainter(self), self.fontMetrics().height()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for state, words, x, y in self._places(self.width()):
            paint_mark(painter, state, QPointF(x + unit * 0.6, y + unit * 0.7), unit * 0.75 * _LARGER[state])
            painter.setPen(theme.color("text"))
            painter.drawText(QPointF(x + unit * 1.4, y + unit * 0.7 + self.fontMetrics().ascent() / 2.6), words)


def level_vector_text(lattice: Lattice, node: int) -> str:
    """Write the levels of a node, such as `2 0 1`."""
    return " ".join(map(str, lattice.levels[node].tolist()))


def node_text(lattice: Lattice, node: int) -> str:
    """Say everything that is known of a node."""
    levels = ", ".join(
        f"{name} {level}" for name, level in zip(lattice.columns, lattice.levels[node].tolist(), strict=True)
    )
    state = state_of(lattice, node)
    lines = [state_text(state), tr("Levels: {levels}", levels=levels), loss_text(lattice, node)]
    if lattice.k[node] >= 0:
        lines.append(tr("k = {k}", k=format_integer(lattice.k[node])))
    if lattice.suppressed[node] >= 0:
        lines.append(tr("{count:row|rows} suppressed", count=format_integer(lattice.suppressed[node])))
    return "\n".join(lines)


def loss_text(lattice: Lattice, node: int) -> str:
    """Say the loss of a node, which is only a bound where the node does not satisfy."""
    loss = format_percent(lattice.lm[node], 2)
    known = state_of(lattice, node) in ("chosen", "satisfied")
    return tr("LM {loss}", loss=loss) if known else tr("LM at least {loss}", loss=loss)


def state_text(state: str) -> str:
    """Say a state in words."""
    return {
        "chosen": tr("Chosen"),
        "satisfied": tr("Satisfies the goals"),
        "violated": tr("Violates the goals"),
        "pruned": tr("Not checked: it cannot be better"),
    }[state]


def _picture(state: str, diameter: float, ratio: float) -> QPixmap:
    side = diameter + 3
    picture = QPixmap(max(math.ceil(side * ratio), 1), max(math.ceil(side * ratio), 1))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = picture.width() / ratio / 2
    paint_mark(painter, state, QPointF(middle, middle), diameter)
    painter.end()
    return picture


def _star(centre: QPointF, radius: float) -> QPolygonF:
    points = []
    for corner in range(10):
        reach = radius if corner % 2 == 0 else radius * 0.45
        angle = math.pi * corner / 5 - math.pi / 2
        points.append(centre + QPointF(reach * math.cos(angle), reach * math.sin(angle)))
    return QPolygonF(points)


def paint_edges(painter: QPainter, space: LatticeGeometry, edges: list[tuple[int, int]], current: int) -> None:
    """Draw the edges given, and those of the node that is looked at."""
    painter.setPen(QPen(theme.color("line"), 1))
    for below, above in edges:
        painter.drawLine(space.centre(below), space.centre(above))
    painter.setPen(QPen(theme.color("accent"), 1.2))
    for step in (1, -1):
        for other in space.found.neighbours(current, step).tolist():
            painter.drawLine(space.centre(current), space.centre(other))


def paint_row(painter: QPainter, space: LatticeGeometry, row: int, marks: NodeMarks) -> None:
    """Draw the nodes of a row: with their levels, as shapes, or dense ones as a line with the checked ones on it."""
    left, y, seen = space.left_of(row), space.y_of(row), space.places_in_sight(row)
    nodes = space.found.in_row(row)
    if space.has_labels:
        for place in seen:
            _paint_label(painter, space, int(nodes[place]), QPointF(left + place * space.spacing, y), marks)
        return
    places = np.arange(seen.start, max(seen.stop, seen.start))
    states = space.found.lattice.state[nodes[places]]
    if space.spacing < DENSE_ZOOM:
        painter.setPen(QPen(theme.color("line"), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(left - 0.5, y), QPointF(left + (len(nodes) - 1) * space.spacing + 0.5, y))
        places, states = places[states != PRUNED], states[states != PRUNED]
    order = np.argsort(states, kind="stable")  # the chosen one comes last and lies on top
    marks.draw(painter, states[order].tolist(), (left + places[order] * space.spacing).tolist(), y)


def paint_current(painter: QPainter, space: LatticeGeometry, node: int, *, has_focus: bool) -> None:
    """Draw a frame around the node that is looked at."""
    side = max(space.diameter * 1.7, space.unit) + 6
    around = QRectF(0, 0, space.label + 6, space.unit * 1.5 + 6) if space.has_labels else QRectF(0, 0, side, side)
    around.moveCenter(space.centre(node))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("accent"), 2.5 if has_focus else 1.5))
    painter.drawRoundedRect(around, 6, 6)


def paint_gutter(painter: QPainter, space: LatticeGeometry) -> None:
    """Draw the sum of levels of every row at the left edge."""
    painter.fillRect(0, 0, space.gutter, space.size.height(), theme.color("alternate"))
    painter.setPen(theme.color("muted"))
    flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    for row in space.rows_in_sight():
        box = QRectF(0, space.y_of(row) - space.unit, space.gutter - space.unit / 2, space.unit * 2)
        painter.drawText(box, flags, str(space.found.height[row]))


def _paint_label(painter: QPainter, space: LatticeGeometry, node: int, centre: QPointF, marks: NodeMarks) -> None:
    lattice, unit = space.found.lattice, space.unit
    box = QRectF(0, 0, space.label, unit * 1.5)
    box.moveCenter(centre)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.setBrush(theme.color("alternate"))
    painter.drawRoundedRect(box, unit / 3, unit / 3)
    marks.draw(painter, [int(lattice.state[node])], [box.left() + unit * 0.9], centre.y())
    painter.setPen(theme.color("text"))
    text = box.adjusted(unit * 1.7, 0, 0, 0)
    painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, level_vector_text(lattice, node))


_ZOOM = 1.25

_MOST_WITH_EDGES = 400


class LatticeView(QAbstractScrollArea):
    """Draws only the nodes in sight, so that a million of them scroll as well as ten."""

    current_changed = Signal(int)
    """Carries the node that is looked at."""
    activated = Signal(int)
    """Carries the node on which Enter was pressed."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lattice")
        self._space: LatticeGeometry | None = None
        self._current = -1
        self._marks = NodeMarks()
        self._edges: list[tuple[int, int]] = []
        self.setAccessibleName(tr("Lattice"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.horizontalScrollBar().valueChanged.connect(self._on_scrolled)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
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

    @property
    def lattice(self) -> Lattice | None:
        """The lattice that is shown."""
        return self._space.found.lattice if self._space is not None else None

    def show_map(self, found: LatticeMap, current: int) -> None:
        """Show a lattice, with this node in sight."""
        metrics = self.fontMetrics()
        unit = metrics.height()
        label = metrics.horizontalAdvance("0 " * len(found.top)) + unit * 2.2
        gutter = metrics.horizontalAdvance("000") + unit
        self._current = -1
        self._space = LatticeGeometry(found, unit, label, gutter, self.viewport().size())
        nodes = found.nodes.tolist() if len(found.nodes) <= _MOST_WITH_EDGES else []
        self._edges = [(node, int(above)) for node in nodes for above in found.neighbours(node, 1)]
        self.fit()
        self.set_current(current if found.row[current] >= 0 else int(found.lattice.chosen))

    def set_current(self, node: int) -> None:
        """Look at a node and bring it into sight."""
        if self._space is None or self._space.found.row[node] < 0:
            return
        self._current = node
        self._bring_into_sight()
        self.setAccessibleDescription(node_text(self._space.found.lattice, node))
        self.viewport().update()
        self.current_changed.emit(node)

    def fit(self) -> None:
        """Choose the distance at which the longest row is in sight."""
        if self._space is not None:
            self._zoom_to(self._space.fitting)

    def zoom(self, steps: int) -> None:
        """Draw nodes further apart, or nearer together."""
        if self._space is not None:
            self._zoom_to(self._space.spacing * _ZOOM**steps)

    def place_of(self, node: int) -> QPoint:
        """Give where a node is drawn, in the viewport."""
        return self._space.centre(node).toPoint() if self._space is not None else QPoint()

    def node_at(self, place: QPointF) -> int:
        """Give the node at a place of the viewport, -1 when there is none."""
        return self._space.node_at(place) if self._space is not None else -1

    def _zoom_to(self, spacing: float) -> None:
        assert self._space is not None
        self._space.zoom_to(spacing)
        self._marks.prepare(self._space.diameter, self._space.unit, self.devicePixelRatioF())
        whole, seen = self._space.whole, self._space.size
        for bar, length, part in (
            (self.horizontalScrollBar(), whole.width(), seen.width()),
            (self.verticalScrollBar(), whole.height(), seen.height()),
        ):
            bar.setRange(0, max(length - part, 0))
            bar.setPageStep(part)
            bar.setSingleStep(self._space.unit * 2)
        self._bring_into_sight()
        self.viewport().update()

    def _bring_into_sight(self) -> None:
        if self._space is None or self._current < 0:
            return
        at, edge, size = self._space.centre(self._current), self._space.unit * 3, self._space.size
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        if not self._space.gutter + edge < at.x() < size.width() - edge:
            across.setValue(across.value() + round(at.x() - size.width() / 2))
        if not edge / 2 < at.y() < size.height() - edge / 2:
            down.setValue(down.value() + round(at.y() - size.height() / 2))

    def _on_scrolled(self) -> None:
        if self._space is not None:
            self._space.across = self.horizontalScrollBar().value()
            self._space.down = self.verticalScrollBar().value()
        self.viewport().update()

    def _go_home(self) -> None:
        assert self._space is not None
        self.set_current(int(self._space.found.lattice.chosen))

    def _walk_in_row(self, step: int) -> None:
        assert self._space is not None
        found = self._space.found
        nodes = found.in_row(int(found.row[self._current]))
        at = int(found.place[self._current]) + step
        if 0 <= at < len(nodes):
            self.set_current(int(nodes[at]))

    def _walk_across(self, step: int) -> None:
        """Go to the neighbour of least loss; where none is drawn, to the best node of the next row."""
        assert self._space is not None
        found = self._space.found
        near = found.neighbours(self._current, step)
        row = int(found.row[self._current]) - step
        if len(near):
            self.set_current(int(near[0]))
        elif 0 <= row < len(found.height):
            self.set_current(int(found.in_row(row)[0]))

    def sizeHint(self) -> QSize:
        """Be large enough to be read."""
        unit = self.fontMetrics().height()
        return QSize(unit * 30, unit * 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw edges, nodes, and a frame around the node that is looked at."""
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme.color("base"))
        if self._space is None or self._current < 0:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_edges(painter, self._space, self._edges, self._current)
        for row in self._space.rows_in_sight():
            paint_row(painter, self._space, row, self._marks)
        paint_current(painter, self._space, self._current, has_focus=self.hasFocus())
        paint_gutter(painter, self._space)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as fits into the new size."""
        super().resizeEvent(event)
        if self._space is not None:
            self._space.size = self.viewport().size()
            self.fit()

    def viewportEvent(self, event: QEvent) -> bool:
        """Tell what is under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._space is not None:
            node = self.node_at(QPointF(event.pos()))
            words = node_text(self._space.found.lattice, node) if node >= 0 else ""
            QToolTip.showText(event.globalPos(), plain_text(words), self.viewport())
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
        steps: dict[Qt.Key, Callable[[], object]] = {
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
        if step is None or self._space is None or self._current < 0:
            super().keyPressEvent(event)
        else:
            step()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the focus is."""
        super().focusInEvent(event)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        """Draw in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._space is not None:
            self._marks.prepare(self._space.diameter, self._space.unit, self.devicePixelRatioF())
            self.viewport().update()
