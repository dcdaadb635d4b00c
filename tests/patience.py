"""How long tests wait: so long that a busy machine is no reason to fail; a wait that succeeds ends at once."""

import time
from collections.abc import Callable
from typing import Any

from pytestqt.qtbot import QtBot

WAIT_S = 400.0
"""Of every wait for another thread or process; shorter than the `timeout` of a test, so that it can say for what."""
_LOOPS = 1_000_000
_LOOPS_S = 0.015
"""The time of a processor for these loops where the limits of tests were measured."""


def slowness() -> float:
    """Tell how many times longer this machine computes now than the one where limits were measured; at least 1.

    Processors differ, and one that is shared computes more slowly even in its own time.
    """
    took = []
    for _ in range(5):
        begun = time.thread_time()
        for _ in range(_LOOPS):
            pass
        took.append(time.thread_time() - begun)
    return max(1.0, sorted(took)[2] / _LOOPS_S)


class PatientBot(QtBot):
    """Waits long enough on any machine for what must come; what must not come is waited for as long as was said."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = 0) -> None:
        """Wait until something is true."""
        super().waitUntil(callback, timeout=max(timeout, _wait_ms()))

    def waitSignal(self, signal: Any, *, timeout: int = 0, raising: bool | None = None, **more: Any) -> Any:
        """Wait for a signal."""
        patient = timeout if raising is False else max(timeout, _wait_ms())
        return super().waitSignal(signal, timeout=patient, raising=raising, **more)

    def waitSignals(self, signals: Any, *, timeout: int = 0, raising: bool | None = None, **more: Any) -> Any:
        """Wait for several signals."""
        patient = timeout if raising is False else max(timeout, _wait_ms())
        return super().waitSignals(signals, timeout=patient, raising=raising, **more)

    def waitExposed(self, widget: Any, *, timeout: int = 0) -> Any:
        """Wait until a window is drawn."""
        return super().waitExposed(widget, timeout=max(timeout, _wait_ms()))

    def waitActive(self, widget: Any, *, timeout: int = 0) -> Any:
        """Wait until a window has the keys."""
        return super().waitActive(widget, timeout=max(timeout, _wait_ms()))


def _wait_ms() -> int:
    return int(WAIT_S * 1000)
