"""The process apart: reads one file after another for the program, each in a child of its own where that is possible.

It is started as the same program with a word of its own, so that it works from an installed bundle, too.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import sys
import time

from anonymizer_gui.engine.core.errors import AnonymizerError, UnreadableFile, fault_location
from anonymizer_gui.engine.core.messages import message, pack_message
from anonymizer_gui.engine.core.params import to_json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io.contract import Reader
from anonymizer_gui.engine.data.tables.io.sandboxed_readers.limits import (
    BROKEN,
    FORKS,
    TOO_LONG,
    TOO_MUCH_MEMORY,
    Limits,
    apply_limits,
)
from anonymizer_gui.engine.data.tables.io.sandboxed_readers.protocol import (
    PACKAGE,
    FrameKind,
    Question,
    error_json,
    send,
    table_frames,
)

_REPORT_EVERY_S = 0.05


def serve() -> int:
    """Answer questions from standard input until there are no more; the answers go where standard output was."""
    answers = os.dup(1)
    # Libraries that print would speak into the answers; what they print may hold cells.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin.buffer:
        question = Question.from_line(line)
        reader = _reader(question)
        send(answers, FrameKind.BEGUN)
        if not FORKS:
            _answer(question, reader, answers)
            return 0
        if code := _answer_in_child(question, reader, answers):
            return code
    return 0


def _reader(question: Question) -> Reader:
    """Find the reader, and load what it needs before the first child is made: the next ones have it then."""
    module, _, name = question.reader.rpartition(".")
    reader: Reader = getattr(importlib.import_module(f"{PACKAGE}.{module}"), name)()
    for package in reader.packages:
        with contextlib.suppress(ImportError):  # the reader says it better
            importlib.import_module(package)
    return reader


def _answer_in_child(question: Question, reader: Reader, answers: int) -> int:
    """Let a child read; gives 0 when it ended well, otherwise how."""
    gc.freeze()
    child = os.fork()
    if not child:
        try:
            _answer(question, reader, answers)
            os._exit(0)
        finally:
            os._exit(BROKEN)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        # Whom nobody but the system kills has taken too much memory.
        ends: dict[int, int] = {signal.SIGXCPU: TOO_LONG, signal.SIGKILL: TOO_MUCH_MEMORY}
        return ends.get(os.WTERMSIG(status), BROKEN)
    return os.WEXITSTATUS(status)


def _answer(question: Question, reader: Reader, answers: int) -> None:
    """Do what is asked within the limits, and send what came out."""
    try:
        apply_limits(Limits(question.seconds, question.seconds, question.memory))
        _send_answer(question, reader, answers)
    except AnonymizerError as error:
        send(answers, FrameKind.ERROR, json.dumps(error_json(error)).encode())
    except MemoryError:
        os._exit(TOO_MUCH_MEMORY)
    except BrokenPipeError:
        os._exit(BROKEN)  # nobody listens any more
    except Exception as error:  # noqa: BLE001 - a library met what it does not know; where, is told without the cells
        send(answers, FrameKind.ERROR, json.dumps(error_json(_unknown(question, error))).encode())
    send(answers, FrameKind.END)


def _send_answer(question: Question, reader: Reader, answers: int) -> None:
    if question.asked == "parts":
        send(answers, FrameKind.ANSWER, json.dumps(reader.parts(question.path)).encode())
    elif question.asked == "sniff":
        send(answers, FrameKind.ANSWER, json.dumps(to_json(reader.sniff(question.path))).encode())
    elif question.options is not None:
        table, report = reader.read(question.path, question.options, _progress(answers), question.limit)
        for kind, payload in table_frames(table, report):
            send(answers, kind, payload)


def _progress(answers: int) -> Progress:
    told = 0.0

    def tell(fraction: float, text: str) -> None:
        nonlocal told
        if time.monotonic() - told >= _REPORT_EVERY_S:
            told = time.monotonic()
            send(answers, FrameKind.PROGRESS, json.dumps([fraction, pack_message(text)]).encode())

    return Progress(tell)


def _unknown(question: Question, error: Exception) -> UnreadableFile:
    name = os.path.basename(question.path)
    where = fault_location(error).replace("\n", " ")
    return UnreadableFile(
        message("“{name}” is damaged, or holds something this program does not know.", name=name),
        message("Save it anew or as CSV. If other programs read it, report this: {where}", where=where),
    )
