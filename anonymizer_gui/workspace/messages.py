"""Messages with severity, page and actions; the log without data."""

import enum
import logging
import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

LOGGER = logging.getLogger("anonymizer_gui")

_KEPT = 2000

_QUOTED = re.compile("[“„].*[”“]", re.DOTALL)

_FORMAT = logging.Formatter("%(asctime)s  %(levelname)s  %(message)s", "%H:%M:%S")


def redacted(text: str) -> str:
    """Take out what is quoted: it may be a label of a hierarchy, and so a value of somebody.

    >>> redacted("Rename “Rome” to “Italy” in city")
    'Rename “…” in city'
    """
    return _QUOTED.sub("“…”", text)


class LogBuffer(QObject):
    """Keeps the last lines of the program's own log."""

    written = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: deque[str] = deque(maxlen=_KEPT)
        self._handler = _Handler(self)
        self._logger = LOGGER
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
    def __init__(self, book: LogBuffer) -> None:
        super().__init__()
        self._book = book

    def emit(self, record: logging.LogRecord) -> None:
        # The text of an exception may hold cells of the table; only what we wrote ourselves is kept.
        record.exc_info = None
        record.exc_text = None
        self._book.add(_FORMAT.format(record))


class Severity(enum.Enum):
    """How grave a message is."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    SUCCESS = "success"


_LEVELS = {Severity.ERROR: logging.ERROR, Severity.WARNING: logging.WARNING}

MessageAction = tuple[str, Callable[[], object]]
"""The title of a button and what it does."""


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """One sentence for people, what to do about it, copyable details, and buttons that help."""

    tone: Severity
    text: str
    hint: str = ""
    details: str = ""
    actions: tuple[MessageAction, ...] = ()
    key: str = ""


class Messages(QObject):
    """The messages that are open; a new message replaces an open one of the same key."""

    posted = Signal(object)
    cleared = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open: list[Message] = []

    @property
    def open(self) -> tuple[Message, ...]:
        """The messages nobody has dismissed, oldest first."""
        return tuple(self._open)

    def error(
        self,
        text: str,
        hint: str = "",
        details: str = "",
        actions: Sequence[MessageAction] = (),
        key: str | None = None,
    ) -> Message:
        """Say that something did not work."""
        return self._post(Message(Severity.ERROR, text, hint, details, tuple(actions), key or text))

    def warning(
        self,
        text: str,
        hint: str = "",
        details: str = "",
        actions: Sequence[MessageAction] = (),
        key: str | None = None,
    ) -> Message:
        """Say that something needs attention."""
        return self._post(Message(Severity.WARNING, text, hint, details, tuple(actions), key or text))

    def info(
        self,
        text: str,
        hint: str = "",
        details: str = "",
        actions: Sequence[MessageAction] = (),
        key: str | None = None,
    ) -> Message:
        """Say something worth knowing."""
        return self._post(Message(Severity.INFO, text, hint, details, tuple(actions), key or text))

    def success(
        self,
        text: str,
        hint: str = "",
        details: str = "",
        actions: Sequence[MessageAction] = (),
        key: str | None = None,
    ) -> Message:
        """Say that something is done."""
        return self._post(Message(Severity.SUCCESS, text, hint, details, tuple(actions), key or text))

    def clear(self, key: str) -> None:
        """Take back the message of that key, if it is still open."""
        kept = [message for message in self._open if message.key != key]
        if len(kept) < len(self._open):
            self._open = kept
            self.cleared.emit(key)

    def withdraw_offers(self, key: str) -> None:
        """Take back the buttons of the message of that key: what they offer is done already."""
        for message in self.open:
            if message.key == key and message.actions:
                self._replace(message, replace(message, actions=()))

    def clear_told(self) -> None:
        """Take back what was merely told: successes, and news and errors that offer nothing."""
        for message in self.open:
            is_told = message.tone in (Severity.INFO, Severity.ERROR) and not message.actions
            if message.tone is Severity.SUCCESS or is_told:
                self.clear(message.key)

    def clear_all(self) -> None:
        """Take back every message."""
        for message in self.open:
            self.clear(message.key)

    def _post(self, message: Message) -> Message:
        LOGGER.log(_LEVELS.get(message.tone, logging.INFO), "%s", redacted(message.text))
        self.clear(message.key)
        self._open.append(message)
        self.posted.emit(message)
        return message

    def _replace(self, old: Message, new: Message) -> None:
        self._open = [new if message is old else message for message in self._open]
        self.posted.emit(new)
