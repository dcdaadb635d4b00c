"""Pieces that pages are laid out with: a titled part, and a part that scrolls."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget


def titled(title: str, *content: QWidget) -> QWidget:
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


def scrolled(*parts: QWidget) -> QScrollArea:
    """Put some parts below each other into an area that scrolls up and down."""
    inside = QWidget()
    layout = QVBoxLayout(inside)
    layout.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        layout.addWidget(part)
    layout.addStretch()
    area = QScrollArea(widgetResizable=True, frameShape=QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inside)
    return area
