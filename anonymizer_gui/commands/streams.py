"""Standard output and error as they are: closed, full, broken, or of few letters. None of that is a fault."""

import contextlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


class Output:
    """A stream on which printing never fails; it remembers when something could not be printed."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._is_broken = False
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Print a text, unless that has failed before; what was closed by the caller leads nowhere."""
        if self._stream is not None and not self._is_broken:
            try:
                self._stream.write(text)
            except (OSError, ValueError):
                self._give_up()
        return len(text)

    def flush(self) -> None:
        """Print what still waits."""
        if self._stream is not None and not self._is_broken:
            try:
                self._stream.flush()
            except (OSError, ValueError):
                self._give_up()

    def is_broken(self) -> bool:
        """Tell whether something of what was printed got lost."""
        self.flush()
        return self._is_broken

    def isatty(self) -> bool:
        """Tell whether somebody looks on."""
        return self._stream is not None and self._stream.isatty()

    def _give_up(self) -> None:
        """Let what still waits go nowhere, or the end of the program would try again."""
        self._is_broken = True
        with contextlib.suppress(OSError, ValueError, AttributeError):
            if self._stream is not None:
                os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


@contextmanager
def watched() -> Iterator[Output]:
    """Let everything be printed through streams that do not fail; gives the one for standard output."""
    _fill_closed_handles()
    before = sys.stdout, sys.stderr
    output, errors = Output(sys.stdout), Output(sys.stderr)
    sys.stdout, sys.stderr = output, errors
    try:
        yield output
    finally:
        for stream in (output, errors):
            stream.flush()
        sys.stdout, sys.stderr = before


def _fill_closed_handles() -> None:
    """Open nothing where a standard stream is closed: the next file would take its place."""
    for handle in range(3):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
