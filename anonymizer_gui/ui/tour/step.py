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
