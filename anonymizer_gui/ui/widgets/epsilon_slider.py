"""A slider for epsilon in round steps, from better privacy to better accuracy, with a line to type into."""

from bisect import bisect_left
from fractions import Fraction

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QGridLayout, QLabel, QSlider, QWidget

from anonymizer_gui.engine.core.budget import ExactAmount
from anonymizer_gui.ui.i18n import rounded, tr
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.param_fields import NumberEdit

STEPS = tuple(Fraction(digits) * Fraction(10) ** power for power in range(-2, 3) for digits in (1, 2, 3, 5, 7))
_KIND = ExactAmount()


class EpsilonSlider(QWidget):
    """Chooses an epsilon; what is typed need not be one of the steps."""

    changed = Signal(object)
    """Carries the exact epsilon a person has chosen."""

    def __init__(self, name: str, label: str = "") -> None:
        super().__init__()
        self.value = Fraction(1)
        spoken = label or tr("Epsilon")
        self.slider = named(QSlider(Qt.Orientation.Horizontal), f"{name}_slider", spoken=spoken)
        self.slider.setRange(0, len(STEPS) - 1)
        self.line = named(NumberEdit(0.1), name, spoken=spoken)
        self._build(spoken)
        self.slider.valueChanged.connect(self._on_slid)
        self.line.editingFinished.connect(self._on_typed)
        self.show_value(self.value)

    def show_value(self, value: Fraction) -> None:
        """Show an epsilon without telling."""
        self.value = value
        self.slider.blockSignals(True)
        self.slider.setValue(min(bisect_left(STEPS, value), len(STEPS) - 1))
        self.slider.blockSignals(False)
        self.line.setText(rounded(float(value), 6))

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
        self._choose(STEPS[place])

    def _on_typed(self) -> None:
        try:
            self._choose(Fraction(_KIND.parse(self.line.text())))
        except ValueError:
            self.show_value(self.value)  # what is no epsilon is not taken

    def _choose(self, value: Fraction) -> None:
        is_new = rounded(float(value), 6) != rounded(float(self.value), 6)
        self.show_value(value if is_new else self.value)
        if is_new:
            self.changed.emit(value)
