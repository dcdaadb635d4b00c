"""The lattice of a full-domain search: a row per height, nodes by shape and colour, walked by pointer and keys."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip

from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import Lattice
from anonymizer_gui.engine.rooms.microdata.views.search_trace import LatticeMap
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.compare.lattice_marks import Marks, node_words
from anonymizer_gui.ui.rooms.microdata.compare.lattice_painting import (
    paint_current,
    paint_edges,
    paint_gutter,
    paint_row,
)
from anonymizer_gui.ui.rooms.microdata.compare.lattice_space import LatticeSpace
from anonymizer_gui.ui.widgets.accessibility import plain_text

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
        self._space: LatticeSpace | None = None
        self._current = -1
        self._marks = Marks()
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
        self._space = LatticeSpace(found, unit, label, gutter, self.viewport().size())
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
        self.setAccessibleDescription(node_words(self._space.found.lattice, node))
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
            words = node_words(self._space.found.lattice, node) if node >= 0 else ""
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
