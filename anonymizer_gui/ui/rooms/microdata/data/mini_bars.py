"""A small histogram drawn by hand, for places where a chart would be too much."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.accessibility import plain_text


class MiniBars(QWidget):
    """Bars of equal width; the pointer shows what each stands for."""

    def __init__(self) -> None:
        super().__init__()
        self._bars: Sequence[tuple[str, int]] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Distribution"))

    def set_bars(self, bars: Sequence[tuple[str, int]]) -> None:
        """Show other bars: their words and heights."""
        self._bars = bars
        words = ", ".join(f"{label}: {format_integer(rows)}" for label, rows in bars)
        self.setAccessibleDescription(words)
        self.update()

    def sizeHint(self) -> QSize:
        """Be as high as six lines of text."""
        height = self.fontMetrics().height()
        return QSize(height * 10, height * 5)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars on a ground line."""
        painter = QPainter(self)
        base = self.height() - 1.0
        painter.setPen(theme.color("line"))
        painter.drawLine(QPointF(0, base), QPointF(self.width(), base))
        highest = max((rows for _, rows in self._bars), default=0)
        if not highest:
            return
        step = self.width() / len(self._bars)
        gap = min(2.0, step * 0.2)
        for place, (_, rows) in enumerate(self._bars):
            tall = max(rows / highest * (base - 2), 1.0 if rows else 0.0)
            painter.fillRect(QRectF(place * step + gap / 2, base - tall, step - gap, tall), theme.color("series_1"))

    def event(self, event: QEvent) -> bool:
        """Tell what the bar under the pointer stands for."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._bars:
            place = min(int(event.pos().x() / max(self.width(), 1) * len(self._bars)), len(self._bars) - 1)
            label, rows = self._bars[max(place, 0)]
            words = tr("{label}: {rows:row|rows}", label=label, rows=format_integer(rows))
            QToolTip.showText(event.globalPos(), plain_text(words), self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Redraw in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
