"""Task, Job, JobRunner: one mechanism for long work (lanes run, view), progress, stop, keep best."""

import enum
import gc
import platform
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, qVersion
from shiboken6 import isValid

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import AnonymizerError, Cancelled, CancelledAtCost, fault_location
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.workspace.messages import Messages


def crash_report(error: BaseException) -> str:
    """Give versions, the type of the error and the places in the code, never a cell of the table."""
    versions = f"Anonymizer {__version__}, Python {platform.python_version()}, Qt {qVersion()}, {sys.platform}"
    return f"{versions}\n{fault_location(error)}"


REPORT_EVERY_S = 0.05

_CALM = 700, 10, 10

_BUSY = 700, 10, 1000
"""How often garbage is looked for. Looking through all that lives holds the window up, and what a job builds starts
that again and again; most of it is dropped at its end anyway."""

Work = Callable[..., Any]

OnDone = Callable[[Any], None]

OnError = Callable[[BaseException], None]


class JobState(enum.Enum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Job:
    """One piece of work: how far it is, and how to stop it."""

    def __init__(self, title: str, work: Callable[[Progress], Any], key: object) -> None:
        self.title = title
        self.key = key
        self.fraction = 0.0
        self.text = ""
        self.state = JobState.WAITING
        self.result: Any = None
        self.error: BaseException | None = None
        self.on_done: OnDone | None = None
        self.on_error: OnError | None = None
        self._work = work
        self._stop = threading.Event()
        self._enough = threading.Event()
        self.has_result = False
        """Whether there is a result already that may still get better."""
        self._begun = time.monotonic()
        self._reported = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds since the job was started."""
        return time.monotonic() - self._begun

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody asked the job to stop."""
        return self._stop.is_set()

    def cancel(self) -> None:
        """Ask the job to stop; its result, should it come, is dropped."""
        self._stop.set()

    @property
    def is_enough(self) -> bool:
        """Whether somebody asked the job to end with the best it has so far."""
        return self._enough.is_set()

    def settle(self) -> None:
        """Ask the job to end with the best it has so far; what cannot goes on."""
        self._enough.set()

    def _asked_for_enough(self) -> bool:
        self.has_result = True
        return self.is_enough

    def perform(self, tell: Callable[["Job"], None]) -> None:
        """Do the work, on the worker thread, telling now and then how far it is; never raises."""
        self.state = JobState.RUNNING
        try:
            progress = Progress(
                lambda fraction, text: self._report(fraction, text, tell), self._stop.is_set, self._asked_for_enough
            )
            progress.check()
            self.result = self._work(progress)
            self.state = JobState.CANCELLED if self.is_cancelled else JobState.DONE
        except Cancelled as stop:
            self.error = stop
            self.state = JobState.CANCELLED
        except BaseException as error:  # noqa: BLE001 - the boundary of the thread: every error becomes a message
            self.error = error
            self.state = JobState.CANCELLED if self.is_cancelled else JobState.FAILED

    def _report(self, fraction: float, text: str, tell: Callable[["Job"], None]) -> None:
        self.fraction, self.text = fraction, text or self.text
        now = time.monotonic()
        if now - self._reported >= REPORT_EVERY_S:
            self._reported = now
            tell(self)


class _Bridge(QObject):
    """Carries news from the worker to the thread of the window; lives as long as either needs it."""

    moved = Signal(object)
    ended = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.is_open = True
        self.queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()

    def perform(self, job: Job) -> None:
        """Do a job and tell that it ended, if anybody still listens."""
        job.perform(self.tell)
        if self.is_open:
            self.ended.emit(job)

    def tell(self, job: Job) -> None:
        """Tell how far a job is."""
        if self.is_open:
            self.moved.emit(job)


class JobRunner(QObject):
    """Runs jobs one after the other; `inline` runs each at once, for tests and scripts."""

    started = Signal(object)
    progressed = Signal(object)
    finished = Signal(object)

    def __init__(self, messages: Messages, inline: bool = False, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._messages = messages
        self._inline = inline
        self._jobs: list[Job] = []
        self._bridge = _Bridge()
        self._worker: threading.Thread | None = None
        self._bridge.moved.connect(self._on_moved)
        self._bridge.ended.connect(self._on_ended)

    @property
    def active(self) -> tuple[Job, ...]:
        """The jobs that wait or run, oldest first."""
        return tuple(self._jobs)

    def start(
        self,
        title: str,
        function: Work,
        *args: Any,
        on_done: OnDone | None = None,
        on_error: OnError | None = None,
        replace_key: object = None,
    ) -> Job:
        """Call `function(*args, progress=...)` on the worker, then `on_done(result)` on this thread.

        A job with the same `replace_key` that has not ended is cancelled. Errors go to the messages unless
        `on_error` takes them. A job without a title is not shown to anybody.
        """
        self._cancel_key(replace_key)
        job = Job(title, lambda progress: function(*args, progress=progress), replace_key)
        job.on_done, job.on_error = on_done, on_error
        self._jobs.append(job)
        self.started.emit(job)
        self._dispatch(job)
        return job

    def tell(self, error: BaseException) -> None:
        """Post an error as a message."""
        post_error(self._messages, error)

    def cancel_all(self) -> None:
        """Ask every job to stop."""
        for job in self._jobs:
            job.cancel()

    def close(self, wait_ms: int = 2000) -> bool:
        """Cancel everything and wait a moment for the worker; say whether it ended."""
        self._bridge.is_open = False
        self.cancel_all()
        if self._worker is None:
            return True
        self._bridge.queue.put(None)
        self._worker.join(wait_ms / 1000)
        return not self._worker.is_alive()

    def _cancel_key(self, key: object) -> None:
        for job in self._jobs:
            if key is not None and job.key == key:
                job.cancel()

    def _dispatch(self, job: Job) -> None:
        if self._inline:
            self._bridge.perform(job)
            return
        if self._worker is None:
            # A daemon: work that cannot be stopped must not keep a closed program alive.
            self._worker = threading.Thread(target=_work, args=(self._bridge,), name="anonymizer worker", daemon=True)
            self._worker.start()
        # Whoever asked is still showing what was done: two threads at once would take twice as long over it.
        QTimer.singleShot(0, self, lambda: self._bridge.queue.put(job))

    def _on_moved(self, job: Job) -> None:
        if job in self._jobs:
            self.progressed.emit(job)

    def _on_ended(self, job: Job) -> None:
        if job not in self._jobs:
            return
        self._jobs.remove(job)
        if job.is_cancelled:
            job.state = JobState.CANCELLED
        self.finished.emit(job)
        if job.state is JobState.DONE and job.on_done is not None and receiver_is_alive(job.on_done):
            job.on_done(job.result)
        elif job.state is JobState.FAILED and job.error is not None:
            (job.on_error or self.tell)(job.error)
        elif isinstance(job.error, CancelledAtCost):
            self._messages.error(job.error.message, job.error.hint)


def _work(bridge: _Bridge) -> None:
    """Do jobs until there are no more to come; the worker knows the bridge only, never the window."""
    while (job := bridge.queue.get()) is not None:
        gc.set_threshold(*_BUSY)
        bridge.perform(job)
        gc.set_threshold(*_CALM)
        del job


def receiver_is_alive(then: OnDone) -> bool:
    """Tell whether the page or chart that waits for a result is still there: windows close, languages change."""
    owner = getattr(then, "__self__", None)
    return not isinstance(owner, QObject) or isValid(owner)


def post_error(messages: Messages, error: BaseException) -> None:
    """Post an error: ours with its hint, running out of memory with advice, anything else with a report."""
    if isinstance(error, AnonymizerError):
        messages.error(error.message, error.hint)
    elif isinstance(error, MemoryError):
        messages.error("There is not enough memory for this.", "Close other programs, or take fewer columns.")
    else:
        messages.error(
            "Something went wrong inside the program; your project is unchanged.",
            "Save your work, then copy the details into a report of the fault. They hold no data of your table.",
            crash_report(error),
        )
