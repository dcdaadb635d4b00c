"""Pieces that pages and dialogs are laid out with: a titled part, a part that scrolls, a size that fits the screen."""

import re

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtCore import Qt as QtcoreQt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

_PLACES_TO_BREAK = re.compile(r"_(?=\S)|[.,;:/\\|](?=[^\W\d_])|[^\s_.,;:/\\|-]{16}(?=\w)")


def section(title: str, *content: QWidget) -> QWidget:
    """Put a bold title above some widgets; the last one takes the space that is left."""
    whole = QWidget()
    label = QLabel(title)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    layout = QVBoxLayout(whole)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(label)
    for widget in content:
        layout.addWidget(widget, int(widget is content[-1]))
    return whole


def with_selectors(content: QWidget, *choices: tuple[str, QComboBox]) -> QWidget:
    """Put lists to choose from above what follows the choice."""
    whole = QWidget()
    row = QHBoxLayout()
    for title, box in choices:
        label = QLabel(title)
        label.setBuddy(box)
        box.setAccessibleName(title)
        box.setMinimumContentsLength(14)
        row.addWidget(label)
        row.addWidget(box)
    row.addStretch()
    layout = QVBoxLayout(whole)
    layout.addLayout(row)
    layout.addWidget(content, 1)
    return whole


class VerticalScrollArea(QScrollArea):
    """Scrolls up and down only, and is never narrower than what it holds: nothing is cut off at its side."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(QtcoreQt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)
        self.inside = inside

    def minimumSizeHint(self) -> QSize:
        """Leave room for the widest part and the bar beside it."""
        width = self.inside.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ask for room again when what it holds has changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class TurningSplitter(QSplitter):
    """Holds parts below each other, and side by side where the window is wide enough for it."""

    def __init__(self, lines: int, *shares: int) -> None:
        """Turn from so many lines of text in width on; shares say how wide the parts are then, otherwise all alike."""
        super().__init__(QtcoreQt.Orientation.Vertical, childrenCollapsible=False)
        self._lines, self._shares = lines, shares

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turn when the room has changed."""
        super().resizeEvent(event)
        is_wide = self.width() >= self._lines * self.fontMetrics().height()
        wanted = QtcoreQt.Orientation.Horizontal if is_wide else QtcoreQt.Orientation.Vertical
        if wanted == self.orientation():
            return
        self.setOrientation(wanted)
        if is_wide:
            shares = self._shares or (1,) * self.count()
            self.setSizes([self.width() * share // sum(shares) for share in shares])
        else:
            first = self.widget(0)
            self.setSizes([first.sizeHint().height() if first else 0, self.height()])


def scroll_column(*parts: QWidget) -> VerticalScrollArea:
    """Put some parts below each other into an area that scrolls up and down."""
    inside = QWidget()
    layout = QVBoxLayout(inside)
    layout.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        layout.addWidget(part)
    layout.addStretch()
    return VerticalScrollArea(inside)


def resize_in_text_lines(window: QWidget, width: int, height: int) -> None:
    """Give a window a size in lines of text, as far as the screen has room for it and its frame."""
    line = window.fontMetrics().height()
    room = window.screen().availableSize() - QSize(line, line * 3)
    window.resize(QSize(line * width, line * height).boundedTo(room))


def clear_layout(layout: QLayout) -> None:
    """Take all widgets out of a layout; they go once Qt has done with them."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
