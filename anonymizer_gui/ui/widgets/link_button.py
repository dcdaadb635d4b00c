"""A button with an icon, a title and words under it, all in the size of the letters of the window."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QSizePolicy

from anonymizer_gui.ui import theme


class LinkButton(QPushButton):
    """Leads somewhere; Qt's own button of this kind keeps its letters small whatever the user has chosen."""

    def __init__(self, title: str, words: str, icon: str, name: str = "") -> None:
        super().__init__(flat=True)
        self.setObjectName(name)
        self.setAccessibleName(f"{title}. {words}")
        self.title = QLabel(title, textFormat=Qt.TextFormat.PlainText)
        self.words = QLabel(words, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._picture = QLabel(alignment=Qt.AlignmentFlag.AlignTop)
        self._icon = icon
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._build()

    def _build(self) -> None:
        bold = QFont(self.font())
        bold.setBold(True)
        self.title.setFont(bold)
        line = self.fontMetrics().height()
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(line // 2, line // 2, line // 2, line // 2)
        grid.setHorizontalSpacing(line // 2)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._picture, 0, 0, 2, 1)
        grid.addWidget(self.title, 0, 1)
        grid.addWidget(self.words, 1, 1)
        for label in (self.title, self.words, self._picture):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._draw()

    def _draw(self) -> None:
        side = round(self.fontMetrics().height() * 1.3)
        self._picture.setPixmap(theme.icon(self._icon, "accent" if self.isEnabled() else "muted").pixmap(side, side))

    def sizeHint(self) -> QSize:
        """Take the room of what is inside."""
        return self._grid.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Take the room of what is inside."""
        return self._grid.minimumSize()

    def heightForWidth(self, width: int) -> int:
        """Grow when the words need more lines."""
        return self._grid.heightForWidth(width)

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icon anew in another theme, or when there is nothing to lead to."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.EnabledChange):
            self._draw()
