"""How far a long command has come, on standard error: a line that changes where somebody looks on."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from anonymizer_gui.engine.core.progress import Progress

_SHOWN_AFTER = 2.0
_SHOWN_EVERY = 0.2
_TOLD_EVERY = 60.0
_WIDEST = 100


class _Line:
    """Writes what is going on: often over the same line of a terminal, once a minute into a file."""

    def __init__(self) -> None:
        self._started = self._written = time.monotonic()
        self._is_seen = sys.stderr is not None and sys.stderr.isatty()
        self._words = ""
        self._width = 0

    def report(self, fraction: float, text: str) -> None:
        """Take a report; most are not worth a line."""
        now = time.monotonic()
        self._words = str(text) or self._words
        wait = _SHOWN_EVERY if self._is_seen else _TOLD_EVERY
        if now - self._started < _SHOWN_AFTER or now - self._written < wait:
            return
        self._written = now
        line = f"{fraction:4.0%}  {self._words}"[:_WIDEST]
        if self._is_seen:
            sys.stderr.write(f"\r{line:<{self._width}}")
            self._width = len(line)
        else:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()

    def clear(self) -> None:
        """Leave no half line behind."""
        if self._width:
            sys.stderr.write(f"\r{'':<{self._width}}\r")
            sys.stderr.flush()
            self._width = 0


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Give a progress that is shown on standard error while something takes long."""
    line = _Line()
    try:
        yield Progress(report=line.report)
    finally:
        line.clear()
