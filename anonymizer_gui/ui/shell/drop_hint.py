"""What lies over the window while a file is dragged above it: where the file will land."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from anonymizer_gui.ui import theme


class DropHint(QWidget):
    """A veil with a sentence; it takes the drop, so that no field under it takes the file for a text."""

    dropped = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, visible=False)
        self.setObjectName("drop_hint")
        self._window = parent
        self.words = ""
        self.setAcceptDrops(True)

    def appear(self, words: str) -> None:
        """Cover the window and say where the file will land."""
        self.words = words
        self.setAccessibleName(words)
        self.setGeometry(self._window.rect())
        self.raise_()
        self.show()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take what the window has looked at already."""
        event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Take it everywhere."""
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Go away with the file."""
        self.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Tell that the file is here."""
        event.acceptProposedAction()
        self.hide()
        self.dropped.emit()

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
        room = self.rect().adjusted(margin * 2, margin, -margin * 2, -margin)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.words)
