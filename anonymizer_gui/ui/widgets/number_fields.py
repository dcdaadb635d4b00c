"""Amount field, epsilon slider."""

from bisect import bisect_left
from fractions import Fraction
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QSlider, QWidget

from anonymizer_gui.engine.core.budget import ExactAmount
from anonymizer_gui.engine.core.params import Kind
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_significant, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.param_form import NumberEdit


class AmountField(QLineEdit):
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


def in_row(*widgets: QWidget) -> QWidget:
    """Put widgets beside each other, no wider than they need to be."""
    whole = QWidget()
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch()
    return whole


EPSILON_STEPS = tuple(Fraction(digits) * Fraction(10) ** power for power in range(-2, 3) for digits in (1, 2, 3, 5, 7))

_KIND = ExactAmount()


class EpsilonSlider(QWidget):
    """Chooses an epsilon; what is typed need not be one of the steps."""

    changed = Signal(object)
    """Carries the exact epsilon a person has chosen."""

    def __init__(self, name: str, label: str = "") -> None:
        super().__init__()
        self.value = Fraction(1)
        spoken = label or tr("Epsilon")
        self.slider = name_widget(QSlider(Qt.Orientation.Horizontal), f"{name}_slider", spoken=spoken)
        self.slider.setRange(0, len(EPSILON_STEPS) - 1)
        self.line = name_widget(NumberEdit(0.1), name, spoken=spoken)
        self._build(spoken)
        self.slider.valueChanged.connect(self._on_slid)
        self.line.editingFinished.connect(self._on_typed)
        self.show_value(self.value)

    def show_value(self, value: Fraction) -> None:
        """Show an epsilon without telling."""
        self.value = value
        self.slider.blockSignals(True)
        self.slider.setValue(min(bisect_left(EPSILON_STEPS, value), len(EPSILON_STEPS) - 1))
        self.slider.blockSignals(False)
        self.line.setText(format_significant(float(value), 6))

    def _build(self, spoken: str) -> None:
        title = QLabel(spoken)
        title.setBuddy(self.line)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(title, 0, 0)
        grid.addWidget(self.slider, 0, 1, 1, 2)
        grid.addWidget(self.line, 0, 3)
        ends = QLabel(tr("Better privacy")), QLabel(tr("Better accuracy"))
        for end in ends:
            end.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        grid.addWidget(ends[0], 1, 1)
        grid.addWidget(ends[1], 1, 2, alignment=Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        self.line.setMaximumWidth(self.fontMetrics().height() * 6)

    def _on_slid(self, place: int) -> None:
        self._choose(EPSILON_STEPS[place])

    def _on_typed(self) -> None:
        try:
            self._choose(Fraction(_KIND.parse(self.line.text())))
        except ValueError:
            self.show_value(self.value)  # what is no epsilon is not taken

    def _choose(self, value: Fraction) -> None:
        is_new = format_significant(float(value), 6) != format_significant(float(self.value), 6)
        self.show_value(value if is_new else self.value)
        if is_new:
            self.changed.emit(value)
