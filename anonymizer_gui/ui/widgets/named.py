"""Names of widgets: the one that tests and saved layouts know, the one that is read aloud, and the tooltip."""

from typing import TypeVar

from PySide6.QtWidgets import QWidget

W = TypeVar("W", bound=QWidget)


def named(widget: W, name: str = "", *, spoken: str = "", tip: str = "") -> W:
    """Name a widget and give it back, so that it is made and named in one line."""
    widget.setObjectName(name)
    if spoken:
        widget.setAccessibleName(spoken)
    if tip:
        widget.setToolTip(tip)
    return widget
