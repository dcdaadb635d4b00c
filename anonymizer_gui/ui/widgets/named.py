"""Names of widgets: the one that tests and saved layouts know, the one that is read aloud, and the tooltip."""

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from anonymizer_gui.ui.widgets.plain_text import plain

W = TypeVar("W", bound=QWidget)


def named(widget: W, name: str = "", *, spoken: str = "", tip: str = "") -> W:
    """Name a widget and give it back, so that it is made and named in one line.

    A label does not guess whether its text is markup: it may hold a name of the user.
    """
    if isinstance(widget, QLabel) and widget.textFormat() == Qt.TextFormat.AutoText:
        widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setObjectName(name)
    if spoken:
        widget.setAccessibleName(spoken)
    if tip:
        widget.setToolTip(plain(tip))
    return widget
