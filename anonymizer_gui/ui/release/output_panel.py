"""What a room brings to the Release page: what leaves, how, the figures, and words for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton, QWidget

from anonymizer_gui.ui.dialogs.file_dialogs import WRITABLE
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.figure_cards import CardRow
from anonymizer_gui.workspace.document import Document


@dataclass(frozen=True, slots=True)
class Way:
    """What is said while there is nothing to release, and the button to the page that changes that."""

    sentence: str
    button: str
    page: str


class OutputPanel(QObject):
    """A room's part of the page; subclasses fill it and say what is to be said."""

    fields: frozenset[str] = frozenset()
    """The fields of the project that change what leaves, so that it is checked again."""

    formats: ClassVar[Mapping[str, str]] = WRITABLE
    """The kinds of files a release may leave in, with their endings."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document
        self.what = QWidget()
        """Shows what will leave."""
        self.how: QWidget | None = None
        """Decides how it leaves."""
        self.buttons: tuple[QPushButton, ...] = ()
        self.figures = CardRow()
        self.way = Way(tr("Nothing to release yet: run an algorithm first."), tr("Go to Protect"), "protect")

    def show_project(self, release: Any) -> None:
        """Show what is decided now about the release."""

    def show_leaving(self, leaving: Any) -> None:
        """Take note of what was checked; nothing while it is checked."""

    def name_for(self, name: str) -> str:
        """Give the name a release is suggested to leave under."""
        return name

    def sentence(self, leaving: Any) -> str:
        """Say in a line what will leave."""
        return ""

    def success(self, leaving: Any, path: Path) -> str:
        """Say what has left."""
        return ""

    def file_stem(self, name: str) -> str:
        """Suggest what the file is called, without its ending."""
        return f"{name}_release"

    def table_in(self, leaving: Any, path: Path) -> Path | None:
        """Give the file of a release at a path that can be the data of another project; nothing where none can."""
        return None
