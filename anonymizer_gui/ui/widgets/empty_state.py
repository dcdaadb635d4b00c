"""What a page shows while its input is missing: one sentence and the button that supplies it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.widgets.named import named


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
        self.picture = named(QLabel(alignment=Qt.AlignmentFlag.AlignCenter))
        self.sentence = named(QLabel(sentence, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True))
        self.hint = named(QLabel(hint, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True))
        self.button = named(QPushButton(button), "empty_state_button")
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
            self.picture.setPixmap(theme.picture(self._icon, 4 * self.fontMetrics().height(), "muted"))

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
