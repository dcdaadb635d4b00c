"""How much each quasi-identifier counts in the loss: sliders whose shares always add up to 1."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QSlider, QWidget

from anonymizer_gui.ui.i18n import percent, tr

_STEPS = 100


class WeightSliders(QWidget):
    """One slider per column; the share each gets stands beside it."""

    edited = Signal(str, object)
    """Carries the column and the new weights."""

    def __init__(self) -> None:
        super().__init__()
        self.sliders: dict[str, QSlider] = {}
        self.shares: dict[str, QLabel] = {}
        self._grid = QGridLayout(self)
        self._intro = QLabel(
            tr("A column that matters more for the analysis gets a larger share; its detail is then kept longer."),
            wordWrap=True,
        )
        self.equal = QPushButton(tr("All Equal"), objectName="equal_weights")
        self.equal.clicked.connect(lambda: self.edited.emit("", {}))
        self._grid.addWidget(self._intro, 0, 0, 1, 3)
        self._grid.addWidget(self.equal, 1, 0)

    def show_weights(self, columns: Sequence[str], weights: Mapping[str, float]) -> None:
        """Show the weights of these columns; one without an entry counts 1."""
        if list(columns) != list(self.sliders):
            self._rebuild(columns)
        highest = max([1.0, *(weights.get(name, 1.0) for name in columns)])
        for name, slider in self.sliders.items():
            if not slider.isSliderDown():
                slider.blockSignals(True)
                slider.setValue(round(weights.get(name, 1.0) / highest * _STEPS))
                slider.blockSignals(False)
        self._show_shares()

    def _rebuild(self, columns: Sequence[str]) -> None:
        for widget in [*self.sliders.values(), *self.shares.values(), *self.findChildren(QLabel, "weight_name")]:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        self.sliders, self.shares = {}, {}
        for row, name in enumerate(columns, start=1):
            label = QLabel(name, objectName="weight_name")
            slider = QSlider(Qt.Orientation.Horizontal, minimum=0, maximum=_STEPS, objectName=f"weight_{name}")
            slider.setAccessibleName(tr("Weight of {column}", column=name))
            slider.valueChanged.connect(lambda _value, name=name: self._on_moved(name))
            label.setBuddy(slider)
            share = QLabel()
            share.setMinimumWidth(self.fontMetrics().horizontalAdvance("100.0 %") + 4)
            for column, widget in enumerate((label, slider, share)):
                self._grid.addWidget(widget, row, column)
            self.sliders[name], self.shares[name] = slider, share
        self._grid.addWidget(self.equal, len(columns) + 1, 0)
        self._grid.setRowStretch(len(columns) + 2, 1)
        self._grid.setColumnStretch(1, 1)

    def _show_shares(self) -> None:
        total = sum(slider.value() for slider in self.sliders.values())
        for name, label in self.shares.items():
            label.setText(percent(self.sliders[name].value() / total) if total else "–")

    def _on_moved(self, name: str) -> None:
        if not any(slider.value() for slider in self.sliders.values()):
            self.sliders[name].setValue(1)  # something must count
            return
        self._show_shares()
        self.edited.emit(name, {column: slider.value() / _STEPS for column, slider in self.sliders.items()})
