"""What lies over the window while a file is dragged above it: where the file will land."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from anonymizer_gui.ui import theme


class DropHint(QWidget):
    """A veil with a sentence."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, visible=False)
        self.words = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def appear(self, words: str) -> None:
        """Cover the window and say where the file will land."""
        self.words = words
        self.setAccessibleName(words)
        self.setGeometry(self.parentWidget().rect())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the veil, a frame and the sentence."""
        painter = QPainter(self)
        veil = QColor(theme.color("window"))
        veil.setAlpha(225)
        painter.fillRect(self.rect(), veil)
        pen = painter.pen()
        pen.setColor(theme.color("accent"))
        pen.setWidth(self.fontMetrics().height() // 5)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        margin = self.fontMetrics().height()
        painter.drawRoundedRect(self.rect().adjusted(margin, margin, -margin, -margin), margin, margin)
        font = painter.font()
        font.setPointSizeF(font.pointSizeF() * 1.4)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.words)
