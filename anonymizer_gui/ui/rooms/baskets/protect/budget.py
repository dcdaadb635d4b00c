"""The budget of deletions as a slider, and at once what would be left with it; nothing is released by moving it."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.sweep import LossPreview
from anonymizer_gui.ui.i18n import error_text, format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget

_STEPS, _MOST = 20, 0.1
MOST_OCCURRENCES = 200_000
"""Nobody waits for so many items at every move."""


class Budget(QWidget):
    """A slider from no deletions to one item in ten, and a sentence on what would be left."""

    chosen = Signal(float)
    """Carries the share that may be deleted."""

    def __init__(self) -> None:
        super().__init__()
        self.slider = name_widget(
            QSlider(Qt.Orientation.Horizontal), "deletion_budget", spoken=tr("Budget of deletions")
        )
        self.slider.setRange(0, _STEPS)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.setTickInterval(_STEPS // 10)
        self.share = QLabel()
        self.words = name_widget(QLabel(wordWrap=True), "looked_ahead")
        self._row = QWidget()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel(self.slider.accessibleName())
        label.setBuddy(self.slider)
        for widget in (label, self.slider, self.share):
            row.addWidget(widget, int(widget is self.slider))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._row)
        layout.addWidget(self.words)
        self.slider.valueChanged.connect(lambda step: self.chosen.emit(step * _MOST / _STEPS))

    def show_budget(self, share: float | None) -> None:
        """Show what may be deleted; no slider for a method that has no such budget."""
        self._row.setVisible(share is not None)
        if share is not None:
            with QSignalBlocker(self.slider):
                self.slider.setValue(round(share * _STEPS / _MOST))
            self.share.setText(format_percent(share))

    def show_ahead(self, found: LossPreview | None, baskets: Baskets) -> None:
        """Say what a run with these settings would lose, or why there is none."""
        if found is None:
            self.words.setText("")
        elif found.problem is not None:
            self.words.setText(error_text(found.problem))
        else:
            self.words.setText(
                tr(
                    "With these settings {left} of {all:value|values} would be left: loss {loss}, {deleted} deleted.",
                    left=format_integer(found.values_left),
                    all=len(baskets.items),
                    loss=format_decimal(found.ncp, 5),
                    deleted=format_percent(found.deleted / max(len(baskets.codes), 1), 2),
                )
            )
