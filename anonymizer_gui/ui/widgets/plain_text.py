"""Texts of the user shown as they are: a name such as `<b>x</b>` is never taken for markup."""

import functools
from collections.abc import Callable
from html import escape
from typing import Any, TypeVar

from PySide6.QtCore import QAbstractItemModel
from PySide6.QtCore import Qt as Core
from PySide6.QtGui import Qt

M = TypeVar("M", bound=type[QAbstractItemModel])
_TIP = Core.ItemDataRole.ToolTipRole


def plain(text: str) -> str:
    """Give a text so that a tooltip, which guesses, shows it as it is written.

    >>> plain("age"), plain("<b>x</b>")
    ('age', '<span>&lt;b&gt;x&lt;/b&gt;</span>')
    """
    if not Qt.mightBeRichText(text):
        return text
    return f"<span>{escape(text, quote=False)}</span>".replace("\n", "<br>")


def plain_tips(model: M) -> M:
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
        return plain(found) if is_tip and isinstance(found, str) else found

    return give
