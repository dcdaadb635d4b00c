"""Map: layers as values, rendering, widget."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import shiboken6
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Floats
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.workspace.jobs import JobRunner

LINES, DOTS, BOXES, RINGS = "lines", "dots", "boxes", "rings"

_BYTES_PER_POINT = 16

_EVERY = 100

_SMOOTH_BELOW = 2000
"""Lines are drawn smooth while there are not too many of them."""


@dataclass(frozen=True, slots=True, eq=False)
class MapLayer:
    """Things of one look. `at` has a row of x, y per point, of both corners per box, of x, y and radius per ring.

    Lines are cut at `starts`. `shades` gives each thing a colour of the series instead of `color`.
    """

    sort: str
    at: Floats
    color: str = "series_1"
    width: float = 1.2
    opacity: float = 1.0
    starts: Sequence[int] = ()
    shades: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class MapExtent:
    """What part of the ground is seen: its middle in metres, and metres per pixel."""

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class MapScene:
    """All layers of a map, the lowest first, and words for those who do not see it."""

    title: str
    layers: Sequence[MapLayer] = field(default_factory=tuple)

    def around(self, width: int, height: int) -> MapExtent:
        """Give the view that shows everything."""
        whole = [layer.at[:, :2] for layer in self.layers if len(layer.at)]
        whole += [layer.at[:, 2:4] for layer in self.layers if layer.sort == BOXES and len(layer.at)]
        if not whole or width <= 0 or height <= 0:
            return MapExtent()
        points = np.concatenate(whole)
        low, high = points.min(axis=0), points.max(axis=0)
        wide, tall = float(high[0] - low[0]), float(high[1] - low[1])
        scale = max(wide / width, tall / height, 0.01) * 1.12
        return MapExtent(float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2, scale)


def render_map(
    scene: MapScene,
    view: MapExtent,
    width: int,
    height: int,
    ratio: float,
    colors: Mapping[str, str],
    progress: Progress,
) -> tuple[QImage, MapExtent]:
    """Draw a map; gives the picture and the part of the ground it shows."""
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(colors["base"]))
    painter = QPainter(image)
    try:
        for layer in scene.layers:
            progress.check()
            _draw(painter, layer, view, (width, height), ratio, colors, progress)
    finally:
        painter.end()
    image.setDevicePixelRatio(ratio)
    return image, view


def _draw(
    painter: QPainter,
    layer: MapLayer,
    view: MapExtent,
    size: tuple[int, int],
    ratio: float,
    colors: Mapping[str, str],
    progress: Progress,
) -> None:
    at = _pixels(layer.at[:, :2], view, size, ratio)
    kinds = [layer.color] if not layer.shades else [f"series_{number + 1}" for number in range(6)]
    painter.setOpacity(layer.opacity)
    is_few = len(layer.starts or layer.at) < _SMOOTH_BELOW
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, is_few)
    pens = [QPen(QColor(colors[name]), layer.width * ratio) for name in kinds]
    shades = layer.shades or (0,)
    if layer.sort == LINES:
        _lines(painter, layer, at, pens, progress)
    elif layer.sort == DOTS:
        for pen in pens:
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        for number, pen in enumerate(pens):
            painter.setPen(pen)
            painter.drawPoints(_polygon(at[np.asarray(shades) % 6 == number] if layer.shades else at))
    elif layer.sort == RINGS:
        painter.setPen(pens[0])
        painter.setBrush(QColor(colors[layer.color]))
        reach = layer.at[:, 2] / view.scale * ratio
        for (x, y), radius in zip(at.tolist(), reach.tolist(), strict=True):
            painter.drawEllipse(QPointF(x, y), radius, radius)
    else:
        _boxes(painter, layer, at, _pixels(layer.at[:, 2:4], view, size, ratio), pens)


def _pixels(points: Floats, view: MapExtent, size: tuple[int, int], ratio: float) -> Floats:
    found = np.empty((len(points), 2))
    found[:, 0] = (points[:, 0] - view.x) / view.scale * ratio + size[0] / 2
    found[:, 1] = (view.y - points[:, 1]) / view.scale * ratio + size[1] / 2
    return found


def _polygon(points: Floats) -> QPolygonF:
    """Put points into Qt's own memory at once: one by one they would take a hundred times as long."""
    polygon = QPolygonF()
    if len(points):
        polygon.resize(len(points))
        room = shiboken6.VoidPtr(polygon.data(), len(points) * _BYTES_PER_POINT, True)  # type: ignore[arg-type,call-arg]
        np.frombuffer(room, dtype=np.float64).reshape(-1, 2)[:] = points  # type: ignore[call-overload]
    return polygon


