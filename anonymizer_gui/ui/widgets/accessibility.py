"""Names, tool tips, plain text, tab order, line breaks."""

import functools
from collections.abc import Callable
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
)
from PySide6.QtCore import Qt as Core
from PySide6.QtGui import QPainter, QPaintEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.layout import _PLACES_TO_BREAK

AnyModel = TypeVar("AnyModel", bound=type[QAbstractItemModel])

_TIP = Core.ItemDataRole.ToolTipRole


def plain_text(text: str) -> str:
    """Give a text so that a tooltip, which guesses, shows it as it is written.

    >>> plain_text("age"), plain_text("<b>x</b>")
    ('age', '<span>&lt;b&gt;x&lt;/b&gt;</span>')
    """
    if not Qt.mightBeRichText(text):
        return text
    return f"<span>{escape(text, quote=False)}</span>".replace("\n", "<br>")


def plain_tooltips(model: AnyModel) -> AnyModel:
    """Let the tooltips of a model, which hold names and values of the user, be shown as they are."""
    for name in ("data", "headerData"):
        if name in vars(model):
            setattr(model, name, _with_plain_tips(vars(model)[name]))
    return model


def _with_plain_tips(given: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(given)
    def give(self: Any, *where: Any, **more: Any) -> Any:
        found = given(self, *where, **more)
        is_tip = (more.get("role", where[-1] if where else None)) == _TIP
        return plain_text(found) if is_tip and isinstance(found, str) else found

    return give


AnyWidget = TypeVar("AnyWidget", bound=QWidget)


def name_widget(widget: AnyWidget, name: str = "", *, spoken: str = "", tip: str = "") -> AnyWidget:
    """Name a widget and give it back, so that it is made and named in one line.

    A label does not guess whether its text is markup: it may hold a name of the user.
    """
    if isinstance(widget, QLabel) and widget.textFormat() == Core.TextFormat.AutoText:
        widget.setTextFormat(Core.TextFormat.PlainText)
    widget.setObjectName(name)
    if spoken:
        widget.setAccessibleName(spoken)
    if tip:
        widget.setToolTip(plain_text(tip))
    return widget


ModelIndex = QModelIndex | QPersistentModelIndex


def selected_ranges(model: QItemSelectionModel | None) -> list[QItemSelectionRange]:
    """List the ranges of a selection; all of a million rows are one range."""
    selection = None if model is None else model.selection()
    return [] if selection is None else [selection.at(place) for place in range(selection.count())]


class ElidedLabel(QLabel):
    """A line of text that ends in dots where there is no room for all of it."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as much of the text as fits."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), Core.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Core.AlignmentFlag.AlignVCenter | Core.AlignmentFlag.AlignLeft, text)


def set_tab_order(*widgets: QWidget) -> None:
    """Let the Tab key go through widgets in this order, wherever and whenever they were made."""
    for widget, following in pairwise(widgets):
        QWidget.setTabOrder(widget, following)


def breakable(text: str) -> str:
    """Let a long name go on in the next line where it does not fit: after a joint, or anywhere in a very long word."""
    return _PLACES_TO_BREAK.sub("\\g<0>\N{ZERO WIDTH SPACE}", text)


def show_file_name(label: QLabel, path: str) -> None:
    """Show the name of a file, its whole path as tooltip; say so when there is none."""
    label.setText(breakable(Path(path).name) if path else tr("none"))
    label.setToolTip(plain_text(path))
    label.setTextFormat(Core.TextFormat.PlainText)
    label.setWordWrap(True)
