"""What the program did, line by line, for the log window; never a cell of a table."""

import logging
import re
from collections import deque

from PySide6.QtCore import QObject, Signal

LOG = logging.getLogger("anonymizer_gui")
_KEPT = 2000
_QUOTED = re.compile("[“„].*[”“]", re.DOTALL)
_FORMAT = logging.Formatter("%(asctime)s  %(levelname)s  %(message)s", "%H:%M:%S")


def unquoted(text: str) -> str:
    """Take out what is quoted: it may be a label of a hierarchy, and so a value of somebody.

    >>> unquoted("Rename “Rome” to “Italy” in city")
    'Rename “…” in city'
    """
    return _QUOTED.sub("“…”", text)


class LogBook(QObject):
    """Keeps the last lines of the program's own log."""

    written = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: deque[str] = deque(maxlen=_KEPT)
        self._handler = _Handler(self)
        self._logger = LOG
        self._logger.propagate = False
        self._logger.addHandler(self._handler)

    @property
    def lines(self) -> tuple[str, ...]:
        """The last lines, oldest first."""
        return tuple(self._lines)

    def set_level(self, level: str) -> None:
        """Keep lines from this level on: info or warning."""
        self._logger.setLevel(level.upper())

    def add(self, line: str) -> None:
        """Keep a line."""
        self._lines.append(line)
        self.written.emit(line)

    def close(self) -> None:
        """Stop listening."""
        self._logger.removeHandler(self._handler)


class _Handler(logging.Handler):
    def __init__(self, book: LogBook) -> None:
        super().__init__()
        self._book = book

    def emit(self, record: logging.LogRecord) -> None:
        # The text of an exception may hold cells of the table; only what we wrote ourselves is kept.
        record.exc_info = None
        record.exc_text = None
        self._book.add(_FORMAT.format(record))
