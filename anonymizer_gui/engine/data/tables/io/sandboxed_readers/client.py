"""The program's side of the process apart: starts it, asks, waits, stops it when told to or when it takes too long."""

import atexit
import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import anonymizer_gui
from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message, unpack_message
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.contract import Reader, TableAddress
from anonymizer_gui.engine.data.tables.io.input_stream import checked_path
from anonymizer_gui.engine.data.tables.io.options import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_report import ReadReport
from anonymizer_gui.engine.data.tables.io.sandboxed_readers.limits import (
    BROKEN,
    FORKS,
    TOO_LONG,
    TOO_MUCH_MEMORY,
    limits_for,
)
from anonymizer_gui.engine.data.tables.io.sandboxed_readers.protocol import (
    PACKAGE,
    ArrivingTable,
    Frame,
    FrameKind,
    Question,
    error_from_json,
    receive,
)
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.storage.sources import PASSWORD

WORD = "read-tables-apart"
"""The word with which the program is started as such a process; no command of the user's."""

START_SECONDS = 120.0

_END_SECONDS = 5.0  # on a busy machine a process that ends takes its time

_LOOK_EVERY_S = 0.05

_PIPE_BYTES = 1 << 20

_SETTINGS = {
    # One thread each: a hundred would take more addresses than a small file may need memory.
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "MALLOC_ARENA_MAX": "2",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}

Take = Callable[[FrameKind, bytearray], None]

Frames = queue.SimpleQueue[Frame | None]


