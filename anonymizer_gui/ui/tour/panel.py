"""The strip that leads through the tour: where we are, what there is to see, and the way on."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QPushButton, QWidget

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.tour.spotlight import Spotlight
from anonymizer_gui.ui.tour.steps import steps
from anonymizer_gui.ui.widgets.named import named

_LARGE = 1.35
"""So many times the usual size is the text, to be read from the back of a room."""
_PLAY_MS = 9000


class TourPanel(QDockWidget):
    """Stands at the bottom of the window until the visitor ends the tour."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(tr("Tour"), window)
        self.setObjectName("tour")
        self._window = window
        self._steps = steps()
        self._at = -1
        self._seen: list[str] = []
        """The page of every stop that was visited."""
        self.frame = Spotlight(window)
        self.sentence = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        font = self.sentence.font()
        font.setPointSizeF(font.pointSizeF() * _LARGE)
        self.sentence.setFont(font)
        self.back_button = named(QPushButton(tr("Back")), "tour_back")
        self.next_button = named(QPushButton(tr("Next")), "tour_next")
        self.play_button = named(QPushButton(tr("Play")), "tour_play")
        self.play_button.setCheckable(True)
        self.end_button = named(QPushButton(tr("End the Tour")), "tour_end")
        self._timer = QTimer(self, interval=_PLAY_MS)
        self._build()

    def _build(self) -> None:
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.addWidget(self.sentence, 1)
        for button in (self.back_button, self.next_button, self.play_button, self.end_button):
            row.addWidget(button)
        self.setWidget(inside)
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.back_button.clicked.connect(self.step_back)
        self.next_button.clicked.connect(self.step)
        self.play_button.toggled.connect(self._on_play)
        self.end_button.clicked.connect(self.finish)
        self._timer.timeout.connect(self.step)

    def begin(self) -> None:
        """Show the first stop."""
        self._window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self)
        self.step()

    def step(self) -> None:
        """Go to the next stop; after the last one the tour is over."""
        self._at += 1
        if self._at >= len(self._steps):
            self.finish()
            return
        if self._at < len(self._seen):
            self._window.go_to(self._seen[self._at])
        else:
            self._steps[self._at].act(self._window)
            self._seen.append(self._window.pages.current_name)
        self._show()

    def step_back(self) -> None:
        """Go back to a page that was seen; what was done on the way stays done."""
        self._at -= 1
        self._window.go_to(self._seen[self._at])
        self._show()

    def finish(self) -> None:
        """End the tour: nothing of it is left to be saved."""
        self._timer.stop()
        self.frame.hide()
        self._window.removeDockWidget(self)
        self.deleteLater()
        self._window.document.new()

    def _show(self) -> None:
        stop = self._steps[self._at]
        place = tr("{n} of {all}", n=self._at + 1, all=len(self._steps))
        self.sentence.setText(f"<b>{stop.title}</b> ({place}): {stop.sentence}")
        self.back_button.setEnabled(self._at > 0)
        self.next_button.setText(tr("Finish") if self._at == len(self._steps) - 1 else tr("Next"))
        page = self._window.pages.current_page
        self.frame.point_at(page.findChild(QWidget, stop.points_at) if page is not None and stop.points_at else None)

    def _on_play(self, on: bool) -> None:
        self.play_button.setText(tr("Pause") if on else tr("Play"))
        if on:
            self._timer.start()
        else:
            self._timer.stop()
