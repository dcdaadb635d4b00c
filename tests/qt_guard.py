"""Watches what a test does with Qt: timers it starts, windows it opens, dialogs it would wait for."""

import gc
import traceback
import weakref
from collections.abc import Callable
from typing import NoReturn

import pytest
from PySide6 import QtWidgets
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

# Qt keeps these itself, one for the whole application.
KEPT_BY_QT = {"QTipLabel", "QDesktopScreenWidget", "QShapedPixmapWidget"}

BLOCKING_CALLS = {
    "QDialog": ("exec",),
    "QMenu": ("exec",),
    "QMessageBox": ("exec", "about", "critical", "information", "question", "warning"),
    "QFileDialog": ("exec", "getExistingDirectory", "getOpenFileName", "getOpenFileNames", "getSaveFileName"),
    "QInputDialog": ("exec", "getDouble", "getInt", "getItem", "getMultiLineText", "getText"),
    "QColorDialog": ("exec", "getColor"),
    "QFontDialog": ("exec", "getFont"),
}


class QtGuard:
    """Knows what was there before the test and who started which timer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._timers: list[tuple[weakref.ref[QTimer], str]] = []
        self._before = _windows()
        monkeypatch.setattr(QTimer, "start", self._watched(QTimer.start))
        for name, methods in BLOCKING_CALLS.items():
            for method in methods:
                monkeypatch.setattr(getattr(QtWidgets, name), method, _refusing(f"{name}.{method}"))

    def leaks(self) -> list[str]:
        """Name the timers that still run and the windows that are still there."""
        _delete_what_is_due()
        if self._new_windows() or self._running_timers():
            gc.collect()
            _delete_what_is_due()
        windows = [f"window {_description(widget)}" for widget in self._new_windows()]
        return windows + [f"timer started at {place}" for place in self._running_timers()]

    def _watched(self, start: Callable[..., None]) -> Callable[..., None]:
        def started(timer: QTimer, *args: object, **kwargs: object) -> None:
            place = traceback.extract_stack(limit=2)[0]
            self._timers.append((weakref.ref(timer), f"{place.filename}:{place.lineno}"))
            start(timer, *args, **kwargs)

        return started

    def _running_timers(self) -> list[str]:
        alive = [(timer(), place) for timer, place in self._timers]
        return [place for timer, place in alive if timer is not None and isValid(timer) and timer.isActive()]

    def _new_windows(self) -> list[QWidget]:
        return [widget for key, widget in _windows().items() if key not in self._before]


def _windows() -> dict[int, QWidget]:
    if QApplication.instance() is None:
        return {}
    windows = [widget for widget in QApplication.topLevelWidgets() if isValid(widget)]
    return {hash(w): w for w in windows if w.parent() is None and w.metaObject().className() not in KEPT_BY_QT}


def _delete_what_is_due() -> None:
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _description(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()!r} {widget.windowTitle()!r}"


def _refusing(name: str) -> Callable[..., NoReturn]:
    def refuse(*_args: object, **_kwargs: object) -> NoReturn:
        pytest.fail(f"{name} would wait for an answer: patch the question, or open() the dialog", pytrace=True)

    return refuse