def _lines(painter: QPainter, layer: MapLayer, at: Floats, pens: Sequence[QPen], progress: Progress) -> None:
    """Draw lines; points that fall on the pixel of the one before are left out."""
    pixels = np.floor(at)
    fresh = np.ones(len(at), dtype=bool)
    fresh[1:] = (pixels[1:] != pixels[:-1]).any(axis=1)
    starts = np.asarray([*layer.starts, len(at)] if not layer.starts or layer.starts[-1] != len(at) else layer.starts)
    fresh[starts[:-1]] = True
    ends = np.concatenate([[0], np.cumsum(fresh)])[starts]
    thinned = at[fresh]
    shades = layer.shades or [0] * (len(ends) - 1)
    for number, (low, high) in enumerate(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)):
        if number % _EVERY == 0:
            progress.check()
            time.sleep(0)  # let the window have its turn
        painter.setPen(pens[shades[number] % len(pens)])
        if high - low == 1:
            painter.drawPoint(QPointF(*thinned[low].tolist()))
        else:
            painter.drawPolyline(_polygon(thinned[low:high]))


def _boxes(painter: QPainter, layer: MapLayer, low: Floats, high: Floats, pens: Sequence[QPen]) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    shades = layer.shades or [0] * len(low)
    for number, ((west, south), (east, north)) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        painter.setPen(pens[shades[number] % len(pens)])
        painter.drawRect(QRectF(west, north, max(east - west, 2.0), max(south - north, 2.0)))


_SETTLE_MS = 30

_ZOOM = 1.25

_STEP = 0.1

_BAR_SHARE = 0.2

_GRID_PIXELS = 90

_CLICK_PIXELS = 4

_COLOR_NAMES = ("text", "muted", "line", "base", "grid", "accent", "good", "warn", "bad", *theme.SERIES)


