"""One stop of the tour."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anonymizer_gui.ui.shell.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class Step:
    """A name for files, a title, a sentence for the visitor, and what is done on the way there."""

    name: str
    title: str
    sentence: str
    act: "Callable[[MainWindow], Any]"
    points_at: str = ""
    """The name of the widget a frame is drawn around."""
