"""A line for an amount: it tells what was typed once it is right, and shows the rule while it is not."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from anonymizer_gui.engine.core.params import Kind
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr


class AmountEdit(QLineEdit):
    """Edits one number of a declared kind; an empty line stands for `empty` where that is given."""

    chosen = Signal(object)
    """Carries the value that was typed, when Enter is pressed or the line is left."""

    def __init__(self, kind: Kind, empty: str = "") -> None:
        super().__init__()
        self._kind, self._empty, self._shown = kind, empty, ""
        self.setMaximumWidth(self.fontMetrics().height() * 9)
        self.editingFinished.connect(self._on_finished)
        self.textEdited.connect(lambda _text: self._colour())

    def show_amount(self, text: str) -> None:
        """Show another amount, unless somebody is typing one."""
        if text != self._shown or not self.hasFocus():
            self._shown = text
            self.setText(text)
            self._colour()

    @property
    def mistake(self) -> str:
        """The rule that what is typed breaks; empty when it is right."""
        try:
            self._read()
        except ValueError as rule:
            return tr("Must be {rule}.", rule=tr(rule.args[0]))
        return ""

    def _read(self) -> Any:
        typed = self.text().strip()
        if self._empty and typed in ("", self._empty):
            return self._empty
        return self._kind.parse(typed)

    def _colour(self) -> None:
        palette = self.palette()
        palette.setColor(palette.ColorRole.Text, theme.color("bad" if self.mistake else "text"))
        self.setPalette(palette)

    def _on_finished(self) -> None:
        if self.mistake:
            self.setText(self._shown)
            self._colour()
        elif self.text() != self._shown:
            self._shown = self.text()
            self.chosen.emit(self._read())


def beside(*widgets: QWidget) -> QWidget:
    """Put widgets beside each other, no wider than they need to be."""
    whole = QWidget()
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch()
    return whole
