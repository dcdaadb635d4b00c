"""The shapes and words of the nodes of a lattice: told apart by form as well as by colour."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QWidget

from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import STATES, Lattice
from anonymizer_gui.engine.rooms.microdata.views.search_trace import state_of
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr

_COLORS = {"pruned": "muted", "violated": "bad", "satisfied": "good", "chosen": "accent"}
_LARGER = {"pruned": 0.45, "violated": 0.75, "satisfied": 0.85, "chosen": 1.7}


class Marks:
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


def draw_mark(painter: QPainter, state: str, centre: QPointF, diameter: float) -> None:
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
            (state, tr("{state} ({count})", state=state_words(state), count=format_integer(counts[state])))
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
            draw_mark(painter, state, QPointF(x + unit * 0.6, y + unit * 0.7), unit * 0.75 * _LARGER[state])
            painter.setPen(theme.color("text"))
            painter.drawText(QPointF(x + unit * 1.4, y + unit * 0.7 + self.fontMetrics().ascent() / 2.6), words)


def vector(lattice: Lattice, node: int) -> str:
    """Write the levels of a node, such as `2 0 1`."""
    return " ".join(map(str, lattice.levels[node].tolist()))


def node_words(lattice: Lattice, node: int) -> str:
    """Say everything that is known of a node."""
    levels = ", ".join(
        f"{name} {level}" for name, level in zip(lattice.columns, lattice.levels[node].tolist(), strict=True)
    )
    state = state_of(lattice, node)
    lines = [state_words(state), tr("Levels: {levels}", levels=levels), loss_words(lattice, node)]
    if lattice.k[node] >= 0:
        lines.append(tr("k = {k}", k=format_integer(lattice.k[node])))
    if lattice.suppressed[node] >= 0:
        lines.append(tr("{count:row|rows} suppressed", count=format_integer(lattice.suppressed[node])))
    return "\n".join(lines)


def loss_words(lattice: Lattice, node: int) -> str:
    """Say the loss of a node, which is only a bound where the node does not satisfy."""
    loss = format_percent(lattice.lm[node], 2)
    known = state_of(lattice, node) in ("chosen", "satisfied")
    return tr("LM {loss}", loss=loss) if known else tr("LM at least {loss}", loss=loss)


def state_words(state: str) -> str:
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
    draw_mark(painter, state, QPointF(middle, middle), diameter)
    painter.end()
    return picture


def _star(centre: QPointF, radius: float) -> QPolygonF:
    points = []
    for corner in range(10):
        reach = radius if corner % 2 == 0 else radius * 0.45
        angle = math.pi * corner / 5 - math.pi / 2
        points.append(centre + QPointF(reach * math.cos(angle), reach * math.sin(angle)))
    return QPolygonF(points)
