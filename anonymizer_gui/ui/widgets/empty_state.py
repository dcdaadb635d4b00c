"""Empty state and command link button."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QStyle, QVBoxLayout, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.widgets.accessibility import breakable, name_widget


class EmptyState(QWidget):
    """A sentence in the middle of the page with one button under it; a hint may stand between them."""

    def __init__(
        self,
        sentence: str,
        button: str = "",
        action: Callable[[], object] | None = None,
        *,
        icon: str = "",
        hint: str = "",
    ) -> None:
        super().__init__()
        self._icon = icon
        self.picture = name_widget(QLabel(alignment=Qt.AlignmentFlag.AlignCenter))
        self.sentence = name_widget(QLabel(sentence, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True))
        self.hint = name_widget(QLabel(hint, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True))
        self.button = name_widget(QPushButton(button), "empty_state_button")
        self._build()
        if action is not None:
            self.button.clicked.connect(lambda: action())

    def set_text(self, sentence: str, hint: str = "") -> None:
        """Say something else."""
        self.sentence.setText(sentence)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))

    def _colour(self) -> None:
        if self._icon:
            self.picture.setPixmap(theme.icon_pixmap(self._icon, 4 * self.fontMetrics().height(), "muted"))

    def _build(self) -> None:
        font = self.sentence.font()
        font.setPointSizeF(font.pointSizeF() * 1.25)
        self.sentence.setFont(font)
        self.button.setVisible(bool(self.button.text()))
        self.hint.setVisible(bool(self.hint.text()))
        self.hint.setForegroundRole(self.hint.foregroundRole().PlaceholderText)
        self._colour()
        layout = QVBoxLayout(self)
        layout.setSpacing(self.fontMetrics().height())
        layout.addStretch()
        for widget in (self.picture, self.sentence, self.hint):
            layout.addWidget(widget)
        layout.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch()

    def changeEvent(self, event: QEvent) -> None:
        """Take on the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()


_WIDTH, _NARROWEST = 28, 14
"""So many times the height of a line a button is wide where it may choose, and at least."""

_WRAPPED = int(Qt.TextFlag.TextWordWrap)


class CommandLinkButton(QPushButton):
    """Leads somewhere; Qt's own button of this kind keeps its letters small whatever the user has chosen.

    It draws its words itself: a page with twenty of them is there in a third of the time labels would take.
    """

    def __init__(self, title: str, words: str, icon: str, name: str = "") -> None:
        super().__init__(flat=True)
        self.setObjectName(name)
        self.setAccessibleName(f"{title}. {words}")
        self.title, self.words = title, words
        self._icon, self._shown = icon, breakable(words)
        self._heights: dict[int, int] = {}
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        """Take the room of what is inside."""
        return self._size(_WIDTH)

    def minimumSizeHint(self) -> QSize:
        """Take the room of what is inside."""
        return self._size(_NARROWEST)

    def hasHeightForWidth(self) -> bool:
        """Say that words need more lines where there is less room."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Grow when the words need more lines; layouts ask often."""
        if width not in self._heights:
            metrics = self.fontMetrics()
            line = metrics.height()
            room = QRect(0, 0, width - self._indent() - line // 2, 1 << 16)
            words = metrics.boundingRect(room, _WRAPPED, self._shown)
            self._heights[width] = 2 * (line // 2) + line + words.height()
        return self._heights[width]

    def changeEvent(self, event: QEvent) -> None:
        """Ask for other room with other letters."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._heights.clear()
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw icon, title and words, muted when there is nothing to lead to."""
        super().paintEvent(event)
        painter = QPainter(self)
        line = self.fontMetrics().height()
        edge, side = line // 2, round(line * 1.3)
        tint = "accent" if self.isEnabled() else "muted"
        theme.icon(self._icon, tint).paint(painter, self._turned(QRect(edge, edge, side, side)))
        painter.setPen(theme.color("text" if self.isEnabled() else "muted"))
        area = self.rect().adjusted(self._indent(), edge, -edge, -edge)
        start = QStyle.visualAlignment(self.layoutDirection(), Qt.AlignmentFlag.AlignLeft)
        below = self._turned(area.adjusted(0, line, 0, edge))
        painter.drawText(below, int(start) | _WRAPPED, self._shown)
        bold = QFont(self.font())
        bold.setBold(True)
        painter.setFont(bold)
        painter.drawText(self._turned(area), int(start), self.title)

    def _indent(self) -> int:
        line = self.fontMetrics().height()
        return line // 2 + round(line * 1.3) + line // 2

    def _size(self, lines: int) -> QSize:
        width = lines * self.fontMetrics().height()
        return QSize(width, self.heightForWidth(width))

    def _turned(self, place: QRect) -> QRect:
        """Give a place as it is where people read from right to left."""
        return QStyle.visualRect(self.layoutDirection(), self.rect(), place)