class WorkerEnded(Exception):
    """The process apart ended before it had answered; says how."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class WorkerProcess:
    """One process apart, which answers one question after the other."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            reader_command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=Path(sys.executable).anchor,
            env=worker_environment(),
            start_new_session=True,  # Ctrl+C is for the program, which ends this one
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._widen()

    @property
    def is_alive(self) -> bool:
        """Whether it could be asked something."""
        return self._process.poll() is None

    def ask(self, question: Question, wait: float, progress: Progress, take: Take) -> None:
        """Ask, and let `take` have the frames of the answer; raises Ended, Cancelled, and whatever `take` raises.

        After any of these the process is gone.
        """
        frames: Frames = queue.SimpleQueue()
        listener = threading.Thread(target=self._listen, args=(frames, question.memory), daemon=True)
        listener.start()
        is_done = False
        try:
            self._say(question.to_line())
            self._await(frames, wait, progress, take)
            is_done = True
        finally:
            if not is_done:
                self._kill()
            listener.join()
            if not is_done:
                self._close_pipes()

    def close(self) -> None:
        """Let it end: there are no more questions."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._kill()
        self._close_pipes()

    def _kill(self) -> None:
        """End it at once, with whatever it has started."""
        if self.is_alive:
            with contextlib.suppress(OSError):
                if sys.platform == "win32":
                    self._process.kill()
                else:
                    os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _close_pipes(self) -> None:
        for pipe in filter(None, (self._process.stdin, self._process.stdout)):
            with contextlib.suppress(OSError):
                pipe.close()

    def _say(self, line: bytes) -> None:
        pipe = self._process.stdin
        try:
            if pipe is not None:
                pipe.write(line)
                pipe.flush()
        except OSError:
            raise WorkerEnded(BROKEN) from None

    def _listen(self, frames: Frames, most: int) -> None:
        """Hand on the frames of one answer, on a thread of its own: not every system lets one wait for a pipe."""
        stream = self._process.stdout
        with contextlib.suppress(OSError, ValueError, MemoryError):
            while stream is not None and (frame := receive(stream, most)) is not None:
                frames.put(frame)
                if frame[0] is FrameKind.END:
                    return
        frames.put(None)

    def _await(self, frames: Frames, wait: float, progress: Progress, take: Take) -> None:
        until = time.monotonic() + START_SECONDS
        while True:
            progress.check()
            if time.monotonic() > until:
                raise WorkerEnded(TOO_LONG)
            try:
                frame = frames.get(timeout=_LOOK_EVERY_S)
            except queue.Empty:
                continue
            if frame is None:
                raise WorkerEnded(self._code())
            if frame[0] is FrameKind.END:
                return
            if frame[0] is FrameKind.BEGUN:
                until = time.monotonic() + wait
            else:
                take(*frame)

    def _code(self) -> int:
        """Tell how it ended; one that goes on after speaking nonsense is ended."""
        try:
            return self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return BROKEN

    def _widen(self) -> None:
        """Let the pipe hold more, where the system knows how: less waiting for each other."""
        if sys.platform == "linux" and self._process.stdout is not None:
            import fcntl

            with contextlib.suppress(OSError):
                fcntl.fcntl(self._process.stdout.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


@dataclass(slots=True)
class WorkerPool:
    """Keeps one process waiting between questions: starting it takes longer than reading a small file."""

    _idle: list[WorkerProcess] = field(default_factory=list)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> WorkerProcess:
        """Give a process that waits for a question, a new one when there is none; raises OSError."""
        with self._guard:
            while self._idle:
                helper = self._idle.pop()
                if helper.is_alive:
                    return helper
                helper.close()
        return WorkerProcess()

    def give_back(self, helper: WorkerProcess) -> None:
        """Keep a process for the next question; where each answers one only, start the next one now."""
        with self._guard:
            if FORKS and not self._idle:
                self._idle.append(helper)
                return
            helper.close()
            if not self._idle:
                self._idle.append(WorkerProcess())

    def close(self) -> None:
        """End the process that waits."""
        with self._guard:
            while self._idle:
                self._idle.pop().close()


POOL = WorkerPool()
"""One for the program: the processes wait beside it, whoever asks."""

atexit.register(POOL.close)


def reader_command() -> list[str]:
    """Give the call of this very program that reads tables apart."""
    return program_command(WORD)


def program_command(word: str) -> list[str]:
    """Give the call of this very program with a word of its own."""
    if not getattr(sys, "frozen", False):
        # -P: the folder one works in may hold files that are called like modules.
        return [sys.executable, "-P", "-m", anonymizer_gui.__name__, word]
    # On Windows the program with a window has no standard output; its twin has.
    twin = Path(sys.executable).with_name("anonymizer-gui.exe")
    return [str(twin) if sys.platform == "win32" and twin.exists() else sys.executable, word]


def worker_environment() -> dict[str, str]:
    """Give what a process of this program finds around it: the same modules, no password."""
    place = str(Path(anonymizer_gui.__file__).parent.parent)
    paths = [place, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    known = {name: value for name, value in os.environ.items() if name != PASSWORD}  # it reads files, nothing else
    return {**known, **_SETTINGS, "PYTHONPATH": os.pathsep.join(paths)}


_TRUSTED = "If you trust it, save it as CSV with the program it comes from, and open that."


@dataclass(frozen=True, slots=True)
class SandboxedReader:
    """Has the questions about a file answered by a process of its own, within limits."""

    reader: Reader

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the options that make a difference."""
        return self.reader.choices

    def parts(self, source: TableAddress) -> tuple[str, ...]:
        """List the sheets or tables to choose from; raises UnreadableFile."""
        return tuple(self._ask("parts", source).answer)

    def sniff(self, source: TableAddress) -> ReadOptions:
        """Propose options; raises UnreadableFile."""
        return from_json(ReadOptions, self._ask("sniff", source).answer)

    def read(
        self, source: TableAddress, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read the table, or its first `limit` rows; raises UnreadableFile."""
        arriving = self._ask("read", source, options, progress, limit).table
        if arriving is None:
            raise _broken(Path(source))
        return arriving.finish()

    def _ask(
        self,
        asked: str,
        source: TableAddress,
        options: ReadOptions | None = None,
        progress: Progress = SILENT,
        limit: int | None = None,
    ) -> "_Answer":
        path = checked_path(source)
        limits = limits_for(path.stat().st_size)
        kind = type(self.reader)
        name = f"{kind.__module__.removeprefix(f'{PACKAGE}.')}.{kind.__name__}"
        question = Question(name, asked, str(path.absolute()), limits.seconds, limits.memory, options, limit)
        answer = _Answer(progress)
        try:
            helper = POOL.take()
            helper.ask(question, limits.wait, progress, answer.take)
        except WorkerEnded as ended:
            raise _bad_end(path, ended.code) from None
        except (KeyError, TypeError, ValueError, IndexError):  # an answer that is none
            raise _broken(path) from None
        except OSError:
            raise UnreadableFile(
                "The process that reads such files could not be started.", "Close other programs, and try again."
            ) from None
        POOL.give_back(helper)
        if answer.error is not None:
            raise answer.error
        return answer


@dataclass(slots=True)
class _Answer:
    """What has arrived so far."""

    progress: Progress
    answer: Json = None
    table: ArrivingTable | None = None
    error: UnreadableFile | None = None

    def take(self, kind: FrameKind, payload: bytearray) -> None:
        """Take the next frame; raises Cancelled."""
        if kind is FrameKind.PROGRESS:
            fraction, text = json.loads(payload)
            self.progress(fraction, unpack_message(text))
        elif kind is FrameKind.ERROR:
            self.error = error_from_json(json.loads(payload))
        elif kind is FrameKind.ANSWER:
            self.answer = json.loads(payload)
        elif kind is FrameKind.TABLE:
            self.table = ArrivingTable(payload)
        elif self.table is not None:
            self.table.take(kind, payload)


def _bad_end(path: Path, code: int) -> UnreadableFile:
    if code == TOO_LONG:
        return UnreadableFile(
            message("Reading “{name}” took longer than a file of its size may take.", name=path.name), _TRUSTED
        )
    if code == TOO_MUCH_MEMORY:
        return UnreadableFile(
            message("Reading “{name}” took more memory than a file of its size may need.", name=path.name), _TRUSTED
        )
    return _broken(path)


def _broken(path: Path) -> UnreadableFile:
    return UnreadableFile(
        message("“{name}” is damaged: reading it broke off.", name=path.name),
        "Fetch it again or save it anew. Nothing of your work was touched.",
    )
