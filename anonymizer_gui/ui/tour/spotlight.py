"""A frame around what the tour speaks of."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.tour.step import Step


def spoken_of(window: MainWindow, stop: Step) -> QWidget | None:
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
