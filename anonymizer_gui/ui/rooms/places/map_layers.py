"""What a map shows, as values: lines, dots and boxes in metres; drawn into a picture beside the window's thread."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import shiboken6
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Floats

LINES, DOTS, BOXES, RINGS = "lines", "dots", "boxes", "rings"
_BYTES_PER_POINT = 16
_EVERY = 100
_SMOOTH_BELOW = 2000
"""Lines are drawn smooth while there are not too many of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
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
class View:
    """What part of the ground is seen: its middle in metres, and metres per pixel."""

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All layers of a map, the lowest first, and words for those who do not see it."""

    title: str
    layers: Sequence[Layer] = field(default_factory=tuple)

    def around(self, width: int, height: int) -> View:
        """Give the view that shows everything."""
        whole = [layer.at[:, :2] for layer in self.layers if len(layer.at)]
        whole += [layer.at[:, 2:4] for layer in self.layers if layer.sort == BOXES and len(layer.at)]
        if not whole or width <= 0 or height <= 0:
            return View()
        points = np.concatenate(whole)
        low, high = points.min(axis=0), points.max(axis=0)
        wide, tall = float(high[0] - low[0]), float(high[1] - low[1])
        scale = max(wide / width, tall / height, 0.01) * 1.12
        return View(float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2, scale)


def render(
    scene: Scene, view: View, width: int, height: int, ratio: float, colors: Mapping[str, str], progress: Progress
) -> tuple[QImage, View]:
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
    layer: Layer,
    view: View,
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


def _pixels(points: Floats, view: View, size: tuple[int, int], ratio: float) -> Floats:
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


def _lines(painter: QPainter, layer: Layer, at: Floats, pens: Sequence[QPen], progress: Progress) -> None:
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


def _boxes(painter: QPainter, layer: Layer, low: Floats, high: Floats, pens: Sequence[QPen]) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    shades = layer.shades or [0] * len(low)
    for number, ((west, south), (east, north)) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        painter.setPen(pens[shades[number] % len(pens)])
        painter.drawRect(QRectF(west, north, max(east - west, 2.0), max(south - north, 2.0)))
