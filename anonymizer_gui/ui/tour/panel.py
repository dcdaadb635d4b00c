"""The strip that leads through the tour: where we are, what there is to see, and the way on."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QPushButton, QWidget

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.tour.steps import steps
from anonymizer_gui.ui.widgets.named import named


class TourPanel(QDockWidget):
    """Stands at the bottom of the window until the visitor ends the tour."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(tr("Tour"), window)
        self.setObjectName("tour")
        self._window = window
        self._steps = steps()
        self._at = -1
        self.sentence = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.next_button = named(QPushButton(tr("Next")), "tour_next")
        self.end_button = named(QPushButton(tr("End the Tour")), "tour_end")
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.next_button)
        row.addWidget(self.end_button)
        self.setWidget(inside)
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.next_button.clicked.connect(self.step)
        self.end_button.clicked.connect(self.close)

    def begin(self) -> None:
        """Show the first stop."""
        self._window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self)
        self.step()

    def step(self) -> None:
        """Go to the next stop; after the last one the tour is over."""
        self._at += 1
        if self._at >= len(self._steps):
            self.close()
            return
        stop = self._steps[self._at]
        stop.act(self._window)
        place = tr("{n} of {all}", n=self._at + 1, all=len(self._steps))
        self.sentence.setText(f"<b>{stop.title}</b> ({place}): {stop.sentence}")
        if self._at == len(self._steps) - 1:
            self.next_button.setText(tr("Finish"))
