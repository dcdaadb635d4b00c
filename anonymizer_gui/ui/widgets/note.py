"""A sentence with an icon on a soft ground: how something stands, inside a dialog or page."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel

from anonymizer_gui.ui import theme

_ICONS = {"bad": "error", "warn": "warning", "info": "info", "good": "check"}


class Note(QFrame):
    """Says one thing in a tone: good, info, warn or bad; hidden while it has nothing to say."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("note")
        self.setVisible(False)
        self._tone = "info"
        self._icon = QLabel()
        self.label = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        row = QHBoxLayout(self)
        margin = self.fontMetrics().height() // 2
        row.setContentsMargins(margin, margin // 2, margin, margin // 2)
        row.addWidget(self._icon)
        row.addWidget(self.label, 1)
        self.setAutoFillBackground(True)

    def show_note(self, tone: str, text: str) -> None:
        """Say something, or nothing."""
        self._tone = tone
        self.label.setText(text)
        self.label.setAccessibleName(text)
        self._colour()
        self.setVisible(bool(text))

    def _colour(self) -> None:
        side = round(self.fontMetrics().height() * 1.2)
        self._icon.setPixmap(theme.icon(_ICONS[self._tone], self._tone).pixmap(side, side))
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Window, theme.color(f"{self._tone}_soft"))
        self.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        """Take on the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()
