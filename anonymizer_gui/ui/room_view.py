"""What a kind of release brings to the window: view, samples, status texts, tour steps.

A view is light to import: what needs the engine is imported when it is asked for.
"""

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from anonymizer_gui.ui import rooms

if TYPE_CHECKING:
    from anonymizer_gui.engine.core.progress import Progress
    from anonymizer_gui.ui.actions import Action
    from anonymizer_gui.ui.page import Page
    from anonymizer_gui.ui.release.output_panel import OutputPanel
    from anonymizer_gui.ui.shell.main_window import MainWindow
    from anonymizer_gui.workspace.document import Document


@dataclass(frozen=True, slots=True)
class Sample:
    """A project to try: its file below `samples`, a title and a sentence, both to be translated."""

    file: str
    title: str
    words: str

    @property
    def name(self) -> str:
        """The file without its folder and suffix."""
        return Path(self.file).stem


@dataclass(frozen=True, slots=True)
class StatusBarText:
    """What the line at the bottom says of a document: how large the data is, what must hold, and that at length."""

    size: str = ""
    promises: str = ""
    more: str = ""


class RoomView(Protocol):
    """What the window needs to know of a room."""

    name: str
    title: str
    summary: str
    icon: str
    order: int
    """Where it stands among the others on the first page."""
    samples: tuple[Sample, ...]
    release_suffix: str
    """The usual ending of the file a release leaves in."""

    def load(self, progress: "Progress") -> None:
        """Import pages and engine on the worker: it takes longer than showing the window."""
        from anonymizer_gui.engine.room import room_of

        self.pages()
        for registry in room_of(self.name).registries().values():
            progress(0.5)
            registry.names()

    def pages(self) -> "Sequence[type[Page]]":
        """Give its pages in the order of the rail, at most eight."""

    def actions(self) -> "Sequence[Action]":
        """Give its actions, those of shared pages included."""

    def open_source(self, window: "MainWindow", source: str) -> None:
        """Start a project about a file, after the questions the room has; an empty source asks for a database."""

    def leaving_panel(self, document: "Document") -> "OutputPanel":
        """Make what the Release page shows of the room."""

    def status(self, document: "Document") -> StatusBarText:
        """Say in short how large the data is and what must hold."""

    def after_saving(self, document: "Document", is_new: bool) -> None:
        """Tell what a careful person would want to know of the file that was saved."""

    def tour(self) -> "tuple[TourStep, ...]":
        """Give the chapter of the tour."""


@cache
def view_of(room: str) -> RoomView:
    """Give the view of a room."""
    view: RoomView = importlib.import_module(f"{rooms.__name__}.{room}.view").VIEW
    return view


def all_views() -> list[RoomView]:
    """Give every view, in the order of the first page; a room without one is for the command line alone."""
    names = [found.name for found in pkgutil.iter_modules(rooms.__path__) if found.ispkg]
    return sorted(filter(None, map(_view_if_any, names)), key=lambda view: view.order)


def _view_if_any(room: str) -> RoomView | None:
    try:
        return view_of(room)
    except ModuleNotFoundError as error:
        if error.name != f"{rooms.__name__}.{room}.view":
            raise
        return None


def view_of_document(document: "Document") -> Any:
    """Give the view of the room a document is in."""
    return view_of(document.room)


@dataclass(frozen=True, slots=True)
class TourStep:
    """A name for files, a title, a sentence for the visitor, and what is done on the way there."""

    name: str
    title: str
    sentence: str
    act: "Callable[[MainWindow], Any]"
    points_at: str = ""
    """The name of the widget a frame is drawn around."""
    tell: "Callable[[MainWindow], str] | None" = None
    """Says what came of it, with numbers, once all work has come to rest."""
    leave: "Callable[[MainWindow], Any] | None" = None
    """Takes away what must not stay when the stop is left, such as a dialog; may be called again."""
    again: "Callable[[MainWindow], Any] | None" = None
    """Shows anew what leaving took away, for those who come back."""

    def told(self, window: "MainWindow") -> str:
        """Give the sentence, and what came of it."""
        found = self.tell(window) if self.tell is not None else ""
        return f"{self.sentence} {found}".strip()

    def left(self, window: "MainWindow") -> None:
        """Leave the stop."""
        if self.leave is not None:
            self.leave(window)

    def seen_again(self, window: "MainWindow", page: str) -> None:
        """Come back to the stop, which was on this page."""
        window.go_to(page)
        if self.again is not None:
            self.again(window)
