"""What every page is: a step of the rail that reads the document and shows itself when it changes."""

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from anonymizer_gui.workspace.changes import Change, ChangeSet
from anonymizer_gui.workspace.document import Document

EVERYTHING: ChangeSet = frozenset({Change.EVERYTHING})
"""Given to `_show` when all of the page is to be brought up to date."""


class StepState(enum.Enum):
    """How far a step is."""

    EMPTY = "empty"
    READY = "ready"
    STALE = "stale"
    WARNING = "warning"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class StepStatus:
    """The state of a step and a sentence that says so."""

    state: StepState
    text: str


class Page(QWidget):
    """One step; subclasses say how it is built, connected and shown."""

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    order: ClassVar[int] = 0
    icon: ClassVar[str] = ""
    help: ClassVar[str] = ""
    is_everywhere: ClassVar[bool] = False
    """Whether it stays when a project of another room is opened."""

    go = Signal(str)
    """Asks the window to show the page of that name."""
    do = Signal(str)
    """Asks the window to do the action of that id, such as file.open."""
    begin = Signal(str)
    """Asks the window to start a project about the table in that file."""
    status = Signal(str)
    """Tells what is selected, for the status bar."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document
        self.setObjectName(f"page_{self.name}")
        self._room = document.room
        self._was_shown = False
        self._pending: frozenset[str] = frozenset()
        self._build()
        self._connect()
        document.changed.connect(self._on_document_changed)
        self._show(EVERYTHING)

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how far this step is."""
        return StepStatus(StepState.EMPTY, "")

    def home_of_shortcuts(self) -> QWidget:
        """Give the widget in which single letters of the page's own actions work."""
        return self

    @classmethod
    def claims_file(cls, document: Document, path: Path) -> bool:
        """Tell whether a file is for this page even when another one is in front."""
        return False

    def words_for_file(self, path: Path) -> str:
        """Say what dropping a file on this page would do; empty when the page takes no such file."""
        return ""

    def take_file(self, path: Path) -> None:
        """Do what `words_for_file` said."""

    def _build(self) -> None:
        """Lay the widgets out, top to bottom as the screen reads."""

    def _connect(self) -> None:
        """Connect the widgets' signals to the slots."""

    def _show(self, changed: frozenset[str]) -> None:
        """Bring the page up to date after a change of the named things."""

    def _on_document_changed(self, changed: frozenset[str]) -> None:
        if self.document.room != self._room and not self.is_everywhere:
            return  # a project of another room is opened: the window is about to take this page away
        # A page behind another one catches up when it comes to the front.
        if self._was_shown and not self.isVisible():
            self._pending |= changed
        else:
            self._show(changed)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what changed while the page was hidden."""
        super().showEvent(event)
        self._was_shown = True
        if self._pending:
            pending, self._pending = self._pending, frozenset()
            self._show(pending)

    def changeEvent(self, event: QEvent) -> None:
        """Show everything anew in the colours of another theme; a page behind another one waits."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._was_shown:
            self._on_document_changed(EVERYTHING)


def is_affected(changed: ChangeSet, *names: str) -> bool:
    """Tell whether a change touches one of the named things."""
    return Change.EVERYTHING in changed or not changed.isdisjoint(names)
