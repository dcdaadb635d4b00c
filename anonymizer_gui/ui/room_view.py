"""The window half of a room: its pages, actions, samples and words; found by walking `ui/rooms`.

A view is light to import: what needs the engine is imported when it is asked for.
"""

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from anonymizer_gui.ui import rooms

if TYPE_CHECKING:
    from anonymizer_gui.engine.core.progress import Progress
    from anonymizer_gui.ui.actions import Action
    from anonymizer_gui.ui.page import Page
    from anonymizer_gui.ui.release.leaving_panel import LeavingPanel
    from anonymizer_gui.ui.shell.main_window import MainWindow
    from anonymizer_gui.ui.tour.step import Step
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
class StatusWords:
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

    def leaving_panel(self, document: "Document") -> "LeavingPanel":
        """Make what the Release page shows of the room."""

    def status(self, document: "Document") -> StatusWords:
        """Say in short how large the data is and what must hold."""

    def after_saving(self, document: "Document", is_new: bool) -> None:
        """Tell what a careful person would want to know of the file that was saved."""

    def tour(self) -> "tuple[Step, ...]":
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


def view_for(document: "Document") -> Any:
    """Give the view of the room a document is in."""
    return view_of(document.room)
