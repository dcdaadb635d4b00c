"""What the tints of the published cells mean: from unchanged to nothing left, and suppressed rows."""

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.compare.side_model import loss_color


class LossLegend(QWidget):
    """A strip from LM 0 to LM 1 with words at its ends, and the tint of suppressed rows."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("loss_legend")
        self._words = (tr("LM 0%: unchanged"), tr("LM 100%: nothing left"), tr("✕ suppressed"))
        self.setAccessibleName("; ".join(self._words))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def _strip(self) -> float:
        return self.fontMetrics().height() * 5.0

    def sizeHint(self) -> QSize:
        """Be one line high."""
        unit = self.fontMetrics().height()
        words = sum(self.fontMetrics().horizontalAdvance(word) for word in self._words)
        return QSize(round(words + self._strip() + unit * 6), round(unit * 1.4))

    def minimumSizeHint(self) -> QSize:
        """Do not shrink."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw words, strip and swatch in one line."""
        painter, unit, metrics = QPainter(self), self.fontMetrics().height(), self.fontMetrics()
        base = (self.height() + metrics.ascent() - metrics.descent()) / 2
        box_top, box_height = (self.height() - unit * 0.8) / 2, unit * 0.8
        x = 0.0
        painter.setPen(theme.color("text"))
        painter.drawText(QPointF(x, base), self._words[0])
        x += metrics.horizontalAdvance(self._words[0]) + unit / 2
        strip = QRectF(x, box_top, self._strip(), box_height)
        shade = QLinearGradient(strip.topLeft(), strip.topRight())
        shade.setColorAt(0, theme.color("base"))
        shade.setColorAt(0.01, loss_color(0))
        shade.setColorAt(1, loss_color(1))
        painter.fillRect(strip, shade)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawRect(strip)
        x += self._strip() + unit / 2
        painter.setPen(theme.color("text"))
        painter.drawText(QPointF(x, base), self._words[1])
        x += metrics.horizontalAdvance(self._words[1]) + unit * 1.5
        swatch = QRectF(x, box_top, unit * 1.2, box_height)
        painter.fillRect(swatch, theme.color("suppressed"))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawRect(swatch)
        painter.setPen(theme.color("text"))
        painter.drawText(QPointF(swatch.right() + unit / 2, base), self._words[2])
