"""Message strip of a page (one line + "2 more") and inline message."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.workspace.messages import Message, Messages, Severity

_LOOKS = {
    Severity.ERROR: ("error", "bad", "Error"),
    Severity.WARNING: ("warning", "warn", "Warning"),
    Severity.INFO: ("info", "info", "Info"),
    Severity.SUCCESS: ("check", "good", "Check"),
}

_MOST = 3

_WIDEST = 60
"""So many times the height of a line is the widest that a message becomes."""


class MessageStrip(QWidget):
    """The open messages, newest on top; at most three are in sight.

    They lie over the page instead of pushing it down: a click that is on its way still lands where it was aimed.
    """

    def __init__(self, messages: Messages, over: QWidget) -> None:
        """Float over the foot of a widget."""
        super().__init__(over)
        self._over = over
        over.installEventFilter(self)
        self.setObjectName("message_bar")
        self._messages = messages
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(1)
        self._strips: list[MessageRow] = []
        self._show()
        messages.posted.connect(self._show)
        messages.cleared.connect(self._show)

    def strips(self) -> list["MessageRow"]:
        """The messages in sight, newest first."""
        return list(self._strips)

    def _show(self, _what: object = None) -> None:
        wanted = self._messages.open[: -_MOST - 1 : -1]
        for strip in self.strips():
            if strip.message not in wanted:
                self._strips.remove(strip)
                self._layout.removeWidget(strip)
                strip.hide()
                strip.deleteLater()
        shown = [strip.message for strip in self.strips()]
        for place, message in enumerate(wanted):
            if message not in shown:
                strip = MessageRow(message)
                strip.close_button.clicked.connect(lambda _=False, key=message.key: self._messages.clear(key))
                self._strips.insert(place, strip)
                self._layout.insertWidget(place, strip)
        self.setVisible(bool(wanted))
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the foot of the page when the window or a message changes its size."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.LayoutRequest):
            self._fit()
        return False

    def event(self, event: QEvent) -> bool:
        """Grow with what is shown."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        line = self.fontMetrics().height()
        width = min(self._over.width() - 2 * line, line * _WIDEST)
        needed = self._layout.totalHeightForWidth(width)
        height = needed if needed > 0 else self._layout.totalSizeHint().height()
        left, top = (self._over.width() - width) // 2, self._over.height() - height - line
        self.setGeometry(left, max(top, 0), width, height)
        self.raise_()


class MessageRow(QFrame):
    """One message."""

    def __init__(self, message: Message) -> None:
        super().__init__()
        self.setObjectName("message_strip")
        self.message = message
        self._icon = QLabel()
        self.text = QLabel(_words(message), textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.details_button = QPushButton(tr("Details"))
        self.details_button.setCheckable(True)
        self.details_button.setVisible(bool(message.details))
        self.close_button = name_widget(QToolButton(autoRaise=True), tip=tr("Dismiss"), spoken=tr("Dismiss"))
        self.details = QPlainTextEdit(message.details, readOnly=True)
        self.details.setVisible(False)
        self.copy_button = QPushButton(tr("Copy"))
        self.copy_button.setVisible(False)
        self._build()
        self._colour()
        self.details_button.toggled.connect(self._on_details)
        self.copy_button.clicked.connect(self._on_copy)

    def _build(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self._icon)
        row.addWidget(self.text, 1)
        for title, callback in self.message.actions:
            button = QPushButton(tr(title))
            button.clicked.connect(lambda _=False, call=callback: call())
            row.addWidget(button)
        for widget in (self.copy_button, self.details_button, self.close_button):
            row.addWidget(widget)
        layout = QVBoxLayout(self)
        margin = self.fontMetrics().height() // 2
        layout.setContentsMargins(margin, margin // 2, margin, margin // 2)
        layout.addLayout(row)
        layout.addWidget(self.details)
        self.details.setFixedHeight(self.fontMetrics().height() * 7)
        self.details.setAccessibleName(tr("Details"))
        self.details.setTabChangesFocus(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setAccessibleName(self.text.text())
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)

    def _colour(self) -> None:
        name, tint, title = _LOOKS[self.message.tone]
        side = round(self.fontMetrics().height() * 1.3)
        self._icon.setPixmap(theme.icon(name, tint).pixmap(side, side))
        self._icon.setAccessibleName(tr(title))
        self.close_button.setIcon(theme.icon("close"))
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Window, theme.color(f"{tint}_soft"))
        self.setPalette(palette)

    def _on_details(self, wanted: bool) -> None:
        self.details.setVisible(wanted)
        self.copy_button.setVisible(wanted)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(f"{self.text.text()}\n\n{self.message.details}")

    def changeEvent(self, event: QEvent) -> None:
        """Take on the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()


def _words(message: Message) -> str:
    return f"{tr(message.text)} {tr(message.hint) if message.hint else ''}".strip()


_ICONS = {"bad": "error", "warn": "warning", "info": "info", "good": "check"}


class InlineMessage(QFrame):
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
