"""How far a long computation has come, and whether it should stop."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from anonymizer_gui.engine.core.errors import Cancelled


def _ignore(fraction: float, text: str) -> None:
    """Take a report nobody looks at."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Progress:
    """Call with a fraction of one's own work; raises Cancelled when the user asked to stop.

    >>> seen = []
    >>> progress = Progress(report=lambda fraction, text: seen.append((fraction, text)))
    >>> progress.sub(0.5, 1.0)(0.5, "Checking classes")
    >>> seen
    [(0.75, 'Checking classes')]
    """

    report: Callable[[float, str], None] = _ignore
    is_cancelled: Callable[[], bool] = _never
    is_enough: Callable[[], bool] = _never
    start: float = 0.0
    stop: float = 1.0

    def __call__(self, fraction: float, text: str = "") -> None:
        """Report that this much of the work is done, or raise Cancelled."""
        self.check()
        self.report(self.start + (self.stop - self.start) * min(max(fraction, 0.0), 1.0), text)

    def check(self) -> None:
        """Raise Cancelled when the user asked to stop; report nothing."""
        if self.is_cancelled():
            raise Cancelled

    def enough(self) -> bool:
        """Say that there is a result that may still get better, and ask whether the user will take it as it is."""
        return self.is_enough()

    def sub(self, start: float, stop: float) -> "Progress":
        """Give a part of the bar to a part of the work."""
        width = self.stop - self.start
        return replace(self, start=self.start + width * start, stop=self.start + width * stop)


SILENT = Progress()
