"""A chart: drawn beside the window's thread, read by pointer, copied as picture or numbers, saved as PNG or SVG."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.plot_drawing import Canvas, Picture, draw_picture
from anonymizer_gui.ui.plots import Plot, Spot
from anonymizer_gui.ui.widgets.plain_text import plain
from anonymizer_gui.workspace.jobs import Job, JobRunner

_SETTLE_MS = 60
_REACH = 6.0
_COLOR_NAMES = ("text", "muted", "line", "base", "grid", "accent", "accent_text", "good", "warn", "bad", *theme.SERIES)


class Chart(QWidget):
    """Shows one plot; the spots of the plot can be pointed at, walked through by keys, and clicked."""

    clicked = Signal(int)
    """Carries the number of the spot that was chosen."""

    def __init__(self, drawing: JobRunner, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._drawing = drawing
        self._plot: Plot | None = None
        self._picture: Picture | None = None
        self._image = QImage()
        self._job: Job | None = None
        self._at = -1
        self._later = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._later.timeout.connect(self._draw)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def plot(self) -> Plot | None:
        """What is shown."""
        return self._plot

    def show_plot(self, plot: Plot | None) -> None:
        """Show another plot; one that is drawn, or being drawn, is not drawn again."""
        if plot == self._plot and (self._picture is not None or self._is_drawing()):
            return
        self._plot = plot
        self._at = -1
        self.setAccessibleName(plot.title if plot else tr("Empty chart"))
        self.setAccessibleDescription(_words(plot))
        self._draw()

    def canvas(self) -> Canvas:
        """Give the size and the colours the chart is drawn with."""
        ratio = self.devicePixelRatioF()
        return Canvas(
            round(self.width() * ratio),
            round(self.height() * ratio),
            ratio,
            max(self.font().pointSizeF(), 7.0) * 0.95,
            {name: theme.color(name).name() for name in _COLOR_NAMES},
        )

    def _draw(self) -> None:
        self._later.stop()
        if self._plot is None or self.width() < 10 or self.height() < 10:
            self._picture, self._image = None, QImage()
            self.update()
            return
        key = ("chart", id(self))
        self._job = self._drawing.start(
            "Draw", draw_picture, self._plot, self.canvas(), on_done=self._on_drawn, replace_key=key
        )

    def _is_drawing(self) -> bool:
        return self._job is not None and self._job in self._drawing.active and not self._job.is_cancelled

    def _on_drawn(self, picture: Picture) -> None:
        self._picture = picture
        stride = picture.width * 4
        image = QImage(picture.pixels, picture.width, picture.height, stride, QImage.Format.Format_RGBA8888)
        self._image = image.copy()
        self.update()

    def _spot_under(self, place: QPointF) -> int:
        found = -1
        for number, spot in enumerate(self.spots()):
            if self._box(spot).adjusted(-_REACH, -_REACH, _REACH, _REACH).contains(place):
                found = number
                if self._box(spot).contains(place):
                    return number
        return found

    def spots(self) -> tuple[Spot, ...]:
        """Give the places that answer to the pointer."""
        return self._picture.spots if self._picture else ()

    def _box(self, spot: Spot) -> QRectF:
        left, top = spot.left * self.width(), spot.top * self.height()
        return QRectF(left, top, (spot.right - spot.left) * self.width(), (spot.bottom - spot.top) * self.height())

    def _tell(self, place: QPointF) -> None:
        spots = self.spots()
        text = spots[self._at].text if 0 <= self._at < len(spots) else ""
        QToolTip.showText(self.mapToGlobal(place.toPoint()), plain(text), self)

    def sizeHint(self) -> QSize:
        """Be large enough to be read."""
        unit = self.fontMetrics().height()
        return QSize(unit * 24, unit * 14)

    def minimumSizeHint(self) -> QSize:
        """Do not shrink below what can be read."""
        unit = self.fontMetrics().height()
        return QSize(unit * 12, unit * 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the picture, and a frame around the spot the keys are at or the chart that has the focus."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("base"))
        if not self._image.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRectF(self.rect()), self._image)
        elif self._plot is not None:
            painter.setPen(theme.color("muted"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, tr("Drawing…"))
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2))
            spots = self.spots()
            box = self._box(spots[self._at]).adjusted(-3, -3, 3, 3) if 0 <= self._at < len(spots) else self.rect()
            painter.drawRect(QRectF(box).adjusted(1, 1, -1, -1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw anew when the size has settled; until then the old picture is stretched."""
        super().resizeEvent(event)
        if self._picture is None:
            self._draw()
        else:
            self._later.start()

    def changeEvent(self, event: QEvent) -> None:
        """Draw anew in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._plot is not None:
            self._draw()

    def event(self, event: QEvent) -> bool:
        """Tell what is under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._at = self._spot_under(QPointF(event.pos()))
            self._tell(QPointF(event.pos()))
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the spot that is clicked."""
        super().mousePressEvent(event)
        self._at = self._spot_under(event.position())
        self.update()
        if self._at >= 0:
            self.clicked.emit(self.spots()[self._at].number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk through the spots with the arrow keys and choose one with Enter."""
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        spots = self.spots()
        if event.key() in steps and spots:
            self._at = (self._at + steps[Qt.Key(event.key())]) % len(spots)
            self._tell(self._box(spots[self._at]).center())
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and 0 <= self._at < len(spots):
            self.clicked.emit(spots[self._at].number)
        else:
            super().keyPressEvent(event)


def copy_numbers(plot: Plot) -> None:
    """Put the numbers of a plot on the clipboard, as lines with tabs."""
    head, rows = plot.numbers()
    QGuiApplication.clipboard().setText("\n".join("\t".join(row) for row in [head, *rows]))


def _words(plot: Plot | None) -> str:
    if plot is None:
        return ""
    head, rows = plot.numbers()
    return "; ".join(", ".join(f"{h} {v}".strip() for h, v in zip(head, row, strict=True)) for row in rows[:40])
