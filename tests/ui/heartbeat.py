"""A heart that beats on the thread of the window, and how long it stood still."""

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui.app import SWITCH_INTERVAL_S
from tests.patience import slowness

LONGEST_MS = 100
TRIES = 8
_TASKS = Path("/proc/self/task")


@dataclass(frozen=True, slots=True)
class Beat:
    """When the heart beat; until then, what the window and all threads had computed, and stood in the queue."""

    at: float
    computed: float
    by_all: float
    queued: float

    @classmethod
    def now(cls) -> "Beat":
        """Look at the clocks, and at what the system tells about the threads."""
        queued = sum(_queued_s(task) for task in _TASKS.glob("*/schedstat"))
        return cls(time.perf_counter(), time.thread_time(), time.process_time(), queued)


class Heart:
    """Beats every few milliseconds while it is entered; made on the thread of the window."""

    def __init__(self) -> None:
        self._beats: list[Beat] = []
        self._timer = QTimer(interval=5)
        self._timer.timeout.connect(lambda: self._beats.append(Beat.now()))

    def longest_ms(self) -> float:
        """Give the longest time without a beat that is our own doing, in time of the processor.

        What the window itself computed counts; so does what it waited for a worker that computed meanwhile, holding
        Python's lock. The clock on the wall alone never does: other programs may take the processor from all threads.
        """
        pairs = zip(self._beats, self._beats[1:], strict=False)
        return max(_own_s(before, after) for before, after in pairs) * 1000

    def __enter__(self) -> "Heart":
        # As the program does: a busy worker hands over quickly, and what is loaded is no garbage.
        self._interval = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        gc.freeze()
        self._beats = [Beat.now()]
        self._timer.start()
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        QApplication.processEvents()
        self._beats.append(Beat.now())
        self._timer.stop()
        gc.unfreeze()
        sys.setswitchinterval(self._interval)


def longest_block_ms(qtbot: QtBot, act: Callable[[], object], until: Callable[[], bool]) -> float:
    """Do something and wait for its end; give the longest block of the window, at best of some tries.

    What the program itself blocks, it blocks every time; all else is chance. The time is that of the machine on which
    the limit was measured: a slower processor computes longer.
    """
    best = float("inf")
    for _ in range(TRIES):
        with Heart() as heart:
            act()
            qtbot.waitUntil(until, timeout=600_000)
        best = min(best, heart.longest_ms() / slowness())
        if best < LONGEST_MS:
            break
    return best


def _own_s(before: Beat, after: Beat) -> float:
    waited = after.at - before.at - max(after.queued - before.queued, 0.0)
    return max(min(waited, after.by_all - before.by_all), after.computed - before.computed)


def _queued_s(task: Path) -> float:
    try:
        return int(task.read_text().split()[1]) / 1e9
    except OSError:  # a thread that has just ended
        return 0.0