class MapView(QWidget):
    """Shows a scene; the picture is made by a job, and moved and stretched until the next one is there."""

    clicked = Signal(float, float)
    """Carries metres east and north of where the map was clicked."""

    def __init__(self, drawing: JobRunner, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._drawing = drawing
        self._scene: MapScene | None = None
        self._view = MapExtent()
        self._image, self._shown = QImage(), MapExtent()
        self._is_whole = True
        self._held: QPointF | None = None
        self._moved = 0.0
        self._later = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._later.timeout.connect(self._draw)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._add_buttons()

    @property
    def scene(self) -> MapScene | None:
        """What is shown."""
        return self._scene

    @property
    def view(self) -> MapExtent:
        """The part of the ground that is seen."""
        return self._view

    def show_scene(self, scene: MapScene | None, *, keep_view: bool = False) -> None:
        """Show another map, all of it or the same part of the ground as before."""
        self._scene = scene
        self.setAccessibleName(scene.title if scene else tr("Empty map"))
        if scene is not None and not keep_view:
            self._is_whole = True
        self._draw()

    def show_all(self) -> None:
        """Show everything again."""
        self._is_whole = True
        self._draw()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Show more or less of the ground; what is under `at` stays there."""
        place = at or QPointF(self.width() / 2, self.height() / 2)
        x, y = self._ground(place)
        scale = min(max(self._view.scale / factor, 0.005), 1e6)
        dx, dy = place.x() - self.width() / 2, place.y() - self.height() / 2
        self._go(MapExtent(x - dx * scale, y + dy * scale, scale))

    def move_by(self, across: float, down: float) -> None:
        """Move the ground by pixels."""
        view = self._view
        self._go(MapExtent(view.x - across * view.scale, view.y + down * view.scale, view.scale))

    def _go(self, view: MapExtent) -> None:
        self._is_whole = False
        self._view = view
        self._later.start()
        self.update()

    def _ground(self, place: QPointF) -> tuple[float, float]:
        view = self._view
        dx, dy = place.x() - self.width() / 2, place.y() - self.height() / 2
        return view.x + dx * view.scale, view.y - dy * view.scale

    def _draw(self) -> None:
        self._later.stop()
        if self._scene is None or self.width() < 10 or self.height() < 10:
            self._image = QImage()
            self.update()
            return
        if self._is_whole:
            self._view = self._scene.around(self.width(), self.height())
        ratio = self.devicePixelRatioF()
        size = round(self.width() * ratio), round(self.height() * ratio)
        colors = {name: theme.color(name).name() for name in _COLOR_NAMES}
        self._drawing.start(
            "Draw", render_map, self._scene, self._view, *size, ratio, colors, on_done=self._on_drawn,
            replace_key=("map", id(self)),
        )  # fmt: skip
        self.update()

    def _on_drawn(self, drawn: tuple[QImage, MapExtent]) -> None:
        self._image, self._shown = drawn
        self.update()

    def _add_buttons(self) -> None:
        row = QHBoxLayout(self)
        row.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        row.setSpacing(2)
        for name, text, words, act in (
            ("map_in", "+", tr("Show less, larger"), lambda: self.zoom(_ZOOM)),
            ("map_out", "−", tr("Show more, smaller"), lambda: self.zoom(1 / _ZOOM)),
            ("map_all", "⤢", tr("Show everything"), self.show_all),
        ):
            button = name_widget(QToolButton(), f"{self.objectName()}_{name}", spoken=words, tip=words)
            button.setText(text)
            button.setCursor(Qt.CursorShape.ArrowCursor)
            button.clicked.connect(act)
            row.addWidget(button)

    def sizeHint(self) -> QSize:
        """Be large enough to be read."""
        unit = self.fontMetrics().height()
        return QSize(unit * 30, unit * 20)

    def minimumSizeHint(self) -> QSize:
        """Do not shrink below what can be read."""
        unit = self.fontMetrics().height()
        return QSize(unit * 14, unit * 9)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the grid, the picture where its ground is now, and the scale."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("base"))
        if self._scene is None:
            return
        if not self._image.isNull():
            is_stretched = self._shown.scale != self._view.scale  # a picture that only moved is drawn much faster so
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, is_stretched)
            painter.drawImage(self._picture_box(), self._image)
        self._paint_grid(painter)
        self._paint_scale(painter)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _picture_box(self) -> QRectF:
        grow = self._shown.scale / self._view.scale
        size = self._image.deviceIndependentSize()
        wide, tall = size.width() * grow, size.height() * grow
        x = (self._shown.x - self._view.x) / self._view.scale + self.width() / 2
        y = (self._view.y - self._shown.y) / self._view.scale + self.height() / 2
        return QRectF(x - wide / 2, y - tall / 2, wide, tall)

    def _paint_grid(self, painter: QPainter) -> None:
        """Draw lines of round metres, faint enough not to be taken for roads."""
        step = round_scale(_GRID_PIXELS * self._view.scale)
        painter.setPen(QPen(theme.color("grid"), 1, Qt.PenStyle.DotLine))
        west, north = self._ground(QPointF(0, 0))
        for number in range(math.ceil(self.width() * self._view.scale / step) + 1):
            x = (math.ceil(west / step) + number) * step
            at = (x - self._view.x) / self._view.scale + self.width() / 2
            painter.drawLine(QPointF(at, 0), QPointF(at, self.height()))
        for number in range(math.ceil(self.height() * self._view.scale / step) + 1):
            y = (math.floor(north / step) - number) * step
            at = (self._view.y - y) / self._view.scale + self.height() / 2
            painter.drawLine(QPointF(0, at), QPointF(self.width(), at))

    def _paint_scale(self, painter: QPainter) -> None:
        metres = round_scale(self.width() * _BAR_SHARE * self._view.scale)
        wide, down = metres / self._view.scale, self.height() - 12
        words = tr("{n} km", n=f"{metres / 1000:g}") if metres >= 1000 else tr("{n} m", n=f"{metres:g}")
        box = QRectF(8, down - self.fontMetrics().height() - 6, max(wide, 40) + 16, self.fontMetrics().height() + 14)
        paper = theme.color("base")
        paper.setAlpha(210)
        painter.fillRect(box, paper)
        painter.setPen(QPen(theme.color("text"), 2))
        painter.drawLine(QPointF(16, down), QPointF(16 + wide, down))
        for end in (16.0, 16 + wide):
            painter.drawLine(QPointF(end, down - 4), QPointF(end, down + 1))
        painter.drawText(QPointF(18, down - 6), words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw anew when the size has settled."""
        super().resizeEvent(event)
        self._later.start()

    def changeEvent(self, event: QEvent) -> None:
        """Draw anew in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._scene is not None:
            self._draw()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the ground."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._held, self._moved = event.position(), 0.0
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the ground along."""
        if self._held is not None:
            step = event.position() - self._held
            self._moved += abs(step.x()) + abs(step.y())
            self._held = event.position()
            self.move_by(step.x(), step.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go; what was not dragged was clicked."""
        if self._held is not None and self._moved <= _CLICK_PIXELS:
            self.clicked.emit(*self._ground(event.position()))
        self._held = None
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        self.zoom(_ZOOM ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move with the arrow keys, zoom with plus and minus, show everything with 0."""
        steps = {Qt.Key.Key_Left: (1, 0), Qt.Key.Key_Right: (-1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}
        key = Qt.Key(event.key())
        if key in steps:
            across, down = steps[key]
            self.move_by(across * self.width() * _STEP, down * self.height() * _STEP)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(_ZOOM)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1 / _ZOOM)
        elif key == Qt.Key.Key_0:
            self.show_all()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the keys work here."""
        super().focusInEvent(event)
        self.update()


def round_scale(metres: float) -> float:
    """Give 1, 2 or 5 times a power of ten, not above.

    >>> round_scale(730.0), round_scale(2400.0)
    (500.0, 2000.0)
    """
    power = 10.0 ** math.floor(math.log10(max(metres, 1e-3)))
    return max(factor * power for factor in (1, 2, 5) if factor * power <= metres * (1 + 1e-9))
