"""What the program has to say: sentences for the message bar, kept until somebody shows them."""

import enum
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from anonymizer_gui.workspace.logbook import LOG, unquoted


class Tone(enum.Enum):
    """How grave a message is."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    SUCCESS = "success"


_LEVELS = {Tone.ERROR: logging.ERROR, Tone.WARNING: logging.WARNING}

Offer = tuple[str, Callable[[], object]]
"""The title of a button and what it does."""


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """One sentence for people, what to do about it, copyable details, and buttons that help."""

    tone: Tone
    text: str
    hint: str = ""
    details: str = ""
    actions: tuple[Offer, ...] = ()
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
        self, text: str, hint: str = "", details: str = "", actions: Sequence[Offer] = (), key: str | None = None
    ) -> Message:
        """Say that something did not work."""
        return self._post(Message(Tone.ERROR, text, hint, details, tuple(actions), key or text))

    def warning(
        self, text: str, hint: str = "", details: str = "", actions: Sequence[Offer] = (), key: str | None = None
    ) -> Message:
        """Say that something needs attention."""
        return self._post(Message(Tone.WARNING, text, hint, details, tuple(actions), key or text))

    def info(
        self, text: str, hint: str = "", details: str = "", actions: Sequence[Offer] = (), key: str | None = None
    ) -> Message:
        """Say something worth knowing."""
        return self._post(Message(Tone.INFO, text, hint, details, tuple(actions), key or text))

    def success(
        self, text: str, hint: str = "", details: str = "", actions: Sequence[Offer] = (), key: str | None = None
    ) -> Message:
        """Say that something is done."""
        return self._post(Message(Tone.SUCCESS, text, hint, details, tuple(actions), key or text))

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
            is_told = message.tone in (Tone.INFO, Tone.ERROR) and not message.actions
            if message.tone is Tone.SUCCESS or is_told:
                self.clear(message.key)

    def clear_all(self) -> None:
        """Take back every message."""
        for message in self.open:
            self.clear(message.key)

    def _post(self, message: Message) -> Message:
        LOG.log(_LEVELS.get(message.tone, logging.INFO), "%s", unquoted(message.text))
        self.clear(message.key)
        self._open.append(message)
        self.posted.emit(message)
        return message

    def _replace(self, old: Message, new: Message) -> None:
        self._open = [new if message is old else message for message in self._open]
        self.posted.emit(new)
