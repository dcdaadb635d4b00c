"""A frame around what the tour speaks of."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QPushButton, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import TourStep, all_views
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.widgets.accessibility import name_widget


def target_widget(window: MainWindow, stop: TourStep) -> QWidget | None:
    """Find the widget a stop speaks of, on the page in front."""
    page = window.pages.current_page
    return page.findChild(QWidget, stop.points_at) if page is not None and stop.points_at else None


class Spotlight(QWidget):
    """Lies over the window, lets every click through, and draws a frame around one widget."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("tour_frame")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._window = window
        self._target: QWidget | None = None
        window.installEventFilter(self)
        self.hide()

    def point_at(self, target: QWidget | None) -> None:
        """Draw the frame around a widget, or none."""
        self._target = target
        if target is not None:
            target.installEventFilter(self)
        self.setVisible(target is not None)
        self._fit()

    def seen(self) -> QRect:
        """Give the part of the widget that can be seen: an area that scrolls may cut it off."""
        found, widget = QRect(), self._target
        if widget is not None:
            found = QRect(widget.mapTo(self._window, QPoint(0, 0)), widget.size())
        while widget is not None and widget is not self._window:
            found &= QRect(widget.mapTo(self._window, QPoint(0, 0)), widget.size())
            widget = widget.parentWidget()
        return found

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Grow with the window, and follow the widget when its page lays it out anew."""
        if watched is self._window and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        if watched is self._target and event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self.update()  # all of it: what was drawn around the old place would stay
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame."""
        if self._target is None or not self._target.isVisible():
            return
        width = max(self.fontMetrics().height() // 4, 3)
        around = self.seen().adjusted(-width, -width, width, width)
        painter = QPainter(self)
        painter.setPen(QPen(theme.color("accent"), width))
        painter.drawRoundedRect(around.intersected(self.rect().adjusted(width, width, -width, -width)), width, width)

    def _fit(self) -> None:
        self.setGeometry(self._window.rect())
        self.raise_()


def all_tour_steps() -> tuple[TourStep, ...]:
    """List the stops in order; each assumes the ones before it in its chapter."""
    return (_welcome(), *(step for view in all_views() for step in view.tour()))


def _welcome() -> TourStep:
    return TourStep(
        "welcome",
        tr("Welcome"),
        tr("Open a table of your own, or one of the samples. We take the hospital with 2,000 made-up patients."),
        lambda window: window.go_to("welcome"),
    )


_LARGE = 1.5
"""So many times the usual size is the text, to be read from the back of a room."""

_LINES = 4.2

_PLAY_MS = 9000

_WATCH_MS = 150


class TourPanel(QDockWidget):
    """Stands at the bottom of the window until the visitor ends the tour."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(tr("Tour"), window)
        self.setObjectName("tour")
        self._window = window
        self._steps = all_tour_steps()
        self._at = -1
        self._seen: list[str] = []
        """The page of every stop that was visited."""
        self._begins = {0}
        """The stops that opened a sample: what was shown before them is closed."""
        self._is_over = False
        self.frame = Spotlight(window)
        self.sentence = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        font = self.sentence.font()
        font.setPointSizeF(font.pointSizeF() * _LARGE)
        self.sentence.setFont(font)
        self.back_button = name_widget(QPushButton(tr("Back")), "tour_back")
        self.next_button = name_widget(QPushButton(tr("Next")), "tour_next")
        self.play_button = name_widget(QPushButton(tr("Play")), "tour_play")
        self.play_button.setCheckable(True)
        self.end_button = name_widget(QPushButton(tr("End the Tour")), "tour_end")
        self._timer = QTimer(self, interval=_PLAY_MS)
        self._watch = QTimer(self, interval=_WATCH_MS)
        self._build()

    def _build(self) -> None:
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.addWidget(self.sentence, 1)
        for button in (self.back_button, self.next_button, self.play_button, self.end_button):
            row.addWidget(button)
        self.setWidget(inside)
        # Four lines always: the page above must not jump when a sentence is longer than the last one.
        inside.setFixedHeight(round(_LINES * self.sentence.fontMetrics().lineSpacing()))
        row.setContentsMargins(row.spacing(), 0, row.spacing(), 0)
        self.setTitleBarWidget(QWidget(self))
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.back_button.clicked.connect(self.step_back)
        self.next_button.clicked.connect(self.step)
        self.play_button.toggled.connect(self._on_play)
        self.end_button.clicked.connect(self.finish)
        # The keys of a presenter's remote control, which a page turns by, too.
        QShortcut(QKeySequence(Qt.Key.Key_PageDown), self._window, self.next_button.click).setParent(self)
        QShortcut(QKeySequence(Qt.Key.Key_PageUp), self._window, self.back_button.click).setParent(self)
        self._timer.timeout.connect(self._on_time)
        self._watch.timeout.connect(self._on_watch)
        self._window.installEventFilter(self)
        self._window.document.opened.connect(self._on_opened)

    @property
    def is_busy(self) -> bool:
        """Whether something the tour started is still being worked on."""
        return bool(self._window.document.jobs.active)

    def begin(self) -> None:
        """Show the first stop."""
        self._window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self)
        self.step()

    def step(self) -> None:
        """Go to the next stop; after the last one the tour is over."""
        if self._at >= 0:
            self._steps[self._at].left(self._window)
        self._at += 1
        if self._at >= len(self._steps):
            self.finish()
            return
        if self._at < len(self._seen):
            self._steps[self._at].seen_again(self._window, self._seen[self._at])
        else:
            self._act()
        self._show()

    def step_back(self) -> None:
        """Go back to a page that was seen; what was done on the way stays done.

        Before the first stop of a chapter stands a sample that is closed by now: its chapter begins anew.
        """
        self._steps[self._at].left(self._window)
        if self._at in self._begins:
            self._begin_anew(max(place for place in self._begins if place < self._at))
        else:
            self._at -= 1
            self._steps[self._at].seen_again(self._window, self._seen[self._at])
        self._show()

    def _begin_anew(self, place: int) -> None:
        self._at = place
        self._begins = {each for each in self._begins if each <= place}
        del self._seen[place:]
        self._window.document.new()  # nothing of the tour is to be saved, so nothing is asked
        self._act()

    def _act(self) -> None:
        self._steps[self._at].act(self._window)
        self._seen.append(self._window.pages.current_name)

    def _on_opened(self) -> None:
        if not self._is_over:
            self._begins.add(self._at)

    def finish(self) -> None:
        """End the tour: nothing of it is left, neither to be saved nor on the disk."""
        if self._is_over:
            return
        self._is_over = True
        self._timer.stop()
        self._watch.stop()
        self.frame.hide()
        for step in self._steps[: len(self._seen)]:
            step.left(self._window)
        self._window.removeEventFilter(self)
        self._window.removeDockWidget(self)
        self.deleteLater()
        self._window.document.jobs.cancel_all()
        self._window.document.new()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End the tour before the window asks whether its work is to be stopped and its changes saved."""
        if event.type() is not QEvent.Type.Close:
            return False
        self.finish()
        is_busy = self.is_busy  # leaving a stop may itself have started some work
        if is_busy:
            event.ignore()
            _close_when_idle(self._window)
        return is_busy

    def _show(self) -> None:
        stop = self._steps[self._at]
        is_busy = self.is_busy
        place = tr("{n} of {all}", n=self._at + 1, all=len(self._steps))
        words = stop.sentence if is_busy else stop.told(self._window)
        self.sentence.setText(f"<b>{stop.title}</b> ({place}): {words}")
        self.back_button.setEnabled(self._at > 0 and not is_busy)
        begins = self._at > 1 and self._at in self._begins
        self.back_button.setToolTip(tr("The chapter before begins anew") if begins else "")
        self.next_button.setEnabled(not is_busy)
        self.next_button.setText(tr("Finish") if self._at == len(self._steps) - 1 else tr("Next"))
        self.frame.point_at(target_widget(self._window, stop))
        if is_busy:
            self._watch.start()

    def _on_watch(self) -> None:
        """Say what came of it, and open the way on, once all work has come to rest."""
        if not self.is_busy:
            self._watch.stop()
            self._seen[self._at] = self._window.pages.current_name  # a sample that was opened shows a page of its own
            self._show()

    def _on_time(self) -> None:
        if not self.is_busy:
            self.step()

    def _on_play(self, on: bool) -> None:
        self.play_button.setText(tr("Pause") if on else tr("Play"))
        if on:
            self._timer.start()
        else:
            self._timer.stop()


def _close_when_idle(window: MainWindow) -> None:
    """Close a window once its cancelled work has ended; nothing is to be asked about it."""
    if window.document.jobs.active:
        QTimer.singleShot(_WATCH_MS, window, lambda: _close_when_idle(window))
    else:
        window.close()
